"""The streams of a table, of one's own games and of the lobby: what there is so far, and then each new event."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_GET
from rest_framework.exceptions import APIException

from games import guests
from games.accounts.authentication import Tokens
from games.accounts.reads import credentials
from games.models import Table
from games.platform.addresses import address_of
from games.platform.long_answers import EventStream
from games.playing.reads import own
from games.playing.reads.people import NOBODY, Person
from games.web.live import messages, parts
from games.web.live.holding import HOLDER
from games.web.live.streams import KIND, LINES, Topic, Variant, as_lines, so_far

_DIGITS = 10
"""Of a number of an event, at most."""
_DRAWINGS = 1000
"""That a page has already, at most: of more it gets some again."""


@require_GET
def table(request: HttpRequest, key: str) -> HttpResponseBase:
    """Stream what has happened at a table since the last event that the reader knows, and what happens from now on.

    `Last-Event-ID` or `after` names that event; without them the stream begins now. `whole` asks for the whole board
    first: a reader who has that needs none of the events that are too old to send. `parts` asks for the parts of the
    table's page with the events, as they are after them; `known` names the drawings that the page has already.
    """
    try:
        found = Table.objects.get(key=key)
    except Table.DoesNotExist:
        raise Http404 from None
    known = _known(request)
    known = found.last_event if known is None else known
    board = [messages.board_message(found)] if "whole" in request.GET and _resumed(request) is None else []
    known = max(known, found.last_event - messages.MOST) if board else known
    variant, credential = _variant(request, found)
    missed = [one for some in messages.table_messages(found, known, [variant]) for one in some[variant]]
    number = missed[-1][0] if missed else known
    topic = Topic("table", key, variant, number, _sits(request, found), credential)
    return _stream(request, topic, [*board, *(content for _, content in missed)])


@require_GET
def me(request: HttpRequest) -> HttpResponseBase:
    """Stream the tables at which it is the reader's turn, now and whenever that changes."""
    try:
        person, credential = reader_of(request)
    except APIException as refused:
        return JsonResponse({"code": "token", "error": str(refused.detail)}, status=refused.status_code)
    if not person.is_somebody:
        return HttpResponse(status=204)  # a browser asks no more
    name = own.name_of(person)
    message = messages.person_messages([name])[name]
    return _stream(request, Topic("me", name, Variant(get_language() or "en"), credential=credential), [message])


@require_GET
def lobby(request: HttpRequest) -> HttpResponseBase:
    """Stream the version of the lists of tables, now and whenever that changes."""
    return _stream(request, Topic("lobby", "all", Variant(get_language() or "en")), [messages.lobby_message()])


@require_GET
def health(_request: HttpRequest) -> HttpResponseBase:
    """Answer whether the process that answers hears of events, and how many streams it holds open."""
    found = HOLDER.health
    answer = JsonResponse(found._asdict(), status=200 if found.listening else 503)
    if not found.listening:
        answer["Retry-After"] = "5"
    return answer


def _stream(request: HttpRequest, topic: Topic, begun: Sequence[bytes]) -> HttpResponseBase:
    """Return a stream, which ends at once if the process holds none or the reader asks for that."""
    form, kind = (as_lines, LINES) if LINES in request.headers.get("Accept", "") else (bytes, KIND)
    headers = {"Content-Type": f"{kind}; charset=utf-8", "Cache-Control": "no-store"}
    headers["X-Accel-Buffering"] = "no"  # nginx would wait for more
    answer: HttpResponseBase
    if HOLDER.is_started and "poll" not in request.GET:  # some proxies keep a stream until it ends
        events = HOLDER.events(topic, begun, address_of(request.META), form)
        answer = EventStream(events, headers=headers)
    else:
        answer = HttpResponse(form(so_far(begun, is_held=False)), headers=headers)
    patch_vary_headers(answer, ("Accept", "Authorization", "Cookie", "Accept-Language"))
    return answer


def reader_of(request: HttpRequest) -> tuple[Person, str]:
    """Return the reader, who is the account of a token, somebody signed in, or a guest; and by what an account is open.

    :raises APIException: when the token is not valid for this.
    """
    by_token = Tokens().authenticate(request)
    if by_token:
        return Person(account=by_token[0]), credentials.of_token(by_token[1])
    person = guests.person_of(request)
    return person, credentials.of_session(request.session.session_key or "") if person.account else ""


def _sits(request: HttpRequest, table: Table) -> bool:
    """Return whether the reader plays at a table; on one screen, whether it is theirs."""
    person, _ = _reader(request)
    if table.hot_seat and person.opened(table):
        return True
    return person.is_somebody and any(person.sits_in(seat) for seat in table.seats.all())


def _variant(request: HttpRequest, table: Table) -> tuple[Variant, str]:
    """Return in which form the reader gets events, and by what it is open if it is for a page of their own."""
    language = get_language() or "en"
    if "parts" not in request.GET:
        return Variant(language), ""
    person, credential = _reader(request)
    names = request.GET.get("known", "").split(",")
    viewer = parts.viewer_of(table, person)
    if viewer == own.name_of(NOBODY):
        return Variant(language, viewer), ""
    return Variant(language, viewer, frozenset(names[:_DRAWINGS]) - {""}), credential


def _reader(request: HttpRequest) -> tuple[Person, str]:
    try:
        return reader_of(request)
    except APIException:
        return NOBODY, ""


def _known(request: HttpRequest) -> int | None:
    """Return the number of the last event that the reader knows; None if the request does not say."""
    resumed = _resumed(request)
    return resumed if resumed is not None else _number(request.GET.get("after", ""))


def _resumed(request: HttpRequest) -> int | None:
    return _number(request.headers.get("Last-Event-ID", ""))


def _number(written: str) -> int | None:
    return int(written) if written.isascii() and written.isdecimal() and len(written) < _DIGITS else None
