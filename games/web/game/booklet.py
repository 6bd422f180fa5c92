"""A game to print: its moves, with diagrams at the plies that are chosen."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from django.conf import settings
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from engine.replay import Replay
from engine.scene import Scene, sheet, union
from engine.story import is_quiet, moments_of
from games.models import Game
from games.records.reads import replays
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.game.card import said_of
from games.web.game.replay import Round, rounds_of
from games.web.labels import STAMPS
from games.web.parameters import text_from
from games.web.rows import GameRow, SeatShown, row_of, seats_of

MOST = 60
"""Diagrams of one booklet."""
_SIZE = 600
_EVERY = ("5", "10", "20")
_EVENTS, _END = "events", "end"
_RESULT = "result"


@dataclass(frozen=True, slots=True)
class Diagram:
    """A position: its picture, which refers to the drawings of the booklet, and what it shows."""

    ply: int
    picture: Drawn
    caption: str


@dataclass(frozen=True, slots=True)
class Section:
    """Moves, and the position after them."""

    moves: SafeString
    diagram: Diagram | None


@dataclass(frozen=True, slots=True)
class Booklet:
    """A game as it is printed."""

    row: GameRow
    seats: tuple[SeatShown, ...]
    ending: str
    opening: str
    """The comment before the first action."""
    drawings: Drawn
    """What the pictures of all diagrams have in common."""
    sections: tuple[Section, ...]
    last: int
    chosen: str
    """Where the diagrams are: `end`, `events`, or every so many actions."""
    plies: str
    """Or after which actions, as they were written."""
    most: int
    """How many diagrams are printed, if more were asked for; otherwise 0."""
    choices: tuple[tuple[str, str], ...]
    url: str
    address: str
    """The whole address of the game's page, as paper names it."""
    hides: bool
    """Whether the result is hidden until the reader asks for it."""
    shows: str
    """What asks for it in the page's address."""


def booklet(game: Game, viewer: Viewer, query: QueryDict, *, hides: bool = False) -> Booklet:
    """Return a game to print. :raises Http404: when nothing of it could be played.

    :param query: `diagrams` (`end`, `events`, `5`, `10`, `20`) and `plies`, numbers that take its place.
    :param hides: whether the reader wants to see results only on request; the address asks with `result`.
    """
    log = replays.first_log(game, viewer)
    found, scenes = replays.replay_of(log), replays.scenes_of(log)
    played = found.replay
    if played is None:
        raise Http404
    last, hides = len(scenes) - 1, hides and _RESULT not in query
    chosen = query.get("diagrams", "") if query.get("diagrams", "") in {*_EVERY, _EVENTS, _END} else _EVENTS
    written = text_from(query, "plies")
    wanted = sorted(set(_written(written, last))) or list(islice(_chosen(chosen, played, scenes), MOST + 1))
    plies = wanted[:MOST]
    printed = {ply: scenes[ply] for ply in plies}
    shown = sheet([*printed.values()], union(printed.values()), size=_SIZE, prefix="d-")
    seats = tuple(seats_of(game))
    return Booklet(
        row=row_of(game),
        seats=seats,
        ending=said_of(found.outcome, seats) or str(STAMPS[game.verdict].word),
        opening=played.comments.get(-1, ""),
        drawings=drawn(shown.drawings),
        sections=() if hides else tuple(_sections(played, printed, shown.pictures)),
        last=last,
        chosen=chosen,
        plies=written,
        most=MOST if len(wanted) > MOST else 0,
        choices=_choices(),
        url=reverse("game", args=[game.key]),
        address=f"{settings.SITE_URL}{game.get_absolute_url()}",
        hides=hides,
        shows=f"{query.urlencode()}&{_RESULT}".lstrip("&"),
    )


def _choices() -> tuple[tuple[str, str], ...]:
    every = tuple((number, gettext("every {number} actions").format(number=number)) for number in _EVERY)
    return (_EVENTS, gettext("at every event")), *every, (_END, gettext("only at the end"))


def _written(text: str, last: int) -> Iterator[int]:
    """Yield the plies that a text names, separated by anything; those past the end are the end."""
    digits = "".join(letter if letter.isascii() and letter.isdigit() else " " for letter in text)
    return (min(int(number), last) for number in digits.split() if len(number) < 10)  # noqa: PLR2004 - no ply has as many


def _chosen(chosen: str, played: Replay[Any, Any], scenes: replays.Scenes) -> Iterator[int]:
    """Yield the plies of a choice in order, each once and moved to the last of those that change nothing after it."""
    last, reached = len(scenes) - 1, -1
    for ply in _begun(chosen, played, last):
        if ply > reached:
            reached = ply
            while is_quiet(played.ruleset, played.states, scenes, reached + 1):
                reached += 1
            yield reached


def _begun(chosen: str, played: Replay[Any, Any], last: int) -> Iterable[int]:
    if chosen == _EVENTS:
        moments = moments_of(played.ruleset, played.states, played.actions, range(last + 1))
        return chain((moment.ply for moment in moments), [last])
    return [last] if chosen == _END else chain(range(int(chosen), last, int(chosen)), [last])


def _sections(played: Replay[Any, Any], scenes: Mapping[int, Scene], pictures: Iterable[str]) -> Iterator[Section]:
    begin, turns = 0, list(played.turns())
    ends = [turn.stop for _, _, turn in turns]

    def moves(end: int) -> SafeString:
        among = turns[bisect_right(ends, begin) : bisect_left(ends, end) + 1]
        return _moves(rounds_of(played, range(begin, end), among=among))

    for (ply, scene), picture in zip(scenes.items(), pictures, strict=True):
        yield Section(moves(ply), Diagram(ply, drawn(picture), scene.caption.render(translated)))
        begin = ply
    if begin < len(played.actions):
        yield Section(moves(len(played.actions)), None)


def _moves(rounds: Iterable[Round]) -> SafeString:
    """Return moves as they are printed; a template would take ten times as long for a long game."""
    return mark_safe("".join(part for one in rounds for part in _of_round(one)))  # noqa: S308 - all is escaped


def _of_round(one: Round) -> Iterator[str]:
    yield f"<strong>{one.number}.</strong> "
    for turn in one.turns:
        if turn.letter:
            yield f"<b>{escape(turn.letter)}</b> "
        for move in turn.moves:
            yield f"<i>{escape(move.token)}</i> "
            if move.comment:
                yield f'<em class="comment"><bdi>{escape(move.comment)}</bdi></em> '
        if turn.faulty:
            yield f"<mark><bdi>{escape(turn.faulty)}</bdi></mark> "
