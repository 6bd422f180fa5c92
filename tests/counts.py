"""Perft counts in `fixtures/*/perft`: positions as records, and how many sequences of actions follow.

`python -m tests.counts` regenerates the counts with the referees of the tests; it takes a minute. The engine's own
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
"""The tag that gives the maximum length of counted sequences."""
POSITIONS = sorted(FIXTURES.glob("*/perft/*.agn"))


def replay_of(path: Path) -> Replay[Any, Any]:
    """Return the only game of a file, up to the counted position."""
    (verdict,) = verify_bytes(path.read_bytes())
    if verdict.replay is None or verdict.fault:
        raise ValueError(f"{path}: {verdict.fault}")
    return verdict.replay


def counts(path: Path) -> list[dict[str, Any]]:
    """Return the lines for a position: the position itself, then one line per depth."""
    return [json.loads(line) for line in path.with_suffix(".ndjson").read_text().splitlines()]


def referee(path: Path, record: dict[str, Any]) -> Position:
    """Return the referee for a position after the actions of a JSON record."""
    module = import_module(f"tests.engine.{path.parents[1].name}.referee")
    game: Position = module.Referee(record["tags"])
    for token in record["actions"]:
        game = game.after(token)
    return game


def counted(game: Position, depth: int) -> list[dict[str, Any]]:
    """Return one line per depth; the last one includes counts per first action."""
    seen: Seen = {}
    tallies = tally(game, depth, seen)
    none = {SEQUENCES: 0} | dict.fromkeys(tallies[0], 0)
    rows: list[dict[str, Any]] = [{"depth": at, **none, **found} for at, found in enumerate(tallies, 1)]
    rows[-1]["divide"] = dict(sorted(divided(game, depth, seen).items()))
    return rows


def first_line(replay: Replay[Any, Any]) -> dict[str, Any]:
    """Return the position: its JSON record and the resulting state."""
    return {"position": replay.as_json(), "state": replay.ruleset.describe(replay.last)}


def _lines(path: Path) -> Iterator[str]:
    first = first_line(replay_of(path))
    depth = int(first["position"]["tags"][DEPTH])
    for row in (first, *counted(referee(path, first["position"]), depth)):
        yield json.dumps(row, ensure_ascii=False) + "\n"


def write() -> None:
    """Write the counts of all positions."""
    for path in POSITIONS:
        path.with_suffix(".ndjson").write_text("".join(_lines(path)), newline="\n")


if __name__ == "__main__":
    write()
