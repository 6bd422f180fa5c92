"""The streams of a table and of one's own games. These views send what there is so far; the live server continues."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_GET
from rest_framework.exceptions import APIException

from games import guests
from games.accounts.authentication import Tokens
from games.accounts.reads import credentials
from games.models import Table
from games.playing.reads import own
from games.playing.reads.people import Person
from games.web.live import messages
from games.web.live.streams import Topic, stream

_DIGITS = 10
"""Of a number of an event, at most."""


@require_GET
def table(request: HttpRequest, key: str) -> HttpResponse:
    """Stream what has happened at a table since the last event that the reader knows, and what happens from now on.

    `Last-Event-ID` or `after` names that event; without them the stream begins now. `whole` asks for the whole board
    first: a reader who has that needs none of the events that are too old to send.
    """
    try:
        found = Table.objects.get(key=key)
    except Table.DoesNotExist:
        raise Http404 from None
    known = _known(request)
    known = found.last_event if known is None else known
    language = get_language() or "en"
    parts = [messages.board_message(found)] if "whole" in request.GET and _resumed(request) is None else []
    known = max(known, found.last_event - messages.MOST) if parts else known
    missed = messages.table_messages(found, known, [language])[language]
    number = missed[-1][0] if missed else known
    return stream(
        request,
        Topic("table", key, language, number, _sits(request, found)),
        [*parts, *(content for _, content in missed)],
    )


@require_GET
def me(request: HttpRequest) -> HttpResponse:
    """Stream the tables at which it is the reader's turn, now and whenever that changes."""
    try:
        person, credential = reader_of(request)
    except APIException as refused:
        return JsonResponse({"code": "token", "error": str(refused.detail)}, status=refused.status_code)
    if not person.is_somebody:
        return HttpResponse(status=204)  # a browser asks no more
    name = own.name_of(person)
    message = messages.person_messages([name])[name]
    return stream(request, Topic("me", name, get_language() or "en", credential=credential), [message])


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """Stream the version of the lists of tables, now and whenever that changes."""
    return stream(request, Topic("lobby", "all", get_language() or "en"), [messages.lobby_message()])


@require_GET
def health(_request: HttpRequest) -> HttpResponse:
    """Answer that no live server is connected; the web server passes this address on to it."""
    return JsonResponse({"live": "unavailable"}, status=503, headers={"Retry-After": "5"})


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
    try:
        person, _ = reader_of(request)
    except APIException:
        return False
    if table.hot_seat and person.opened(table):
        return True
    return person.is_somebody and any(person.sits_in(seat) for seat in table.seats.all())


def _known(request: HttpRequest) -> int | None:
    """Return the number of the last event that the reader knows; None if the request does not say."""
    resumed = _resumed(request)
    return resumed if resumed is not None else _number(request.GET.get("after", ""))


def _resumed(request: HttpRequest) -> int | None:
    return _number(request.headers.get("Last-Event-ID", ""))


def _number(written: str) -> int | None:
    return int(written) if written.isascii() and written.isdecimal() and len(written) < _DIGITS else None
