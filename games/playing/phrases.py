"""Phrases instead of a chat: few and translated, so that nothing needs moderation."""

from datetime import datetime, timedelta

from django.db import transaction

from engine.words import marked
from games.models import Table
from games.platform import rate_limits
from games.playing import events
from games.playing.errors import PlayError
from games.playing.reads.people import Person
from games.playing.reads.seats import seats_of
from games.playing.rows import locked

PHRASES = {
    "hello": marked("Hello!"),
    "good-luck": marked("Good luck!"),
    "thanks": marked("Thank you!"),
    "well-played": marked("Well played!"),
    "nice-move": marked("Nice move!"),
    "oops": marked("Oops."),
    "thinking": marked("Let me think."),
    "moment": marked("One moment, please."),
    "back": marked("I am back."),
    "your-turn": marked("It is your turn."),
    "another": marked("Another game?"),
    "goodbye": marked("Goodbye!"),
}
_LIMIT = rate_limits.Limit(10, timedelta(minutes=1))


@transaction.atomic
def send(key: str, person: Person, phrase: str, *, now: datetime) -> Table:
    """Say a phrase at a table. :raises PlayError: for an unknown phrase, or without a seat."""
    if phrase not in PHRASES:
        raise PlayError("no_phrase", "There is no phrase {phrase}. Use one of: {phrases}.",
                        phrase=phrase[:64], phrases=", ".join(PHRASES))  # fmt: skip
    table = locked(key)
    own = next((seat for seat in seats_of(table) if person.sits_in(seat)), None)
    if own is None:
        raise PlayError("not_seated", "You have no seat at this table.")
    if rate_limits.count(f"phrase/{own.pk}", _LIMIT, now=now):
        raise PlayError("too_many_phrases", "Too many phrases at once. Wait a minute.")
    events.append(table, "phrase", {"name": own.name, "letter": own.letter, "phrase": phrase}, now=now)
    table.save(update_fields=["last_event"])
    return table
