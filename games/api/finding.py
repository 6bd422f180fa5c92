"""What a request's address names, found or answered with 404, and whose token the request has."""

from typing import Any

from django.contrib.auth.models import User
from django.http import Http404
from rest_framework.request import Request

from engine.ruleset import Ruleset
from games.models import Claim, Game, League, Player
from games.selectors.claims import find_claim
from games.selectors.games import find_game
from games.selectors.leagues import find_league
from games.selectors.players import find_player
from games.selectors.rules import ruleset_called


def signed_in(request: Request) -> User:
    """Whose the token is, in a view that lets nobody else come so far."""
    assert isinstance(request.user, User)  # noqa: S101 - for the types
    return request.user


def found_game(request: Request, key: str) -> Game:
    """The game of a key. :raises Http404: when there is none that the reader may see."""
    try:
        return find_game(key, request.user)
    except Game.DoesNotExist:
        raise Http404 from None


def found_player(request: Request, pk: str) -> Player:
    """The player of a number. :raises Http404: when there is none whom the reader may know of."""
    try:
        return find_player(int(pk), request.user)
    except Player.DoesNotExist:
        raise Http404 from None


def found_claim(request: Request, pk: str) -> Claim:
    """The claim of a number. :raises Http404: when there is none that concerns the reader."""
    try:
        return find_claim(int(pk), signed_in(request))
    except Claim.DoesNotExist:
        raise Http404 from None


def found_league(slug: str) -> League:
    """The league at an address. :raises Http404: when there is none."""
    try:
        return find_league(slug)
    except League.DoesNotExist:
        raise Http404 from None


def found_league_or_site(slug: str) -> League | None:
    """The league at an address; nothing for the whole site, where none is named."""
    return found_league(slug) if slug else None


def found_ruleset(slug: str) -> Ruleset[Any, Any]:
    """The ruleset of a slug; of a game's name its first edition. :raises Http404: when there is none."""
    try:
        return ruleset_called(slug)
    except KeyError:
        raise Http404 from None
