"""What waits for a moderator, and how anything else is found."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.urls import reverse

from games.holds import reasons, thresholds
from games.holds.reads import table_points
from games.holds.reads.due_games import EARLY
from games.models import Player, TableAlarm
from games.moderation.reads.cases import open_corrections
from games.moderation.reads.pending import cases_for
from games.players.reads.players import search_players
from games.playing.reads.alarms import open_alarms
from games.records.reads.games import find_game_by_key
from games.records.reads.visibility import Viewer
from games.web.labels import ALARMS, Label
from games.web.links import Link
from games.web.lists import Part, part_of
from games.web.moderation.acts import case_link
from games.web.moderation.cases import (
    ClaimCase,
    ClubCase,
    CorrectionCase,
    DisputeCase,
    FlagCase,
    SeatingCase,
    claim_case,
    club_case,
    correction_case,
    dispute_case,
    part_of_flags,
    seating_case,
)
from games.web.moderation.reported import ReportedCase, collection_case, comment_case, study_case


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """A player that was looked for."""

    link: Link
    source: str


@dataclass(frozen=True, slots=True)
class AlarmShown:
    """Something wrong with a game that was played here."""

    number: int
    table: Link
    game: str
    """The address of the game; empty without one."""
    kind: Label
    message: str
    raised_at: datetime


@dataclass(frozen=True, slots=True)
class QueuePage:
    """All that waits for a moderator."""

    disputes: Part[DisputeCase]
    claims: Part[ClaimCase]
    seatings: Part[SeatingCase]
    flags: Part[FlagCase]
    clubs: Part[ClubCase]
    """Clubs to review that the reader is not in."""
    studies: Part[ReportedCase]
    """Reported studies, comments and collections; none that the reader wrote or reported."""
    comments: Part[ReportedCase]
    collections: Part[ReportedCase]
    corrections: Part[CorrectionCase]
    alarms: tuple[AlarmShown, ...]
    """Of games played here, which should never be."""
    open: dict[str, int]
    """How many of a kind wait in all."""
    thresholds: dict[str, int]
    sought: str
    game: Link | None
    """The game whose key was looked for."""
    players: tuple[FoundPlayer, ...]
    """Players of the name that was looked for."""


def queue_page(viewer: Viewer, sought: str, query: QueryDict) -> QueuePage:
    """Return some of all that waits for a moderator, and the game or the players that they searched for.

    :param query: of the page's address, which says which part of each list is wanted.
    """
    game = find_game_by_key(sought, viewer) if sought else None
    cases = cases_for(viewer)
    counts = {kind: found.count() for kind, found in cases.items()}
    return QueuePage(
        disputes=part_of("disputes", cases["disputes"], dispute_case, query),
        claims=part_of("claims", cases["claims"], claim_case, query),
        seatings=part_of("seatings", cases["seatings"], seating_case, query),
        flags=part_of_flags("flags", cases["flags"], query),
        clubs=part_of("clubs", cases["clubs"], club_case, query),
        studies=part_of("studies", cases["studies"], study_case, query),
        comments=part_of("comments", cases["comments"], comment_case, query),
        collections=part_of("collections", cases["collections"], collection_case, query),
        corrections=part_of("corrections", open_corrections(), correction_case, query),
        alarms=tuple(map(_alarm, open_alarms())),
        open=counts | {"reported": sum(counts[kind] for kind in ("studies", "comments", "collections"))},
        thresholds={
            "a_day": thresholds.PAIRINGS_A_DAY,
            "a_month": thresholds.PAIRINGS_A_MONTH,
            "farmed": thresholds.FARMED,
            "beginners": table_points.BEGINNERS,
            "free": table_points.FREE,
            "received": thresholds.RECEIVED,
            "early": EARLY,
            "new": reasons.NEW.days,
        },
        sought=sought,
        game=case_link(game) if game else None,
        players=tuple(map(_player, search_players(sought, viewer))) if sought else (),
    )


def _alarm(alarm: TableAlarm) -> AlarmShown:
    game = alarm.table.game
    return AlarmShown(
        alarm.pk,
        Link(alarm.table.key, alarm.table.get_absolute_url()),
        game.get_absolute_url() if game else "",
        ALARMS[alarm.kind],
        alarm.message,
        alarm.raised_at,
    )


def _player(player: Player) -> FoundPlayer:
    return FoundPlayer(Link(player.name, reverse("moderation-player", args=[player.pk])), player.source)
