"""Events as text, written once for each language, however many read them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import override

from games.models import Table, TableEvent
from games.playing.reads import lists, own
from games.playing.reads.event_bodies import bodies, events_after, whole
from games.sentences import translated
from games.web.live.parts import with_parts
from games.web.live.streams import Numbered, Variant, event
from games.web.live.written import Written

MOST = 60
"""Events sent to a reader who resumes; a reader who has missed more fetches the whole table again."""
_KEPT = 4096


_WRITTEN = Written[tuple[int, int, str]](_KEPT)
"""Recent messages, by table, number and language: events never change."""


def table_messages(
    table: Table, number: int, variants: Collection[Variant]
) -> Iterator[Mapping[Variant, list[Numbered]]]:
    """Yield the events of a table after one, as its stream has them in some variants; nothing if there are none.

    They are the same in each language, and yielded at once to those who want no more. For pages the last message has
    the parts, too, which take longer.
    """
    found, languages = events_after(table, number, MOST + 1), {variant.language for variant in variants}
    if not found:
        return
    if missed := len(found) > MOST:
        newest = table.events.order_by("-number")[:1].get().number
        message = newest, event({"number": newest, "kind": "missed"}, number=newest)
        written = {language: [message] for language in languages}
    else:
        written = {language: _in_language(table, found, language) for language in languages}
    if alone := [variant for variant in variants if variant.viewer is None]:
        yield {variant: written[variant.language] for variant in alone}
    pages = [variant for variant in variants if variant.viewer is not None]
    last = {language: some[-1] for language, some in written.items()}
    for readers, message in with_parts(table, last, pages, missed=missed):
        yield {variant: [*written[variant.language][:-1], message] for variant in readers}


def board_message(table: Table) -> bytes:
    """Return an event without a number that holds the whole board, for a page that has only its picture."""
    return event({"kind": "position", **whole(table, translated)})


def lobby_message() -> bytes:
    """Return an event that is another one whenever tables were opened, taken, begun or over."""
    return event({"kind": "lobby", "version": lists.version()})


def person_messages(people: Collection[str]) -> Mapping[str, bytes]:
    """Return, for each person, the tables at which it is their turn, and those to which they are invited."""
    waiting, invited = own.to_act(people), own.invited(people)
    return {
        person: event(
            {
                "kind": "me",
                # With the ply: if the turn comes back at once, it is a new turn, and readers are notified of changes.
                "waiting": [_named(seat.table) | {"ply": seat.table.plies} for seat in waiting.get(person, ())],
                "invited": [_named(table) for table in invited.get(person, ())],
            }
        )
        for person in people
    }


def _named(table: Table) -> dict[str, Any]:
    return {"key": table.key, "ruleset": table.ruleset, "url": reverse("table", args=[table.key])}


def _in_language(table: Table, found: list[TableEvent], language: str) -> list[Numbered]:
    written = _known(table, found, language)
    if len(written) < len(found):
        with _WRITTEN.writing:
            written = _known(table, found, language)
            missing = [one for one in found if one.number not in written]
            written |= _write(table, missing, language)
    return sorted(written.items())


def _known(table: Table, found: Iterable[TableEvent], language: str) -> dict[int, bytes]:
    return {one.number: content for one in found if (content := _WRITTEN.find((table.pk, one.number, language)))}


def _write(table: Table, missing: list[TableEvent], language: str) -> dict[int, bytes]:
    written = {}
    with override(language):
        for one, body in zip(missing, bodies(table, missing, translated), strict=True):
            written[one.number] = event(body, number=one.number)
            _WRITTEN.keep((table.pk, one.number, language), written[one.number])
    return written
