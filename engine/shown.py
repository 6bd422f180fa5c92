"""What a game supplies so that its games can be shown, acted in by touch, and told; a verdict needs none of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.events import StoryParts
from engine.insights import Insight, no_insights
from engine.touches import Touching
from engine.words import Words

S = TypeVar("S")
A = TypeVar("A")

Headings = Mapping[str, float]
"""Which way pieces look, by their ids, in degrees clockwise from north."""


def no_headings(_earlier: Headings, _state: object, _before: object, _action: object) -> Headings:
    """Serve as `Shown.headings` for a game whose pieces do not turn."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown(Generic[S, A]):
    """How a game is shown, as the functions that the rest of the code may call."""

    picture: Callable[[S], str]
    """The board as lines of text."""
    scene: Callable[..., Any]
    """What a picture of the position is made of: `scene(state, before=None, action=None, token="", headings=None)`, an
    `engine.scene.Scene`."""
    headings: Callable[[Headings, S, S | None, A | None], Headings] = no_headings
    """Which way pieces look in a position, from how they looked before it: `headings(earlier, state, before, action)`.
    For a game whose pieces stay as they turned last."""
    caption: Callable[[S | None, A | None, S, str], Words]
    """What an action did, in words: `caption(before, action, after, token)`, without action when a seat left or both
    agreed on a draw, without position before it for the beginning."""
    touching: Touching[S, A]
    """What is touched to act."""
    counts: tuple[Words, ...]
    """What a score sheet counts, in its order."""
    sheets: Callable[[S], tuple[tuple[Any, ...], ...]]
    """The score sheet of each seat, in seat order: what is counted, as `engine.scene.Count`s."""
    story: StoryParts[S, A]
    """What matters in a game, and who is ahead."""
    insights: Callable[[S], tuple[Insight, ...]] = no_insights
    """What somebody who looks closer at a position is shown besides the legal actions."""
