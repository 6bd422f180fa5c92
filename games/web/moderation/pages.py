"""What the moderators' pages of one game and one player show."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from engine.fold import split_change
from engine.rating import shown
from games.consent.reads.challenges import find_seating
from games.consent.reads.eligibility import Consent, consent_of, seats_of
from games.corrections.previews import MOST, RANKED, Preview, annulling, falling_with, preview
from games.corrections.rerating import merging
from games.models import Acceptance, Dispute, Game, Player
from games.moderation.reads.cases import (
    LISTED,
    acts_on_game,
    acts_on_player,
    claims_to,
    corrections_of_game,
    corrections_of_player,
    flags_on_player,
)
from games.moderation.reads.pending import disputed_seatings, games_naming, has_uploaded
from games.moderation.versions import game_version, player_version
from games.players.reads.players import Known, games_together, known_of, search_players
from games.records.reads.titles import ladder_title
from games.records.reads.visibility import Viewer
from games.web.game.seatings import SeatingsShown, seatings_shown
from games.web.labels import Change as Points
from games.web.links import Link, link_to_player
from games.web.moderation.acts import ActShown, acts_shown
from games.web.moderation.cases import (
    ClaimCase,
    CorrectionCase,
    DisputeCase,
    FlagCase,
    claim_case,
    correction_case,
    dispute_case,
    flag_cases,
)
from games.web.rows import GameRow, SeatShown, row_of
from games.web.rows import seats_of as seats_of_game


@dataclass(frozen=True, slots=True)
class Moved:
    """A player whose rating a decision would change."""

    ladder: str
    player: Link
    before: int
    after: int
    change: Points
    rank_before: int | None
    rank_after: int | None


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
class AcceptanceCase:
    """A ladder for which a game counts, or counted."""

    number: int
    """The acceptance's own number, by which a decision names it."""
    ladder: str
    place: int | None
    """In the sequence."""
    at: datetime | None
    counts: bool
    held: bool
    under_way: bool
    preview: PreviewShown | None


@dataclass(frozen=True, slots=True)
class Upholding:
    """A dispute that is about to be upheld."""

    number: int
    annuls: str
    """The ladder for which the game counts and would count no longer; empty if there is none."""
    preview: PreviewShown | None
    """What that would change."""


@dataclass(frozen=True, slots=True)
class GameCases:
    """One game before a moderator."""

    version: str
    row: GameRow
    own: bool
    """Whether the moderator sat at it himself: then another decides."""
    uploaded: bool
    """Whether the moderator uploaded one of the seatings to choose from: then another chooses."""
    naming: frozenset[str]
    """The keys of seatings that name the moderator."""
    consent: Consent
    counted: tuple[AcceptanceCase, ...]
    upholding: "Upholding | None"
    """What upholding the dispute that was asked for would change; none unless one was."""
    seatings: SeatingsShown | None
    """None where no upload names other players."""
    choosing: "Choosing | None"
    """What choosing the seating that was asked for would change; none unless one was."""
    letters: tuple[SeatShown, ...]
    """The seats, if it can be said who else sat there."""
    disputes: tuple[DisputeCase, ...]
    flags: tuple[FlagCase, ...]
    corrections: tuple[CorrectionCase, ...]
    acts: tuple[ActShown, ...]


@dataclass(frozen=True, slots=True)
class Choosing:
    """What it would change that other players are named."""

    key: str
    seats: tuple[SeatShown, ...]
    annuls: str
    """The ladder on which the game is annulled; empty where it does not count."""
    preview: PreviewShown | None


@dataclass(frozen=True, slots=True)
class Namesake:
    """A player who may be another, and what distinguishes them."""

    number: int
    link: Link
    source: str
    known: Known | None


@dataclass(frozen=True, slots=True)
class PlayerCases:
    """One player before a moderator."""

    version: str
    player: Link
    own: bool
    """Whether the name is the moderator's: then another decides."""
    number: int
    source: str
    account: str
    is_bot: bool
    merged_into: Link | None
    split: PreviewShown | None
    """what splitting them again would change; none unless it was asked for."""
    claims: tuple[ClaimCase, ...]
    """All that were made to the name, the newest first."""
    flags: tuple[FlagCase, ...]
    corrections: tuple[CorrectionCase, ...]
    acts: tuple[ActShown, ...]
    sought: str
    known: Known | None
    """From when to when the name was at games."""
    found: "tuple[Namesake, ...]"
    """Players of the name that was sought."""
    into: "Namesake | None"
    """Whom of them was chosen."""
    together: int
    """At how many games both sat, which one person cannot."""
    preview: PreviewShown | None


@dataclass(frozen=True, slots=True)
class Previews:
    """Of what a preview is wanted; 0 or empty if of none."""

    acceptance: int
    dispute: int
    seating: str
    """The key of the game with that seating."""


def game_cases(viewer: Viewer, game: Game, query: QueryDict, asked: Previews, *, now: datetime) -> GameCases:
    """Return one game with all that was said about it; the query says which page of its seatings is wanted."""
    acceptances = game.acceptances.select_related("ladder__club").order_by("pk")
    return GameCases(
        version=game_version(game),
        row=row_of(game),
        own=bool(seats_of(game, viewer.pk or 0)),
        uploaded=has_uploaded(viewer.pk or 0, disputed_seatings(game)),
        naming=frozenset(one.key for one in games_naming(viewer.pk or 0, disputed_seatings(game))),
        consent=consent_of(game, now=now),
        counted=tuple(_counted(acceptance, asked.acceptance) for acceptance in acceptances),
        upholding=_upholding(game, asked.dispute) if asked.dispute else None,
        seatings=seatings_shown(game, viewer, query),
        choosing=_choosing(game, asked.seating) if asked.seating else None,
        letters=tuple(seats_of_game(game)) if game.digest and not game.private else (),
        disputes=tuple(map(dispute_case, game.disputes.select_related("game", "account").order_by("-pk")[:LISTED])),
        flags=flag_cases(list(game.flags.select_related("game", "player").order_by("-pk")[:LISTED])),
        corrections=tuple(map(correction_case, corrections_of_game(game.pk))),
        acts=acts_shown(acts_on_game(game.pk)),
    )


def player_cases(viewer: Viewer, player: Player, *, sought: str, into: int, split: bool) -> PlayerCases:
    """Return one player.

    :param sought: the name of a player to merge with; `into` is that player once chosen.
    :param split: whether a preview is wanted of what splitting the player from another would change.
    """
    found = [one for one in search_players(sought, viewer) if one.pk != player.pk] if sought else []
    other = Player.objects.filter(pk=into).exclude(pk=player.pk).first() if into else None
    known = known_of([player.pk, *[one.pk for one in (*found, other) if one]])
    return PlayerCases(
        version=player_version(player),
        player=link_to_player(player),
        own=viewer.is_authenticated and player.rated_account_id == viewer.pk,
        number=player.pk,
        source=player.source,
        account=player.account.get_username() if player.account else "",
        is_bot=player.is_bot,
        merged_into=link_to_player(player.merged_into) if player.merged_into else None,
        split=_preview(preview(split_change(player.pk))) if split and player.merged_into else None,
        claims=tuple(map(claim_case, claims_to(player))),
        flags=flag_cases(flags_on_player(player.pk)),
        corrections=tuple(map(correction_case, corrections_of_player(player.pk))),
        acts=acts_shown(acts_on_player(player.pk)),
        sought=sought,
        known=known.get(player.pk),
        found=tuple(_namesake(one, known) for one in found),
        into=_namesake(other, known) if other else None,
        together=games_together(player, other) if other else 0,
        preview=_preview(preview(merging(player, other))) if other and other.rated_id != player.rated_id else None,
    )


def _namesake(player: Player, known: dict[int, Known]) -> Namesake:
    return Namesake(player.pk, link_to_player(player), player.source, known.get(player.pk))


def _upholding(game: Game, number: int) -> Upholding | None:
    if not game.disputes.filter(pk=number, state=Dispute.State.OPEN).exists():
        return None
    falling = falling_with(game)
    if falling is None:
        return Upholding(number, "", None)
    return Upholding(number, ladder_title(falling.ladder), _preview(preview(annulling(falling))))


def _choosing(game: Game, key: str) -> Choosing | None:
    try:
        chosen = find_seating(game, key)
    except Game.DoesNotExist:
        return None
    falling = falling_with(game) if chosen.pk != game.pk else None
    shown = _preview(preview(annulling(falling))) if falling else None
    return Choosing(key, tuple(seats_of_game(chosen)), ladder_title(falling.ladder) if falling else "", shown)


def _counted(acceptance: Acceptance, asked: int) -> AcceptanceCase:
    return AcceptanceCase(
        number=acceptance.pk,
        ladder=ladder_title(acceptance.ladder),
        place=acceptance.number,
        at=acceptance.accepted_at,
        counts=acceptance.counts,
        held=acceptance.held,
        under_way=acceptance.corrections.filter(order=None).exists(),
        preview=_preview(preview(annulling(acceptance))) if acceptance.number and asked == acceptance.pk else None,
    )


def _preview(found: Preview) -> PreviewShown:
    moved = [
        Moved(
            ladder=ladder_title(one.ladder),
            player=link_to_player(one.player),
            before=shown(one.before.value),
            after=shown(one.after.value),
            change=Points(shown(one.after.value) - shown(one.before.value)),
            rank_before=one.rank_before,
            rank_after=one.rank_after,
        )
        for one in found.changes[:RANKED]
    ]
    return PreviewShown(found.games, tuple(moved), len(found.changes), MOST, found.whole)
