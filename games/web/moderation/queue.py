"""What waits for a moderator, and how anything else is found."""

from dataclasses import dataclass

from django.urls import reverse

from games.holds import sieve, thresholds
from games.holds.reads.due_tables import EARLY
from games.models import Player
from games.moderation.reads.cases import LISTED, Docket
from games.players.reads.players import search_players
from games.records.reads.games import find_game_by_key
from games.records.reads.visibility import Viewer
from games.web.links import Link
from games.web.moderation.acts import matter_of
from games.web.moderation.cases import (
    ClaimCase,
    CorrectionCase,
    DisputeCase,
    FlagCase,
    SeatingCase,
    claim_case,
    correction_case,
    dispute_case,
    flag_cases,
    seating_case,
)


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """A player that was looked for."""

    link: Link
    source: str


@dataclass(frozen=True, slots=True)
class QueuePage:
    """All that waits for a moderator."""

    disputes: tuple[DisputeCase, ...]
    claims: tuple[ClaimCase, ...]
    seatings: tuple[SeatingCase, ...]
    flags: tuple[FlagCase, ...]
    recounts: tuple[CorrectionCase, ...]
    thresholds: dict[str, int]
    listed: int
    """So many of a kind are listed at most."""
    sought: str
    game: Link | None
    """The game whose key was looked for."""
    players: tuple[FoundPlayer, ...]
    """Players of the name that was looked for."""


def queue_page(found: Docket, viewer: Viewer, sought: str) -> QueuePage:
    """All that waits for a moderator, and what he has looked for: a game by its key, or a player by name."""
    game = find_game_by_key(sought, viewer) if sought else None
    return QueuePage(
        disputes=tuple(map(dispute_case, found.disputes)),
        claims=tuple(map(claim_case, found.claims)),
        seatings=tuple(map(seating_case, found.seatings)),
        flags=flag_cases(found.flags),
        recounts=tuple(map(correction_case, found.recounts)),
        thresholds={
            "a_day": thresholds.PAIRINGS_A_DAY,
            "a_month": thresholds.PAIRINGS_A_MONTH,
            "farmed": thresholds.FARMED,
            "early": EARLY,
            "new": sieve.NEW.days,
        },
        listed=LISTED,
        sought=sought,
        game=matter_of(game) if game else None,
        players=tuple(map(_player, search_players(sought, viewer))) if sought else (),
    )


def _player(player: Player) -> FoundPlayer:
    return FoundPlayer(Link(player.name, reverse("moderation-player", args=[player.pk])), player.source)
