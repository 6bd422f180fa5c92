"""Confirmations and disputes of a game, and an account's own."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.api.base import APIView
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape, GamePageShape
from games.consent import confirmations
from games.consent.reads.eligibility import Consent, SeatConsent, consent_of, games_waiting, ladders_of
from games.holds.reads.holds import HOLDS, holds_of
from games.lookup import game_or_404, signed_in
from games.models import Acceptance, Confirmation, Dispute, Flag, Game
from games.platform.paging import Span
from games.run import rate_at_once

_ERRORS = {404: ErrorShape}
_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class ConfirmationShape(serializers.Serializer[Confirmation]):
    """A valid confirmation."""

    by = serializers.CharField(source="account.username", allow_null=True)
    how = serializers.ChoiceField(Confirmation.How.choices)
    at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="When it expires, unless the game counts by then.")


class SeatConsentShape(serializers.Serializer[SeatConsent]):
    """A seat and its confirmation."""

    letter = serializers.CharField()
    name = serializers.CharField(source="player.name")
    player = serializers.SerializerMethodField(help_text="The player's address.")
    claimed = serializers.SerializerMethodField(help_text="Whether an account has claimed the name.")
    confirmation = ConfirmationShape(allow_null=True)

    def get_player(self, seat: SeatConsent) -> str:
        """Return the player's address in this interface."""
        return reverse("api-player", [seat.player.pk], request=self.context["request"])

    def get_claimed(self, seat: SeatConsent) -> bool:
        """Return whether an account could confirm for this seat."""
        return seat.account is not None


class DisputeShape(serializers.Serializer[Dispute]):
    """A dispute, and the decision on it."""

    id = serializers.IntegerField()
    by = serializers.CharField(source="account.username", allow_null=True, default=None)
    reason = serializers.CharField()
    raised_at = serializers.DateTimeField()
    state = serializers.ChoiceField(Dispute.State.choices)
    settled_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField()


class HoldShape(serializers.Serializer[Flag]):
    """Why a confirmed game is not rated yet, or was left unrated."""

    id = serializers.IntegerField()
    reason = serializers.ChoiceField(Flag.Kind.choices, source="kind")
    message = serializers.SerializerMethodField(help_text="The reason as a sentence.")
    waits_for = serializers.SerializerMethodField(help_text="Who decides; empty once it is settled.")
    player = serializers.CharField(
        source="player.name", allow_null=True, default=None, help_text="The player it concerns."
    )
    since = serializers.DateTimeField(source="raised_at")
    unrated = serializers.BooleanField(help_text="Whether it was settled by leaving the game unrated.")
    settled_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField()

    def get_message(self, flag: Flag) -> str:
        """Return the reason as a sentence."""
        return str(HOLDS[flag.kind])

    @extend_schema_field(serializers.ChoiceField(["", "moderator", "organiser", "voucher"]))
    def get_waits_for(self, flag: Flag) -> str:
        """Return who has to decide."""
        if flag.settled_at:
            return ""
        if flag.ladder and flag.ladder.club_id:
            return "organiser"
        return "voucher" if flag.kind == Flag.Kind.UNVOUCHED else "moderator"


class AcceptanceShape(serializers.Serializer[Acceptance]):
    """A ladder for which a game counts, or counted."""

    ruleset = serializers.CharField(source="ladder.ruleset")
    club = serializers.CharField(source="ladder.club.slug", allow_null=True, default=None)
    number = serializers.IntegerField(
        allow_null=True, help_text="The number in the sequence; null until the game is rated."
    )
    accepted_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.BooleanField(help_text="False while the game is annulled.")
    held = serializers.BooleanField(
        help_text="Whether it waits for somebody, or was left unrated: `holds` or `ineligible_reason` says why."
    )
    holds = serializers.SerializerMethodField()

    @extend_schema_field(HoldShape(many=True))
    def get_holds(self, acceptance: Acceptance) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return what holds the game back on this ladder."""
        holds: Any = holds_of(acceptance.game).filter(ladder=acceptance.ladder_id)
        return HoldShape(holds, many=True).data if acceptance.held else []


class ConsentShape(serializers.Serializer[Consent]):
    """What a game still needs to count on the site's ladder, and where it counts."""

    state = serializers.ChoiceField(["pending", "partly", "confirmed", "disputed"])
    ineligible_reason = serializers.ChoiceField(
        ["", "unfinished", "rejected", "training", "private", "bot", "same-person", "contested", "other-seating"],
        help_text="Why it cannot count now; empty if only confirmations are missing.",
    )
    until = serializers.DateTimeField(allow_null=True, help_text="When the first confirmation expires.")
    seats = SeatConsentShape(many=True)
    disputes = DisputeShape(many=True, help_text="All disputes, newest first.")
    acceptances = serializers.SerializerMethodField()

    @extend_schema_field(AcceptanceShape(many=True))
    def get_acceptances(self, _: Consent) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the ladders for which it counts, the site's first."""
        acceptances: Any = ladders_of(self.context["game"])
        return AcceptanceShape(acceptances, many=True).data


class Reason(serializers.Serializer[Any]):
    """A reason."""

    reason = serializers.CharField(max_length=1000, allow_blank=True)


def _answer(request: Request, game: Game, *, status: int = 200) -> Response:
    found = consent_of(game, now=timezone.now())
    return Response(ConsentShape(found, context={"request": request, "game": game}).data, status=status)


class ConsentView(APIView):
    """The confirmations and disputes of a game."""

    @extend_schema(responses={200: ConsentShape, **_ERRORS})
    def get(self, request: Request, key: str) -> Response:
        """Return who has confirmed a game and until when, who disputes it, and for which ladders it counts."""
        return _answer(request, game_or_404(request, key))


class ConfirmationView(APIView):
    """The account's confirmation."""

    @extend_schema(request=None, responses={200: ConsentShape, **_REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Confirm, for the account's players, that a game was played as recorded; repeat it to renew the 14 days."""
        return self._apply(request, key, confirmations.confirm)

    @extend_schema(responses={200: ConsentShape, **_REFUSALS})
    def delete(self, request: Request, key: str) -> Response:
        """Withdraw the confirmation, as long as the game does not count."""
        return self._apply(request, key, confirmations.withdraw)

    def _apply(self, request: Request, key: str, act: Callable[..., object]) -> Response:
        game = game_or_404(request, key)
        act(game, signed_in(request), now=timezone.now())
        rate_at_once([key], now=timezone.now)
        return _answer(request, game)


class DisputeView(APIView):
    """The account's dispute."""

    throttle_scope = "dispute"

    @extend_schema(request=Reason, responses={201: ConsentShape, **_REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Dispute a game that was not played as recorded, or should not count; a moderator decides."""
        game = game_or_404(request, key)
        confirmations.dispute(game, signed_in(request), reason=sent(Reason, request)["reason"], now=timezone.now())
        return _answer(request, game, status=201)


class WithdrawalView(APIView):
    """Withdraw a dispute."""

    @extend_schema(request=None, responses={200: ConsentShape, **_REFUSALS})
    def post(self, request: Request, key: str, pk: str) -> Response:
        """Withdraw the account's own dispute."""
        game = game_or_404(request, key)
        try:
            confirmations.withdraw_dispute(game, signed_in(request), pk=int(pk), now=timezone.now())
        except Dispute.DoesNotExist:
            raise Http404 from None
        rate_at_once([key], now=timezone.now)
        return _answer(request, game)


class WaitingView(APIView):
    """Games for the account to confirm."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[MarkQuery],
        responses={200: GamePageShape, **dict.fromkeys((400, 401), ErrorShape)},
    )
    def get(self, request: Request) -> Response:
        """List the games that the account can confirm because its players took part, newest first, 50 at a time."""
        page = games_waiting(signed_in(request).pk, Span(**asked(MarkQuery, request)), now=timezone.now())
        rows = {"games": page.rows, "newer": page.newer, "older": page.older}
        return Response(GamePageShape(rows, context={"request": request}).data)
