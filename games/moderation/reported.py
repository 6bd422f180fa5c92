"""Deciding reports of studies, comments and collections: one is hidden from everybody but its author, or stays."""

from dataclasses import dataclass

from django.db import transaction

from games.models import Act, Collection, GameComment, Study
from games.moderation.decisions import Decision, ModerationError, note
from games.platform.reports import Reported, locked

_KINDS: dict[type[Reported], tuple[Act.Kind, Act.Kind]] = {
    Study: (Act.Kind.STUDY_HIDDEN, Act.Kind.STUDY_SHOWN),
    GameComment: (Act.Kind.COMMENT_HIDDEN, Act.Kind.COMMENT_SHOWN),
    Collection: (Act.Kind.COLLECTION_HIDDEN, Act.Kind.COLLECTION_SHOWN),
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a moderator decides about something reported, and which version of it they read."""

    hide: bool
    version: str
    """The `read_version` of what was shown to them."""


@transaction.atomic
def decide(reported: Reported, ruling: Ruling, decision: Decision) -> Reported:
    """Hide something, or show it again, and settle all open reports of it.

    A changed version is never declared harmless unread; hiding applies to any version, so that nobody escapes it by
    changing something all the time.

    :raises ModerationError: without a reason, for what the moderator wrote or reported, or to keep what was changed
        since they read it.
    """
    decision.check()
    if (held := locked(reported)) is None:
        raise ModerationError("deleted_meanwhile", "This was deleted meanwhile.")
    if decision.account == _author(held) or held.reports.filter(by=decision.account, settled_at=None).exists():
        raise ModerationError("own_case", "You wrote or reported this: another moderator has to decide.")
    if not ruling.hide and held.read_version != ruling.version:
        raise ModerationError("changed_meanwhile", "This was changed since you read it. Read it again, then decide.")
    reason = decision.reason.strip()
    held.hidden_at, held.hidden_for = (decision.at, reason) if ruling.hide else (None, "")
    held.save(update_fields=["hidden_at", "hidden_for"])
    held.reports.filter(settled_at=None).update(settled_at=decision.at, answer=reason)
    _note(held, ruling, decision)
    return held


def _author(reported: Reported) -> int:
    if isinstance(reported, Study):
        return reported.owner_id
    return reported.author_id if isinstance(reported, GameComment) else reported.account_id


def _note(held: Reported, ruling: Ruling, decision: Decision) -> None:
    hidden, shown = _KINDS[type(held)]
    names = {Study: "study", GameComment: "comment", Collection: "collection"}
    about = {names[type(held)]: held.pk if isinstance(held, GameComment) else held.key, "version": ruling.version}
    game = {"game": held.game} if isinstance(held, GameComment) else {}
    note(hidden if ruling.hide else shown, decision, params=about, **game)
