"""The page that explains a game in two minutes: steps with boards that all share one stage."""

from dataclasses import dataclass
from functools import cache

from django.utils.safestring import SafeString, mark_safe

from engine.scene import Scene, Stage, svg, union
from engine.verify import verify_bytes
from games.records.reads.quick_guides import QuickGuide, Step
from games.sentences import translated
from games.web.boards import drawn
from games.web.rules.diagram import position
from games.web.rules.rulebook import render


@dataclass(frozen=True, slots=True)
class ToDo:
    """The last action before a step's board: who reads the step does it, where there are scripts."""

    record: str
    ply: int
    """How many actions precede it."""
    token: str
    sentence: str
    drawn: str
    """The card that it plays, if it plays one."""


@dataclass(frozen=True, slots=True)
class StepShown:
    """A step as the page shows it."""

    title: str
    board: SafeString
    """Empty for a step without a board."""
    text: SafeString
    to_do: ToDo | None = None
    """None for a step in which nothing is done."""


@dataclass(frozen=True, slots=True)
class QuickPage:
    """A guide as its page shows it."""

    slug: str
    language: str
    title: str
    lede: SafeString
    steps: tuple[StepShown, ...]


@cache
def page_of(guide: QuickGuide, _language: str) -> QuickPage:
    """Return a guide as a page, its boards described in the active language."""
    scenes = {step: position(step.record) for step in guide.steps if step.record}
    stage = union(scenes.values())
    steps = (_shown(number, step, scenes.get(step), stage) for number, step in enumerate(guide.steps, 1))
    return QuickPage(guide.slug, guide.language, guide.title, _html(render(guide.lede)), tuple(steps))


def _shown(number: int, step: Step, scene: Scene | None, stage: Stage) -> StepShown:
    # Drawings on one page must not share ids.
    board = drawn(svg(scene, stage, prefix=f"step-{number}-", translate=translated)) if scene else SafeString()
    return StepShown(step.title, board, _html(render(step.text)), _to_do(step.record) if step.record else None)


def _to_do(record: str) -> ToDo | None:
    played = verify_bytes(record.encode())[0].replay
    if played is None or not played.actions:
        return None
    token, (before, after), ruleset = played.actions[-1], played.states[-2:], played.ruleset
    sentence = ruleset.shown.caption(before, ruleset.parse_action(token), after, token).render(translated)
    drawn = next(iter(ruleset.dealer.played([token])), "")
    return ToDo(record, len(played.actions) - 1, token, sentence, drawn)


def _html(rendered: str) -> SafeString:
    return mark_safe(rendered)  # noqa: S308 - the renderer escapes, and HTML is not read
