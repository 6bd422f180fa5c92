"""Tables at which games are played on this site, for programs and for a table's page."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from games.api.base import APIView
from games.api.errors import shape
from games.api.idempotency import HEADER as KEY_HEADER
from games.api.idempotency import KEY
from games.api.queries import asked, sent
from games.api.serializers import ErrorShape
from games.api.table_shapes import (
    ActionBody,
    DrawBody,
    JoinBody,
    PhraseBody,
    RematchBody,
    SeatBody,
    TableBody,
    TableQuery,
    TableRowShape,
    TableShape,
    TablesQuery,
)
from games.guests import keep_guest, person_of, somebody
from games.lookup import network_from
from games.models import Table
from games.playing import acting, invitations, leaving, opening, phrases, rematches
from games.playing.errors import ConflictError, IllegalError
from games.playing.opening import Addition, TableOptions
from games.playing.reads import lists
from games.playing.reads.board import board_json
from games.playing.reads.people import Person
from games.playing.reads.position import tokens_of
from games.playing.reads.seats import current_rematch, seat_of
from games.playing.reads.state import table_json
from games.playing.site_names import accounts_named

_ERRORS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class _TableView(APIView):
    """The base of the views of tables: guests may play, too."""

    permission_classes = (AllowAny,)

    seat: int | None = None
    """The number of the sender's seat at the table, for which requests are counted (`atta_site.rate_limits`)."""

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the usual limits, which count for the sender's seat at the table, if they have one."""
        key = self.kwargs.get("key")
        self.seat = seat_of(key, person_of(self.request)) if key else None
        return super().get_throttles()

    def shown(
        self, request: Request, key: str, viewer: Person, *, known: str = "", touched: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Answer with a table as the sender sees it. :raises Http404: when there is none."""
        try:
            table = Table.objects.select_related("game").get(key=key)
        except Table.DoesNotExist:
            raise Http404 from None
        seen = table_json(table, viewer, now=timezone.now())
        rematch = current_rematch(table)
        drawings = [name for name in known.split(",") if name]
        board = board_json(table, tokens_of(table), acting=seen["your_turn"], known=drawings, touched=touched)
        return seen | {
            "url": reverse("api-table", [key], request=request),
            "page": request.build_absolute_uri(table.get_absolute_url()),
            "position": board,
            "game": table.game.key if table.game else None,
            "rematch": rematch.key if rematch else None,
        }

    def done(
        self,
        request: Request,
        key: str,
        act: Callable[[Person], object],
        *,
        known: str = "",
        person: Person | None = None,
    ) -> Response:
        """Act at a table and answer with its new state; a conflict is answered with its current state, too."""
        person = person or person_of(request)
        try:
            act(person)
        except Table.DoesNotExist:
            raise Http404 from None
        except ConflictError as error:
            body = shape(error.code, error.template, error.params)
            return Response(
                body | {"table": self.shown(request, key, person, known=known)}, status=status.HTTP_409_CONFLICT
            )
        except IllegalError as error:
            place = {"rule": error.rule}
            return Response(shape(error.code, error.template, error.params, place=place), status=422)
        return Response(self.shown(request, key, person, known=known))


class TablesView(_TableView):
    """The tables."""

    throttle_scope = "table"

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the limit on opening tables, and for lists the usual limits alone."""
        throttles = super().get_throttles()
        if self.request.method not in SAFE_METHODS:
            return throttles
        return [throttle for throttle in throttles if not isinstance(throttle, ScopedRateThrottle)]

    @extend_schema(parameters=[TablesQuery], responses={200: TableRowShape(many=True), 400: ErrorShape})
    def get(self, request: Request) -> Response:
        """List tables that you can join, tables with a game in progress, or your own; at most 100, newest first."""
        person = person_of(request)
        lists_of = {"open": lists.open_tables, "playing": lists.tables_to_watch}
        found: Any = lists_of.get(asked(TablesQuery, request)["which"], lambda: lists.tables_of(person))()
        return Response(TableRowShape(found, many=True, context={"request": request}).data)

    @extend_schema(request=TableBody, responses={201: TableShape, **_ERRORS})
    def post(self, request: Request) -> Response:
        """Open a table. Its commitment is fixed now. Sit down at `…/join` next: nobody else can sit down before you."""
        body = sent(TableBody, request)
        invited = accounts_named(body.pop("invited"))
        person, token = somebody(request)
        table = opening.open_table(
            TableOptions(**body, invited=invited), person, network=network_from(request), now=timezone.now()
        )
        seen = self.shown(request, table.key, person) | ({"guest_token": token} if token else {})
        answer = Response(seen, status=201, headers={"Location": seen["url"]})
        keep_guest(answer, token, secure=request.is_secure())
        return answer


class TableView(_TableView):
    """A table."""

    @extend_schema(parameters=[TableQuery], responses={200: TableShape, 404: ErrorShape})
    def get(self, request: Request, key: str) -> Response:
        """Return a table as you see it. No card is shown before it is drawn, nor the secret before the end."""
        return Response(self.shown(request, key, person_of(request), **asked(TableQuery, request)))


class TableJoinView(_TableView):
    """Taking a seat."""

    @extend_schema(request=JoinBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Take a seat. At a rated table this is your consent that the game is rated.

        A new guest is given a token with the answer.
        """
        addition = Addition(**sent(JoinBody, request))
        person, token = somebody(request)
        join = lambda person: opening.join(key, person, addition, now=timezone.now())  # noqa: E731 (called once)
        answer = self.done(request, key, join, person=person)
        if token and answer.status_code == status.HTTP_200_OK:
            answer.data["guest_token"] = token
            keep_guest(answer, token, secure=request.is_secure())
        return answer


class TableDeclineView(_TableView):
    """Declining an invitation."""

    @extend_schema(request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Decline an invitation to a table at which the game has not begun."""
        return self.done(request, key, lambda person: invitations.decline(key, person, now=timezone.now()))


class TableActionsView(_TableView):
    """Making actions."""

    @extend_schema(
        request=ActionBody,
        parameters=[KEY],
        responses={200: TableShape, 422: ErrorShape, **_ERRORS},
    )
    def post(self, request: Request, key: str) -> Response:
        """Make an action in your turn. Once you have the answer, the action is stored.

        An action that is late, repeated or for another seat gets 409 with the table's current state (`table`); an
        illegal one gets 422.
        """
        body, sent_key = sent(ActionBody, request), request.headers.get(KEY_HEADER, "").strip().strip('"')
        act = lambda person: acting.act(  # noqa: E731 (called once, below)
            key, person, ply=body["ply"], token=body["token"], request_key=sent_key, now=timezone.now()
        )
        return self.done(request, key, act, known=body["known"])


class TableResignView(_TableView):
    """Resigning."""

    @extend_schema(request=SeatBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Resign, whoever's turn it is. In a game of two that ends it."""
        body = sent(SeatBody, request)
        return self.done(request, key, lambda person: leaving.resign(key, person, **body, now=timezone.now()))


class TableDrawView(_TableView):
    """Offering and accepting a draw."""

    @extend_schema(request=DrawBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Offer a draw, or accept one that was offered; `accept: false` declines it, or withdraws your own.

        An offer lapses when the turn of the seat that made it begins.
        """
        body = sent(DrawBody, request)
        return self.done(request, key, lambda person: leaving.draw(key, person, **body, now=timezone.now()))


class TableAbortView(_TableView):
    """Aborting a game."""

    @extend_schema(request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Abort a game in which nobody has moved. It is published with its secret.

        The third of your last ten rated games counts: you resign, and play training games for a day.
        """
        return self.done(request, key, lambda person: leaving.abort(key, person, now=timezone.now()))


class TableCancelView(_TableView):
    """Cancelling a table."""

    @extend_schema(request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Cancel a table that you opened and at which no game has begun."""
        return self.done(request, key, lambda person: opening.cancel(key, person, now=timezone.now()))


class TableLeaveView(_TableView):
    """Leaving a table."""

    @extend_schema(request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Give up your seat before the game begins."""
        return self.done(request, key, lambda person: opening.leave(key, person, now=timezone.now()))


class TablePhrasesView(_TableView):
    """Saying a phrase."""

    @extend_schema(request=PhraseBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Say one of the fixed phrases; everybody reads it in their own language."""
        body = sent(PhraseBody, request)
        return self.done(request, key, lambda person: phrases.send(key, person, body["phrase"], now=timezone.now()))


class TableRematchView(_TableView):
    """Asking for a rematch, and accepting it."""

    @extend_schema(request=RematchBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Ask for a rematch, or accept it: you take your seat at its table, which is the answer.

        The settings are the same, and whoever was second begins. With bots it begins at once.
        """
        body = sent(RematchBody, request)
        with transaction.atomic():
            found = list[str]()
            answer = self.done(
                request,
                key,
                lambda person: found.append(rematches.rematch(key, person, **body, now=timezone.now()).key),
            )
        return Response(self.shown(request, found[0], person_of(request))) if found else answer
