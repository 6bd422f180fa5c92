"""What pages show of comments: those on a game, and one alone."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from games.comments.markdown import as_html
from games.comments.reads import comments_of, comments_on, is_shared_with, may_change
from games.models import Game, GameComment
from games.models.comments import LONGEST
from games.platform.roles import is_moderator
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import Viewer, sees
from games.web.lists import Part, part_of


@dataclass(frozen=True, slots=True)
class CommentShown:
    """A comment."""

    number: int
    author: str
    html: SafeString
    text: str
    ply: int | None
    at: datetime
    is_changed: bool
    is_own: bool
    is_hidden: bool
    hidden_for: str
    """Why a moderator hides it."""
    version: int
    url: str


@dataclass(frozen=True, slots=True)
class Thread:
    """The comments on a game, and where another can be written."""

    count: int
    comments: Part[CommentShown]
    folded: bool
    """Whether they are shown on request only, because they may give the result away."""
    sign_in: str
    """Where readers without an account sign in first; empty for others."""
    action: str
    """Where a comment is sent; empty for those who can write none."""
    is_private: bool
    most: int = LONGEST


@dataclass(frozen=True, slots=True)
class CommentPage:
    """One comment, and what its reader can do with it."""

    comment: CommentShown
    game: str
    """The page of its game; empty for a reader who no longer sees the game."""
    may_change: bool
    may_report: bool
    moderation: str
    """Where a moderator decides about it; empty for others."""
    most: int = LONGEST


@dataclass(frozen=True, slots=True)
class OwnComment:
    """One of an account's comments."""

    comment: CommentShown
    title: str
    game: str
    """The page of its game; empty where its author no longer sees the game."""


def thread_of(game: Game, viewer: Viewer, query: QueryDict, *, hides: bool) -> Thread:
    """Return the comments on a game, as its page shows them.

    :param hides: whether its reader wants to see no result yet.
    """
    found, may_write = comments_on(game, viewer), settings.COMMENTS
    onward = urlencode({"next": f"{game.get_absolute_url()}#comments"})
    is_writer = may_write and is_shared_with(viewer, game)
    return Thread(
        count=found.count(),
        comments=part_of(
            "comments", found.order_by("-written_at", "-pk"), lambda one: comment_shown(one, viewer), query
        ),
        folded=hides,
        sign_in=f"{reverse('account_login')}?{onward}" if may_write and not viewer.is_authenticated else "",
        action=reverse("game-comments", args=[game.key]) if is_writer else "",
        is_private=game.private,
    )


def own_comments(author: User, query: QueryDict) -> Part[OwnComment]:
    """Return an account's own comments, newest first, with the games that they are on."""

    def shown(comment: Any) -> OwnComment:  # noqa: ANN401 (with what the query adds)
        leads_to = comment.game.same_as or comment.game
        return OwnComment(
            comment=comment_shown(comment, author),
            title=f"{ruleset_title(leads_to.ruleset)}, {leads_to.key}",
            game=leads_to.get_absolute_url() if comment.is_seen else "",
        )

    return part_of("comments", comments_of(author), shown, query)


def comment_shown(comment: GameComment, viewer: Viewer) -> CommentShown:
    """Return a comment as pages show it."""
    return CommentShown(
        number=comment.pk,
        author=comment.author.get_username(),
        html=as_html(comment.text),
        text=comment.text,
        ply=comment.ply,
        at=comment.written_at,
        is_changed=comment.changed_at is not None,
        is_own=comment.author_id == viewer.pk,
        is_hidden=comment.hidden_at is not None,
        hidden_for=comment.hidden_for,
        version=comment.version,
        url=comment.get_absolute_url(),
    )


def comment_page(comment: GameComment, viewer: Viewer, *, now: datetime) -> CommentPage:
    """Return the page of one comment."""
    leads_to = comment.game.same_as or comment.game
    is_own = comment.author_id == viewer.pk
    moderates = is_moderator(viewer) and not is_own
    return CommentPage(
        comment=comment_shown(comment, viewer),
        game=leads_to.get_absolute_url() if sees(viewer, leads_to) else "",
        may_change=may_change(comment, viewer, now),
        may_report=viewer.is_authenticated and not is_own and not comment.hidden_at,
        moderation=reverse("moderation-comment", args=[comment.pk]) if moderates else "",
    )
