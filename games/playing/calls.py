"""Calls to the built-in bots, whose room is above this one and registers here."""

from collections.abc import Callable

from django.db import transaction

from games.models import TableSeat


def _nobody() -> None:
    """Do nothing, where no bots play."""


_call: Callable[[], object] = _nobody


def answer_with(call: Callable[[], object]) -> None:
    """Register a function to call whenever it is a bot's turn."""
    global _call  # noqa: PLW0603 (there is one site in a process)
    _call = call


def call_bot(seat: TableSeat) -> None:
    """Call the bot of a seat, if it has one, after the commit.

    The sweep makes up for a call that is lost.
    """
    if seat.bot:
        transaction.on_commit(_call)
