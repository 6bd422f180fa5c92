"""Nobody learns a card before it is drawn, or the secret before the end.

Two games that differ only in this are played side by side, and everything that leaves the site is compared byte for
byte: pages, the API, streams, errors, log lines, tasks, rows and the input of bots.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from pkgutil import iter_modules
from random import Random

import pytest

from games.playing.reads.position import position_of
from tests.games.playing import leaks
from tests.games.playing.hearing import Heard, standing_still
from tests.games.playing.pairs import LOOKS, Look, Pair, act, pair
from tests.tiers import by_tier, first_quick

pytestmark = pytest.mark.django_db

RULESETS = ("atta-ants-online", "atta-ants-2003")
"""Games with hidden cards; in the others everything is open once dealt."""
ALL = [look for looks in LOOKS.values() for look in looks]
OF_ACCOUNTS = {"accounts", "programs", "mails", "push"}
"""What only those have who sign in."""
ROUNDS = by_tier(quick=1, long=2)
"""Actions that are done in both games."""
TOGETHER = 10
"""Pairs per test."""


def differing(games: Pair, numbers: Random, looks: Sequence[Look], *, most: int) -> list[Heard]:
    """Play on in both games until the differing card is drawn; return the differences before that."""
    for _ in range(most):
        token = numbers.choice(position_of(games.table).legal(games.table.drawn))
        one, other = games.heard([act(token), *looks])
        if games.is_drawn or games.is_over:
            return []
        if found := _differences_between(one, other):
            return found
    return []


def _differences_between(one: list[Heard], other: list[Heard]) -> list[Heard]:
    return sorted({*one} ^ {*other}) or [said for said, theirs in zip(one, other, strict=True) if said != theirs]


@pytest.mark.parametrize("first", range(0, by_tier(quick=10, full=50, long=1000), TOGETHER))
def test_nothing_distinguishes_two_games_before_the_card_is_drawn(first: int, now: datetime) -> None:
    with standing_still(now):
        for chance in range(first, first + TOGETHER):
            games, numbers = pair(chance, now, RULESETS[chance % 2], accounts=chance % 4 > 1), Random(chance)
            assert differing(games, numbers, numbers.sample(ALL, 2), most=ROUNDS) == []


@pytest.mark.full
def test_two_games_differ_in_api_and_rows_after_the_card_is_drawn(now: datetime) -> None:
    with standing_still(now):
        games, numbers, heard = pair(3, now, RULESETS[0]), Random(3), (list[Heard](), list[Heard]())
        while not games.is_drawn:
            assert (_differences_between(*heard), games.is_over) == ([], False)
            heard = games.heard([act(numbers.choice(position_of(games.table).legal(games.table.drawn)))])
        assert {said.channel for said in _differences_between(*heard)} >= {"API", "rows"}


@pytest.mark.full
def test_all_that_is_compared_is_there(now: datetime) -> None:
    with standing_still(now):
        games = pair(1, now, RULESETS[0], accounts=True)
        heard = games.heard_in_one([act(Random(1).choice(position_of(games.table).legal(games.table.drawn))), *ALL])
    assert {said.channel for said in heard} >= LOOKS.keys()
    refused = [said for said in heard if said.channel != "refusals" and re.match(r"\([345]\d\d,", said.said)]
    assert refused == []


@pytest.mark.parametrize("name", first_quick(sorted(module.name for module in iter_modules(leaks.__path__)), 2))
def test_every_planted_leak_is_detected(name: str, now: datetime) -> None:
    leak: leaks.Leak = import_module(f"{leaks.__name__}.{name}")
    found = set[str]()
    with standing_still(now):
        for chance in range(8):
            games = pair(chance, now, RULESETS[0], accounts=leak.CHANNEL in OF_ACCOUNTS)
            with pytest.MonkeyPatch.context() as patch:
                leak.plant(patch)
                differences = differing(games, Random(chance), LOOKS.get(leak.CHANNEL, ()), most=1)
            found |= {said.channel for said in differences}
            if leak.CHANNEL in found:
                return
    pytest.fail(f"{leak.__doc__} It was heard in {found or 'nothing'}, not in {leak.CHANNEL}.")
