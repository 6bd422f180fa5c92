"""Reading a player's career on one ladder: by seat, by table, rivals, streaks; and why ratings changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet

from engine.explained import Explained, explain
from engine.rating import TWELFTHS, Rating
from engine.registry import ruleset_by_slug
from games.models import Acceptance, BestRank, By, DayRating, Ladder, Player, RatingEvent
from games.platform.paging import CursorError
from games.ratings.reads.ledger import holding
from games.ratings.reads.shares import beaten
from games.records.reads.begun import begun_at_table

RIVALS = 20
"""Rivals listed, those met most often."""
_DIGITS = 18
"""Of a place in the order, at most."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Results at one seat, or at tables of one size."""

    label: str
    """The seat's letter, or the number of players."""
    games: int
    wins: int
    draws: int
    losses: int
    share: float
    """The mean share of rivals beaten, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival, and how often each came before the other."""

    player: Player
    games: int
    before: int
    level: int
    behind: int


@dataclass(frozen=True, slots=True)
class Runs:
    """Games in a row."""

    winning: int
    """Won in a row up to the newest game."""
    longest: int
    """Won in a row at most."""
    unbeaten: int
    """Not lost in a row at most."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The totals of the score sheets of all games."""

    label: str
    """In the engine's own wording."""
    total: int
    mean: float


@dataclass(frozen=True, slots=True)
class Point:
    """The strength after a game: its mean and uncertainty, and those before."""

    number: int
    nth: int
    """The player's how-manieth game on the ladder, from 1."""
    at: datetime
    key: str
    place: int
    players: int
    mu: float
    sigma: float
    mu_before: float
    sigma_before: float
    counts: bool
    day: date | None
    """By which it is rated; none by order of acceptance."""

    @property
    def value(self) -> float:
        """The rating, before it is cut at 0."""
        return self.mu - 3 * self.sigma

    @property
    def before(self) -> float:
        """The rating before the game, not cut."""
        return self.mu_before - 3 * self.sigma_before


_HELD = {
    By.ACCEPTED: """
WITH held AS (
    SELECT event.*, event.number AS position, NULL::date AS day FROM games_ratingevent AS event
    WHERE event.player_id = %(player)s AND event.ladder_id = %(ladder)s AND NOT EXISTS (
        SELECT FROM games_ratingevent AS later
        WHERE later.number = event.number AND later.seat = event.seat AND later.id > event.id)
)
""",
    By.PLAYED: """
WITH held AS (
    SELECT rated.*, acceptance.game_id, true AS counts
    FROM games_dayrating AS rated JOIN games_acceptance AS acceptance ON acceptance.id = rated.acceptance_id
    WHERE rated.player_id = %(player)s AND rated.ladder_id = %(ladder)s
)
""",
}

_TABLES = f""",
tables AS (
    SELECT held.number, held.place, seating.letter, sizes.players, sizes.first, sizes.tied
    FROM held JOIN games_seating AS seating ON seating.game_id = held.game_id AND seating.seat = held.seat
    CROSS JOIN LATERAL (
        SELECT count(*) AS players, count(*) FILTER (WHERE place = 1) AS first,
               count(*) FILTER (WHERE place = held.place) AS tied
        FROM games_seating WHERE game_id = held.game_id
    ) AS sizes
    WHERE held.counts
)
SELECT {{label}}::text, count(*), count(*) FILTER (WHERE place = 1 AND first = 1),
       count(*) FILTER (WHERE place = 1 AND first > 1), count(*) FILTER (WHERE place > 1),
       avg({beaten("place", "tied", "players")})::float / {TWELFTHS}
FROM tables GROUP BY {{label}} ORDER BY {{label}}
"""  # noqa: S608 (made of constants)

_RIVALS = """
SELECT rival.player_id, count(*), count(*) FILTER (WHERE held.place < rival.place),
       count(*) FILTER (WHERE held.place = rival.place), count(*) FILTER (WHERE held.place > rival.place)
FROM held JOIN games_ratingevent AS rival ON rival.number = held.number AND rival.seat <> held.seat
WHERE held.counts AND NOT EXISTS (
    SELECT FROM games_ratingevent AS later
    WHERE later.number = rival.number AND later.seat = rival.seat AND later.id > rival.id)
GROUP BY rival.player_id ORDER BY count(*) DESC, rival.player_id LIMIT %(most)s
"""

_RUNS = """,
results AS (
    SELECT held.position, held.place > 1 AS lost, held.place = 1 AND (
        SELECT count(*) FROM games_seating WHERE game_id = held.game_id AND place = 1) = 1 AS won
    FROM held WHERE held.counts
),
marked AS (
    SELECT *, count(*) FILTER (WHERE NOT won) OVER (ORDER BY position) AS winless,
           count(*) FILTER (WHERE lost) OVER (ORDER BY position) AS lost_so_far
    FROM results
),
winning AS (SELECT winless, count(*) FILTER (WHERE won) AS length FROM marked GROUP BY winless),
unbeaten AS (SELECT lost_so_far, count(*) FILTER (WHERE NOT lost) AS length FROM marked GROUP BY lost_so_far)
SELECT coalesce((SELECT length FROM winning ORDER BY winless DESC LIMIT 1), 0),
       coalesce((SELECT max(length) FROM winning), 0), coalesce((SELECT max(length) FROM unbeaten), 0)
"""

_SHEETS = """
SELECT entry.key, sum(entry.value::int), avg(entry.value::int)::float
FROM held JOIN games_seating AS seating ON seating.game_id = held.game_id AND seating.seat = held.seat
CROSS JOIN LATERAL jsonb_each_text(seating.sheet) AS entry(key, value)
WHERE held.counts GROUP BY entry.key
"""

_COURSE = """
SELECT held.number, row_number() OVER (ORDER BY held.position), acceptance.accepted_at, game.key, held.place,
       (SELECT count(*) FROM games_seating WHERE game_id = held.game_id),
       held.mu, held.sigma, held.mu_before, held.sigma_before, held.counts, held.day
FROM held JOIN games_game AS game ON game.id = held.game_id
JOIN games_acceptance AS acceptance ON acceptance.id = held.acceptance_id
ORDER BY held.position
"""


def _ask(
    question: str,
    player: Player,
    ladder: Ladder,
    by: By = By.ACCEPTED,
    **more: Any,  # noqa: ANN401 (the question's own)
) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(_HELD[by] + question, {"player": player.pk, "ladder": ladder.pk, **more})
        return list(cursor.fetchall())


def by_seat(player: Player, ladder: Ladder) -> list[Balance]:
    """Return results by seat, in the order of the letters."""
    return [Balance(*row) for row in _ask(_TABLES.format(label="letter"), player, ladder)]


def by_table(player: Player, ladder: Ladder) -> list[Balance]:
    """Return results by the number of players."""
    return [Balance(*row) for row in _ask(_TABLES.format(label="players"), player, ladder)]


def rivals(player: Player, ladder: Ladder) -> list[Rival]:
    """Return the most frequent rivals, and how often each came before the other."""
    rows = _ask(_RIVALS, player, ladder, most=RIVALS)
    players = Player.objects.in_bulk([row[0] for row in rows])
    return [Rival(players[row[0]], *row[1:]) for row in rows]


def runs(player: Player, ladder: Ladder, by: By = By.ACCEPTED) -> Runs:
    """Return the streaks of games won, and not lost."""
    (row,) = _ask(_RUNS, player, ladder, by)
    return Runs(*row)


def sheets(player: Player, ladder: Ladder) -> list[Sheet]:
    """Return what the player's score sheets show at the ends of all games, in the order in which the ruleset counts."""
    found = {row[0]: Sheet(*row) for row in _ask(_SHEETS, player, ladder)}
    labels = [label.template for label in ruleset_by_slug(ladder.ruleset).shown.counts]
    # Counts that only an earlier version of the engine made come last.
    return [found[label] for label in dict.fromkeys([*labels, *sorted(found)]) if label in found]


def course(player: Player, ladder: Ladder, by: By = By.ACCEPTED) -> Iterator[Point]:
    """Return the rating after every game, in order; by order of acceptance, annulled games among them."""
    return (Point(*row) for row in _ask(_COURSE, player, ladder, by))


def best_rank(player: Player, ladder: Ladder) -> BestRank | None:
    """Return the best rank that the player ever had right after a game."""
    return BestRank.objects.filter(player=player, ladder=ladder).order_by("rank").first()


def ladders_of(player: Player) -> list[Ladder]:
    """Return the ladders on which a player has games, those of the whole site first."""
    ladders = Ladder.objects.filter(standings__player=player).select_related("club")
    return sorted(ladders, key=lambda ladder: (ladder.club is not None, str(ladder.club or ""), ladder.ruleset))


AnyEvent = RatingEvent | DayRating
"""The change of a rating by a game, in one of the two orders."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some entries of a player, newest first, and the place where older ones continue."""

    events: Sequence[AnyEvent]
    older: int | None


def entries(player: Player, ladder: Ladder, by: By = By.ACCEPTED, *, before: str = "", size: int = 50) -> Stretch:
    """Return how games changed a player's rating, newest first.

    :raises CursorError: when `before` is not a valid place.
    """
    if before and not (before.isascii() and before.isdigit() and len(before) <= _DIGITS):
        raise CursorError(before)
    whose = {"player": player, "ladder": ladder}
    if by == By.PLAYED:
        rated = DayRating.objects.select_related("acceptance__game")
        return _stretch(rated.annotate(begun_here=begun_at_table("acceptance__game")), "position", whose, before, size)
    held = RatingEvent.objects.filter(holding()).select_related("game", "acceptance")
    return _stretch(held.annotate(begun_here=begun_at_table("game")), "number", whose, before, size)


def _stretch(rows: "QuerySet[Any]", place: str, whose: dict[str, Model], before: str, size: int) -> Stretch:
    rows = rows.filter(**whose)
    if before:
        rows = rows.filter(**{f"{place}__lt": int(before)})
    found = [*rows.order_by(f"-{place}", "seat")[: size + 1]]
    return Stretch(found[:size], getattr(found[size - 1], place) if len(found) > size else None)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a player's rating changed in a game, as the ledger has it now, and every entry that led to it."""

    event: AnyEvent
    """The entry that holds."""
    seats: tuple[AnyEvent, ...]
    """All seats of the game, as they hold now, in seat order."""
    explained: tuple[Explained, ...]
    """The sums, in seat order; empty when the game does not count."""
    entries: tuple[RatingEvent, ...]
    """All entries for the player's seat, the oldest first: the first rating, and what each correction made of it.

    By day played there are none: it is computed anew from what counts.
    """


def cause(player: Player, number: int, by: By = By.ACCEPTED) -> Cause | None:
    """Return why a game changed a player's rating; none when the player was not rated for it.

    :param number: the game's number by order of acceptance.
    """
    return _cause_by_day(player, number) if by == By.PLAYED else _cause(player, number)


def _cause_by_day(player: Player, number: int) -> Cause | None:
    acceptance = Acceptance.objects.filter(number=number).first()
    rated = DayRating.objects.annotate(begun_here=begun_at_table("acceptance__game"))
    rated = rated.select_related("player", "ladder__club", "acceptance__game")
    event = rated.filter(player=player, ladder=acceptance.ladder_id, number=number).first() if acceptance else None
    if event is None:
        return None
    seats = tuple(rated.filter(ladder=event.ladder_id, position=event.position).order_by("seat"))
    return Cause(event, seats, _explained(seats), ())


def _cause(player: Player, number: int) -> Cause | None:
    everything = list(
        RatingEvent.objects.filter(number=number)
        .annotate(begun_here=begun_at_table("game"))
        .select_related(
            "player", "game", "ladder__club", "acceptance", "correction__acceptance__game", "correction__by"
        )
        .order_by("seat", "id")
    )
    newest = {event.seat: event for event in everything}
    event = next((event for event in newest.values() if event.player_id == player.pk), None)
    if event is None:
        return None
    seats = tuple(newest.values())
    return Cause(event, seats, _explained(seats), tuple(one for one in everything if one.seat == event.seat))


def _explained(seats: Sequence[AnyEvent]) -> tuple[Explained, ...]:
    if not all(event.counts for event in seats):
        return ()
    before = [Rating(event.mu_before, event.sigma_before) for event in seats]
    after = [Rating(event.mu, event.sigma) for event in seats]
    return tuple(explain(before, [event.place for event in seats], after))
