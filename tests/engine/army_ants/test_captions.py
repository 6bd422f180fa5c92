"""Captions of Army Ants describe exactly what happened: checked in every position of many games."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from engine.army_ants.ruleset import ARMY_ANTS
from engine.scene import film
from tests.engine.army_ants.bots import game
from tests.strategies import recorded
from tests.tiers import by_tier

Shown = Mapping[str, Any]
Facts = dict[str, Any]
Cards = dict[str, tuple[str, str]]
LETTER = {"Red": "R", "Black": "B"}
RANK = {"queen": "Q", "ace": "A"}
SIDE = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def positions() -> Iterator[tuple[str, Shown, Shown, str]]:
    """Yield for every action the state before and after it, and the caption."""
    styles = ("random", "hunter,gambiteer", "trader,shepherd", "hunter,trader")
    games = [
        (one.states, one.tokens)
        for how in styles
        for one in (game(how, seed) for seed in range(80, by_tier(quick=81, long=84)))
    ]
    for states, tokens in [
        *((replay.states, replay.actions) for replay in recorded(ARMY_ANTS)[:: by_tier(quick=3, long=1)]),
        *games,
    ]:
        scenes = film(ARMY_ANTS, states, tokens)
        shown = [ARMY_ANTS.describe(state) for state in states]
        for (before, after), token, scene in zip(pairwise(shown), tokens, scenes[1:], strict=True):
            yield token, before, after, str(scene.caption)


def cards(shown: Shown) -> Cards:
    """Return the owner and rank of the card on each occupied cell."""
    rows = zip(shown["owner"].split("/"), shown["board"].split("/"), strict=True)
    cells = ((f"{column}{row}", pair) for row, both in zip(range(8, 0, -1), rows, strict=True)
             for column, pair in zip("abcde", zip(*both, strict=True), strict=True))  # fmt: skip
    return {cell: (owner.upper(), rank) for cell, (owner, rank) in cells if rank != "."}


def rank(word: str) -> str:
    return RANK.get(word, word)


def after_caption(caption: str, before: Cards) -> Cards:
    """Return where the cards are if exactly what a caption says happened."""
    found = dict(before)
    if swap := re.search(r"swaps its (\w+) on (\w\d) with its (\w+) on (\w\d)", caption):
        assert (found[swap[2]][1], found[swap[4]][1]) == (rank(swap[1]), rank(swap[3]))
        found[swap[2]], found[swap[4]] = found[swap[4]], found[swap[2]]
    elif moved := re.search(r"moves its (\w+) out from (\w\d) to (\w\d)", caption):
        assert found[moved[2]][1] == rank(moved[1])
        found[moved[3]] = found.pop(moved[2])
    elif marched := re.search(
        r"marches (?:its (\w+) on (\w\d)|(\d) cards, (\w\d)–(\w\d),) (one|\d) cells? (\w+)", caption
    ):
        run = [marched[2]] if marched[2] else _run(marched[4], marched[5])
        assert len(run) == int(marched[3] or 1)
        dx, dy = (step * int(marched[6].replace("one", "1")) for step in SIDE[marched[7]])
        taken = {cell: found.pop(cell) for cell in run}
        found |= {f"{chr(ord(cell[0]) + dx)}{int(cell[1]) + dy}": card for cell, card in taken.items()}
    elif took := re.search(r"(\w+)’s (\w+) on (\w\d) (takes|meets) the (\w+) on (\w\d)", caption):
        attacker, prey = found.pop(took[3]), found.pop(took[6])
        assert (attacker, prey[1]) == ((LETTER[took[1]], rank(took[2])), rank(took[5]))
        if took[4] == "takes":
            found[took[6]] = attacker
        assert ("both leave the board" in caption) == (took[4] == "meets")
    elif gambit := re.search(r"(\w+) plays the queen’s gambit", caption):
        queen = next(cell for cell, card in found.items() if card == (LETTER[gambit[1]], "Q"))
        found["c1" if gambit[1] == "Red" else "c8"] = found.pop(queen)
    return found


def _run(first: str, last: str) -> list[str]:
    columns, rows = range(ord(first[0]), ord(last[0]) + 1), range(int(first[1]), int(last[1]) + 1)
    return [f"{chr(column)}{row}" for column in columns for row in rows]


def claimed(caption: str) -> Facts:
    """Return the facts about the game's course stated by a caption."""
    won = re.search(r"(\w+) wins", caption)
    return {
        "over": "The game is over" in caption or "is drawn" in caption,
        "winner": LETTER[won[1]] if won else None,
        "battle": "the battle begins" in caption,
        "skipped": "is skipped" in caption,
        "passed": "can do nothing and passes" in caption,
    }


def happened(token: str, before: Shown, after: Shown) -> Facts:
    """Return the facts about the game's course that changed."""
    placements = after["placements"]
    return {
        "over": placements is not None,
        "winner": None if placements in (None, [1, 1]) else "RB"[placements.index(1)],
        "battle": before["phase"] == "setup" and after["phase"] == "battle",
        "skipped": after["phase"] == "setup" and after["turn"] == before["turn"],
        "passed": token == "pass",
    }


def test_every_caption_describes_exactly_what_happened() -> None:
    seen, kinds = Counter[str](), set[str]()

    for token, before, after, caption in positions():
        said, was = claimed(caption), happened(token, before, after)
        assert said == was, f"{token}: {caption}"
        assert after_caption(caption, cards(before)) == cards(after), f"{token}: {caption}"
        assert caption.startswith(("Red", "Black") if token != "draw" else "Both players")
        seen.update(kind for kind, value in was.items() if value)
        kinds |= was.keys()

    assert all(seen[kind] > 1 for kind in kinds), seen
