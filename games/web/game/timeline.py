"""The timeline of a replay: rounds, a lane for each seat with its figures, events as marks, and who is ahead."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import json_script
from django.utils.safestring import SafeString

from engine.events import Kind
from engine.story import Moment, Story, summary
from games.sentences import translated

_HEIGHTS = {2: 28, 3: 22, 4: 18}
"""The height of a lane, by how many there are."""
_ROOM = 4
"""Above the line of the highest figure."""
MOST_MARKS = 160
"""Of more events the least important kinds are left out."""
MOST_BANDS = 250
"""Of more rounds several share a band: each would be narrower than a pixel."""
_APART = 5.0
"""Figures are at least so far apart, in hundredths of the width."""
_NUMBERS_APART = 3.2
"""The same of the numbers of rounds."""
_NUMBERS_APART_ON_A_PHONE = 7.0


@dataclass(frozen=True, slots=True)
class Mark:
    """An event."""

    ply: int
    at: str
    """How far along it is, in percent."""
    shape: str
    number: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A number at the ply from which on it holds."""

    at: str
    value: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A seat's part of the timeline."""

    letter: str
    colour: str
    name: str
    top: int
    line: str
    area: str
    """Paths, in plies across and pixels down."""
    figures: tuple[Figure, ...]
    marks: tuple[Mark, ...]
    next: int | None
    """Where the seat's next turn after the position shown ends."""


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of the timeline: a round, or somebody's lead."""

    at: str
    width: str
    label: str
    colour: str = ""
    odd: bool = False
    fits_a_phone: bool = False
    """Whether its label has room on a narrow screen, too."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """A game from its first to its last ply."""

    last: int
    at: str
    """Where the position shown is, and how much is left after it."""
    rest: str
    lanes: tuple[Lane, ...]
    lane_height: int
    rounds: tuple[Band, ...]
    leads: tuple[Band, ...]
    kinds: tuple[tuple[str, str], ...]
    """The shapes of the marks and what they mean."""
    counted: str
    """What the lines show."""
    summary: str
    steps: SafeString
    """Where the steps by action, turn and event lead, as a script reads it."""
    next_event: int | None

    @property
    def lanes_height(self) -> int:
        """Return the height of all lanes together."""
        return self.lane_height * len(self.lanes)

    @property
    def marks_at(self) -> int:
        """Return the middle of the marks in a lane."""
        return self.lane_height * 2 // 5 + 1


@dataclass(frozen=True, slots=True)
class SeatNamed:
    """A seat with its colour and its player's name."""

    letter: str
    colour: str
    name: str


def timeline_of(
    story: Story, seats: Sequence[SeatNamed], turns: Sequence[tuple[str, int]], shown: int
) -> Timeline | None:
    """Return the timeline of a story; None for a game without actions.

    :param turns: the seat's letter and the last ply of every turn.
    :param shown: the ply that the page shows.
    """
    if not story.last:
        return None
    height, kept = _HEIGHTS[len(seats)], _kept(story)
    colours = {seat.letter: seat.colour for seat in seats}
    plies = sorted({moment.ply for moment in story.moments})
    return Timeline(
        last=story.last,
        at=_percent(story, shown),
        rest=f"{100 - 100 * shown / story.last:.2f}%",
        lanes=tuple(_lane(story, seat, height, kept, _next(turns, seat.letter, shown)) for seat in seats),
        lane_height=height,
        rounds=tuple(_rounds(story)),
        leads=tuple(_leads(story, colours)),
        kinds=tuple((kind.shape, kind.label.render(translated)) for kind in _kinds(story, kept)),
        counted=story.ruleset.shown.counts[story.keys.index(story.ruleset.shown.story.chart)].render(translated),
        summary=summary(story, {seat.letter: seat.name for seat in seats}).render(translated),
        steps=_script({"quiet": story.quiet, "turns": turns, "events": plies}),
        next_event=next((ply for ply in plies if ply > shown), None),
    )


def _percent(story: Story, ply: int) -> str:
    return f"{100 * ply / story.last:.2f}%"


class _Compact(DjangoJSONEncoder):
    """Writes JSON without spaces: a game may have thousands of turns."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (the encoder's own)
        super().__init__(**options | {"separators": (",", ":")})


def _script(steps: Mapping[str, object]) -> SafeString:
    return json_script(steps, "replay-steps", encoder=_Compact)


def _next(turns: Sequence[tuple[str, int]], letter: str, shown: int) -> int | None:
    return next((ply for seat, ply in turns if seat == letter and ply > shown), None)


# Events


def _kept(story: Story) -> list[Moment]:
    """Return the events that are shown: all, or those of the most important kinds."""
    kept, room = list[Moment](), MOST_MARKS
    for kind in story.ruleset.shown.story.kinds:
        found = [moment for moment in story.moments if moment.event.kind == kind.key]
        if len(found) > room:
            break
        kept, room = kept + found, room - len(found)
    return sorted(kept)


def _kinds(story: Story, kept: Sequence[Moment]) -> Iterator[Kind]:
    seen = {moment.event.kind for moment in kept}
    return (kind for kind in story.ruleset.shown.story.kinds if kind.key in seen)


def _marks(story: Story, letter: str, kept: Sequence[Moment]) -> Iterator[Mark]:
    shapes = {kind.key: kind.shape for kind in story.ruleset.shown.story.kinds}
    for ply, number, event in kept:
        if event.seat == letter:
            yield Mark(ply, _percent(story, ply), shapes[event.kind], number, event.sentence.render(translated))


# Figures


def _lane(story: Story, seat: SeatNamed, height: int, kept: Sequence[Moment], following: int | None) -> Lane:
    values, at = story.chart(seat.letter), story.seats.index(seat.letter)
    most = max(1, *(value for other in story.seats for value in story.chart(other)))
    steps = _path(values, height, most)
    return Lane(
        letter=seat.letter,
        colour=seat.colour,
        name=seat.name,
        top=at * height,
        line=f"M{steps}",
        area=f"M0 {height}L{steps}V{height}Z",
        figures=tuple(_figures(story, values)),
        marks=tuple(_marks(story, seat.letter, kept)),
        next=following,
    )


def _path(values: Sequence[int], height: int, most: int) -> str:
    """Return a line in steps, from `x y` on."""
    down = [f"{height - 1 - (height - 1 - _ROOM) * value / most:g}" for value in values]
    parts = [f"0 {down[0]}"]
    parts += [f"H{ply}V{after}" for ply, (before, after) in enumerate(pairwise(down), 1) if before != after]
    return "".join([*parts, f"H{len(values) - 1}"])


def _figures(story: Story, values: Sequence[int]) -> Iterator[Figure]:
    """Yield the numbers where they change, if there is room for them."""
    before = -_APART
    for ply, value in enumerate(values):
        at = 100 * ply / story.last
        if (not ply or value != values[ply - 1]) and before + _APART <= at <= 100 - _APART / 2:
            yield Figure(f"{at:.2f}%", value)
            before = at


# Rounds and leads


def _rounds(story: Story) -> Iterator[Band]:
    begins = [ply for ply in range(1, story.last + 1) if story.numbers[ply] != story.numbers[ply - 1]]
    starts, labelled, labelled_on_a_phone = [0, *(ply - 1 for ply in begins)], -100.0, -100.0
    together = -(-len(starts) // MOST_BANDS)
    for at, (begin, end) in enumerate(pairwise([*starts[::together], story.last])):
        middle, label = 50 * (begin + end) / story.last, ""
        if middle - labelled >= _NUMBERS_APART:
            label, labelled = str(story.numbers[end]), middle
        fits_a_phone = bool(label) and middle - labelled_on_a_phone >= _NUMBERS_APART_ON_A_PHONE
        if fits_a_phone:
            labelled_on_a_phone = middle
        width = _percent(story, end - begin)
        yield Band(_percent(story, begin), width, label, odd=bool(at % 2), fits_a_phone=fits_a_phone)


def _leads(story: Story, colours: Mapping[str, str]) -> Iterator[Band]:
    ends = [*(lead.ply for lead in story.leads[1:]), story.last]
    for lead, end in zip(story.leads, ends, strict=True):
        if len(lead.seats) == 1 and end > lead.ply:
            (letter,) = lead.seats
            yield Band(_percent(story, lead.ply), _percent(story, end - lead.ply), letter, colours[letter])


def group_begin(story: Story, ply: int) -> int:
    """Return the ply itself, or, if it changed nothing on the board, the earlier ply to which it belongs."""
    while _is_quiet(story, ply):
        ply -= 1
    return ply


def group_end(story: Story, ply: int) -> int:
    """Return the last of the plies after one that changed nothing on the board."""
    while _is_quiet(story, ply + 1):
        ply += 1
    return ply


def _is_quiet(story: Story, ply: int) -> bool:
    at = bisect_left(story.quiet, ply)
    return at < len(story.quiet) and story.quiet[at] == ply
