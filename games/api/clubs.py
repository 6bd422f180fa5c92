"""Clubs in the API: the list, what each of them is, and who organises it."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from games.api.base import APIView
from games.api.club_shapes import ClubBody, ClubDetailShape, ClubShape, ListingBody, NewClubBody, OrganiserBody
from games.api.lists import listed
from games.api.queries import FromQuery, sent
from games.api.serializers import ErrorShape
from games.clubs import listing, organising, running
from games.clubs.errors import ClubError
from games.clubs.organising import OnOrganiser
from games.clubs.reads.clubs import clubs_of, find_account, list_clubs, may_run, with_games
from games.lookup import club_or_404, signed_in
from games.models import Club
from games.platform.roles import is_moderator

REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class ClubsAPIView(APIView):
    """The base of the views of clubs: anybody may read, and changes are limited."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_scope = "club"

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the limit on changes to clubs for a change, and the usual limits for reading."""
        throttles = super().get_throttles()
        if self.request.method not in SAFE_METHODS:
            return throttles
        return [throttle for throttle in throttles if not isinstance(throttle, ScopedRateThrottle)]


def shown(request: Request, club: Club, *, status: int = 200) -> Response:
    """Answer with a club as it is now."""
    found = with_games(Club.objects.filter(pk=club.pk)).get()
    data = ClubDetailShape(found, context={"request": request}).data
    return Response(data, status=status, headers={"Location": data["url"]} if status == 201 else {})  # noqa: PLR2004


class ClubsView(ClubsAPIView):
    """The clubs."""

    @extend_schema(
        parameters=[FromQuery],
        responses={200: ClubShape(many=True), 400: ErrorShape},
    )
    def get(self, request: Request) -> Response:
        """List the clubs by name, 100 at a time: `start` is how many to skip, and `Link` points to the next page."""
        return listed(request, list_clubs(), ClubShape)

    @extend_schema(
        request=NewClubBody, responses={201: ClubDetailShape, **dict.fromkeys((400, 401, 403, 409), ErrorShape)}
    )
    def post(self, request: Request) -> Response:
        """Found a club. It works at once, and is listed after a moderator has reviewed it."""
        wanted, by, now = sent(NewClubBody, request), signed_in(request), timezone.now()
        slug, about, first = wanted.pop("slug").lower(), wanted.pop("about"), wanted.pop("organiser", "")
        if first and not is_moderator(by):
            raise ClubError("not_allowed", "Only a moderator can name another first organiser.")
        with transaction.atomic():
            if first:
                club = organising.found(
                    slug=slug, name=wanted["name"], about=about, organiser=_account(first), by=by, now=now
                )
            else:
                club = running.found(slug=slug, **wanted, by=by, now=now)
            organising.describe(club, organising.Description(about=about, **wanted), by=by, now=now)
        return shown(request, club, status=201)


class AccountClubsView(APIView):
    """The account's own clubs."""

    permission_classes = [IsAuthenticated]

    @extend_schema(parameters=[FromQuery], responses={200: ClubShape(many=True), 400: ErrorShape, 401: ErrorShape})
    def get(self, request: Request) -> Response:
        """List the clubs of which the account is a member, by name, 100 at a time; `Link` points to the next page."""
        return listed(request, with_games(clubs_of(request.user)), ClubShape)


class ClubView(ClubsAPIView):
    """A club."""

    @extend_schema(responses={200: ClubDetailShape, 404: ErrorShape})
    def get(self, request: Request, club: str) -> Response:
        """Return a club: its description, organisers, next evening, season and ladders."""
        return shown(request, club_or_404(club))

    @extend_schema(request=ClubBody, responses={200: ClubDetailShape, **REFUSALS})
    def put(self, request: Request, club: str) -> Response:
        """Change a club's name and description, as an organiser or a moderator. Its address stays.

        A listed club of which a member changes `name`, `about` or `meets` is reviewed again before it is listed.
        """
        mine = own_club(request, club)
        said = organising.Description(**sent(ClubBody, request))
        organising.describe(mine, said, by=signed_in(request), now=timezone.now())
        return shown(request, mine)


class ClubListingView(ClubsAPIView):
    """Listing a club."""

    @extend_schema(request=ListingBody, responses={200: ClubDetailShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """List a club publicly, as a moderator who is not a member; a reason is optional."""
        return _listing(request, club, listing.list_publicly)


class ClubUnlistingView(ClubsAPIView):
    """Removing a club from the list."""

    @extend_schema(request=ListingBody, responses={200: ClubDetailShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """Remove a club from the public list, as a moderator who is not a member, with a reason."""
        return _listing(request, club, listing.unlist)


def _listing(request: Request, slug: str, decide: listing.Decision) -> Response:
    mine, by = club_or_404(slug), signed_in(request)
    listing.check_may_decide(mine, by)
    wanted = sent(ListingBody, request)
    decide(mine, texts=wanted["texts_version"], by=by, now=timezone.now(), reason=wanted["reason"])
    return shown(request, mine)


class ClubOrganisersView(ClubsAPIView):
    """Naming organisers."""

    @extend_schema(request=OrganiserBody, responses={200: ClubDetailShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """Make a member an organiser, as an organiser; moderators can name any account."""
        return _organisers(request, club, organising.name_organiser)


class ClubDismissalView(ClubsAPIView):
    """Dismissing organisers."""

    @extend_schema(request=OrganiserBody, responses={200: ClubDetailShape, **REFUSALS})
    def post(self, request: Request, club: str) -> Response:
        """Remove an organiser: yourself or, as an owner, somebody else. They stay a member."""
        return _organisers(request, club, organising.dismiss_organiser)


def _organisers(request: Request, slug: str, act: OnOrganiser) -> Response:
    mine = own_club(request, slug)
    account = _account(sent(OrganiserBody, request)["account"])
    act(mine, account, by=signed_in(request), now=timezone.now())
    return shown(request, mine)


def own_club(request: Request, slug: str) -> Club:
    """Return a club that the sender may change. :raises PermissionDenied: when they may not."""
    mine = club_or_404(slug)
    if not may_run(request.user, mine):
        raise PermissionDenied
    return mine


def _account(name: str) -> AbstractBaseUser:
    account = find_account(name)
    if account is None:
        raise ClubError("no_account", "No account has this name.")
    return account
