"""Who asks, on a page or in the API, and what an address names: the row, or an answer with 404."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from engine.ruleset import Ruleset
from games.clubs.reads.clubs import find_club
from games.collections.reads import find_collection
from games.comments.reads import find_comment
from games.films.reads import find_film
from games.models import Claim, Club, Collection, Film, Game, GameComment, Player, Study, StudyChapter, Upload
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
    return f"address {network_from(request)}"


def network_from(request: AnyRequest) -> str:
    """Return from which address a request comes, of IPv6 its network; empty if the server does not say."""
    whole = request if isinstance(request, Request) else Request(request)
    return network_of(BaseThrottle().get_ident(whole) or "")


def game_or_404(request: AnyRequest, key: str) -> Game:
    """Return the game with a key. :raises Http404: when there is none that the reader may see."""
    with _or_404():
        return find_game(key, request.user)


def collection_or_404(request: AnyRequest, key: str) -> Collection:
    """Return the collection with a key. :raises Http404: when there is none that the reader may see."""
    with _or_404():
        return find_collection(key, request.user)


def own_collection_or_404(request: AnyRequest, key: str) -> Collection:
    """Return a collection of who asks. :raises Http404: when there is none."""
    found = collection_or_404(request, key)
    if found.account_id != request.user.pk:
        raise Http404
    return found


def comment_or_404(request: AnyRequest, pk: int | str) -> GameComment:
    """Return the comment with an id. :raises Http404: when there is none that the reader may read."""
    with _or_404():
        return find_comment(int(pk), request.user)


def film_or_404(request: AnyRequest, key: str, pk: int | str) -> Film:
    """Return a film of a game, without its file. :raises Http404: when there is none that the reader may see."""
    with _or_404():
        return find_film(game_or_404(request, key), int(pk))


def upload_or_404(request: AnyRequest, pk: UUID) -> Upload:
    """Return the upload with an id. :raises Http404: when there is none that the reader may see."""
    with _or_404():
        return find_upload(pk, request.user)


def player_or_404(request: AnyRequest, pk: int | str) -> Player:
    """Return the player with an id. :raises Http404: when there is none whom the reader may know of."""
    with _or_404():
        return find_player(int(pk), request.user)


def claim_or_404(request: AnyRequest, pk: int | str) -> Claim:
    """Return the claim with an id. :raises Http404: when there is none that concerns the reader."""
    with _or_404():
        return find_claim(int(pk), signed_in(request))


def club_or_404(slug: str) -> Club:
    """Return the club at an address. :raises Http404: when there is none."""
    with _or_404():
        return find_club(slug)


def club_or_site(slug: str) -> Club | None:
    """Return the club at an address; nothing for the whole site, where none is named."""
    return club_or_404(slug) if slug else None


def ruleset_or_404(slug: str) -> Ruleset[Any, Any]:
    """Return the ruleset with a slug; for a game's name, its first edition. :raises Http404: when there is none."""
    try:
        return ruleset_called(slug)
    except KeyError:
        raise Http404 from None


def study_or_404(request: AnyRequest, key: str) -> Study:
    """Return the study with a key. :raises Http404: when there is none that the reader may read."""
    with _or_404():
        return find_study(key, request.user)


def chapter_or_404(request: AnyRequest, key: str, number: int | str) -> StudyChapter:
    """Return a chapter of a study. :raises Http404: when there is none that the reader may see."""
    with _or_404():
        return find_chapter(study_or_404(request, key), int(number), request.user)


@contextmanager
def _or_404() -> Iterator[None]:
    """Answer with 404 where a row is missing."""
    try:
        yield
    except ObjectDoesNotExist:
        raise Http404 from None
