"""What the first page shows."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.http import QueryDict

from engine.registry import ruleset_by_slug
from engine.scene import svg
from engine.scene.values import unwritten
from engine.story import summary
from games.daily.reads import game_of_the_day
from games.models import GameOfTheDay, Table
from games.platform.without_account import shown_name
from games.playing.reads.event_bodies import scene_seen
from games.playing.reads.lists import table_on_show
from games.records.reads.games import latest_verified
from games.records.reads.replays import first_log, names_of, story_of_log
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import NOBODY
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.labels import COLOURS
from games.web.ladders.lines import tops
from games.web.rows import GameRow, row_of, rows_of
from games.web.site.news import NEWS, News
from games.web.site.showcase import ShowcaseShown, showcase_shown
from games.web.site.tiles import Tile, tiles_of
from games.web.site.week import WeekShown, week_shown

_LATEST = 5
_TOP = 3


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays in a game that goes on."""

    letter: str
    colour: str
    colour_word: str
    name: str
    is_bot: bool
    place: None = None


@dataclass(frozen=True, slots=True)
class Moving:
    """A game that is being played, as it is now."""

    table: Table
    title: str
    """Of its rules."""
    seats: tuple[Player, ...]
    board: Drawn


@dataclass(frozen=True, slots=True)
class DayShown:
    """The game of the day, and what happened in it."""

    row: GameRow
    summary: str


@dataclass(frozen=True, slots=True)
class HomePage:
    """All that the first page shows."""

    showcase: ShowcaseShown
    plain: bool
    """Whether nobody asks for anything of the showcase: then it may begin to play by itself."""
    moving: Moving | None
    tiles: tuple[Tile, ...]
    week: WeekShown | None
    day: DayShown | None
    latest: tuple[GameRow, ...]
    news: tuple[News, ...]


def home_page(query: QueryDict, *, now: datetime) -> HomePage:
    """Return all that the first page shows."""
    return HomePage(
        showcase=showcase_shown(query, today=now.date()),
        plain=not query,
        moving=_moving(table_on_show(now=now)),
        tiles=tiles_of(tops(_TOP)),
        week=week_shown(now=now),
        day=_day(game_of_the_day(now.date())),
        latest=tuple(rows_of(latest_verified(_LATEST))),
        news=NEWS,
    )


def _moving(table: Table | None) -> Moving | None:
    scene = scene_seen(table) if table else None
    if table is None or scene is None:
        return None
    return Moving(
        table=table,
        title=ruleset_title(table.ruleset),
        seats=_players(table),
        board=drawn(svg(replace(scene, write=unwritten), prefix="live-", translate=translated)),
    )


def _day(chosen: GameOfTheDay | None) -> DayShown | None:
    if chosen is None:
        return None
    log = first_log(chosen.game, NOBODY)
    story = story_of_log(log)
    said = summary(story, names_of(chosen.game, log)).render(translated) if story else ""
    return DayShown(row_of(chosen.game), said)


def _players(table: Table) -> tuple[Player, ...]:
    """Return who sits at a table, in turn order."""
    ruleset, by_letter = ruleset_by_slug(table.ruleset), {seat.letter: seat for seat in table.seats.all()}
    return tuple(
        Player(seat.letter, colour, str(COLOURS[colour]), shown_name(seat.name), bool(seat.bot))
        for seat in map(by_letter.__getitem__, table.seats_line.split(" "))
        for colour in [ruleset.seat(seat.letter).colour]
    )
