"""Calls that follow when an action is stored: the built-in bots and verification register here."""

from collections.abc import Callable

from django.db import transaction

from games.models import TableSeat


def _nobody() -> None:
    """Do nothing: the default while nothing is registered."""


_bots: Callable[[], object] = _nobody
_verification: Callable[[], object] = _nobody


def answer_with(*, bots: Callable[[], object], verification: Callable[[], object]) -> None:
    """Register what to call whenever it is a bot's turn, and whenever a game's record is submitted."""
    global _bots, _verification
    _bots, _verification = bots, verification


def call_bot(seat: TableSeat) -> None:
    """Call the bot of a seat, if it has one, after the commit. The sweep does what a lost call would have done."""
    if seat.bot:
        transaction.on_commit(_bots)


def call_verification() -> None:
    """Have the record that this transaction submits verified after the commit; the sweep makes up for a lost call."""
    transaction.on_commit(_verification)
