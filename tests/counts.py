"""The counts of `fixtures/*/perft`: positions as records, and how many sequences of actions lead on from them.

`python -m tests.counts` writes the counts anew, as the referees of the tests count; it takes a minute. The engine's own
counts are compared with them in `tests/engine/test_perft.py`.
"""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.replay import Replay
from engine.verify import verify_bytes
from tests.engine.naive import SEQUENCES, Position, Seen, divided, tally
from tests.strategies import FIXTURES

DEPTH = "Perft"
"""The tag of a position that says how long the sequences are that are counted."""
POSITIONS = sorted(FIXTURES.glob("*/perft/*.agn"))


def replay_of(path: Path) -> Replay[Any, Any]:
    """The one game of a file, up to the position from which is counted."""
    (verdict,) = verify_bytes(path.read_bytes())
    if verdict.replay is None or verdict.fault:
        raise ValueError(f"{path}: {verdict.fault}")
    return verdict.replay


def counts(path: Path) -> list[dict[str, Any]]:
    """What stands beside a position: the position once more, and a line for every length of sequences."""
    return [json.loads(line) for line in path.with_suffix(".ndjson").read_text().splitlines()]


def referee(path: Path, record: dict[str, Any]) -> Position:
    """What the referee of a position's game sees after the actions of a record in JSON."""
    module = import_module(f"tests.engine.{path.parents[1].name}.referee")
    game: Position = module.Referee(record["tags"])
    for token in record["actions"]:
        game = game.after(token)
    return game


def counted(game: Position, depth: int) -> list[dict[str, Any]]:
    """A line for every length up to a depth; the last one tells of every first action."""
    seen: Seen = {}
    tallies = tally(game, depth, seen)
    none = {SEQUENCES: 0} | dict.fromkeys(tallies[0], 0)
    rows: list[dict[str, Any]] = [{"depth": at, **none, **found} for at, found in enumerate(tallies, 1)]
    rows[-1]["divide"] = dict(sorted(divided(game, depth, seen).items()))
    return rows


def first_line(replay: Replay[Any, Any]) -> dict[str, Any]:
    """The position: its record in JSON, and the state that the record comes to."""
    return {"position": replay.as_json(), "state": replay.ruleset.describe(replay.last)}


def _lines(path: Path) -> Iterator[str]:
    first = first_line(replay_of(path))
    depth = int(first["position"]["tags"][DEPTH])
    for row in (first, *counted(referee(path, first["position"]), depth)):
        yield json.dumps(row, ensure_ascii=False) + "\n"


def write() -> None:
    """Writes the counts of all positions."""
    for path in POSITIONS:
        path.with_suffix(".ndjson").write_text("".join(_lines(path)), newline="\n")


if __name__ == "__main__":
    write()
