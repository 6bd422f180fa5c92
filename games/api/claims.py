"""Claims in the API: making and deciding them."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.api.base import APIView
from games.api.consent import Reason
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape, PlayerShape
from games.lookup import claim_or_404, player_or_404, signed_in
from games.models import Claim
from games.platform.paging import Span, newest_first
from games.players.claims import contest, decide_claim, make_claim, revoke_claim, vouch, withdraw_claim
from games.players.reads.claims import claims_of, claims_to_decide, may_read_texts
from games.players.reads.own_names import claim_version
from games.run import rate_at_once_of

_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


_WORDS = "Empty for readers other than who made the claim, who decides or decided it, and moderators."


class ClaimShape(serializers.Serializer[Claim]):
    """An account's claim to a name, and its outcome."""

    id = serializers.IntegerField()
    player = PlayerShape()
    by = serializers.CharField(source="account.username")
    reason = serializers.SerializerMethodField(help_text=_WORDS)
    made_at = serializers.DateTimeField()
    state = serializers.ChoiceField(Claim.State.choices)
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)
    decided_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.SerializerMethodField(help_text=_WORDS)
    approved_from = serializers.DateTimeField(
        allow_null=True,
        help_text="When it is approved unless somebody contests it; for names that the claimant uploaded first.",
    )
    contested_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was contested: since then only a moderator can decide."
    )
    url = serializers.SerializerMethodField()

    def get_reason(self, claim: Claim) -> str:
        """Return why the claim was made."""
        return claim.reason if self._read(claim) else ""

    def get_answer(self, claim: Claim) -> str:
        """Return the reason given with the decision."""
        return claim.answer if self._read(claim) else ""

    def _read(self, claim: Claim) -> bool:
        return may_read_texts(claim, self.context["request"].user)

    def get_url(self, claim: Claim) -> str:
        """Return the claim's address in this interface."""
        return reverse("api-claim", [claim.pk], request=self.context["request"])


class ClaimPageShape(serializers.Serializer[Any]):
    """A page of claims, newest first."""

    claims = ClaimShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class ClaimDetailShape(ClaimShape):
    """A claim, and the version of it that a decision names."""

    version = serializers.SerializerMethodField(
        help_text="Changes when the claim is contested, or others claim the name or no longer do."
    )

    def get_version(self, claim: Claim) -> str:
        """Return the version; a list has read those of all its claims together."""
        versions: dict[int, str] = self.context.get("versions", {})
        return versions.get(claim.pk) or claim_version(claim)


class ClaimAnswer(serializers.Serializer[Any]):
    """The decision on a claim."""

    approve = serializers.BooleanField()
    answer = serializers.CharField(max_length=1000, allow_blank=True, default="")
    version = serializers.CharField(
        max_length=64,
        required=False,
        source="seen",
        help_text="`version` of the claim as you read it. 409 if it was contested or the name claimed since.",
    )


class Answer(serializers.Serializer[Any]):
    """A reason."""

    answer = serializers.CharField(max_length=1000, allow_blank=True)


def _answer(request: Request, claim: Claim, *, status: int = 200) -> Response:
    return Response(ClaimDetailShape(claim, context={"request": request}).data, status=status)


class ClaimsView(APIView):
    """The account's own claims."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[MarkQuery],
        responses={200: ClaimPageShape, **dict.fromkeys((400, 401), ErrorShape)},
    )
    def get(self, request: Request) -> Response:
        """List the account's claims, newest first, 50 at a time."""
        return _page(request, claims_of(signed_in(request)))


class ClaimsToDecideView(APIView):
    """Claims that the account can decide."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[MarkQuery],
        responses={200: ClaimPageShape, **dict.fromkeys((400, 401), ErrorShape)},
    )
    def get(self, request: Request) -> Response:
        """List open claims to names that the account uploaded first, newest first, 50 at a time."""
        return _page(request, claims_to_decide(signed_in(request)))


def _page(request: Request, claims: "QuerySet[Claim]") -> Response:
    page = newest_first(claims.select_related("decided_by"), "made_at", Span(**asked(MarkQuery, request)))
    rows = {"claims": page.rows, "newer": page.newer, "older": page.older}
    return Response(ClaimPageShape(rows, context={"request": request}).data)


class PlayerClaimsView(APIView):
    """Claim a name."""

    throttle_scope = "claim"

    @extend_schema(request=Reason, responses={201: ClaimDetailShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Claim a player for the account. The account that uploaded the name first decides, or a moderator."""
        player, reason = player_or_404(request, pk), sent(Reason, request)["reason"]
        claim = make_claim(player, signed_in(request), reason=reason, now=timezone.now())
        return _answer(request, claim, status=201)


class ClaimView(APIView):
    """A claim."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: ClaimDetailShape, **dict.fromkeys((401, 404), ErrorShape)})
    def get(self, request: Request, pk: str) -> Response:
        """Return a claim; open to the claimant, those who may decide it, and moderators."""
        return _answer(request, claim_or_404(request, pk))


class DecisionView(APIView):
    """The decision on a claim."""

    @extend_schema(request=ClaimAnswer, responses={200: ClaimDetailShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Decide a claim; open to the account that uploaded the name first, and to moderators."""
        claim, now = claim_or_404(request, pk), timezone.now()
        decided = decide_claim(claim, **sent(ClaimAnswer, request), by=signed_in(request), now=now)
        rate_at_once_of(claim.player_id, now=timezone.now)
        return _answer(request, decided)


class ClaimWithdrawalView(APIView):
    """Withdraw a claim."""

    @extend_schema(request=None, responses={200: ClaimDetailShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Withdraw the account's own claim while it is open."""
        return _answer(request, withdraw_claim(claim_or_404(request, pk), signed_in(request), now=timezone.now()))


class RevocationView(APIView):
    """Revoke a claim."""

    @extend_schema(request=Answer, responses={200: ClaimDetailShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Revoke an approved claim with a reason; open to moderators."""
        claim, answer = claim_or_404(request, pk), sent(Answer, request)["answer"]
        return _answer(request, revoke_claim(claim, by=signed_in(request), answer=answer, now=timezone.now()))


class ContestView(APIView):
    """Contest a claim."""

    throttle_scope = "dispute"

    @extend_schema(request=Reason, responses={200: ClaimDetailShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Contest a claim that would be approved automatically; open to those who sat at a table with the player."""
        claim, reason = claim_or_404(request, pk), sent(Reason, request)["reason"]
        return _answer(request, contest(claim, signed_in(request), reason=reason, now=timezone.now()))


class VouchView(APIView):
    """Vouch for a player."""

    @extend_schema(request=Reason, responses={200: ClaimDetailShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Vouch for the person behind a name; open to moderators, and known players who sat at a table with them."""
        claim, reason = claim_or_404(request, pk), sent(Reason, request)["reason"]
        vouch(claim, by=signed_in(request), reason=reason, now=timezone.now())
        rate_at_once_of(claim.player_id, now=timezone.now)
        claim.refresh_from_db()
        return _answer(request, claim)
