"""Different games have different likenesses, in all records at hand."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from engine.verify import Verdict, verify_file
from tests.strategies import FIXTURES

VECTORS = Path(__file__).parents[3] / "shared" / "vectors"


def verdicts() -> Iterator[Verdict]:
    for path in (*sorted(FIXTURES.rglob("*.agn")), *sorted(VECTORS.rglob("*.agn"))):
        with path.open("rb") as file:
            yield from verify_file(file)


def test_records_of_one_likeness_differ_in_their_deck_alone() -> None:
    """None of them is a turned, mirrored or recoloured one of another; mutants are among them.

    Of games without a single action there are two that differ in the colours alone.
    """
    found = defaultdict[str | None, set[tuple[str, ...]]](set)
    for verdict in verdicts():
        assert (verdict.likeness is None) == (verdict.fault is not None)
        if verdict.replay and verdict.replay.actions and verdict.likeness:
            tags = [verdict.replay.tags[name] for name in ("Game", "Rules", "Seats", "Setup")]
            found[verdict.likeness].add((*tags, *verdict.replay.actions))

    assert len(found) > 70
    assert [likeness for likeness, games in found.items() if len(games) > 1] == []
