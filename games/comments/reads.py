"""Reading comments on games: nobody reads one on a game that they may not see."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from games.models import Game, GameComment
from games.platform.roles import is_moderator
from games.records.reads.visibility import Viewer, games_for, shared_games

EDITABLE = timedelta(minutes=10)
"""How long its author can change a comment."""


def _comments_for(viewer: Viewer) -> Q:
    """Return which comments on games that they see a viewer may read: not those that moderators hide from others."""
    if not viewer.is_authenticated:
        return Q(hidden_at=None)
    return Q(pk__isnull=False) if is_moderator(viewer) else Q(hidden_at=None) | Q(author=viewer.pk)


def comments_on(game: Game, viewer: Viewer) -> "QuerySet[GameComment]":
    """Return the comments on a game that its viewer may read.

    Those on other public versions of it, which lead to this one, belong to it.
    """
    versions = Game.objects.filter(Q(pk=game.pk) | Q(same_as=game.pk, private=False))
    found = GameComment.objects.filter(_comments_for(viewer), game__in=versions.values("pk"))
    return found.select_related("author")


def comments_of(author: User) -> "QuerySet[GameComment]":
    """Return an account's own comments, newest first; `is_seen` says whether it still sees the game."""
    seen = Game.objects.filter(games_for(author), pk=Coalesce(OuterRef("game__same_as"), OuterRef("game")))
    found = GameComment.objects.filter(author=author).annotate(is_seen=Exists(seen))
    return found.select_related("author", "game__same_as").order_by("-written_at", "-pk")


def find_comment(pk: int, viewer: Viewer) -> GameComment:
    """Find a comment. Its author finds it even where they no longer see its game.

    :raises GameComment.DoesNotExist: when there is none that the viewer may read.
    """
    seen = _comments_for(viewer) & games_for(viewer, "game__")
    own = Q(author=viewer.pk) if viewer.is_authenticated else Q(pk=None)
    return GameComment.objects.select_related("author", "game__same_as").get(seen | own, pk=pk)


def is_shared_with(viewer: Viewer, game: Game) -> bool:
    """Return whether a game is public, or shared with an account: that a moderator may look at it is not enough."""
    return viewer.is_authenticated and Game.objects.filter(shared_games(viewer), pk=game.pk).exists()


def may_change(comment: GameComment, viewer: Viewer, now: datetime) -> bool:
    """Return whether a viewer can still change a comment."""
    return comment.author_id == viewer.pk and not comment.hidden_at and now - comment.written_at <= EDITABLE
