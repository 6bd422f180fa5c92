"""Captions of Atta Ants describe exactly what happened: checked in every position of many games."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, pairwise
from typing import Any

import pytest

from engine.atta_ants.ruleset import ATTA_ANTS
from engine.scene import film
from tests.engine.atta_ants.bots import game
from tests.strategies import AnyRuleset, recorded
from tests.tiers import by_tier

Shown = Mapping[str, Any]
Facts = dict[str, Any]
COLOURS = {"R": "Red", "Y": "Yellow", "O": "Orange", "B": "Brown"}
COLONY = "(?:Red|Yellow|Orange|Brown)"
TABLES = [
    ("online", "RY", "forager,random", "reconstruction-1"),
    ("online", "BORY", "thief,home,reckless,forager", "own"),
    ("2003", "ROB", "thief,forager", "printed"),
    ("online", "YR", "reckless,thief", "own"),
    ("online", "OYB", "random,thief", "printed"),
]


@cache
def played() -> list[tuple[AnyRuleset, tuple[Any, ...], tuple[str, ...]]]:
    replays = [(ruleset, replay.states, replay.actions) for ruleset in ATTA_ANTS for replay in recorded(ruleset)]
    games = [game(*table, seed) for table in TABLES for seed in range(80, by_tier(quick=82, long=92))]
    return [*replays, *((one.ruleset, one.states, one.tokens) for one in games)]


def positions() -> Iterator[tuple[str, Shown, Shown, str]]:
    """Yield for every action the state before and after it, and the caption."""
    for ruleset, states, tokens in played():
        scenes = film(ruleset, states, tokens)
        shown = [ruleset.describe(state) for state in states]
        for (before, after), token, scene in zip(pairwise(shown), tokens, scenes[1:], strict=True):
            yield token, before, after, str(scene.caption)


def listed(text: str) -> list[str]:
    return re.split(r", | and ", text)


def claimed(caption: str) -> Facts:
    """Return the facts stated by a caption."""
    eaten = [listed(prey) for prey in re.findall(r"S\d eats? ((?:\w\d(?:, | and )?)+)", caption)]
    moved = re.findall(r"[Ss]piders? ((?:S\d(?:, | and )?)+) moves?", caption)
    return {
        "born": re.findall(r"([RYOB]\d) comes into play", caption),
        "eaten": sorted(chain.from_iterable(eaten)),
        "stolen": re.findall(r"takes the leaf of (\w\d)", caption),
        "picked up": caption.count("picks up a leaf"),
        "put down": caption.count("puts its leaf down"),
        "home": len(re.findall(r"brings (?:it|its leaf) home", caption)),
        "new spiders": re.findall(r"Spider (S\d) comes into play", caption),
        "new leaves": 2 * caption.count("Two leaves lie on it"),
        "cards": re.findall(r"lays \S+ at (-?\d+,-?\d+)", caption),
        "out": sorted(re.findall(rf"({COLONY}) (?:has no ant left|resigns|runs out of time)", caption)),
        "round": [int(number) for number in re.findall(r"Round (\d+):", caption)],
        "over": "The game is over" in caption,
        "moved": listed(moved[0]) if moved else ["all"] if re.search(r"The spiders? moves?\b", caption) else [],
    }


def happened(before: Shown, after: Shown, mover: str) -> Facts:
    """Return the facts that changed after a move or another action."""
    there, now = before["ants"], after["ants"]
    left = {ant for ant in there if ant not in now and before["eaten"][ant[0]] == after["eaten"][ant[0]]}
    eaten = sorted(ant for ant in there if ant not in now and ant not in left)
    new_cards = [cell for cell in after["cards"] if cell not in before["cards"]]
    fallen = Counter(there[ant]["at"] for ant in (*eaten, *left) if there[ant]["leaf"])
    change = Counter[str](after["leaves"])
    change.subtract(before["leaves"])
    change.subtract(fallen)
    on_cards = {cell: count for cell, count in change.items() if count and cell not in new_cards}
    moved = [spider for spider, cell in before["spiders"].items() if after["spiders"][spider] != cell]
    return {
        "born": [ant for ant in now if ant not in there],
        "eaten": eaten,
        "stolen": [ant for ant in there if there[ant]["leaf"] and ant in now and not now[ant]["leaf"] and ant != mover],
        "picked up": -sum(count for count in on_cards.values() if count < 0),
        "put down": sum(count for count in on_cards.values() if count > 0),
        "home": leaves(before) - leaves(after) + 2 * sum("*" in after["cards"][cell] for cell in new_cards),
        "new spiders": [spider for spider in after["spiders"] if spider not in before["spiders"]],
        "new leaves": 2 * sum("*" in after["cards"][cell] for cell in new_cards),
        "cards": new_cards,
        "out": sorted(COLOURS[seat] for seat in after["out"] if seat not in before["out"]),
        "round": [after["round"]] if after["round"] != before["round"] else [],
        "over": after["placements"] is not None,
        "moved": ["all"] if moved and len(moved) == len(after["spiders"]) else moved,
    }  # fmt: skip


def leaves(shown: Shown) -> int:
    lying, carried = shown["leaves"].values(), [ant["leaf"] for ant in shown["ants"].values()]
    return int(sum(lying) + sum(carried))


def test_every_caption_describes_exactly_what_happened() -> None:
    seen, kinds = Counter[str](), set[str]()

    for token, before, after, caption in positions():
        said, was = claimed(caption), happened(before, after, token.partition(":")[0])
        assert said == was, f"{token}: {caption}"
        seen.update(kind for kind, value in was.items() if value)
        kinds |= was.keys()

    assert all(seen[kind] > 10 for kind in kinds), seen


@pytest.mark.full
def test_final_caption_names_the_winners_and_the_tie_break() -> None:
    seen = Counter[str]()

    for ruleset, states, tokens in played():
        outcome, shown = ruleset.outcome(states[-1]), ruleset.describe(states[-1])
        if outcome:
            said = str(film(ruleset, states, tokens)[-1].caption).partition("The game is over: ")[2]
            seats = dict(zip(shown["eaten"], outcome.placements, strict=True))
            first = {COLOURS[seat] for seat, place in seats.items() if place == 1}
            winners = re.findall(rf"((?:{COLONY}(?:, | and )?)+) (?:wins|share first place)", said)
            assert set(listed(winners[0])) == first if winners else (said, len(first)) == ("a draw.", len(seats))
            assert ("because fewer" in said) == eaten_decided(ruleset, shown, seats)
            assert ("because fewer" in said) == ("Fewer ants eaten" in str(outcome.reason))
            seen[re.sub(rf"{COLONY}|\d", "", said)[:12] + str("because" in said)] += 1

    assert len(seen) > 3, seen


def eaten_decided(ruleset: AnyRuleset, shown: Shown, seats: Mapping[str, int]) -> bool:
    """Return whether somebody behind the first has as many ants and did not leave."""
    ants = Counter(ant[0] for ant in shown["ants"])
    most = max(ants[seat] for seat, place in seats.items() if place == 1)
    behind = [seat for seat, place in seats.items() if place > 1 and ants[seat] == most]
    return ruleset.edition == "online" and any(seat not in shown["out"] or shown["eaten"][seat] for seat in behind)
