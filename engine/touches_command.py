"""`python -m engine touches`: the legal actions at a position of a record, and what to touch for each."""

from typing import Any

from engine.agn.lines import json_line
from engine.replay import Replay
from engine.touching import position


def touches(
    file: str, game: int, replay: Replay[Any, Any], ply: int | None, drawn: str | None, *, as_json: bool
) -> str:
    """Return the legal actions at a position, as JSON on one line, or for people with a line for each action.

    :param ply: the position; without it, or where the record has fewer legal actions, the last one.
    :param drawn: the card that comes, in any rotation.
    """
    at = len(replay.actions) if ply is None else min(ply, len(replay.actions))
    found = position(replay.ruleset, replay.states[: at + 1], replay.actions[:at], drawn=drawn)
    if as_json:
        return json_line({"file": file, "game": game, **found})
    captions = dict(_captions(found["tree"]))
    return "".join(f"{token}\t{caption}".rstrip() + "\n" for token, caption in captions.items())


def _captions(nodes: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the actions of a tree with their sentences, in its order."""
    found = []
    for node in nodes:
        if "a" in node:
            found.append((node["a"], node.get("c", "")))
        found += _captions(node.get("k", []))
    return found
