"""The parts of a table's page in its stream: as they are after the last event, and once for all who read the same."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from django.utils.translation import override

from games.models import Table, TableSeat
from games.playing.reads import own
from games.playing.reads.event_bodies import drawings_seen
from games.playing.reads.people import NOBODY, Person
from games.playing.reads.seats import seats_of
from games.playing.reads.state import acts
from games.web.live.streams import Numbered, Variant, extended
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
    table: Table, messages: Mapping[str, Numbered], variants: Collection[Variant], *, missed: bool
) -> Iterator[tuple[Collection[Variant], Numbered]]:
    """Yield the last message of a table's events with the parts of the page, each with the variants that it is for.

    First comes whoever is to act, last those who look on. The table is read only now, so no part is older.

    :param messages: the last message without the parts, in each language.
    :param missed: whether the readers have not got the events, and so not the drawings that came with them.
    """
    if not variants:
        return
    table = Table.objects.select_related("game").prefetch_related("seats").get(pk=table.pk)
    seats, had = seats_of(table), set[str]() if missed else drawings_seen(table)
    for group in _groups(table, seats, variants):
        variant, person = group.variants[0], group.person
        number, message = messages[variant.language]
        known = had | variant.known if group.alone else had
        write = partial(_written, table, person, message, variant.language, known)
        key = (table.pk, number, table.last_event, variant.language, group.audience, missed)
        yield group.variants, (number, write() if group.alone else _SHARED.get(key, write))


class _Group(NamedTuple):
    """Readers who get the same message."""

    person: Person
    """One of them."""
    audience: str
    alone: bool
    """Whether all of them are this person."""
    variants: list[Variant]


def _groups(table: Table, seats: list[TableSeat], variants: Collection[Variant]) -> list[_Group]:
    groups = dict[object, _Group]()
    for variant in variants:
        person = own.person_named(variant.viewer or "")
        whose = audience(table, seats, person)
        alone = whose == variant.viewer
        key = variant if alone else (variant.language, whose)
        groups.setdefault(key, _Group(person, whose, alone, [])).variants.append(variant)
    return sorted(groups.values(), key=lambda one: (not one.alone, not acts(table, seats, one.person)))


def _written(table: Table, person: Person, message: bytes, language: str, known: Collection[str]) -> bytes:
    with override(language):
        return extended(message, {"parts": parts_html(table, person, known)})
