"""Writing comments on games, changing, deleting and reporting them."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from games.comments.markdown import is_too_deep, shows_something
from games.comments.reads import EDITABLE, is_shared_with
from games.models import Game, GameComment
from games.models.comments import LONGEST
from games.platform import reports
from games.platform.errors import RefusedError
from games.platform.locks import wait_for
from games.platform.rate_limits import Limit, count
from games.platform.reports import check_visible

MOST = 500
"""Comments on a game, besides those that moderators hide."""
NEW = timedelta(days=7)
"""How long an account is new."""


class CommentError(RefusedError):
    """Something that cannot be done with a comment; nothing has changed."""


@transaction.atomic
def write(game: Game, text: str, *, by: User, now: datetime, ply: int | None = None) -> GameComment:
    """Write a comment on a game, or on the position after an action of it.

    :raises RefusedError: when the text is empty, too long or not visible; the game is private and not shared with the
        account, has no such action or too many comments; or the account has written too many.
    """
    if not settings.COMMENTS:
        raise CommentError("comments_off", "No new comments can be written on this site.")
    tidied = _checked(text)
    if ply is not None and ply > game.plies:
        raise _at("ply", CommentError("no_ply", "The last action of this game is number {plies}.", plies=game.plies))
    if not is_shared_with(by, game):
        raise CommentError("not_shared", "Only those with whom a private game is shared can comment on it.")
    wait_for(f"comments on {game.pk}")
    if game.comments.filter(hidden_at=None).count() >= MOST:
        raise CommentError("too_many_on_game", "A game has at most {most} comments.", most=MOST)
    _charge(by, now)
    return GameComment.objects.create(game=game, author=by, ply=ply, text=tidied, written_at=now)


@transaction.atomic
def change(comment: GameComment, text: str, version: int, *, by: User, now: datetime) -> GameComment:
    """Change one's own comment within ten minutes.

    :raises RefusedError: when it is another's, was changed meanwhile or is too old, or the text is refused.
    """
    held = _own(comment, by)
    if held.version != version:
        raise CommentError("changed_meanwhile", "This comment was changed in another tab. Nothing was overwritten.")
    if held.hidden_at:
        raise CommentError("hidden", "A moderator has hidden this comment. You can only delete it.")
    if now - held.written_at > EDITABLE:
        raise CommentError("too_late", "A comment can only be changed within ten minutes of writing it.")
    held.text, held.version, held.changed_at = _checked(text), held.version + 1, now
    held.save(update_fields=["text", "version", "changed_at"])
    return held


@transaction.atomic
def delete(comment: GameComment, *, by: User) -> None:
    """Delete one's own comment. :raises CommentError: when it is another's, or gone."""
    _own(comment, by).delete()


def report(comment: GameComment, reason: str, *, by: User, now: datetime) -> None:
    """Report a comment to the moderators. :raises RefusedError: without a reason, or for one's own comment."""
    if comment.author_id == by.pk:
        raise CommentError("own_comment", "This is your own comment.")
    reports.report(comment, reason, by=by, now=now)


def _own(comment: GameComment, by: User) -> GameComment:
    held = GameComment.objects.select_for_update(no_key=True).filter(pk=comment.pk).first()
    if held is None:
        raise CommentError("no_comment", "This comment no longer exists.")
    if held.author_id != by.pk:
        raise CommentError("not_yours", "Only the account that wrote a comment can change or delete it.")
    return held


def _checked(text: str) -> str:
    """Return a text as it is stored.

    :raises RefusedError: when it shows nothing, or is too long, too deeply nested or partly invisible.
    """
    tidied = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(tidied) > LONGEST:
        raise _at("text", CommentError("long_text", "A comment has at most {most} characters.", most=LONGEST))
    if is_too_deep(tidied):
        raise _at("text", CommentError("too_deep", "Quotes and lists in a comment cannot be nested this deeply."))
    if not shows_something(tidied):
        raise _at("text", CommentError("no_text", "Write a comment first."))
    check_visible(tidied, "text")
    return tidied


def _charge(by: User, now: datetime) -> None:
    """Count a comment. :raises CommentError: when the account has written too many within an hour or a day."""
    is_new = now - by.date_joined < NEW
    limits = {
        "hour": Limit(settings.COMMENTS_AN_HOUR, timedelta(hours=1)),
        "day": Limit(settings.COMMENTS_OF_NEW_A_DAY if is_new else settings.COMMENTS_A_DAY, timedelta(days=1)),
    }
    for period, limit in limits.items():
        if seconds := count(f"comments {period} {by.pk}", limit, now=now):
            raise CommentError(
                "too_many_comments",
                "You have written {most} comments, which is the limit. Minutes until the next: {minutes}.",
                most=limit.most,
                minutes=-(-seconds // 60),
            )


def _at(parameter: str, error: CommentError) -> CommentError:
    error.parameter = parameter
    return error
