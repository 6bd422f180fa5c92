"""Pairs of games that differ only in secret information: the undrawn cards and the secret."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection, transaction
from django.test import Client

from engine import searching
from engine.registry import ruleset_by_slug
from engine.searching import Strength
from games.accounts.tokens import Scope, make_token
from games.bots import acting as bots
from games.mail.delivery import send_due
from games.models import PushNotice, PushSubscription, Table, TableSeat
from games.moderation.moderators import make_moderator
from games.platform.sealing import seal, unseal
from games.playing import acting
from games.playing.reads.people import Person
from games.playing.reads.position import position_of
from games.push.delivery import message_of
from games.web.live.streams import LINES
from tests.games.playing.hearing import Ear, Heard, client_of, listening
from tests.games.playing.seating import fresh, guests, lay_setup, seated, whose_turn

_PURPOSE = b"table"
SEATS = ("seat 0", "seat 1")
"""How those are called who play."""
OTHERS = ("somebody", "operator")
"""Who looks and has no seat: without an account, and a moderator."""
NAMES = ("Ada", "Bruno")
_SOON = timedelta(minutes=31)
"""After which a mail says whose turn it is."""

_MORE = 10_000
"""Added to find another game when one ends too soon."""

Look = Callable[["Pair", Ear], None]


@dataclass(frozen=True)
class World:
    """Hidden in one of the two games, encrypted."""

    secret: bytes
    deck: bytes


class Pair:
    """Two games at one table, identical until a card is drawn."""

    def __init__(self, table: Table, differs: int, numbers: Random, cast: "Cast") -> None:
        """Let the games differ from a card of the deck on, given by its number."""
        self.key, self.differs, self.cast = table.key, differs, cast
        deck = unseal(bytes(table.sealed_deck), _PURPOSE).split(" ")
        other = _dealt_otherwise(deck, differs, table.ruleset, numbers)
        self.worlds = (
            World(bytes(table.sealed_secret), bytes(table.sealed_deck)),
            World(seal(f"{numbers.getrandbits(256):064x}", _PURPOSE), seal(" ".join(other), _PURPOSE)),
        )

    @property
    def table(self) -> Table:
        """The current table."""
        return Table.objects.get(key=self.key)

    @property
    def is_drawn(self) -> bool:
        """Whether the differing card has been drawn."""
        table = self.table
        return bool(table.drawn) and position_of(table).cards_played >= self.differs

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.table.state != Table.State.PLAYING

    def heard(self, looks: Sequence[Look]) -> tuple[list[Heard], list[Heard]]:
        """Do the same in both games and return what leaves the site in each; changes are kept."""
        with numbers_of_rows_kept():
            first = self._in(self.worlds[0], looks, stays=False)
        return first, self._in(self.worlds[1], looks, stays=True)

    def heard_in_one(self, looks: Sequence[Look]) -> list[Heard]:
        """Do something in one of the games, undo it, and return what left the site."""
        return self._in(self.worlds[0], looks, stays=False)

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


@contextmanager
def numbers_of_rows_kept() -> Iterator[None]:
    """Give the next rows the same numbers again afterwards: no rollback takes numbers back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT format('%I.%I', schemaname, sequencename), last_value FROM pg_sequences")
        names, values = zip(*cursor.fetchall(), strict=True)
        yield
        cursor.execute(_RESTORE, [list(names), list(values)])


_RESTORE = """SELECT setval(given.name::regclass, coalesce(given.value, 1), given.value IS NOT NULL)
FROM unnest(%s::text[], %s::bigint[]) AS given (name, value)"""


@dataclass(frozen=True)
class Cast:
    """Who plays and who looks, and how each sends requests."""

    people: tuple[Person, ...]
    headers: dict[str, dict[str, str]]
    """By who it is; bots' programs are called `program 0` and `program 1`."""

    def client(self, name: str) -> Client:
        """Return the client of one of them."""
        return client_of(self.headers[name])

    def to_act(self, table: Table) -> str:
        """Return how the player is called who is to act."""
        return SEATS[self.people.index(whose_turn(table, self.people))]


def cast_of_guests() -> Cast:
    """Return guests at both seats."""
    return Cast(tuple(guests(2)), {name: {"Guest-Token": f"token {at}"} for at, name in enumerate(SEATS)} | _operator())


def cast_of_accounts(now: datetime) -> Cast:
    """Return accounts at both seats, with mails, push notices and a program each."""
    accounts = [_account(name) for name in NAMES]
    headers = {seat: _signed_in(account) for seat, account in zip(SEATS, accounts, strict=True)}
    for at, account in enumerate(accounts):
        program = {"Authorization": f"Bearer {make_token(account, Scope.PLAY)}"}
        Client(headers=program).get("/api/v1/leaderboards")  # the first use of a token in an hour is noted
        headers[f"program {at}"] = program | {"Accept": LINES}
    return Cast(tuple(Person(account=account) for account in accounts), headers | _operator())


def _account(name: str) -> User:
    account, is_new = User.objects.get_or_create(username=name)
    if is_new:
        EmailAddress.objects.create(user=account, email=f"{name}@ants.example", verified=True, primary=True)
        PushSubscription.objects.create(
            account=account, endpoint=f"https://push.example/{name}", point=bytes(65), auth=bytes(16),
            language="en", made_at=account.date_joined,
        )  # fmt: skip
    return account


def _operator() -> dict[str, dict[str, str]]:
    account, is_new = User.objects.get_or_create(username="Olga")
    if is_new:
        make_moderator(account, now=account.date_joined)
    return {"operator": _signed_in(account), "somebody": {}}


def _signed_in(account: User) -> dict[str, str]:
    client = Client()
    client.force_login(account)
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def _dealt_otherwise(deck: list[str], differs: int, ruleset: str, numbers: Random) -> list[str]:
    """Return the deck with its last cards reordered so that the first of them differs."""
    kind = ruleset_by_slug(ruleset).dealer.kind
    drawn, rest = deck[:differs], deck[differs:]
    others = [card for card in rest if kind(card) != kind(rest[0])]
    first = numbers.choice(others)
    rest.remove(first)
    return [*drawn, first, *numbers.sample(rest, len(rest))]


def forget() -> None:
    """Clear in-memory caches: otherwise one game would leak into the other."""
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


def pair(chance: int, now: datetime, ruleset: str, *, accounts: bool = False) -> Pair:
    """Return two started games that will differ at one of the next cards."""
    cast = cast_of_accounts(now) if accounts else cast_of_guests()
    numbers, people = Random(chance), cast.people
    table = lay_setup(seated(people, now, ruleset), people, now)
    for _ in range(numbers.randrange(5)):
        if table.state != Table.State.PLAYING:
            return pair(chance + _MORE, now, ruleset, accounts=accounts)
        token = numbers.choice(position_of(table).legal(table.drawn))
        table = acting.act(table.key, whose_turn(table, people), ply=table.plies, token=token, now=now).table
    if table.state != Table.State.PLAYING:
        return pair(chance + _MORE, now, ruleset, accounts=accounts)
    due = position_of(table).cards_played + bool(table.drawn)
    return Pair(fresh(table), due + numbers.randrange(2), numbers, cast)


# --- actions and observations


def act(token: str) -> Look:
    """Return a step in which the seat to act plays this."""

    def look(games: Pair, ear: Ear) -> None:
        _post(games, ear, "API", games.cast.to_act(games.table), {"ply": games.table.plies, "token": token})

    return look


def _post(games: Pair, ear: Ear, channel: str, name: str, body: dict[str, object]) -> None:
    path = f"/api/v1/tables/{games.key}/actions"
    ear.answer(channel, games.cast.client(name).post(path, body, "application/json"))


def _get(channel: str, path: str, name: str) -> Look:
    def look(games: Pair, ear: Ear) -> None:
        if name in games.cast.headers:  # guests have no programs
            language = "de" if "whole" in path or "parts" in path else "en"
            client = games.cast.client(name)
            ear.answer(channel, client.get(path.format(key=games.key), headers={"Accept-Language": language}))

    return look


def refused(games: Pair, ear: Ear) -> None:
    """Rejected requests: illegal actions, wrong plies, and actions of others."""
    table, (one, other) = games.table, SEATS
    if games.is_over:
        return
    mine, theirs = (one, other) if games.cast.to_act(table) == one else (other, one)
    for token in ("NS@9,9", "R1:N+", "draw", "."):
        _post(games, ear, "refusals", mine, {"ply": table.plies, "token": token})
    _post(games, ear, "refusals", mine, {"ply": table.plies + 1, "token": "/"})
    _post(games, ear, "refusals", theirs, {"ply": table.plies, "token": "/"})


def bots_see(games: Pair, ear: Ear) -> None:
    """What a bot to act would see, and what it chooses."""
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


def mailed(games: Pair, ear: Ear) -> None:
    """What is mailed to who does not act, and what browsers are pushed."""
    for notice in PushNotice.objects.filter(table__key=games.key).order_by("pk"):
        ear.note("push", message_of(notice))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mail, "outbox", [], raising=False)
        send_due(now=games.table.turn_since + _SOON if games.table.turn_since else games.table.opened_at)
        for one in mail.outbox:
            kept = {name: value for name, value in one.extra_headers.items() if name != "Message-ID"}
            ear.note("mails", (one.subject, one.body, one.to, kept, one.attachments, getattr(one, "alternatives", "")))


_PATHS = {
    "pages": ("/play/{key}/", "/play/", "/"),
    "API": ("/api/v1/tables/{key}", "/api/v1/tables?which=playing"),
    "streams": (
        "/live/tables/{key}?after=0",
        "/live/tables/{key}?whole",
        "/live/tables/{key}?parts&after=0",
        "/live/me",
    ),
}
_OWN = ("/account/", "/account/players/", "/account/mails/", "/account/waiting/", "/account/tokens/")
_PROGRAMS = ("/live/tables/{key}?after=0", "/live/tables/{key}?whole", "/live/me")
_OPERATORS = ("/moderation/", "/moderation/log/", "/health", "/health/ready", "/play/{key}/")
LOOKS: dict[str, tuple[Look, ...]] = {
    channel: tuple(_get(channel, path, name) for path in paths for name in (*SEATS, "somebody"))
    for channel, paths in _PATHS.items()
} | {
    "refusals": (refused,),
    "bots": (bots_see,),
    "accounts": tuple(_get("accounts", path, name) for path in _OWN for name in SEATS),
    "programs": tuple(_get("programs", path, f"program {at}") for path in _PROGRAMS for at in range(2)),
    "operators": tuple(_get("operators", path, "operator") for path in _OPERATORS),
    "mails": (mailed,),
    "push": (mailed,),
}
"""What each seat, a spectator and a bot see, by channel."""
