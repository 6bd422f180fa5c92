"""The parts of a table's page in its stream: as they are after the last event, and once for all who read the same."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from django.utils.translation import override

from games.models import Table
from games.playing.reads import own
from games.playing.reads.event_bodies import drawings_seen
from games.playing.reads.people import NOBODY, Person
from games.playing.reads.seats import seats_of
from games.web.live.streams import Variant, extended
from games.web.live.written import Written
from games.web.play.parts import audience, parts_html

_KEPT = 256
"""Messages for those who look on, of some forty kilobytes each."""

_SHARED = Written[tuple[int, int, int, str, str, bool]](_KEPT)


def viewer_of(table: Table, person: Person) -> str:
    """Return whose page a stream is for: once the game has begun, those who look on are all nobody."""
    apart = table.state == Table.State.OPEN or audience(table, seats_of(table), person)
    return own.name_of(person if apart else NOBODY)


def with_parts(
    table: Table, number: int, messages: Mapping[str, bytes], variants: Collection[Variant], *, missed: bool
) -> Iterator[tuple[Variant, bytes]]:
    """Yield the last message of a table's events with the parts of the page, for each variant with a page.

    :param number: of the last event. The table is read after it, so the parts are never older.
    :param messages: the last message without the parts, in each language.
    :param missed: whether the readers have not got the events, and so not the drawings that came with them.
    """
    table = Table.objects.select_related("game").get(pk=table.pk)
    seats, had = seats_of(table), set[str]() if missed else drawings_seen(table)
    for variant in variants:
        person = own.person_named(variant.viewer or "")
        whose = audience(table, seats, person)
        known = had | variant.known if whose == variant.viewer else had
        write = partial(_written, table, person, messages[variant.language], variant.language, known)
        key = (table.pk, number, table.last_event, variant.language, whose, missed)
        yield variant, write() if whose == variant.viewer else _SHARED.get(key, write)


def _written(table: Table, person: Person, message: bytes, language: str, known: Collection[str]) -> bytes:
    with override(language):
        return extended(message, {"parts": parts_html(table, person, known)})
