"""A player's page on one ladder: the rating over time, results, rivals, and every game."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext

from engine.agn.dates import Days
from engine.rating import shown
from engine.registry import ruleset_by_slug
from games.ladders.reads import careers
from games.ladders.reads.careers import AnyEvent, Balance, Point, Rival, Runs
from games.ladders.reads.rank_history import rank_history
from games.ladders.snapshots import ledger_by_day
from games.models import BestRank, By, DayLedger, Ladder, Player
from games.players.reads.players import leaderboard_row_of
from games.records.reads.begun import played
from games.records.reads.titles import ladder_title
from games.web.boards import Drawn
from games.web.dates import plain_day
from games.web.labels import COLOURS, PLACES, Change, Label, Strength, strength_after
from games.web.ladders.chart import Estimate, along, course, places, rank_course
from games.web.ladders.lines import Control, RowShown, orders, shown_row
from games.web.links import Link, career_url, leaderboard_url, link_to_game, link_to_player, pair_url

_DRAWN = 400
"""Points drawn at most: more than a phone has pixels to show apart."""


@dataclass(frozen=True, slots=True)
class BalanceShown:
    """Results at one seat, or at tables of one size."""

    label: str
    games: int
    wins: int
    draws: int
    losses: int
    share: int
    """The mean share of rivals beaten, in percent."""


@dataclass(frozen=True, slots=True)
class RivalShown:
    """Somebody met."""

    player: Link
    both: str
    """The page of the two players."""
    games: int
    before: int
    level: int
    behind: int


@dataclass(frozen=True, slots=True)
class SheetShown:
    """What the score sheets show, added up."""

    label: str
    total: int
    mean: str


@dataclass(frozen=True, slots=True)
class CareerRow:
    """How one game changed the rating."""

    game: Link
    why: str
    at: datetime
    played: Days | datetime | None
    place: Label
    rating: int
    strength: Strength
    counts: bool


@dataclass(frozen=True, slots=True)
class CourseShown:
    """The strength over time as a drawing, and its points for keyboard users."""

    drawing: Drawn
    points: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RankRow:
    """A rank when a day was over."""

    day: date
    rank: int
    players: int
    board: str
    """Where the whole leaderboard of that day is."""


@dataclass(frozen=True, slots=True)
class RanksShown:
    """Ranks over time: as a drawing, if there are two, and as rows, newest first."""

    drawing: Drawn | None
    rows: list[RankRow]


@dataclass(frozen=True, slots=True)
class CareerPage:
    """Everything on the page."""

    player: Link
    source: str
    ladder: Link
    here: str
    by: By
    orders: tuple[Control, ...]
    """The page by both orders."""
    by_day: DayLedger | None
    """What the ledger by day played is, where the page is of it."""
    query: str
    """What an address of this page needs besides: which club's ladder, and whether hidden results are shown."""
    row: RowShown | None
    best: BestRank | None
    runs: Runs
    course: CourseShown | None
    ranks: RanksShown | None
    by_seat: tuple[BalanceShown, ...]
    by_table: tuple[BalanceShown, ...]
    rivals: tuple[RivalShown, ...]
    sheets: tuple[SheetShown, ...]
    entries: tuple[CareerRow, ...]
    older: str | None
    csv: str


def career_page(player: Player, ladder: Ladder, by: By, *, before: str, asked: bool, now: datetime) -> CareerPage:
    """Return everything about a player on a ladder. :raises CursorError: when `before` is not a valid place.

    :raises BusyError: when the ledger by day played of a large ladder was never computed.
    :param by: the order in which ratings, streaks and games are shown.
    :param asked: whether the reader has asked for hidden results, so that the page's own links ask again.
    """
    ledger = ledger_by_day(ladder, now=now) if by == By.PLAYED else None
    stretch, standing = careers.entries(player, ladder, by, before=before), leaderboard_row_of(player, ladder)
    ruleset = ruleset_by_slug(ladder.ruleset)
    here = reverse("career", args=[player.pk, ladder.ruleset])
    query = "&".join([*([f"club={ladder.club.slug}"] if ladder.club else []), *(["result"] if asked else [])])
    return CareerPage(
        player=link_to_player(player),
        source=player.source,
        ladder=Link(ladder_title(ladder), leaderboard_url(ladder.ruleset, ladder.club)),
        here=here,
        by=by,
        orders=orders(by, query),
        by_day=ledger,
        query=query,
        row=shown_row(ruleset, standing) if standing else None,
        best=careers.best_rank(player, ladder) if by == By.ACCEPTED else None,
        runs=careers.runs(player, ladder, by),
        course=_course(player, ladder, by),
        ranks=_ranks(player, ladder, by, now),
        by_seat=tuple(_balance(one, _seat_word(ladder.ruleset, one.label)) for one in careers.by_seat(player, ladder)),
        by_table=tuple(_balance(one, one.label) for one in careers.by_table(player, ladder)),
        rivals=tuple(_rival(player, one) for one in careers.rivals(player, ladder)),
        sheets=tuple(
            SheetShown(gettext(one.label), one.total, number_format(f"{one.mean:.1f}"))
            for one in careers.sheets(player, ladder)
        ),
        entries=tuple(career_row(player, event, by) for event in stretch.events),
        older=f"before={stretch.older}" if stretch.older else None,
        csv=career_url(player.pk, ladder, by, name="api-career-table"),
    )


def _seat_word(ruleset: str, letter: str) -> str:
    return f"{letter} · {COLOURS.get(ruleset_by_slug(ruleset).seat(letter).colour, letter)}"


def _balance(balance: Balance, label: str) -> BalanceShown:
    return BalanceShown(label, balance.games, balance.wins, balance.draws, balance.losses, round(balance.share * 100))


def _rival(player: Player, rival: Rival) -> RivalShown:
    met, both = link_to_player(rival.player), pair_url(player.pk, rival.player.pk)
    return RivalShown(met, both, rival.games, rival.before, rival.level, rival.behind)


def career_row(player: Player, event: AnyEvent, by: By = By.ACCEPTED) -> CareerRow:
    """Return how one game changed a player's rating, as a row of a list."""
    return CareerRow(
        game=link_to_game(event.game),
        why=_why(player, event.number, by),
        at=event.acceptance.accepted_at or event.at,
        played=played(event.game, event),
        place=PLACES[event.place],
        rating=shown(event.value),
        strength=strength_after(event),
        counts=event.counts,
    )


def _why(player: Player, number: int, by: By) -> str:
    """Return the address of the reason why a game changed a rating."""
    return reverse("rating-cause", args=[player.pk, number]) + ("?by=played" if by == By.PLAYED else "")


def _course(player: Player, ladder: Ladder, by: By) -> CourseShown | None:
    points = [point for point in careers.course(player, ladder, by) if point.counts]
    if len(points) < 2:  # noqa: PLR2004 (one point makes no line)
        return None
    points = thinned(points)
    line = [Estimate(point.mu, point.sigma) for point in points]
    way = along([point.day.toordinal() if point.day else point.nth for point in points])
    ends = [plain_day(point.day) if point.day else str(point.nth) for point in (points[0], points[-1])]
    title = gettext("Strength of {player}: {ruleset}, game by game").format(
        player=player.name, ruleset=ladder_title(ladder)
    )
    drawing = course(line, way, title, ends=ends)
    shown_points = [
        {
            "x": x,
            "y": y,
            "said": _said(point),
            "at": "" if point.day else point.at.isoformat(),
            "why": _why(player, point.number, by),
        }
        for (x, y), point in zip(places(line, way), points, strict=True)
    ]
    return CourseShown(drawing, shown_points)


def _ranks(player: Player, ladder: Ladder, by: By, now: datetime) -> RanksShown | None:
    ranks = rank_history(player, ladder, by, now=now)
    if not ranks:
        return None
    board = leaderboard_url(ladder.ruleset, ladder.club)
    order = "&by=played" if by == By.PLAYED else ""
    rows = [RankRow(*one, f"{board}?as_of={one.day.isoformat()}{order}") for one in reversed(ranks)]
    if len(ranks) == 1:
        return RanksShown(None, rows)
    title = (
        gettext("Rank of {player}: {ruleset}, year by year, by day played")
        if by == By.PLAYED
        else gettext("Rank of {player}: {ruleset}, month by month")
    ).format(player=player.name, ruleset=ladder_title(ladder))
    ends = [plain_day(one.day) for one in (ranks[0], ranks[-1])]
    way = along([one.day.toordinal() for one in ranks])
    return RanksShown(rank_course([one.rank for one in ranks], way, title, ends=ends), rows)


def thinned(points: Sequence[Point]) -> list[Point]:
    """Return no more points than can be drawn, including the first and the last."""
    if len(points) <= _DRAWN:
        return list(points)
    last = len(points) - 1
    return [points[round(at * last / (_DRAWN - 1))] for at in range(_DRAWN)]


def _said(point: Point) -> str:
    change = Change(point.mu - point.mu_before)
    day = plain_day(point.day or point.at)
    said = gettext(
        "Game {nth}, {day}: place {place} of {players}, strength {strength} ± {uncertainty} ({change}), rating {rating}"
    )
    return said.format(
        nth=point.nth, day=day, place=point.place, players=point.players, rating=shown(point.value),
        strength=round(point.mu), uncertainty=round(point.sigma), change=change.words,
    )  # fmt: skip
