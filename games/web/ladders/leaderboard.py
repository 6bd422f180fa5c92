"""A leaderboard's page: now, as of a day, or of a period."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.agn.dates import Days
from engine.rating import ALGORITHM, BETA, DECIMALS, MU, SIGMA, TAU
from engine.registry import RULESETS
from engine.ruleset import Ruleset
from games.ladders.leaderboard import Leaderboard
from games.ladders.reads.ladders import PROVISIONAL_GAMES, PROVISIONAL_SIGMA, LeaderboardRow
from games.ladders.reads.leaderboard_query import EARLIEST, LeaderboardQuery, Period
from games.ladders.reads.snapshots import STEP
from games.models import By, Club, Correction, DayLedger, SnapshotRow
from games.records.reads.begun import played
from games.records.reads.rulebook import document_of
from games.web.boards import Drawn
from games.web.labels import CORRECTIONS, ORDERS, PLACES, Change, Label
from games.web.ladders.histogram import Bar, bars_from, histogram
from games.web.ladders.lines import Control, LadderLink, RowShown, link_to, places_of, shown_row

_LEAST = 3
"""Players whose ratings are drawn; fewer are seen at a glance."""
_ACTIVE = 365
_YEARS = 5
"""Years whose ends have a link."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table, with the columns of this kind of board."""

    row: RowShown
    own: bool
    """Whether it is the player's around whom the page is."""
    rose: Change | None
    """By how many ranks since the day asked for; none where that was not asked, or the player is new."""
    gain: Change | None
    """By how many points in the period."""
    begun: int
    """The rating where the period began."""
    results: str
    """Won, drawn and lost, in words, and the share of rivals beaten: ready, as a page has a hundred lines."""
    beaten: str
    provisional: str
    """That the rating is, and what it takes to be so no longer; empty where it is not."""
    figures: SafeString
    """The cells that are numbers alone, from the uncertainty on, which take a template a third of its time."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many players have which ratings."""

    drawing: Drawn
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class CorrectionShown:
    """A decision that changed earlier ratings."""

    day: datetime
    kind: Label
    reason: str
    game: str
    """The game's key, if it is about one."""
    game_url: str
    played: Days | datetime | None
    player: str
    player_url: str
    into: str
    into_url: str
    changed: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What is needed to verify the board."""

    digest: str
    games: int
    players: int
    acts: int
    export: str
    games_path: str
    """The export's address on this site."""
    csv: str
    board: str
    """The board for programs."""
    parameters: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """All that the page shows."""

    here: LadderLink
    club: Club | None
    others: tuple[LadderLink, ...]
    rules: str
    asked: LeaderboardQuery
    today: date
    controls: tuple[Control, ...]
    years: tuple[Control, ...]
    """The ends of the last years, by day played."""
    by_day: DayLedger | None
    """What the ledger by day played is, where the board is of it."""
    places: dict[int, Label]
    """The places that there are in this game."""
    size: int
    lines: tuple[Line, ...]
    first: int
    previous: str | None
    """The query that asks for the better ones."""
    next: str | None
    waiting: bool
    begun: bool
    """Whether any game counts for the ladder."""
    running: bool
    """Whether the day, or the period, is not over."""
    earlier: str | None
    """The query for the period before."""
    later: str | None
    find_me: str | None
    """The query for the page around the reader's own line."""
    own: RowShown | None
    distribution: Distribution | None
    acts: tuple[CorrectionShown, ...]
    more_acts: int
    proof: Proof | None
    csv: str

    @property
    def last(self) -> int:
        """Return the number of the last line shown."""
        return self.first + len(self.lines) - 1

    @property
    def other_period(self) -> bool:
        """Return whether the period shown has no link of its own."""
        return self.asked.period is not None and not any(control.here for control in self.controls)

    @property
    def orders(self) -> tuple[Control, ...]:
        """Return the links to a board of a past day, or of a period, by the orders that have it; none for now."""
        asked = self.asked
        if not (asked.as_of or asked.period):
            return ()
        days = [day for day in (asked.as_of, asked.since, asked.period and asked.period.first) if day]
        return tuple(
            Control(word, _query(asked, by=by), asked.by == by)
            for by, word in ORDERS.items()
            if EARLIEST[by] <= min(days)
        )

    @property
    def other_day(self) -> bool:
        """Return whether the day shown has no link of its own."""
        return self.asked.as_of is not None and not any(year.here for year in self.years)

    @property
    def this(self) -> str:
        """Return the query for this board."""
        return _query(self.asked, since=None)

    @property
    def least_games(self) -> int:
        """Return with fewer than how many games a rating is provisional."""
        return PROVISIONAL_GAMES

    @property
    def most_sigma(self) -> int:
        """Return with more than how much uncertainty a rating is provisional."""
        return round(PROVISIONAL_SIGMA)

    @property
    def provisional(self) -> bool:
        """Return whether a rating shown is provisional."""
        return any(line.row.provisional for line in self.lines)


def leaderboard_page(
    found: Leaderboard, ruleset: Ruleset[Any, Any], *, me: int | None, address: str, now: datetime
) -> LeaderboardPage:
    """Return all that a leaderboard's page shows.

    :param me: the reader's own player, if there is one on this ladder.
    :param address: of the site.
    """
    asked, part, today = found.asked, found.part, now.date()
    lines = tuple(_line(ruleset, found, one) for one in part.rows)
    own = next((line.row for line in lines if line.own), None)
    return LeaderboardPage(
        here=link_to(ruleset, found.club),
        club=found.club,
        others=tuple(link_to(other, found.club) for other in RULESETS if other.slug != ruleset.slug),
        rules=reverse("rules", args=[document_of(ruleset)]),
        asked=asked,
        today=today,
        controls=_controls(asked, today),
        years=_years(found, today),
        by_day=found.by_day if asked.by == By.PLAYED else None,
        places={place: PLACES[place] for place in range(1, places_of(ruleset) + 1)},
        size=found.players,
        lines=lines,
        first=part.first,
        previous=_query(asked, before=part.previous) if part.previous else None,
        next=_query(asked, after=part.next) if part.next else None,
        waiting=found.waiting,
        begun=found.ladder is not None,
        running=found.board is not None and _last_day(asked) >= today,
        earlier=_period_beside(asked, -1) if asked.period and asked.period.first > EARLIEST[asked.by] else None,
        later=_period_beside(asked, 1) if asked.period and asked.period.last < today else None,
        find_me=_query(asked, around=me) if me and not asked.active else None,
        own=own,
        distribution=_distribution(found, own),
        acts=tuple(_act(correction) for correction in found.acts.newest),
        more_acts=found.acts.count - len(found.acts.newest),
        proof=_proof(found, address) if asked.as_of and found.board and not found.waiting else None,
        csv=_csv(found),
    )


def _line(ruleset: Ruleset[Any, Any], found: Leaderboard, one: LeaderboardRow) -> Line:
    standing, asked = one.standing, found.asked
    then = found.ranks_then.get(standing.player_id)
    period = standing if asked.period and isinstance(standing, SnapshotRow) else None
    shown = shown_row(ruleset, one)
    return Line(
        row=shown,
        own=standing.player_id == found.around,
        rose=Change(then - one.rank) if then is not None else None,
        gain=Change(period.gain) if period else None,
        begun=period.begun if period else 0,
        results=gettext("{wins} won, {draws} drawn, {losses} lost").format(
            wins=shown.wins, draws=shown.draws, losses=shown.losses
        ),
        beaten=gettext("{share}% beaten").format(share=shown.share),
        provisional=gettext("provisional: {missing}").format(missing=shown.provisional) if shown.provisional else "",
        figures=_figures(shown),
    )


def _figures(shown: RowShown) -> SafeString:
    counts = (shown.games, shown.wins, shown.draws, shown.losses)
    cells = (
        _figure(shown.uncertainty, " quiet"),
        *map(_figure, counts),
        *[_figure(count, " place-column" if count else " place-column nought") for count in shown.places],
        _figure(gettext("{share}%").format(share=shown.share)),
    )
    return SafeString("".join(cells))


def _figure(number: int | str, kind: str = "") -> str:
    return f'<td class="figure wide-only{kind}">{number}</td>'


def _controls(asked: LeaderboardQuery, today: date) -> tuple[Control, ...]:
    """Return the views with links; other queries go through a form."""
    month, year = Period(today.year, today.month), Period(today.year, None)
    now = not (asked.as_of or asked.period or asked.active)
    since = asked.since if asked.by == By.ACCEPTED else None
    plain = LeaderboardQuery(since=since)
    return (
        Control(gettext("Now"), _query(plain), now),
        Control(gettext("Active this year"), _query(plain, active=_ACTIVE), asked.active == _ACTIVE),
        *(
            Control(word, _query(asked, period=period, as_of=None, active=None, since=None), asked.period == period)
            for word, period in ((gettext("Gains this month"), month), (gettext("Gains this year"), year))
        ),
    )


def _years(found: Leaderboard, today: date) -> tuple[Control, ...]:
    """Return links to the boards of the ends of the last years, by day played."""
    asked, began = found.asked, found.by_day.began_on if found.by_day else None
    first = max(began.year, today.year - _YEARS) if began else today.year
    ends = [date(year, 12, 31) for year in range(today.year - 1, first - 1, -1)]
    return tuple(
        Control(
            gettext("End of {year}").format(year=end.year),
            _query(LeaderboardQuery(as_of=end, by=By.PLAYED)),
            (asked.as_of, asked.by) == (end, By.PLAYED),
        )
        for end in ends
    )


def _last_day(asked: LeaderboardQuery) -> date:
    return asked.as_of or (asked.period.last if asked.period else date.min)


def _period_beside(asked: LeaderboardQuery, step: int) -> str | None:
    """Return the query for the period before, or after."""
    return _query(asked, period=_beside(asked.period, step)) if asked.period else None


def _beside(period: Period, step: int) -> Period:
    """Return the period before, or after."""
    if period.month is None:
        return Period(period.year + step, None)
    day = period.last + timedelta(days=1) if step > 0 else period.first - timedelta(days=1)
    return Period(day.year, day.month)


def _query(asked: LeaderboardQuery, **more: object) -> str:
    """Return the same question about another part of the board."""
    kept: Mapping[str, object] = {
        "as_of": asked.as_of,
        "period": asked.period,
        "active": asked.active,
        "since": asked.since,
        "by": asked.by,
        **more,
    }
    return urlencode({name: str(value) for name, value in kept.items() if value and value != By.ACCEPTED})


def _distribution(found: Leaderboard, own: RowShown | None) -> Distribution | None:
    if sum(found.bars.values()) < _LEAST or found.asked.period:
        return None
    bars = bars_from(found.bars, STEP, own.rating if own else None)
    title = gettext("Number of players by rating")
    return Distribution(histogram(bars, title, own.name if own else ""), bars)


def _act(correction: Correction) -> CorrectionShown:
    game = correction.acceptance.game if correction.acceptance else None
    player, into = correction.player, correction.into
    return CorrectionShown(
        day=correction.done_at or correction.ordered_at,
        kind=CORRECTIONS[correction.kind],
        reason=correction.reason,
        game=game.key if game else "",
        game_url=game.get_absolute_url() if game else "",
        played=played(game, correction) if game else None,
        player=player.name if player else "",
        player_url=player.get_absolute_url() if player else "",
        into=into.name if into and into != player else "",
        into_url=into.get_absolute_url() if into else "",
        changed=correction.changed,
    )


def api_address(name: str, ruleset: str, club: Club | None) -> str:
    """Return the API's address of a leaderboard, or of a part of it."""
    if club:
        return reverse(f"api-club-{name}", args=[club.slug, ruleset])
    return reverse(f"api-{name}", args=[ruleset])


def _csv(found: Leaderboard) -> str:
    asked = found.asked
    query = _query(asked, active=None, since=None)
    return api_address("leaderboard-table", found.ruleset, found.club) + (f"?{query}" if query else "")


def _proof(found: Leaderboard, address: str) -> Proof | None:
    board = found.board
    if board is None:
        return None
    query = f"?{_query(found.asked, since=None)}"
    games = f"{api_address('leaderboard-games', found.ruleset, found.club)}{query}"
    return Proof(
        digest=board.digest,
        games=board.games,
        players=board.players,
        acts=found.acts.count,
        export=f"{address}{games}",
        games_path=games,
        csv=_csv(found),
        board=f"{address}{api_address('leaderboard', found.ruleset, found.club)}{query}",
        parameters=(
            (gettext("Algorithm"), ALGORITHM),
            (gettext("Starting values"), f"mu {MU:g}, sigma {SIGMA:g}"),
            (gettext("Spread of a performance"), f"beta {BETA:g}"),
            (gettext("Uncertainty added before each game"), f"tau {TAU:g}"),
            (gettext("Rounding after each game"), gettext("{decimals} decimals").format(decimals=DECIMALS)),
            (gettext("Tied places"), gettext("split the place’s gain equally")),
            (gettext("Rating"), "max(0, ⌊mu − 3 sigma⌋)"),
        ),
    )
