"""Captions of Ant Trails describe exactly what happened: checked in every position of many games."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.scene import film
from tests.engine.ant_trails.bots import game
from tests.strategies import recorded
from tests.tiers import by_tier

Shown = Mapping[str, Any]
Facts = dict[str, Any]
LETTER = {"Black": "B", "Red": "R"}
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))


def positions() -> Iterator[tuple[str, Shown, Shown, str]]:
    """Yield for every action the state before and after it, and the caption."""
    styles = ("random", "builder,collector", "looper,hermit", "collector,looper")
    games = [
        (one.states, one.tokens)
        for how in styles
        for one in (game(how, seed) for seed in range(80, by_tier(quick=81, long=86)))
    ]
    for states, tokens in [
        *((replay.states, replay.actions) for replay in recorded(ANT_TRAILS)[:: by_tier(quick=4, long=1)]),
        *games,
    ]:
        scenes = film(ANT_TRAILS, states, tokens)
        shown = [ANT_TRAILS.describe(state) for state in states]
        for (before, after), token, scene in zip(pairwise(shown), tokens, scenes[1:], strict=True):
            yield token, before, after, str(scene.caption)


def claimed(caption: str) -> Facts:
    """Return the facts stated by a caption."""
    trail = re.search(r"(begins|lengthens|joins|closes)", caption)
    ants = re.search(r"(\d+) ants", caption)
    moved = re.search(r"(picks up|carries) the tile of (\d) (?:at (\w+) with the ant at|from (\w+) to) (\w+)", caption)
    won = re.search(r"(\w+) wins", caption)
    return {
        "trail": trail[1] if trail else None,
        "length": int(ants[1]) if trail and ants else None,
        "moved": (moved[1], int(moved[2]), moved[3] or moved[4], moved[5]) if moved else None,
        "collected": "collects it" in caption,
        "passed": "passes" in caption,
        "cramped": "no room" in caption,
        "turn": "ends the turn" in caption,
        "over": "The game is over" in caption,
        "winner": LETTER[won[1]] if won else None,
    }


def happened(token: str, before: Shown, after: Shown) -> Facts:
    """Return the facts that changed."""
    seat = before["turn"]
    new = [ant for ant in after["ants"][seat] if ant not in before["ants"][seat]]
    trail, length = _trail(set(before["ants"][seat]), new[0]) if new else (None, None)
    placements = after["placements"]
    return {
        "trail": trail,
        "length": length,
        "moved": _moved(seat, before, after) if ">" in token else None,
        "collected": after["collected"] != before["collected"],
        "passed": after["passes"] > before["passes"],
        "cramped": bool(new) and after["phase"] == "tiles" and after["placed"] == 1,
        "turn": token == "/",
        "over": placements is not None,
        "winner": None if placements in (None, [1, 1]) else "BR"[placements.index(1)],
    }


def _trail(own: set[str], ant: str) -> tuple[str, int | None]:
    """Return what a new ant made of the adjacent trails, and the resulting length."""
    beside = [near for near in _around(ant) if near in own]
    parts = {frozenset(_joined(own, near)) for near in beside}
    if not parts:
        return "begins", None
    whole = len(_joined(own | {ant}, ant))
    if len(beside) == 1:
        return "lengthens", whole
    return ("joins", whole) if len(parts) > 1 else ("closes", whole)


def _around(cell: str) -> list[str]:
    row, number = ord(cell[0]), int(cell[1:])
    return [f"{chr(row + dr)}{number + dn}" for dr, dn in STEPS]


def _joined(own: set[str], ant: str) -> set[str]:
    found, rest = {ant}, [ant]
    while rest:
        for near in _around(rest.pop()):
            if near in own and near not in found:
                found.add(near)
                rest.append(near)
    return found


def _moved(seat: str, before: Shown, after: Shown) -> tuple[str, int, str, str]:
    """Return how a tile moved, its value, and from where to where; a collected one goes to an adjacent ant."""
    (start,) = [cell for cell in before["tiles"] if cell not in after["tiles"]]
    ends = [cell for cell in after["tiles"] if cell not in before["tiles"]]
    how = "carries" if start in before["ants"][seat] else "picks up"
    return how, before["tiles"][start], start, ends[0] if ends else ""


def test_every_caption_describes_exactly_what_happened() -> None:
    seen, kinds = Counter[str](), set[str]()

    for token, before, after, caption in positions():
        said, was = claimed(caption), happened(token, before, after)
        if was["collected"]:
            was["moved"] = (*was["moved"][:3], token.partition(">")[2])
        assert said == was, f"{token}: {caption}"
        seen.update(kind for kind, value in was.items() if value)
        kinds |= was.keys()
        seen[str(was["trail"])] += 1

    assert all(seen[kind] > 2 for kind in (*kinds, "begins", "lengthens", "joins", "closes")), seen
