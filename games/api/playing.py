"""Tables at which games are played here, for programs and for the page of a table."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from games.api.errors import shape
from games.api.idempotency import HEADER as KEY_HEADER
from games.api.idempotency import KEY
from games.api.queries import asked, sent
from games.api.serializers import ErrorShape
from games.guests import keep_guest, person_of, somebody
from games.models import Table
from games.playing import acting, invitations, leaving, opening, phrases, rematches
from games.playing.errors import ConflictError, IllegalError, PlayError
from games.playing.opening import Addition, TableOptions
from games.playing.reads import lists
from games.playing.reads.board import board_json
from games.playing.reads.people import Person
from games.playing.reads.position import tokens_of
from games.playing.reads.state import table_json
from games.tasks import wake_for

_ERRORS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class TableSeatShape(serializers.Serializer[Any]):
    """A seat at a table."""

    letter = serializers.CharField(allow_null=True, help_text="Its colour; null until it follows from the deal.")
    name = serializers.CharField()
    bot = serializers.CharField(allow_null=True, help_text="Which bot plays here; null for people.")
    guest = serializers.BooleanField(help_text="Whether somebody without an account sits here.")
    you = serializers.BooleanField()
    entropy = serializers.CharField(allow_null=True, help_text="Published when the table is full.")
    clock = serializers.IntegerField(allow_null=True, help_text="Milliseconds left when its clock last stopped.")
    resigns = serializers.BooleanField(allow_null=True, help_text="Whether it resigns as soon as it is its turn.")
    left_at = serializers.DateTimeField(allow_null=True)


class TableTimeShape(serializers.Serializer[Any]):
    """How time is measured."""

    kind = serializers.ChoiceField(Table.Time.choices)
    base = serializers.IntegerField(help_text="Seconds for a turn (days), or at the start (minutes).")
    step = serializers.IntegerField(help_text="Seconds that are added after each turn.")


class TableResultShape(serializers.Serializer[Any]):
    """How a game ended."""

    placements = serializers.ListField(child=serializers.IntegerField(), help_text="In turn order.")
    rule = serializers.CharField()
    termination = serializers.CharField()


class TableShape(serializers.Serializer[Any]):
    """A table as its viewer sees it."""

    key = serializers.CharField()
    url = serializers.URLField()
    page = serializers.URLField()
    ruleset = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(Table.State.choices)
    rated = serializers.BooleanField()
    hot_seat = serializers.BooleanField(help_text="Whether all play on one screen.")
    visibility = serializers.ChoiceField(Table.Visibility.choices)
    places = serializers.IntegerField()
    first = serializers.ChoiceField(Table.First.choices)
    time = TableTimeShape()
    commitment = serializers.CharField(help_text="Published before anybody joins.")
    secret = serializers.CharField(allow_null=True, help_text="Null until the game is over.")
    deck = serializers.CharField(allow_null=True)
    seats_line = serializers.CharField(allow_null=True, help_text="The Seats tag; null until the table is full.")
    setup = serializers.CharField(allow_null=True, help_text="The Setup tag, once it is known.")
    hand = serializers.CharField(allow_null=True, help_text="The cards with which the first player lays the setup.")
    seats = TableSeatShape(many=True, help_text="In the order of joining.")
    ply = serializers.IntegerField(help_text="For which the next action is; -1 while the setup is to be laid.")
    turn = serializers.CharField(allow_null=True)
    your_turn = serializers.BooleanField()
    drawn = serializers.CharField(allow_null=True, help_text="The card that was turned up and is to be laid.")
    draw_offered = serializers.CharField(allow_null=True, help_text="The seat that offers a draw.")
    time_running_since = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    tokens = serializers.ListField(child=serializers.CharField())
    legal = serializers.ListField(child=serializers.CharField(), help_text="Where it is your turn.")
    position = serializers.DictField(allow_null=True, help_text="The board and what can be touched next.")
    result = TableResultShape(allow_null=True)
    may = serializers.ListField(child=serializers.CharField(), help_text="The addresses below that you can use now.")
    event = serializers.IntegerField(help_text="The number of the newest event.")
    game = serializers.CharField(allow_null=True, help_text="The key of the game once its record was verified.")
    rematch = serializers.CharField(allow_null=True, help_text="The key of the rematch's table.")
    opened_at = serializers.DateTimeField()
    begun_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    guest_token = serializers.CharField(
        required=False, help_text="Of a new guest: send it as Guest-Token from now on. Nobody can tell it again."
    )


class TableRowShape(serializers.Serializer[Table]):
    """A table in a list."""

    key = serializers.CharField()
    url = serializers.SerializerMethodField()
    ruleset = serializers.CharField()
    state = serializers.ChoiceField(Table.State.choices)
    rated = serializers.BooleanField()
    places = serializers.IntegerField()
    names = serializers.SerializerMethodField(help_text="Who sits there, in the order of joining.")
    time = serializers.SerializerMethodField()
    turn = serializers.CharField()
    plies = serializers.IntegerField()

    def get_url(self, table: Table) -> str:
        """Return the table's address in this interface."""
        return reverse("api-table", [table.key], request=self.context["request"])

    def get_names(self, table: Table) -> list[str]:
        """Return who sits there."""
        return [seat.name for seat in table.seats.all()]

    def get_time(self, table: Table) -> dict[str, Any]:
        """Return how time is measured."""
        return {"kind": table.time_kind, "base": table.time_base, "step": table.time_step}


class TablesQuery(serializers.Serializer[Any]):
    """Which tables are wanted."""

    which = serializers.ChoiceField(["open", "playing", "mine"], required=False, default="open")


class KnownQuery(serializers.Serializer[Any]):
    """What the reader has already."""

    known = serializers.CharField(
        required=False, default="", max_length=4000, allow_blank=True, help_text="Names of drawings, with commas."
    )


@extend_schema_serializer(component_name="NewTable")
class TableBody(serializers.Serializer[Any]):
    """A table to open."""

    ruleset = serializers.CharField(max_length=40)
    places = serializers.IntegerField(required=False, default=2, min_value=2, max_value=4)
    first = serializers.ChoiceField(Table.First.choices, required=False, default="", allow_blank=True)
    rated = serializers.BooleanField(required=False, default=False)
    hot_seat = serializers.BooleanField(required=False, default=False)
    time_kind = serializers.ChoiceField(Table.Time.choices, required=False, default=Table.Time.NONE)
    time_base = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**7, help_text="Seconds.")
    time_step = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**5, help_text="Seconds.")
    visibility = serializers.ChoiceField(Table.Visibility.choices, required=False, default=Table.Visibility.OPEN)
    invited = serializers.ListField(
        child=serializers.CharField(max_length=150), required=False, default=list, max_length=3, help_text="Accounts."
    )
    bots = serializers.ListField(
        child=serializers.SlugField(max_length=40), required=False, default=list, max_length=3,
        help_text="Built-in bots that play.",
    )  # fmt: skip


class JoinBody(serializers.Serializer[Any]):
    """What somebody brings who takes a seat."""

    entropy = serializers.CharField(
        max_length=64, trim_whitespace=False, help_text="1 to 64 characters from ! to ~: your part of the deal."
    )
    letter = serializers.CharField(required=False, default="", allow_blank=True, max_length=1, help_text="A colour.")
    born = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1900, max_value=2100,
        help_text="Year of birth, if the oldest player begins; deleted when the game begins.",
    )  # fmt: skip


class ActionBody(KnownQuery):
    """An action."""

    ply = serializers.IntegerField(min_value=-1, max_value=10**6, help_text="The table's `ply` as you know it.")
    token = serializers.CharField(max_length=2000, help_text="As records write it; at ply -1 the Setup tag.")


class SeatBody(serializers.Serializer[Any]):
    """For which seat, on one screen."""

    letter = serializers.CharField(required=False, default="", allow_blank=True, max_length=1)


class DrawBody(SeatBody):
    """An offer, or its answer."""

    accept = serializers.BooleanField(required=False, default=True, help_text="False declines an offer.")


class PhraseBody(serializers.Serializer[Any]):
    """What to say."""

    phrase = serializers.ChoiceField(list(phrases.PHRASES))


class _TableView(APIView):
    """What all addresses of tables have in common: guests may play, too."""

    permission_classes = (AllowAny,)

    def shown(self, request: Request, key: str, viewer: Person, *, known: str = "") -> dict[str, Any]:
        """Return a table as the sender sees it. :raises Http404: when there is none."""
        try:
            table = Table.objects.select_related("game").get(key=key)
        except Table.DoesNotExist:
            raise Http404 from None
        seen, rematch = table_json(table, viewer), table.rematches.values_list("key", flat=True).first()
        drawings = [name for name in known.split(",") if name]
        board = board_json(table, tokens_of(table), acting=seen["your_turn"], known=drawings)
        return seen | {
            "url": reverse("api-table", [key], request=request),
            "page": request.build_absolute_uri(table.get_absolute_url()),
            "position": board,
            "game": table.game.key if table.game else None,
            "rematch": rematch,
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
        """Do something at a table, and answer with it as it is then; a conflict is answered with it, too."""
        person = person or person_of(request)
        try:
            act(person)
        except Table.DoesNotExist:
            raise Http404 from None
        except ConflictError as error:
            told = shape(error.code, error.template, error.params)
            return Response(
                told | {"table": self.shown(request, key, person, known=known)}, status=status.HTTP_409_CONFLICT
            )
        except IllegalError as error:
            place = {"rule": error.rule}
            return Response(shape(error.code, error.template, error.params, place=place), status=422)
        seen = self.shown(request, key, person, known=known)
        wake_for(ended=bool(seen["ended_at"]), bot=any(s["bot"] and s["letter"] == seen["turn"] for s in seen["seats"]))
        return Response(seen)


class TablesView(_TableView):
    """The tables."""

    @extend_schema(
        operation_id="tables", parameters=[TablesQuery], responses={200: TableRowShape(many=True), 400: ErrorShape}
    )
    def get(self, request: Request) -> Response:
        """List tables that can be joined, at which is being played, or your own; at most 100, the newest first."""
        person = person_of(request)
        lists_of = {"open": lists.open_tables, "playing": lists.tables_to_watch}
        found: Any = lists_of.get(asked(TablesQuery, request)["which"], lambda: lists.tables_of(person))()
        return Response(TableRowShape(found, many=True, context={"request": request}).data)

    @extend_schema(operation_id="open_table", request=TableBody, responses={201: TableShape, **_ERRORS})
    def post(self, request: Request) -> Response:
        """Open a table. Its commitment is fixed now; take your seat at `…/join` next, and nobody can before you."""
        body = sent(TableBody, request)
        invited = _accounts(body.pop("invited"))
        person, token = somebody(request)
        table = opening.open_table(TableOptions(**body, invited=invited), person, now=timezone.now())
        seen = self.shown(request, table.key, person) | ({"guest_token": token} if token else {})
        answer = Response(seen, status=201, headers={"Location": seen["url"]})
        keep_guest(answer, token, secure=request.is_secure())
        return answer


def _accounts(names: list[str]) -> list[User]:
    found = {account.get_username(): account for account in User.objects.filter(username__in=names, is_active=True)}
    for name in names:
        if name not in found:
            raise PlayError("no_account", "There is no account called {name}.", name=name)
    return [found[name] for name in names]


class TableView(_TableView):
    """A table."""

    @extend_schema(operation_id="table", parameters=[KnownQuery], responses={200: TableShape, 404: ErrorShape})
    def get(self, request: Request, key: str) -> Response:
        """Return a table as you see it. Nobody is shown a card before it is drawn, or the secret before the end."""
        return Response(self.shown(request, key, person_of(request), known=asked(KnownQuery, request)["known"]))


class TableJoinView(_TableView):
    """Taking a seat."""

    @extend_schema(operation_id="join_table", request=JoinBody, responses={200: TableShape, **_ERRORS})
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

    @extend_schema(operation_id="decline_table", request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Decline an invitation to a table at which the game has not begun."""
        return self.done(request, key, lambda person: invitations.decline(key, person, now=timezone.now()))


class TableActionsView(_TableView):
    """Acting."""

    @extend_schema(
        operation_id="act",
        request=ActionBody,
        parameters=[KEY],
        responses={200: TableShape, 422: ErrorShape, **_ERRORS},
    )
    def post(self, request: Request, key: str) -> Response:
        """Do what your seat does in its turn; once this is answered, it is stored.

        What is late, double or for another seat gets 409 with the table as it is (`table`); what the rules refuse 422.
        """
        body, sent_key = sent(ActionBody, request), request.headers.get(KEY_HEADER, "").strip().strip('"')
        act = lambda person: acting.act(  # noqa: E731 (called once, below)
            key, person, ply=body["ply"], token=body["token"], request_key=sent_key, now=timezone.now()
        )
        return self.done(request, key, act, known=body["known"])


class TableResignView(_TableView):
    """Giving up."""

    @extend_schema(operation_id="resign", request=SeatBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Resign: at once if it is your turn, else as soon as it is."""
        body = sent(SeatBody, request)
        return self.done(request, key, lambda person: leaving.resign(key, person, **body, now=timezone.now()))


class TableDrawView(_TableView):
    """Agreeing on a draw."""

    @extend_schema(operation_id="draw", request=DrawBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Offer a draw, or accept the one that is offered; `accept: false` declines it."""
        body = sent(DrawBody, request)
        return self.done(request, key, lambda person: leaving.draw(key, person, **body, now=timezone.now()))


class TableAbortView(_TableView):
    """Breaking off."""

    @extend_schema(operation_id="abort", request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Abort a game in which nobody has moved. It is published with its secret."""
        return self.done(request, key, lambda person: leaving.abort(key, person, now=timezone.now()))


class TableCancelView(_TableView):
    """Closing a table."""

    @extend_schema(operation_id="cancel_table", request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Cancel a table that you opened and at which no game has begun."""
        return self.done(request, key, lambda person: opening.cancel(key, person, now=timezone.now()))


class TableLeaveView(_TableView):
    """Leaving a table."""

    @extend_schema(operation_id="leave_table", request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Give your seat up before the game begins."""
        return self.done(request, key, lambda person: opening.leave(key, person, now=timezone.now()))


class TablePhrasesView(_TableView):
    """Saying something."""

    @extend_schema(operation_id="say", request=PhraseBody, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Say a phrase; everybody reads it in their own language."""
        body = sent(PhraseBody, request)
        return self.done(request, key, lambda person: phrases.say(key, person, body["phrase"], now=timezone.now()))


class TableRematchView(_TableView):
    """Playing again."""

    @extend_schema(operation_id="rematch", request=None, responses={200: TableShape, **_ERRORS})
    def post(self, request: Request, key: str) -> Response:
        """Open the rematch, or find the one that is open: the answer is its table."""
        with transaction.atomic():
            found = list[str]()
            answer = self.done(
                request, key, lambda person: found.append(rematches.rematch(key, person, now=timezone.now()).key)
            )
        return Response(self.shown(request, found[0], person_of(request))) if found else answer
