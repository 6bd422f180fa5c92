"""What the moderators' pages show."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.fold import Change
from engine.rating import shown
from games.models import Acceptance, Claim, Dispute, Flag, Game, Player, Recount
from games.selectors.consent import Consent, consent_of
from games.selectors.moderation import Docket, acts_on_game, recounts_of_game
from games.selectors.players import search_players
from games.selectors.visibility import Viewer
from games.services import flags
from games.services.previews import MOST, Preview, preview
from games.services.recounts import merging
from games.web.pages.acts import ActShown, acts_shown, matter_of
from games.web.pages.links import Link, ladder_title, link_to_player
from games.web.pages.rows import GameRow, row_of
from games.web.pages.words import DISPUTES, RECOUNTS, Word
from games.web.pages.words import Change as Points

_PREVIEWED = 25
"""Players whose change a preview shows."""

KINDS: dict[str, Word] = {
    Flag.Kind.SAME_PERSON: _("One account in two seats"),
    Flag.Kind.REPEATED_PAIRING: _("The same rivals again and again"),
    Flag.Kind.RESIGN_FARMING: _("Early resignations to one player"),
    Flag.Kind.NEW_ACCOUNT: _("A brand-new account"),
}
_SENTENCES: dict[str, Word] = {
    Flag.Kind.SAME_PERSON: _("Two seats of this game belong to one account, or to one player."),
    Flag.Kind.REPEATED_PAIRING: _("{day} games of these two within a day, {month} within thirty days."),
    Flag.Kind.RESIGN_FARMING: _(
        "{week} games within a week in which the same rival gave up in fewer than {early} actions."
    ),
    Flag.Kind.NEW_ACCOUNT: _("The account was {days} days old when the game was counted."),
}


@dataclass(frozen=True, slots=True)
class FlagMatter:
    """What is unusual, and where."""

    number: int
    kind: Word
    sentence: str
    game: Link
    player: Link | None
    at: datetime
    settled_at: datetime | None
    answer: str


@dataclass(frozen=True, slots=True)
class DisputeMatter:
    """Who disputes which game, and why."""

    number: int
    game: Link
    by: str
    reason: str
    at: datetime
    open: bool
    state: Word
    answer: str


@dataclass(frozen=True, slots=True)
class ClaimMatter:
    """Who says to be whom."""

    number: int
    player: Link
    source: str
    by: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RecountMatter:
    """An act on the past that is done, or under way."""

    kind: Word
    what: Link
    reason: str
    by: str
    ordered_at: datetime
    done_at: datetime | None
    changed: int


@dataclass(frozen=True, slots=True)
class DocketPage:
    """All that waits for a moderator."""

    disputes: tuple[DisputeMatter, ...]
    claims: tuple[ClaimMatter, ...]
    flags: tuple[FlagMatter, ...]
    recounts: tuple[RecountMatter, ...]
    thresholds: dict[str, int]


@dataclass(frozen=True, slots=True)
class Moved:
    """A player whose rating a decision would change."""

    ladder: str
    player: Link
    before: int
    after: int
    change: Points


@dataclass(frozen=True, slots=True)
class PreviewShown:
    """What a decision would change."""

    games: int
    moved: tuple[Moved, ...]
    players: int
    most: int


@dataclass(frozen=True, slots=True)
class CountMatter:
    """A ladder for which a game counts, or counted."""

    number: int
    """The acceptance's own number, by which a decision names it."""
    ladder: str
    place: int | None
    """In the sequence."""
    at: datetime | None
    counts: bool
    under_way: bool
    preview: PreviewShown | None


@dataclass(frozen=True, slots=True)
class GameMatter:
    """One game before a moderator."""

    row: GameRow
    consent: Consent
    counted: tuple[CountMatter, ...]
    annulling: int | None
    """The acceptance that falls with an upheld dispute; none when the game does not count for the whole site."""
    disputes: tuple[DisputeMatter, ...]
    flags: tuple[FlagMatter, ...]
    recounts: tuple[RecountMatter, ...]
    acts: tuple[ActShown, ...]


@dataclass(frozen=True, slots=True)
class PlayerMatter:
    """One player before a moderator."""

    player: Link
    number: int
    source: str
    account: str
    merged_into: Link | None
    sought: str
    found: tuple[tuple[int, Link, str], ...]
    """Players of the name that was sought: number, player and source."""
    into: Link | None
    into_number: int
    preview: PreviewShown | None


def docket_page(found: Docket) -> DocketPage:
    """All that waits for a moderator."""
    return DocketPage(
        disputes=tuple(map(_dispute, found.disputes)),
        claims=tuple(map(_claim, found.claims)),
        flags=tuple(map(_flag, found.flags)),
        recounts=tuple(map(_recount, found.recounts)),
        thresholds={
            "a_day": flags.PAIRINGS_A_DAY,
            "a_month": flags.PAIRINGS_A_MONTH,
            "farmed": flags.FARMED,
            "early": flags.EARLY,
            "new": flags.NEW.days,
        },
    )


def game_matter(game: Game, *, asked: int, now: datetime) -> GameMatter:
    """One game with all that was said about it; `asked` is the acceptance of which a preview is wanted."""
    acceptances = game.acceptances.select_related("ladder__league").order_by("pk")
    return GameMatter(
        row=row_of(game),
        consent=consent_of(game, now=now),
        counted=tuple(_counted(acceptance, asked) for acceptance in acceptances),
        annulling=next((one.pk for one in acceptances if one.number and one.counts and not one.ladder.league), None),
        disputes=tuple(map(_dispute, game.disputes.select_related("game", "account").order_by("-pk"))),
        flags=tuple(map(_flag, game.flags.select_related("game", "player").order_by("-pk"))),
        recounts=tuple(map(_recount, recounts_of_game(game.pk))),
        acts=acts_shown(acts_on_game(game.pk)),
    )


def player_matter(viewer: Viewer, player: Player, *, sought: str, into: int) -> PlayerMatter:
    """One player; `sought` is the name of whom he may be merged with, `into` that player once chosen."""
    found = list(search_players(sought, viewer)) if sought else []
    other = Player.objects.filter(pk=into).exclude(pk=player.pk).first() if into else None
    return PlayerMatter(
        player=link_to_player(player),
        number=player.pk,
        source=player.source,
        account=player.account.get_username() if player.account else "",
        merged_into=link_to_player(player.merged_into) if player.merged_into else None,
        sought=sought,
        found=tuple((one.pk, link_to_player(one), one.source) for one in found if one.pk != player.pk),
        into=link_to_player(other) if other else None,
        into_number=other.pk if other else 0,
        preview=_preview(preview(merging(player, other))) if other and other.rated_id != player.rated_id else None,
    )


def _counted(acceptance: Acceptance, asked: int) -> CountMatter:
    change = Change(annulled={acceptance.number: acceptance.counts}) if acceptance.number else None
    return CountMatter(
        number=acceptance.pk,
        ladder=ladder_title(acceptance.ladder),
        place=acceptance.number,
        at=acceptance.accepted_at,
        counts=acceptance.counts,
        under_way=acceptance.recounts.filter(order=None).exists(),
        preview=_preview(preview(change)) if change and asked == acceptance.pk else None,
    )


def _preview(found: Preview) -> PreviewShown:
    moved = [
        Moved(
            ladder=ladder_title(one.ladder),
            player=link_to_player(one.player),
            before=shown(one.before.value),
            after=shown(one.after.value),
            change=Points(shown(one.after.value) - shown(one.before.value)),
        )
        for one in found.changes[:_PREVIEWED]
    ]
    return PreviewShown(found.games, tuple(moved), len(found.changes), MOST)


def _dispute(dispute: Dispute) -> DisputeMatter:
    return DisputeMatter(
        number=dispute.pk,
        game=matter_of(dispute.game),
        by=dispute.account.get_username() if dispute.account else gettext("somebody whose account is gone"),
        reason=dispute.reason,
        at=dispute.raised_at,
        open=dispute.state == Dispute.State.OPEN,
        state=DISPUTES[dispute.state],
        answer=dispute.answer,
    )


def _claim(claim: Claim) -> ClaimMatter:
    by = claim.account.get_username()
    return ClaimMatter(claim.pk, link_to_player(claim.player), claim.player.source, by, claim.reason, claim.made_at)


def _flag(flag: Flag) -> FlagMatter:
    sentence = str(_SENTENCES[flag.kind]).format(**flag.params, early=flags.EARLY)
    return FlagMatter(
        number=flag.pk,
        kind=KINDS[flag.kind],
        sentence=sentence,
        game=matter_of(flag.game),
        player=link_to_player(flag.player) if flag.player else None,
        at=flag.raised_at,
        settled_at=flag.settled_at,
        answer=flag.answer,
    )


def _recount(recount: Recount) -> RecountMatter:
    if recount.acceptance:
        what = matter_of(recount.acceptance.game)
    else:
        player, into = recount.player, recount.into
        names = f"{player.name if player else ''} → {into.name if into else ''}"
        what = Link(names, reverse("moderation-player", args=[recount.player_id]))
    return RecountMatter(
        kind=RECOUNTS[recount.kind],
        what=what,
        reason=recount.reason,
        by=recount.by.get_username() if recount.by else "",
        ordered_at=recount.ordered_at,
        done_at=recount.done_at,
        changed=recount.changed,
    )
