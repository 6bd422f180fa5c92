"""Games for benchmarks: all different, of realistic length, one in twenty broken."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from bench.archive import Archive, Games, write
from bench.distinct import SampleRecord
from bench.played import SOURCES
from engine.verify import REJECTED, VERIFIED, Verdict, verify_bytes
from games.zstd import zstd


@pytest.fixture(scope="module")
def judged(games: Callable[[], Games]) -> list[tuple[SampleRecord, Verdict]]:
    return [(sample, verify_bytes(sample.data)[0]) for sample in islice(games().mixed(), 300)]


@pytest.mark.full
def test_one_game_in_twenty_is_broken(judged: list[tuple[SampleRecord, Verdict]]) -> None:
    found = [(one.broken, verdict.verdict) for one, verdict in judged]
    assert (found.count((True, REJECTED)), found.count((False, VERIFIED))) == (16, 284)
    assert {verdict.fault.ply is not None for _, verdict in judged if verdict.fault} == {True}


def test_all_generated_games_are_different(judged: list[tuple[SampleRecord, Verdict]]) -> None:
    digests = [verdict.digest for one, verdict in judged if not one.broken]
    assert len(set(digests)) == 284
    assert len({one.sameness for one, _ in judged if not one.broken}) == 284


def test_generated_games_have_realistic_lengths(judged: list[tuple[SampleRecord, Verdict]]) -> None:
    plies = sorted(verdict.plies for _, verdict in judged if verdict.plies)
    assert (plies[0] > 30, plies[len(plies) // 2] > 70) == (True, True)
    assert {verdict.ruleset.slug for _, verdict in judged if verdict.ruleset} == set(SOURCES)


def test_archive_describes_its_own_contents(games: Callable[[], Games], tmp_path: Path) -> None:
    archive = write(tmp_path / "some.agn.zst", games().mixed(), 40)
    data = zstd.decompress(archive.path.read_bytes())
    assert archive == Archive(archive.path, 40, archive.broken, len(data), archive.seats)
    verdicts = verify_bytes(data)
    assert (len(verdicts), sum(one.verdict == REJECTED for one in verdicts)) == (40, archive.broken)
    assert archive.seats == sum(len(one.outcome.placements) for one in verdicts if one.outcome)


def test_a_file_is_not_filled_with_the_same_game(games: Callable[[], Games], tmp_path: Path) -> None:
    one = next(sample for sample in games().mixed() if not sample.broken)
    with pytest.raises(SystemExit, match="2 games could be made, 1 of them different, not 2"):
        write(tmp_path / "same.agn.zst", iter([one, one]), 2)
