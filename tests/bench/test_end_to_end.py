"""The benchmark from file to leaderboards, with a real site and few games."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bench import end_to_end, million
from bench.archive import Archive, Games, write
from bench.site import Site
from tests.conftest import Worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live: str, worker: Worker) -> Site:
    (process,) = worker._running
    return Site(live, process, process, process.pid)


@pytest.fixture
def archive(tmp_path: Path, games: Callable[[], Games]) -> Archive:
    return write(tmp_path / "games.agn.zst", games().mixed(), 240)


@pytest.mark.full
def test_a_file_is_followed_to_the_leaderboards(
    site: Site, archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    said = list[str]()
    token = end_to_end.member()
    taken = end_to_end.take(site, archive, token, said.append)
    assert (taken.games, taken.sent <= taken.judged <= taken.rated) == (240, True)
    assert [line.split()[0] for line in said] == ["sent", *["judged"] * (len(said) - 2), "rated"]

    million.look_at_leaderboards(site, token)
    assert "army-ants: " in capsys.readouterr().out


@pytest.mark.full
def test_counts_that_do_not_add_up_are_reported(site: Site, archive: Archive) -> None:
    wrong = archive._replace(broken=archive.broken + 1)
    with pytest.raises(SystemExit, match="12 rejected, not 13"):
        end_to_end.take(site, wrong, end_to_end.member())
