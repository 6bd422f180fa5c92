"""Who asks, in a page or in the interface, and what an address names: found, or answered with 404."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from engine.ruleset import Ruleset
from games.clubs.reads.clubs import find_club
from games.collections.reads import find_collection
from games.films.reads import find_film
from games.models import Claim, Club, Collection, Film, Game, Player, Study, StudyChapter, Upload
from games.platform.rate_limits import network_of
from games.players.reads.claims import find_claim
from games.players.reads.players import find_player
from games.records.reads.games import find_game, find_upload
from games.records.reads.rulebook import ruleset_called
from games.studies.reads.studies import find_chapter, find_study

AnyRequest = HttpRequest | Request


def signed_in(request: AnyRequest) -> User:
    """Return the account that is signed in or owns the token; the view admits nobody else."""
    assert isinstance(request.user, User)  # noqa: S101 - for the types
    return request.user


def asker(request: AnyRequest) -> str:
    """Return who asks, an account or an address, as requests are counted."""
    if request.user.is_authenticated:
        return f"account {request.user.pk}"
    whole = request if isinstance(request, Request) else Request(request)
    return f"address {network_of(BaseThrottle().get_ident(whole))}"


def found_game(request: AnyRequest, key: str) -> Game:
    """Return the game with a key. :raises Http404: when there is none that the reader may see."""
    try:
        return find_game(key, request.user)
    except Game.DoesNotExist:
        raise Http404 from None


def found_collection(request: AnyRequest, key: str) -> Collection:
    """Return the collection with a key. :raises Http404: when there is none that the reader may see."""
    try:
        return find_collection(key, request.user)
    except Collection.DoesNotExist:
        raise Http404 from None


def own_collection(request: AnyRequest, key: str) -> Collection:
    """Return a collection of who asks. :raises Http404: when there is none."""
    found = found_collection(request, key)
    if found.account_id != request.user.pk:
        raise Http404
    return found


def found_film(request: AnyRequest, key: str, pk: int | str) -> Film:
    """Return a film of a game, without its file. :raises Http404: when there is none that the reader may see."""
    try:
        return find_film(found_game(request, key), int(pk))
    except Film.DoesNotExist:
        raise Http404 from None


def found_upload(request: AnyRequest, pk: UUID) -> Upload:
    """Return the upload with an id. :raises Http404: when there is none that the reader may see."""
    try:
        return find_upload(pk, request.user)
    except Upload.DoesNotExist:
        raise Http404 from None


def found_player(request: AnyRequest, pk: int | str) -> Player:
    """Return the player with an id. :raises Http404: when there is none whom the reader may know of."""
    try:
        return find_player(int(pk), request.user)
    except Player.DoesNotExist:
        raise Http404 from None


def found_claim(request: AnyRequest, pk: int | str) -> Claim:
    """Return the claim with an id. :raises Http404: when there is none that concerns the reader."""
    try:
        return find_claim(int(pk), signed_in(request))
    except Claim.DoesNotExist:
        raise Http404 from None


def found_club(slug: str) -> Club:
    """Return the club at an address. :raises Http404: when there is none."""
    try:
        return find_club(slug)
    except Club.DoesNotExist:
        raise Http404 from None


def found_club_or_site(slug: str) -> Club | None:
    """Return the club at an address; nothing for the whole site, where none is named."""
    return found_club(slug) if slug else None


def found_ruleset(slug: str) -> Ruleset[Any, Any]:
    """Return the ruleset with a slug; for a game's name, its first edition. :raises Http404: when there is none."""
    try:
        return ruleset_called(slug)
    except KeyError:
        raise Http404 from None


def found_study(request: AnyRequest, key: str) -> Study:
    """Return the study with a key. :raises Http404: when there is none that the reader may read."""
    try:
        return find_study(key, request.user)
    except Study.DoesNotExist:
        raise Http404 from None


def found_chapter(request: AnyRequest, key: str, number: int | str) -> StudyChapter:
    """Return a chapter of a study. :raises Http404: when there is none that the reader may see."""
    try:
        return find_chapter(found_study(request, key), int(number), request.user)
    except StudyChapter.DoesNotExist:
        raise Http404 from None
