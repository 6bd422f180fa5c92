"""The engine's output for the fixtures as plain files, so that changes are visible in review.

`python -m tests.golden` regenerates them.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from engine.registry import RULESETS
from engine.replay import Replay
from engine.ruleset import due_result
from engine.verify import Verdict, verify_file
from tests.strategies import FIXTURES, AnyRuleset, package, recorded

KINDS = ("games", "broken", "shown")
FOLDERS = (FIXTURES / "agn", FIXTURES / "dealing", *dict.fromkeys(FIXTURES / package(ruleset) for ruleset in RULESETS))
DERIVED = ("canonical", "states", "playthroughs")
LEGAL_SHOWN = 8
WORTH_READING = 30
"""Minimum plies of a playthrough, if a game is that long: in fewer too little happens."""


def records(kind: str) -> list[Path]:
    """Return the files of one kind, for the format and every game."""
    return [path for folder in FOLDERS for path in sorted((folder / kind).glob("*"))]


@cache
def verdicts(path: Path) -> tuple[Verdict, ...]:
    """Return the verdict on every game of a fixture."""
    with path.open("rb") as file:
        return tuple(verify_file(file))


@cache
def golden_files() -> dict[Path, str]:
    """Return every golden file and its expected content."""
    files = {folder / "expected.ndjson": "".join(_expected(folder)) for folder in FOLDERS}
    for path in records("games"):
        files |= _canonical(path)
    for ruleset in RULESETS:
        folder, replay = FIXTURES / package(ruleset), played_through(ruleset)
        files[folder / "states" / f"{ruleset.slug}.ndjson"] = "".join(_states(replay))
        files[folder / "playthroughs" / f"{ruleset.slug}.txt"] = "".join(_playthrough(replay))
    return files


def played_through(ruleset: AnyRuleset) -> Replay[Any, Any]:
    """Return the shortest fixture game in which enough happens, or else the longest."""
    ended = [replay for replay in recorded(ruleset) if replay.finished]
    enough = min(WORTH_READING, max(len(replay.actions) for replay in ended))
    worth_reading = (replay for replay in ended if len(replay.actions) >= enough)
    return min(worth_reading, key=lambda replay: (len(replay.actions), replay.text()))


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _expected(folder: Path) -> Iterator[str]:
    for kind in KINDS:
        for path in sorted((folder / kind).glob("*")):
            for verdict in verdicts(path):
                row = _unworded(verdict.as_json())
                row["dealing"] = row["dealing"] and _unworded(row["dealing"])
                states = (
                    hashlib.sha256("".join(_states(verdict.replay)).encode()).hexdigest() if verdict.replay else None
                )
                yield _line({"file": f"{kind}/{path.name}", **row, "states": states})


def _unworded(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without texts that may differ between engines."""
    return {key: value for key, value in row.items() if key not in ("message", "legal")}


def _canonical(path: Path) -> dict[Path, str]:
    first = verdicts(path)[0]
    if first.text is None or first.replay is None:
        raise ValueError(f"{path} begins with a game that is rejected")
    stem = path.parents[1] / "canonical" / path.stem
    return {stem.with_suffix(".agn"): first.text, stem.with_suffix(".json"): _line(first.replay.as_json())}


def _states(replay: Replay[Any, Any]) -> Iterator[str]:
    for state in replay.states:
        shown = replay.ruleset.describe(state)
        yield json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _playthrough(replay: Replay[Any, Any]) -> Iterator[str]:
    """Yield the whole game as text: every board, the number of legal actions, and the one played."""
    ruleset = replay.ruleset
    yield "".join(f"{name}: {value}\n" for name, value in replay.tags.items())
    for ply, state in enumerate(replay.states):
        yield f"\n# {ply}\n{ruleset.shown.picture(state)}\n"
        legal = [ruleset.format_action(action) for action in ruleset.legal_actions(state)]
        if legal:
            more = " …" if len(legal) > LEGAL_SHOWN else ""
            yield f"legal: {len(legal)}: {' '.join(legal[:LEGAL_SHOWN])}{more}\n"
        if ply < len(replay.actions):
            yield f"played: {replay.actions[ply]}\n"
    if outcome := ruleset.outcome(replay.states[-1]):
        yield f"\n{due_result(outcome)} {outcome.rule} {outcome.termination}: {outcome.reason}\n"


def write() -> None:
    """Write all golden files and delete obsolete ones."""
    files = golden_files()
    for old in (path for folder in FOLDERS for kind in DERIVED for path in (folder / kind).glob("*")):
        if old not in files:
            old.unlink()
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, newline="\n")


if __name__ == "__main__":
    write()
