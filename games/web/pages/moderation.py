"""What the moderators' pages of one game and one player show."""

from dataclasses import dataclass
from datetime import datetime

from engine.fold import Change, parting_change
from engine.rating import shown
from games.models import Acceptance, Game, Player
from games.selectors.consent import Consent, account_of, consent_of, seats_of
from games.selectors.moderation import (
    acts_on_game,
    acts_on_player,
    claims_to,
    flags_on_player,
    recounts_of_game,
    recounts_of_player,
)
from games.selectors.players import games_together, search_players
from games.selectors.visibility import Viewer
from games.services.previews import MOST, Preview, preview
from games.services.recounts import merging
from games.web.pages.acts import ActShown, acts_shown
from games.web.pages.links import Link, ladder_title, link_to_player
from games.web.pages.matters import (
    ClaimMatter,
    DisputeMatter,
    FlagMatter,
    RecountMatter,
    claim_matter,
    dispute_matter,
    flag_matters,
    recount_matter,
)
from games.web.pages.rows import GameRow, row_of
from games.web.pages.words import Change as Points

_PREVIEWED = 25
"""Players whose change a preview shows."""


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
    """The largest changes."""
    ratings: int
    most: int
    """Later games of a ladder that are looked at."""
    whole: bool
    """Whether there are no more than those."""


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
    own: bool
    """Whether the moderator sat at it himself: then another decides."""
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
    own: bool
    """Whether the name is the moderator's: then another decides."""
    number: int
    source: str
    account: str
    is_bot: bool
    merged_into: Link | None
    parting: PreviewShown | None
    """What parting him again would change; none unless it was asked for."""
    claims: tuple[ClaimMatter, ...]
    """All that were made to the name, the newest first."""
    flags: tuple[FlagMatter, ...]
    recounts: tuple[RecountMatter, ...]
    acts: tuple[ActShown, ...]
    sought: str
    found: tuple[tuple[int, Link, str], ...]
    """Players of the name that was sought: number, player and source."""
    into: Link | None
    into_number: int
    together: int
    """At how many games both sat, which one person cannot."""
    preview: PreviewShown | None


def game_matter(viewer: Viewer, game: Game, *, asked: int, now: datetime) -> GameMatter:
    """One game with all that was said about it; `asked` is the acceptance of which a preview is wanted."""
    acceptances = game.acceptances.select_related("ladder__league").order_by("pk")
    return GameMatter(
        row=row_of(game),
        own=bool(seats_of(game, viewer.pk or 0)),
        consent=consent_of(game, now=now),
        counted=tuple(_counted(acceptance, asked) for acceptance in acceptances),
        annulling=next((one.pk for one in acceptances if one.number and one.counts and not one.ladder.league), None),
        disputes=tuple(map(dispute_matter, game.disputes.select_related("game", "account").order_by("-pk"))),
        flags=flag_matters(list(game.flags.select_related("game", "player").order_by("-pk"))),
        recounts=tuple(map(recount_matter, recounts_of_game(game.pk))),
        acts=acts_shown(acts_on_game(game.pk)),
    )


def player_matter(viewer: Viewer, player: Player, *, sought: str, into: int, parting: bool) -> PlayerMatter:
    """One player.

    :param sought: the name of whom he may be merged with; `into` is that player once chosen.
    :param parting: whether a preview is wanted of what parting him from another would change.
    """
    found = list(search_players(sought, viewer)) if sought else []
    other = Player.objects.filter(pk=into).exclude(pk=player.pk).first() if into else None
    return PlayerMatter(
        player=link_to_player(player),
        own=viewer.is_authenticated and account_of(player) == viewer.pk,
        number=player.pk,
        source=player.source,
        account=player.account.get_username() if player.account else "",
        is_bot=player.is_bot,
        merged_into=link_to_player(player.merged_into) if player.merged_into else None,
        parting=_preview(preview(parting_change(player.pk))) if parting and player.merged_into else None,
        claims=tuple(map(claim_matter, claims_to(player))),
        flags=flag_matters(flags_on_player(player.pk)),
        recounts=tuple(map(recount_matter, recounts_of_player(player.pk))),
        acts=acts_shown(acts_on_player(player.pk)),
        sought=sought,
        found=tuple((one.pk, link_to_player(one), one.source) for one in found if one.pk != player.pk),
        into=link_to_player(other) if other else None,
        into_number=other.pk if other else 0,
        together=games_together(player, other) if other else 0,
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
    return PreviewShown(found.games, tuple(moved), len(found.changes), MOST, found.whole)
