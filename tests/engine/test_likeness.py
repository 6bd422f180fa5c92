"""Different games in all available records have different likenesses."""

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


def test_records_with_the_same_likeness_differ_only_in_their_deck() -> None:
    """None of them is a rotated, mirrored or recoloured version of another, although mutants are included.

    Two games without any action differ only in their colours.
    """
    found = defaultdict[str | None, set[tuple[str, ...]]](set)
    for verdict in verdicts():
        assert (verdict.likeness is None) == (verdict.fault is not None)
        if verdict.replay and verdict.replay.actions and verdict.likeness:
            tags = [verdict.replay.tags[name] for name in ("Game", "Rules", "Seats", "Setup")]
            found[verdict.likeness].add((*tags, *verdict.replay.actions))

    assert len(found) > 70
    assert [likeness for likeness, games in found.items() if len(games) > 1] == []
