"""What the explorer of openings shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext

from games.records.reads.visibility import Viewer
from games.search.reads.openings import Continuation, Explored, Opening, explorable, explore, find_opening
from games.search.reads.progress import index_progress
from games.sentences import translated
from games.web.boards import Drawn, drawn, small_boards
from games.web.links import Link, name_asked_for

_PERCENT = 100


@dataclass(frozen=True, slots=True)
class GameShown:
    """A set of rules."""

    title: str
    about: str
    """What distinguishes its openings."""
    url: str
    here: bool


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """How a seat did."""

    letter: str
    """How it is called in the table: its letter, or its place in turn order where colours differ."""
    colour: str
    """Names the colour, as a class; empty where colours differ."""
    name: str
    place: float
    won: int
    """Games won alone, in percent of those that ended."""


@dataclass(frozen=True, slots=True)
class RowShown:
    """What came next in some games."""

    sentence: str
    url: str
    games: int
    share: int
    """Of all games, in percent."""
    seats: tuple[SeatFigures, ...]
    all: str
    """The list of these games."""
    example: str
    """The newest of them at the ply at which the step is complete; empty where there is none."""
    board: Drawn
    """The position there; empty where there is none."""


@dataclass(frozen=True, slots=True)
class OpeningPage:
    """An opening."""

    title: str
    about: str
    whose: str
    """The player whose games alone count, when a number was asked for."""
    path: tuple[Link, ...]
    """Its steps, and where each leads."""
    start: str
    """Where the explorer begins."""
    count: int
    more: bool
    seats: tuple[SeatFigures, ...]
    drawings: Drawn
    """What the boards of the rows have in common."""
    rows: tuple[RowShown, ...]
    others: int
    ended: int
    waiting: int
    """Games verified lately that are not searched yet."""
    all: str
    everybody: str
    """The same opening in everybody's games; empty where these are shown."""
    progress: int | None
    """How much of the index is built, in percent; none where all games are found."""


def openings_page(*, slug: str = "") -> tuple[GameShown, ...]:
    """Return the sets of rules of which openings can be explored; one of them may be shown."""
    return tuple(
        GameShown(
            gettext(ruleset.title),
            ruleset.openings.about.render(translated) if ruleset.openings else "",
            reverse("opening", args=[ruleset.slug]),
            ruleset.slug == slug,
        )
        for ruleset in explorable()
    )


def opening_page(slug: str, written: str, player: str, viewer: Viewer) -> OpeningPage:
    """Return how games that began with an opening went on.

    :raises OpeningError: when there cannot be one like that.
    :raises TooSlowError: when the games are not found in time.
    """
    opening = find_opening(slug, written)
    return _shown(opening, explore(opening, viewer, player=player), player, viewer)


def _shown(opening: Opening, found: Explored, player: str, viewer: Viewer) -> OpeningPage:
    scene = opening.ruleset.shown.scene
    drawings, boards = small_boards(
        [scene(one.example.state) for one in found.continuations if one.example], prefix="o-"
    )
    following = iter(boards)
    return OpeningPage(
        title=gettext(opening.ruleset.title),
        about=opening.ruleset.openings.about.render(translated) if opening.ruleset.openings else "",
        whose=name_asked_for(player, viewer),
        path=tuple(
            Link(step.sentence.render(translated), _url(opening, step.opening, player)) for step in opening.steps
        ),
        start=_url(opening, "", player),
        count=found.count,
        more=found.more,
        seats=tuple(_seats(opening, found.places, found.wins, found.finished)),
        drawings=drawings,
        rows=tuple(
            _row(opening, one, found.count, player, board=next(following) if one.example else drawn(""))
            for one in found.continuations
        ),
        others=found.others,
        ended=found.ended,
        waiting=found.waiting,
        all=_list(opening, opening.written, player),
        everybody=_url(opening, opening.written, "") if player else "",
        progress=index_progress(),
    )


def _row(opening: Opening, one: Continuation, count: int, player: str, *, board: Drawn) -> RowShown:
    return RowShown(
        sentence=one.step.sentence.render(translated),
        url=_url(opening, one.step.opening, player),
        games=one.games,
        share=round(_PERCENT * one.games / count),
        seats=tuple(_seats(opening, one.places, one.wins, one.finished)),
        all=_list(opening, one.step.opening, player),
        example=f"{reverse('game', args=[one.example.key])}?ply={one.example.ply}" if one.example else "",
        board=board,
    )


def _seats(opening: Opening, places: Sequence[float], wins: Sequence[int], finished: int) -> Iterator[SeatFigures]:
    """Yield how each seat did; seats have a colour where it is the same in all games."""
    seatings = opening.ruleset.seatings
    letters = next(iter(seatings)) if len(seatings) == 1 else ()
    for at, (place, won) in enumerate(zip(places, wins, strict=True)):
        seat = opening.ruleset.seat(letters[at]) if letters else None
        yield SeatFigures(
            letter=seat.letter if seat else str(at + 1),
            colour=seat.colour if seat else "",
            name=gettext(seat.tag) if seat else gettext("Player {number}").format(number=at + 1),
            place=place,
            won=round(_PERCENT * won / finished),
        )


def _url(opening: Opening, written: str, player: str) -> str:
    asked = {name: value for name, value in (("opening", written), ("player", player)) if value}
    address = reverse("opening", args=[opening.ruleset.slug])
    return f"{address}?{urlencode(asked)}" if asked else address


def _list(opening: Opening, written: str, player: str) -> str:
    """Return the address of the list of all games that began with an opening."""
    ruleset = opening.ruleset
    of = {"opening": f"{ruleset.slug}:{written}"} if written else {"game": ruleset.game, "edition": ruleset.edition}
    return f"{reverse('games')}?{urlencode(of | ({'player': player} if player else {}))}"
