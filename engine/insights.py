"""What to notice in a position: facts that follow from the rules."""

from typing import Any, NamedTuple

from engine.words import Translate, Words

Point = tuple[float, float]


class Arrow(NamedTuple):
    """A path on the board, in scene units, from start to end."""

    points: tuple[Point, ...]


class Insight(NamedTuple):
    """One thing to notice, such as where the spiders go."""

    key: str
    label: Words
    """Its name, as on a switch."""
    facts: tuple[Words, ...] = ()
    """What there is to say, a sentence each."""
    pieces: tuple[str, ...] = ()
    """The ids of the pieces that it is about."""
    arrows: tuple[Arrow, ...] = ()


def no_insights(_state: object) -> tuple[Insight, ...]:
    """Serve as `Shown.insights` for a game without insights."""
    return ()


def insight_json(insight: Insight, translate: Translate) -> dict[str, Any]:
    """Return an insight as JSON."""
    return {
        "key": insight.key,
        "label": insight.label.render(translate),
        "facts": [fact.render(translate) for fact in insight.facts],
        "pieces": list(insight.pieces),
        "arrows": [[list(point) for point in arrow.points] for arrow in insight.arrows],
    }


__all__ = ["Arrow", "Insight", "insight_json", "no_insights"]
