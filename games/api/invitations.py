"""Invitations in the API: saying which player you are in an upload, the links for the others, and revoking them."""

from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape
from games.invitations.inviting import revoke, say_who
from games.invitations.reads.invitations import State, invitations_of, names_of, state_of
from games.invitations.reads.tokens import token_of
from games.lookup import signed_in, upload_or_404
from games.models import Invitation, InvitedName
from games.platform.paging import Span, newest_first
from games.run import rate_at_once

_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)
_STATES: tuple[State, ...] = ("open", "used", "taken", "expired", "revoked", "gone")


class WhoShape(serializers.Serializer[Any]):
    """The player of an upload that you are."""

    me = serializers.IntegerField(
        allow_null=True, min_value=1, max_value=2**53, help_text="The player's id; null for none of them."
    )


class InvitedNameShape(serializers.Serializer[InvitedName]):
    """A name that an invitation is for."""

    player = serializers.IntegerField(source="player_id", help_text="The player's id.")
    name = serializers.CharField(source="player.name")
    state = serializers.SerializerMethodField()
    used_by = serializers.CharField(source="account.username", allow_null=True, default=None)
    used_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.ChoiceField(choices=_STATES))
    def get_state(self, name: InvitedName) -> State:
        """Return the state of the invitation for this name."""
        return state_of(name, now=timezone.now())


class InvitationShape(serializers.Serializer[Invitation]):
    """A link for the players of an upload: each name can be used once."""

    id = serializers.IntegerField()
    link = serializers.SerializerMethodField(help_text="The link to send; null if it cannot be shown or used any more.")
    for_all = serializers.BooleanField(help_text="Whether it is for several names: each player chooses their own.")
    names = serializers.SerializerMethodField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)

    def get_link(self, invitation: Invitation) -> str | None:
        """Return the link as long as it can be used."""
        if invitation.revoked_at or invitation.expires_at <= timezone.now():
            return None
        token = token_of(invitation.nonce, invitation.digest)
        return f"{settings.SITE_URL}{reverse('invitation', args=[token])}" if token else None

    @extend_schema_field(InvitedNameShape(many=True))
    def get_names(self, invitation: Invitation) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the names in it."""
        names: Any = names_of(invitation)
        for one in names:
            one.invitation = invitation
        return InvitedNameShape(names, many=True).data


class InvitationPageShape(serializers.Serializer[Any]):
    """A page of invitations, newest first."""

    invitations = InvitationShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class UploadNamesView(APIView):
    """Who is who in an upload."""

    permission_classes = [IsAuthenticated]
    throttle_scope = "invite"

    @extend_schema(request=WhoShape, responses={200: InvitationShape(many=True), **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Say which player of an upload you are, and get a link for each other player without an account.

        The account's own games are confirmed as soon as the name belongs to it. A player who opens a link claims the
        name and confirms its games in one step. Existing invitations stay valid.
        """
        upload, now = upload_or_404(request, pk), timezone.now()  # type: ignore[arg-type] # the address is a UUID
        made: Any = say_who(upload, signed_in(request), **sent(WhoShape, request), now=now)
        rate_at_once(upload.logs.values_list("game__key", flat=True)[:100], now=timezone.now)
        return Response(InvitationShape(made, many=True).data)


class InvitationsView(APIView):
    """The account's invitations."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[MarkQuery], responses={200: InvitationPageShape, **dict.fromkeys((400, 401), ErrorShape)}
    )
    def get(self, request: Request) -> Response:
        """List the account's invitations, newest first, 50 at a time."""
        page = newest_first(invitations_of(request.user), "made_at", Span(**asked(MarkQuery, request)))
        rows = {"invitations": page.rows, "newer": page.newer, "older": page.older}
        return Response(InvitationPageShape(rows).data)


class InvitationRevocationView(APIView):
    """Revoke an invitation."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=None, responses={200: InvitationShape, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Revoke one of the account's links. Claims and confirmations made with it stay."""
        found = invitations_of(signed_in(request)).filter(pk=int(pk)).first()
        if found is None:
            raise Http404
        revoke(found, now=timezone.now())
        found.refresh_from_db()
        return Response(InvitationShape(found).data)
