"""Seating: the players of new games, with the places that they reached.

This is done for many games at once, as recognition is; players are added in an order of their own.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection

from engine.scene.values import Count
from games.models import Player
from games.platform.bulk_sql import columns
from games.records.introductions import PRIVATE_FROM, Name, introduce, private_number, publish
from games.verification.known_games import Case, source_of

# Locked, in order: a transaction that changes names now is waited for.
_KNOWN_PLAYERS = """
SELECT source, name, id, introduced_by_id FROM games_player
JOIN unnest(%s::text[], %s::text[], %s::bool[]) AS named (source, name, public)
USING (source, name) WHERE NOT (public AND id >= %s) ORDER BY id FOR KEY SHARE OF games_player
"""
_ADD_SEATINGS = "COPY games_seating (game_id, seat, letter, player_id, place, left_in, sheet) FROM STDIN"


def seat(cases: Iterable[Case], *, now: datetime) -> None:
    """Seat the players of new legal games; players named in a rejected record have not played it."""
    if legal := [case for case in cases if case.is_new and case.found.digest]:
        _seat_players(legal, now)


def _seat_players(cases: Sequence[Case], now: datetime) -> None:
    players = _players(cases, now)
    with connection.cursor() as cursor, cursor.copy(_ADD_SEATINGS) as copy:
        for case in cases:
            for row in _seatings(case, players):
                copy.write_row(row)


def _seatings(case: Case, players: Mapping[Name, int]) -> Iterator[tuple[Any, ...]]:
    found, replay = case.found, case.found.replay
    if replay:
        sheets, left_in = replay.ruleset.shown.sheets(replay.last), replay.left_in
        for at, (letter, name) in enumerate(case.names.items()):
            place = found.outcome.placements[at] if found.outcome else None
            player, sheet = players[source_of(found), name], _sheet(tuple(sheets[at]))
            yield case.game, at, letter, player, place, left_in.get(letter), sheet


@lru_cache(maxsize=10_000)
def _sheet(counts: tuple[Count, ...]) -> str:
    """Return a seat's score sheet in JSON, keyed by the engine's own words."""
    return json.dumps({count.label.template: count.value for count in counts})


def _players(cases: Sequence[Case], now: datetime) -> dict[Name, int]:
    """Return the players of some games by source and name, creating new ones.

    The first public upload by an account that names them introduces them, if no other upload has named them in public.
    """
    named = {(source_of(case.found), name) for case in cases for name in case.names.values()}
    introducing = _introducing(cases)
    players: dict[Name, int] = {}
    unknown, unnumbered = dict[int, int](), set(introducing)
    while missing := sorted(named - players.keys()):
        for name, player, introduced_by in _known_players(missing, unnumbered):
            players[name] = player
            if introduced_by is None and (account := introducing.get(name)):
                unknown[player] = account
        absent = [name for name in missing if name not in players]
        publish({name: introducing[name] for name in absent if name in introducing}, now=now)
        private = (name for name in absent if name not in introducing)
        Player.objects.bulk_create((_private_player(name, now) for name in private), ignore_conflicts=True)
        unnumbered.difference_update(absent)
    for account in sorted(set(unknown.values())):
        introduce([player for player, by in unknown.items() if by == account], account)
    return players


def _private_player(name: Name, now: datetime) -> Player:
    return Player(pk=private_number(), source=name[0], name=name[1], created_at=now)


def _introducing(cases: Iterable[Case]) -> dict[Name, int | None]:
    """Return who uploaded each name first among some public cases; nobody where that was without an account."""
    first: dict[Name, int | None] = {}
    for case in cases:
        if not case.upload.private:
            for name in case.names.values():
                first.setdefault((source_of(case.found), name), case.upload.uploader_id)
    return first


def _known_players(names: list[Name], public: Container[Name]) -> list[tuple[Name, int, int | None]]:
    """Return the players of some names and who introduced them, without public ones with a private name's number."""
    asked = [(*name, name in public) for name in names]
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN_PLAYERS, [*columns(asked, 3), PRIVATE_FROM])
        return [((source, name), player, introduced_by) for source, name, player, introduced_by in cursor]
