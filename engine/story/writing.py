"""A story as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.story.following import Story
from engine.story.summary import Names, summary
from engine.words import Translate, untranslated

Json = dict[str, Any]


def story_json(story: Story, names: Names, translate: Translate = untranslated) -> Json:
    """Return a story as JSON: figures and leads as pairs of a ply and the value from there on."""
    parts = story.ruleset.shown.story
    return {
        "ruleset": story.ruleset.slug,
        "last": story.last,
        "seats": list(story.seats),
        "summary": summary(story, names).render(translate),
        "rounds": _changes(story.numbers),
        "turn_ends": list(story.turn_ends),
        "quiet": list(story.quiet),
        "kinds": [
            {"key": kind.key, "label": kind.label.render(translate), "shape": kind.shape} for kind in parts.kinds
        ],
        "events": [
            {"ply": ply, "number": number, "kind": event.kind, "seat": event.seat, "count": event.amount,
             "sentence": event.sentence.render(translate)}
            for ply, number, event in story.moments
        ],
        "chart": parts.chart,
        "counts": {
            key: label.render(translate) for key, label in zip(story.keys, story.ruleset.shown.counts, strict=True)
        },
        "figures": {seat: dict(_figures(story, at)) for at, seat in enumerate(story.seats)},
        "leads": [[lead.ply, list(lead.seats)] for lead in story.leads],
        "winners": list(story.winners),
    }  # fmt: skip


def _figures(story: Story, seat: int) -> Iterator[tuple[str, list[list[int]]]]:
    for at, key in enumerate(story.keys):
        yield key, _changes([row[seat][at] for row in story.figures])


def _changes(values: Sequence[int]) -> list[list[int]]:
    """Return changing values as pairs of a ply and the value from there on."""
    return [[ply, value] for ply, value in enumerate(values) if not ply or value != values[ply - 1]]


__all__ = ["story_json"]
