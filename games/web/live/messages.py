"""Events as text, written once for each language, however many read them."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from threading import Lock
from typing import Any

from django.urls import reverse
from django.utils.translation import override

from games.models import Table, TableEvent
from games.playing.reads import lists, own
from games.playing.reads.event_bodies import bodies, events_after, whole
from games.sentences import translated
from games.web.live.streams import event

MOST = 60
"""Events sent to a reader who resumes; a reader who has missed more fetches the whole table again."""
_KEPT = 4096

Numbered = tuple[int, bytes]


class _Written:
    """A cache of recent messages, by table, number and language: events never change."""

    def __init__(self) -> None:
        self._written = OrderedDict[tuple[int, int, str], bytes]()
        self._lock = Lock()
        self.writing = Lock()
        """Held while events are written, so that of a thousand who resume at once only the first has them made."""

    def find(self, one: TableEvent, language: str) -> bytes | None:
        with self._lock:
            return self._written.get((one.table_id, one.number, language))

    def keep(self, one: TableEvent, language: str, content: bytes) -> None:
        with self._lock:
            self._written[one.table_id, one.number, language] = content
            while len(self._written) > _KEPT:
                self._written.popitem(last=False)


_WRITTEN = _Written()


def table_messages(table: Table, number: int, languages: Collection[str]) -> dict[str, list[Numbered]]:
    """Return the events of a table after one, as its stream has them in some languages: the same in each."""
    found = events_after(table, number, MOST + 1)
    if len(found) > MOST:
        newest = table.events.order_by("-number")[:1].get().number
        missed = [(newest, event({"number": newest, "kind": "missed"}, number=newest))]
        return dict.fromkeys(languages, missed)
    return {language: _in_language(table, found, language) for language in languages}


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
    written = _known(found, language)
    if len(written) < len(found):
        with _WRITTEN.writing:
            written = _known(found, language)
            missing = [one for one in found if one.number not in written]
            written |= _write(table, missing, language)
    return sorted(written.items())


def _known(found: Iterable[TableEvent], language: str) -> dict[int, bytes]:
    return {one.number: content for one in found if (content := _WRITTEN.find(one, language))}


def _write(table: Table, missing: list[TableEvent], language: str) -> dict[int, bytes]:
    written = {}
    with override(language):
        for one, body in zip(missing, bodies(table, missing, translated), strict=True):
            written[one.number] = event(body, number=one.number)
            _WRITTEN.keep(one, language, written[one.number])
    return written
