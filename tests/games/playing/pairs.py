"""Pairs of games that differ only in what nobody may know yet: the cards that are not drawn, and the secret."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

import pytest
from django.db import transaction

from engine import searching
from engine.registry import ruleset_by_slug
from engine.searching import Strength
from games.bots import acting as bots
from games.models import Table, TableSeat
from games.platform.sealing import seal, unseal
from games.playing import acting
from games.playing.reads.position import position_of
from tests.games.playing.hearing import Ear, Heard, client_of, listening
from tests.games.playing.seating import fresh, guests, lay_setup, seated, whose_turn

_PURPOSE = b"table"
TOKENS = ("token 0", "token 1")
"""Of the guests who play; `guests` knows them by these."""

_MORE = 10_000
"""What is added to find another game where one is over too soon."""

Look = Callable[["Pair", Ear], None]


@dataclass(frozen=True)
class World:
    """What is hidden in one of the two games, sealed."""

    secret: bytes
    deck: bytes


class Pair:
    """Two games at one table, which are the same until a card is drawn."""

    def __init__(self, table: Table, differs: int, numbers: Random) -> None:
        """Have the games differ from a card of the deck on, by its number."""
        self.key, self.differs = table.key, differs
        deck = unseal(bytes(table.sealed_deck), _PURPOSE).split(" ")
        other = _dealt_otherwise(deck, differs, table.ruleset, numbers)
        self.worlds = (
            World(bytes(table.sealed_secret), bytes(table.sealed_deck)),
            World(seal(f"{numbers.getrandbits(256):064x}", _PURPOSE), seal(" ".join(other), _PURPOSE)),
        )

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return Table.objects.get(key=self.key)

    @property
    def is_drawn(self) -> bool:
        """Whether the card lies open by which the games differ."""
        table = self.table
        return bool(table.drawn) and position_of(table).cards_played >= self.differs

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.table.state != Table.State.PLAYING

    def heard(self, looks: Sequence[Look]) -> tuple[list[Heard], list[Heard]]:
        """Do the same in both games, and return what is heard in each; what it changed stays."""
        return self._in(self.worlds[0], looks, stays=False), self._in(self.worlds[1], looks, stays=True)

    def _in(self, world: World, looks: Sequence[Look], *, stays: bool) -> list[Heard]:
        forget()
        with transaction.atomic():
            Table.objects.filter(key=self.key).update(sealed_secret=world.secret, sealed_deck=world.deck)
            hidden = tuple(one for each in self.worlds for one in (each.secret, each.deck))
            with listening(hidden) as ear:
                for look in looks:
                    look(self, ear)
            if not stays:
                transaction.set_rollback(True)
        return ear.heard


def _dealt_otherwise(deck: list[str], differs: int, ruleset: str, numbers: Random) -> list[str]:
    """Return the deck with its last cards in another order: the first of them is another one."""
    kind = ruleset_by_slug(ruleset).dealer.kind
    drawn, rest = deck[:differs], deck[differs:]
    others = [card for card in rest if kind(card) != kind(rest[0])]
    first = numbers.choice(others)
    rest.remove(first)
    return [*drawn, first, *numbers.sample(rest, len(rest))]


def forget() -> None:
    """Have the rooms forget what they keep in memory: else what one game says would be given out in the other."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("games.playing", "games.web", "games.api", "games.bots")):
            for value in list(vars(module).values()):
                _forget(value)


def _forget(value: object) -> None:
    if hasattr(value, "cache_clear"):
        value.cache_clear()
    elif type(value).__module__.startswith("games.") and hasattr(value, "__dict__"):
        for kept in vars(value).values():
            if isinstance(kept, dict):
                kept.clear()


def pair(chance: int, now: datetime, ruleset: str) -> Pair:
    """Return two games that have begun, some actions in, that will differ at one of the next cards."""
    numbers, people = Random(chance), guests(2)
    table = lay_setup(seated(people, now, ruleset), people, now)
    for _ in range(numbers.randrange(5)):
        if table.state != Table.State.PLAYING:
            return pair(chance + _MORE, now, ruleset)
        token = numbers.choice(position_of(table).legal(table.drawn))
        table = acting.act(table.key, whose_turn(table, people), ply=table.plies, token=token, now=now).table
    if table.state != Table.State.PLAYING:
        return pair(chance + _MORE, now, ruleset)
    due = position_of(table).cards_played + bool(table.drawn)
    return Pair(fresh(table), due + numbers.randrange(2), numbers)


# --- what is done and looked at


def act(token: str) -> Look:
    """Return: the seat to act does this."""

    def look(games: Pair, ear: Ear) -> None:
        _post(games, ear, "API", _to_act(games.table), {"ply": games.table.plies, "token": token})

    return look


def _post(games: Pair, ear: Ear, channel: str, token: str, body: dict[str, object]) -> None:
    path = f"/api/v1/tables/{games.key}/actions"
    ear.answer(channel, client_of(token).post(path, body, "application/json"))


def _to_act(table: Table) -> str:
    people = guests(2)
    return TOKENS[people.index(whose_turn(table, people))]


def _get(channel: str, path: str, token: str) -> Look:
    def look(games: Pair, ear: Ear) -> None:
        language = "de" if "whole" in path or "parts" in path else "en"
        found = client_of(token).get(path.format(key=games.key), headers={"Accept-Language": language})
        ear.answer(channel, found)

    return look


def refused(games: Pair, ear: Ear) -> None:
    """What the rules refuse, what is meant for another ply, and what somebody else does."""
    table, (one, other) = games.table, TOKENS
    if games.is_over:
        return
    mine, theirs = (one, other) if _to_act(table) == one else (other, one)
    for token in ("NS@9,9", "R1:N+", "draw", "."):
        _post(games, ear, "refusals", mine, {"ply": table.plies, "token": token})
    _post(games, ear, "refusals", mine, {"ply": table.plies + 1, "token": "/"})
    _post(games, ear, "refusals", theirs, {"ply": table.plies, "token": "/"})


def bots_see(games: Pair, ear: Ear) -> None:
    """What a bot is given that would be to act, and what it chooses."""
    table = games.table
    if games.is_over:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "token_hex", lambda length: "0" * length)
        patch.setattr(bots, "THINKING", float("inf"))

        def choose(looking: Any, state: Any, strength: Any, drawn: Any) -> Any:
            ear.note("bots", (looking.seats, looking.numbers._begun.hexdigest(), state, strength, drawn))
            return searching.choose(looking, state, strength, drawn)

        patch.setattr(bots, "choose", choose)
        for strength in (Strength.RANDOM, Strength.GREEDY):
            seat = TableSeat(table=table, letter=table.turn, bot=strength)
            ear.note("bots", bots._chosen(table, seat))


_PATHS = {
    "pages": ("/play/{key}/", "/play/{key}/?parts", "/play/", "/"),
    "API": ("/api/v1/tables/{key}", "/api/v1/tables?which=playing"),
    "streams": ("/live/tables/{key}?after=0", "/live/tables/{key}?whole", "/live/me"),
}
LOOKS: dict[str, tuple[Look, ...]] = {
    channel: tuple(_get(channel, path, token) for path in paths for token in (*TOKENS, ""))
    for channel, paths in _PATHS.items()
} | {"refusals": (refused,), "bots": (bots_see,)}
"""What each seat, a spectator and a bot are shown, by channel."""
