"""Calls to the built-in bots. Whoever plays for them is above this room, and so says here how to be called."""

from collections.abc import Callable

from django.db import transaction

from games.models import TableSeat


def _nobody() -> None:
    """Do what a call does where nobody plays for bots: nothing."""


_call: Callable[[], object] = _nobody


def answer_with(call: Callable[[], object]) -> None:
    """Have a function called whenever it has become a bot's turn."""
    global _call  # noqa: PLW0603 (there is one site in a process)
    _call = call


def call_bot(seat: TableSeat) -> None:
    """Call the bot of a seat, if it is a bot's, as soon as what was done is committed.

    The sweep makes up for a call that is lost.
    """
    if seat.bot:
        transaction.on_commit(_call)
