"""Members of clubs in the API: their roles, and the link for joining."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.club_shapes import JoinShape, LinkShape, MemberBody, MemberShape, RoleBody, SameBody
from games.api.clubs import REFUSALS, ClubsAPIView
from games.api.queries import sent
from games.api.serializers import ErrorShape
from games.clubs import identity, running
from games.clubs.organising import check_runs
from games.clubs.reads.clubs import find_link, link_of, members_of, with_games
from games.lookup import club_or_404, signed_in
from games.models import Club, ClubLink, ClubMember


class MembersView(ClubsAPIView):
    """The members of a club."""

    @extend_schema(responses={200: MemberShape(many=True), 404: ErrorShape})
    def get(self, request: Request, club: str) -> Response:
        """List a club's members: owners and organisers first, then by name."""
        found: Any = members_of(club_or_404(club))
        return Response(MemberShape(found, many=True, context={"request": request}).data)

    @extend_schema(request=MemberBody, responses={201: MemberShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """Add somebody who has no account yet, as an organiser.

        An account becomes that member by a link made for them (`…/link`), or when you confirm who it is (`…/account`).
        """
        mine, now = club_or_404(club), timezone.now()
        member = running.add_by_name(mine, **sent(MemberBody, request), by=signed_in(request), now=now)
        return _answer(request, member, status=201)


class MemberView(ClubsAPIView):
    """A member of a club."""

    @extend_schema(responses={204: None, **REFUSALS})
    def delete(self, request: Request, club: str, pk: str) -> Response:
        """Remove a member, or leave the club. Games and points stay."""
        running.remove(_member(club, pk), by=signed_in(request), now=timezone.now())
        return Response(status=204)


class MemberLinkView(ClubsAPIView):
    """A link for a member who was added by name."""

    @extend_schema(request=None, responses={201: LinkShape, **REFUSALS})
    def post(self, request: Request, club: str, pk: str) -> Response:
        """Make a link, as an organiser: the account that opens it first becomes this member. It works for 14 days."""
        link = running.make_link(club_or_404(club), by=signed_in(request), now=timezone.now(), member=_member(club, pk))
        return Response(LinkShape(link).data, status=201)


class MemberAccountView(ClubsAPIView):
    """The account of somebody who was added by name."""

    @extend_schema(request=SameBody, responses={200: MemberShape, **REFUSALS})
    def put(self, request: Request, club: str, pk: str) -> Response:
        """Confirm, as an organiser, that a member without an account is the same person as `member`, who has one.

        The two members become one.
        """
        named, other = _member(club, pk), _member(club, sent(SameBody, request)["member"])
        return _answer(request, identity.confirm_same(named, other, by=signed_in(request)))


class MemberRoleView(ClubsAPIView):
    """The role of a member."""

    @extend_schema(request=RoleBody, responses={200: MemberShape, **REFUSALS})
    def put(self, request: Request, club: str, pk: str) -> Response:
        """Give a member a role, as an owner."""
        member, role = _member(club, pk), ClubMember.Role(sent(RoleBody, request)["role"])
        running.give_role(member, role, by=signed_in(request), now=timezone.now())
        return _answer(request, _member(club, pk))


class LinkView(ClubsAPIView):
    """The link for joining a club."""

    @extend_schema(responses={200: LinkShape, **REFUSALS})
    def get(self, request: Request, club: str) -> Response:
        """Return the current link; open to owners and organisers."""
        mine = club_or_404(club)
        check_runs(mine, request.user)
        link = link_of(mine)
        if link is None or link.expires_at <= timezone.now():
            raise Http404
        return Response(LinkShape(link).data)

    @extend_schema(request=None, responses={201: LinkShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """Make a new link, which works for 14 days; earlier ones stop working."""
        link = running.make_link(club_or_404(club), by=signed_in(request), now=timezone.now())
        return Response(LinkShape(link).data, status=201)


class JoinView(ClubsAPIView):
    """Joining a club by a link."""

    @extend_schema(responses={200: JoinShape, 404: ErrorShape})
    def get(self, request: Request, token: str) -> Response:
        """Return the club that a link is for; `token` is the last part of the link."""
        link = _link(token)
        link.club = with_games(Club.objects.filter(pk=link.club_id)).get()
        return Response(JoinShape(link, context={"request": request}).data)

    @extend_schema(request=None, responses={200: MemberShape, **REFUSALS})
    def post(self, request: Request, token: str) -> Response:
        """Join the club; members keep their role."""
        return _answer(request, running.join(_link(token), signed_in(request), now=timezone.now()))


def _link(token: str) -> ClubLink:
    try:
        return find_link(token)
    except ClubLink.DoesNotExist:
        raise Http404 from None


def _member(club: str, pk: str | int) -> ClubMember:
    return get_object_or_404(ClubMember.objects.select_related("account"), pk=int(pk), club=club_or_404(club).pk)


def _answer(request: Request, member: ClubMember, *, status: int = 200) -> Response:
    return Response(MemberShape(member, context={"request": request}).data, status=status)
