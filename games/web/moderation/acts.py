"""Decisions as moderators see them: who, when, why, and about whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Act, Game
from games.moderation.reads.cases import Named, acts, named_in
from games.platform.paging import Span
from games.web.labels import Label
from games.web.links import Link, link_to_player

ACTS: dict[str, Label] = {
    Act.Kind.CLAIM_APPROVED: _("approved a claim"),
    Act.Kind.CLAIM_REFUSED: _("refused a claim"),
    Act.Kind.CLAIM_REVOKED: _("revoked a claim"),
    Act.Kind.CLAIM_CONTESTED: _("contested a claim"),
    Act.Kind.NAME_VOUCHED: _("vouched for a name"),
    Act.Kind.GAME_LET_COUNT: _("rated a waiting game"),
    Act.Kind.GAME_LEFT_UNRATED: _("left a waiting game unrated"),
    Act.Kind.DISPUTE_UPHELD: _("upheld a dispute"),
    Act.Kind.DISPUTE_DISMISSED: _("dismissed a dispute"),
    Act.Kind.GAME_ANNULLED: _("annulled a game"),
    Act.Kind.GAME_RESTORED: _("restored a game"),
    Act.Kind.PLAYERS_MERGED: _("merged two players"),
    Act.Kind.PLAYERS_SPLIT: _("split two players"),
    Act.Kind.FLAG_SETTLED: _("settled a flag"),
    Act.Kind.BOT_MARKED: _("marked a player as a bot"),
    Act.Kind.BOT_UNMARKED: _("removed a bot mark from a player"),
    Act.Kind.CLUB_FOUNDED: _("created a club"),
    Act.Kind.CLUB_LISTED: _("listed a club publicly"),
    Act.Kind.CLUB_UNLISTED: _("removed a club from the list"),
    Act.Kind.ORGANISER_NAMED: _("added an organiser"),
    Act.Kind.ORGANISER_DISMISSED: _("removed an organiser"),
    Act.Kind.MODERATOR_NAMED: _("added a moderator"),
    Act.Kind.MODERATOR_DISMISSED: _("removed a moderator"),
    Act.Kind.GAME_HIDDEN: _("made a game private"),
    Act.Kind.GAME_SHOWN: _("made a game public"),
    Act.Kind.ACCOUNT_DELETED: _("deleted the account"),
    Act.Kind.SEATING_CHOSEN: _("decided who played a game"),
    Act.Kind.SEATING_AGREED: _("agreed who played a game"),
    Act.Kind.STUDY_HIDDEN: _("hid a study"),
    Act.Kind.STUDY_SHOWN: _("kept a study, or showed it again"),
    Act.Kind.COMMENT_HIDDEN: _("hid a comment"),
    Act.Kind.COMMENT_SHOWN: _("kept a comment, or showed it again"),
    Act.Kind.COLLECTION_HIDDEN: _("hid a collection"),
    Act.Kind.COLLECTION_SHOWN: _("kept a collection, or showed it again"),
    Act.Kind.LEDGER_REBUILT: _("rebuilt the ledger"),
}


@dataclass(frozen=True, slots=True)
class ActShown:
    """What was decided."""

    at: datetime
    by: str
    what: Label
    about: tuple[Link, ...]
    """Whom and what it concerned; an account has no page."""
    reason: str


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of what was decided."""

    acts: tuple[ActShown, ...]
    newer: str | None
    older: str | None


def log_page(span: Span) -> LogPage:
    """Return a page of what was decided. :raises CursorError: when the span's mark is none."""
    page = acts(span)
    return LogPage(
        acts=acts_shown(page.rows),
        newer=f"after={page.newer}" if page.newer else None,
        older=f"before={page.older}" if page.older else None,
    )


def acts_shown(found: Sequence[Act]) -> tuple[ActShown, ...]:
    """Return what was decided, in the order given."""
    named = named_in(found)
    return tuple(ActShown(act.at, _who(act), ACTS[act.kind], _about(act, named), act.reason) for act in found)


def case_link(game: Game) -> Link:
    """Return a game before a moderator."""
    return Link(game.key, reverse("moderation-game", args=[game.key]))


def _about(act: Act, named: Named) -> tuple[Link, ...]:
    about = [case_link(act.game)] if act.game else []
    about += [link_to_player(player) for player in (act.player, named.players.get(_other(act))) if player]
    if club := named.clubs.get(act.params.get("club", 0)):
        about.append(Link(club.name, club.get_absolute_url()))
    account = named.accounts.get(act.params.get("organiser") or act.params.get("account", 0))
    return (*about, *([Link(account, "")] if account else []))


def _other(act: Act) -> int:
    """Return the second of two players."""
    return int(act.params.get("into") or act.params.get("from") or 0)


def _who(act: Act) -> str:
    if act.by_id is None:
        return gettext("the operator")
    return act.by.get_username() if act.by else gettext("a deleted account")
