"""A bot's turn: it chooses by what its seat may know, and acts through the same functions as people."""

from collections.abc import Callable
from datetime import datetime
from secrets import token_hex
from time import process_time

import structlog
from django.db import transaction
from django.db.models import QuerySet

from engine.chance import Stream
from engine.searching import Search, Strength, choose
from games.bots.reads import exhibitions, waiting
from games.models import Table, TableSeat
from games.playing.acting import SETUP_PLY, act
from games.playing.errors import PlayError
from games.playing.finishing import suggested_setup
from games.playing.reads.people import Person
from games.playing.reads.position import BrokenGameError, position_of

_log = structlog.get_logger()

THINKING = 0.2
"""Seconds of CPU that a bot may use for an action."""


def act_waiting(*, now: Callable[[], datetime], has_time: Callable[[], bool]) -> int:
    """Act wherever people wait for a bot, while there is time. :returns: how often."""
    failed, count = set[str](), 0
    while has_time() and (key := _act_next(waiting().exclude(key__in=failed), failed, now)):
        count += key not in failed
    return count


def act_in_exhibitions(*, now: Callable[[], datetime], has_time: Callable[[], bool]) -> int:
    """Act once at every table at which bots play each other. :returns: how often."""
    failed, count = set[str](), 0
    for key in list(exhibitions().values_list("key", flat=True)):
        if not has_time():
            break
        count += bool(_act_next(exhibitions().filter(key=key), failed, now)) and key not in failed
    return count


def _act_next(tables: QuerySet[Table], failed: set[str], now: Callable[[], datetime]) -> str | None:
    """Act at the first table that no other process holds.

    The table is locked meanwhile, so that two processes do not choose for one bot; if a process is killed, the next
    sweep finds the table unchanged.

    :returns: its key; None if there is no such table.
    """
    with transaction.atomic():
        table = tables.select_for_update(skip_locked=True, no_key=True, of=("self",)).first()
        if table is None:
            return None
        try:
            with transaction.atomic():
                _act(table, now)
        except Exception:  # noqa: BLE001 (one table must not keep the bots from all others)
            _log.exception("bots.failed", table=table.key, ply=table.plies)
            failed.add(table.key)
        return table.key


def _act(table: Table, now: Callable[[], datetime]) -> None:
    seat = table.seats.get(letter=table.turn)
    ply, token = (table.plies, _chosen(table, seat)) if table.setup else (SETUP_PLY, suggested_setup(table))
    try:
        act(table.key, Person(bot=seat.bot), ply=ply, token=token, now=now())
    except PlayError as error:  # such as when its time was up
        _log.info("bots.refused", table=table.key, ply=ply, code=error.code)


def _chosen(table: Table, seat: TableSeat) -> str:
    """Return the action that a bot chooses, as a token. Of the cards, it only knows the one that was turned up."""
    try:
        position = position_of(table)
    except BrokenGameError:
        return ""  # `act` aborts the game and says why
    until = process_time() + THINKING
    search = Search(position.ruleset, Stream("bot", token_hex(16)), table.places, enough=lambda: process_time() > until)
    action = choose(search, position.state, Strength(seat.bot), table.drawn or None)
    return position.ruleset.format_action(action)


__all__ = ["THINKING", "act_in_exhibitions", "act_waiting"]
