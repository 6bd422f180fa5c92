"""A game's replay at one ply: the board, the players beside it, and the moves."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import get_language

from engine.agn.log import Record
from engine.replay import Replay
from engine.scene import Scene, Tray, svg, tray_svg, union
from engine.story import Story
from engine.words import sentences
from games.models import Game
from games.ratings.reads.ledger import ratings_of
from games.records.reads import replays
from games.records.reads.replays import ReadGame
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.game.closer import ASKED as CLOSER
from games.web.game.closer import CloserShown, closer_shown
from games.web.game.timeline import SeatNamed, Timeline, group_begin, group_end, timeline_of
from games.web.labels import Strength, strength_after
from games.web.parameters import ply_from
from games.web.rows import SeatShown, named, seats_of

SIZE = 250
"""Actions that are listed at once: most games have fewer, and some have 5,000."""
_KEPT = 64
"""Boards that a process keeps; the longest take some 60 kB."""
_TALK = 20_000
"""Characters of comments in one list; where there are more each is cut, and the downloads have them whole."""


@dataclass(frozen=True, slots=True)
class Move:
    """One action and its comment."""

    ply: int
    """The state that it leads to."""
    token: str
    comment: str
    current: bool
    """Whether it led to the position that is shown."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive actions of one seat."""

    letter: str
    colour: str
    moves: tuple[Move, ...]
    faulty: str = ""
    """The token at fault, if it is this seat's."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round, or a pair of turns, by its number."""

    number: int
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class MovesPage:
    """A part of the actions, those around the position that is shown: all of them, unless there are many."""

    rounds: tuple[Round, ...]
    opening: str
    """The comment before the first action, where the list begins with that."""
    first: int
    """The plies of the first and the last action here; of none 1 and 0."""
    last: int
    total: int
    previous: int | None
    """A ply of the part before this one, and of the part behind it."""
    next: int | None

    @property
    def is_part(self) -> bool:
        """Return whether there are more actions than these."""
        return self.last - self.first + 1 < self.total


@dataclass(frozen=True, slots=True)
class Labelled:
    """A count or a mark in a tray, with its label."""

    key: str
    label: str
    value: int = 0
    shown: bool = True


@dataclass(frozen=True, slots=True)
class TrayShown:
    """A player beside the board."""

    seat: SeatShown
    tray: Tray
    counts: tuple[Labelled, ...]
    flags: tuple[Labelled, ...]
    """What is or is not so of the seat, such as that it is its turn."""
    drawing: Drawn
    said: str
    marks: str
    """The marks that are shown now, as replay.js writes them."""
    strength: Strength | None
    """How the game changed it, if it is rated."""


@dataclass(frozen=True, slots=True)
class ReplayShown:
    """The replay at one ply."""

    ply: int
    last: int
    board: Drawn
    caption: str
    picture: str
    trays: tuple[TrayShown, ...]
    moves: MovesPage
    first: int | None
    previous: int | None
    next: int | None
    closer: CloserShown | None
    """None unless the page is asked for it."""
    timeline: Timeline | None
    """None of a game without actions."""
    positions: str
    """Where positions come from to which other actions would have led."""
    frames: str
    """Where the frames for stepping come from."""
    frames_step: int
    """How many of them come at once."""
    moves_step: int = SIZE
    """How many actions are listed at once."""

    @property
    def is_over(self) -> bool:
        """Return whether the last position is shown."""
        return self.ply == self.last

    @property
    def final(self) -> int | None:
        """Return the last ply, unless it is shown."""
        return None if self.ply == self.last else self.last


def replay_shown(
    game: Game, played: Replay[Any, Any], story: Story, read: ReadGame, query: QueryDict, viewer: Viewer
) -> ReplayShown:
    """Return a replay at the ply that is asked for, else at its beginning, or before its mistake."""
    scenes, last = read.scenes, len(read.scenes) - 1
    ply = ply_from(query.get("ply", ""), last, otherwise=last if read.log.rule else 0)
    scene, trays = _with_its_beginning(story, scenes, ply), _trays(game, played, scenes[ply])
    return ReplayShown(
        ply=ply,
        last=last,
        board=_board(read.verdict.record, ply, get_language()),
        caption=scene.caption.render(translated),
        picture=scene.text.render(translated),
        trays=tuple(trays),
        moves=moves_page(played, ply),
        first=0 if ply else None,
        previous=max(0, group_begin(story, ply) - 1) if ply else None,
        next=group_end(story, ply + 1) if ply < last else None,
        closer=closer_shown(game, played, ply, viewer) if CLOSER in query else None,
        timeline=timeline_of(story, _seats_named(trays), _turns(played), ply),
        positions=reverse("api-game-position", args=[game.key]),
        frames=reverse("api-game-frames", args=[game.key]),
        frames_step=replays.AT_ONCE,
    )


@lru_cache(maxsize=_KEPT)
def _board(record: Record, ply: int, _language: str | None) -> Drawn:
    """Return the board of a record that can be played, which is the same for all who may read it."""
    scenes, story = replays.film_of_record(record), replays.story_of_record(record)
    scene = _with_its_beginning(story, scenes, ply) if story else scenes[ply]
    return drawn(svg(scene, union(scenes), live=True, translate=translated))


def _with_its_beginning(story: Story, scenes: list[Scene], ply: int) -> Scene:
    """Return a scene; if its action changed nothing on the board, with the changes of the actions before it."""
    begin, scene = group_begin(story, ply), scenes[ply]
    if begin == ply:
        return scene
    said = sentences(scenes[begin].caption, [scene.caption for scene in scenes[begin + 1 : ply + 1]])
    return replace(scene, caption=said, traces=scene.traces or scenes[begin].traces)


def _seats_named(trays: list[TrayShown]) -> list[SeatNamed]:
    return [SeatNamed(tray.tray.seat, tray.seat.colour, tray.seat.name) for tray in trays]


def _turns(played: Replay[Any, Any]) -> list[tuple[str, int]]:
    """Return the turns: whose turn it was, and its last ply."""
    return [(letter, plies.stop) for _, letter, plies in played.turns()]


def game_moves(game: Game, viewer: Viewer, asked: str) -> MovesPage | None:
    """Return a part of a game's moves, as its page lists them at a ply; None for a game without a replay."""
    played = replays.replay_of(replays.first_log(game, viewer)).replay
    return moves_page(played, ply_from(asked, len(played.actions))) if played else None


def _trays(game: Game, played: Replay[Any, Any], scene: Scene) -> list[TrayShown]:
    ratings = ratings_of(game)
    seats = {seat.letter: seat for seat in (*named(game, played.names), *seats_of(game))}
    return [
        TrayShown(
            seat=seats[tray.seat],
            tray=tray,
            counts=tuple(
                Labelled(count.key, count.label.render(translated), value=count.value) for count in tray.counts
            ),
            flags=tuple(Labelled(mark.key, mark.label.render(translated), shown=mark.shown) for mark in tray.marks),
            drawing=drawn(tray_svg(tray, translate=translated)),
            said=tray.said.render(translated),
            marks=" ".join(mark.key for mark in tray.marks if mark.shown),
            strength=strength_after(ratings[at]) if at in ratings else None,
        )
        for at, tray in enumerate(scene.trays)
    ]


def moves_page(replay: Replay[Any, Any], shown: int) -> MovesPage:
    """Return the actions around a position by rounds and turns, and after the last the token at fault.

    :param shown: the state that the page shows.
    """
    total = len(replay.actions)
    start = (max(shown, 1) - 1) // SIZE * SIZE
    end = min(start + SIZE, total)
    return MovesPage(
        rounds=tuple(rounds_of(replay, range(start, end), shown)),
        opening=_cut(replay.comments.get(-1, ""), _TALK) if not start else "",
        first=start + 1,
        last=end,
        total=total,
        previous=start or None,
        next=end + 1 if end < total else None,
    )


TurnOf = tuple[int, str, range]
"""A turn: the number of its round, the letter of its seat, and its plies."""


def rounds_of(
    replay: Replay[Any, Any], part: range, shown: int = -1, among: Iterable[TurnOf] | None = None
) -> Iterator[Round]:
    """Yield a part of the actions by rounds and turns, and after the last the token at fault.

    :param among: turns that have all of the part, where a caller has them; else all turns are looked through.
    """
    most = _TALK // max(1, sum(at in replay.comments for at in part))
    turns = []
    for number, letter, plies in replay.turns() if among is None else among:
        if here := range(max(plies.start, part.start), min(plies.stop, part.stop)):
            turns.append((number, _turn(replay, letter, here, shown, most)))
    if part.stop == len(replay.actions):
        turns = _with_fault(replay, turns)
    for number, found in groupby(turns, key=lambda pair: pair[0]):
        yield Round(number, tuple(turn for _, turn in found))


def _turn(replay: Replay[Any, Any], letter: str, actions: range, shown: int, most: int) -> Turn:
    comments = replay.comments
    moves = (Move(at + 1, replay.actions[at], _cut(comments.get(at, ""), most), at + 1 == shown) for at in actions)
    return Turn(letter, _colour(replay, letter), tuple(moves))


def _cut(comment: str, most: int) -> str:
    return comment if len(comment) <= most else f"{comment[:most]} …"


def _with_fault(replay: Replay[Any, Any], turns: list[tuple[int, Turn]]) -> list[tuple[int, Turn]]:
    """Return the last turns of a record with the token at fault in the turn in which it was to be played."""
    fault, last = replay.fault, replay.last
    if fault is None or not fault.token:
        return turns
    number, letter = replay.ruleset.number(last), replay.ruleset.to_act(last) or ""
    if turns and (turns[-1][0], turns[-1][1].letter) == (number, letter):
        return [*turns[:-1], (number, replace(turns[-1][1], faulty=fault.token))]
    return [*turns, (number, Turn(letter, _colour(replay, letter), (), fault.token))]


def _colour(replay: Replay[Any, Any], letter: str) -> str:
    return replay.ruleset.seat(letter).colour if letter else ""
