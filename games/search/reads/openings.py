"""The explorer of openings: how games that began alike went on, and how they ended.

The index gives the games that began with an opening, the newest first; their stored openings say what came next, so
every game that counts is one that the viewer may see and that really began so.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import QuerySet

from engine.openings import SEPARATOR, opening_number
from engine.registry import RULESETS
from engine.replay.openings import record_steps
from engine.replay.positions import state_at
from engine.ruleset import Ruleset
from engine.verify import verify
from engine.words import Words
from games.models import Game
from games.models.records import VerdictKind
from games.platform.errors import RefusedError
from games.platform.patience import TooSlowError, patience
from games.records.reads.games import GameFilter, among, games_wanted
from games.records.reads.replays import record_of
from games.records.reads.visibility import Viewer
from games.search.reads.due import not_searched
from games.search.reads.index import MOST, Reached, games_that_reached
from games.search.reads.logs import logs_of
from games.search.reads.places import finished, mean_places, wins

MOST_WRITTEN: Final = 300
"""Characters of an opening as it is named in an address."""
LISTED: Final = 30
"""Continuations that are listed, the most frequent ones."""
_PATIENCE: Final = 3_000
"""Milliseconds that the database may take for a statement."""
_QUOTED: Final = 60
_OF: Final = ":"
# OFFSET 0: the row of each game is looked up by itself, as reading or comparing all stored openings would take longer.
_FOUND: Final = """
WITH opened AS MATERIALIZED (
    SELECT wanted.id AS game_id, opening FROM unnest(%(games)s::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
        SELECT opening FROM games_gameevents AS events WHERE events.game_id = wanted.id OFFSET 0) AS stored
    WHERE opening IS NOT NULL AND (%(opening)s IN ('', opening) OR starts_with(opening, %(longer)s))
)
"""
_CONTINUED: Final = f"""
{_FOUND} SELECT split_part(opening, %(separator)s, %(step)s), result, count(*), max(game_id)
FROM opened CROSS JOIN LATERAL (SELECT result FROM games_game WHERE id = game_id OFFSET 0) AS ended GROUP BY 1, 2
"""  # noqa: S608 (constants)
_EXACTLY: Final = f"{_FOUND} SELECT game_id FROM opened"  # noqa: S608 (constants)


class OpeningError(RefusedError):
    """An opening that there cannot be."""

    parameter = "opening"


class Example(NamedTuple):
    """A game that began with an opening."""

    key: str
    ply: int
    """After how many actions the opening is complete."""
    state: Any
    """The position then."""


class Step(NamedTuple):
    """A step of an opening."""

    name: str
    sentence: Words
    opening: str
    """The opening up to it, as it is written."""


class Continuation(NamedTuple):
    """What came next in some games."""

    step: Step
    games: int
    finished: int
    """How many of them ended."""
    wins: tuple[int, ...]
    """How many of them each seat won alone, in turn order; none where none ended."""
    places: tuple[float, ...]
    """The mean place of each seat in turn order, of the games that ended."""
    example: Example | None
    """The newest of the games."""


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening of a game."""

    ruleset: Ruleset[Any, Any]
    steps: tuple[Step, ...]

    @property
    def written(self) -> str:
        """Return the names of its steps, as stored."""
        return self.steps[-1].opening if self.steps else ""

    @property
    def named(self) -> str:
        """Return it as `named_opening` reads it."""
        return f"{self.ruleset.slug}{_OF}{self.written}"


@dataclass(frozen=True, slots=True)
class Explored:
    """The games that began with an opening."""

    opening: Opening
    count: int
    more: bool
    """Whether there are older ones that do not count."""
    finished: int
    wins: tuple[int, ...]
    places: tuple[float, ...]
    continuations: tuple[Continuation, ...]
    """The most frequent first."""
    others: int
    """Games with continuations that are not listed."""
    ended: int
    """Games whose opening has no further step."""
    waiting: int
    """Games verified lately that are not searched yet, as `not_searched` counts them."""


def explorable() -> list[Ruleset[Any, Any]]:
    """Return the rulesets that have openings."""
    return [ruleset for ruleset in RULESETS if ruleset.openings]


def find_opening(slug: str, written: str) -> Opening:
    """Return an opening of a ruleset. :raises OpeningError: when there cannot be one like that."""
    ruleset = next((one for one in explorable() if one.slug == slug), None)
    if ruleset is None or ruleset.openings is None:
        raise OpeningError(
            "no_opening", "There are no openings of {slug!r}. There are openings of: {slugs}.",
            slug=slug[:_QUOTED], slugs=", ".join(one.slug for one in explorable()),
        )  # fmt: skip
    names = written.split(SEPARATOR) if written else []
    return Opening(ruleset, tuple(_step(ruleset, names[:end]) for end in range(1, len(names) + 1)))


def named_opening(written: str) -> Opening:
    """Return the opening named by a ruleset's slug and steps, as in `army-ants:front-3,front-2`.

    :raises OpeningError: when there cannot be one like that, or it has no steps.
    """
    slug, _, names = written.partition(_OF)
    opening = find_opening(slug, names)
    if not opening.steps:
        raise OpeningError(
            "no_opening", "{written!r} names no opening: expected a ruleset and steps, such as ant-trails-2020:a1-a2.",
            written=written[:_QUOTED],
        )  # fmt: skip
    return opening


def _step(ruleset: Ruleset[Any, Any], names: Sequence[str]) -> Step:
    """Return the last of some steps."""
    try:
        sentence = ruleset.openings.sentence(names) if ruleset.openings else None
    except ValueError:
        sentence = None
    if sentence is None:
        raise OpeningError(
            "no_opening", "Step {number} of this opening, {name!r}, cannot come there.",
            number=len(names), name=names[-1][:_QUOTED],
        )  # fmt: skip
    return Step(names[-1], sentence, SEPARATOR.join(names))


def _stored_step(opening: Opening, name: str) -> Step | None:
    """Return a step that followed an opening; None if another version of the engine stored it under that name."""
    try:
        return _step(opening.ruleset, [*(step.name for step in opening.steps), name])
    except OpeningError:
        return None


def explore(opening: Opening, viewer: Viewer, *, player: str = "") -> Explored:
    """Return how the games that began with an opening went on and ended, of those that a viewer may see.

    :param player: whose games alone are wanted, as in `GameFilter`.
    :raises TooSlowError: when they are not found in time.
    """
    with patience(_PATIENCE):
        reached = _reached(opening, games_wanted(GameFilter(player=player), viewer))
        if reached.cut:
            raise TooSlowError
        results, newest = _continued(opening, reached.games)
    total = Counter[str]()
    for one in results.values():
        total.update(one)
    ended = results.pop("", Counter[str]())
    often = sorted(results, key=lambda name: (-results[name].total(), name))
    listed = list(islice(filter(None, (_stored_step(opening, name) for name in often)), LISTED))
    examples = _examples(opening, [newest[step.name] for step in listed])
    return Explored(
        opening=opening,
        count=total.total(),
        more=reached.more,
        finished=finished(total),
        wins=wins(total),
        places=mean_places(total),
        continuations=tuple(
            Continuation(
                step,
                results[step.name].total(),
                finished(results[step.name]),
                wins(results[step.name]),
                mean_places(results[step.name]),
                examples.get(newest[step.name]),
            )
            for step in listed
        ),
        others=sum(one.total() for one in results.values()) - sum(results[step.name].total() for step in listed),
        ended=ended.total(),
        waiting=not_searched(viewer),
    )


def games_opened(opening: Opening, wanted: "QuerySet[Game]") -> Reached:
    """Return the newest of some games that began with an opening, which has steps."""
    reached = _reached(opening, wanted)
    with connection.cursor() as cursor:
        cursor.execute(_EXACTLY, _asked(opening, reached.games))
        exactly = {game for (game,) in cursor}
    return reached._replace(games=tuple(game for game in reached.games if game in exactly))


def _reached(opening: Opening, wanted: "QuerySet[Game]") -> Reached:
    """Return the newest of some games that may have begun with an opening, as the index says."""
    games = wanted.filter(ruleset=opening.ruleset.slug).exclude(verdict=VerdictKind.REJECTED)
    if opening.steps:
        number = opening_number(opening.ruleset.slug, opening.written)
        return games_that_reached(number, lambda some: games.filter(among(some)).values_list("pk", flat=True))
    newest = list(games.order_by("-pk").values_list("pk", flat=True)[: MOST + 1])
    return Reached(tuple(newest[:MOST]), more=len(newest) > MOST)


def _asked(opening: Opening, games: Sequence[int]) -> dict[str, Any]:
    """Return the parameters of a statement, so that it compares stored openings."""
    return {"games": list(games), "opening": opening.written, "longer": f"{opening.written}{SEPARATOR}"}


def _continued(opening: Opening, games: Sequence[int]) -> tuple[dict[str, Counter[str]], dict[str, int]]:
    """Return for each next step how many games had each result, and the newest game; "" where no step followed."""
    results, newest = defaultdict[str, Counter[str]](Counter), dict[str, int]()
    asked = _asked(opening, games) | {"step": len(opening.steps) + 1, "separator": SEPARATOR}
    with connection.cursor() as cursor:
        cursor.execute(_CONTINUED, asked)
        for step, result, count, game in cursor:
            results[step][result] += count
            newest[step] = max(game, newest.get(step, 0))
    return dict(results), newest


def _examples(opening: Opening, games: Sequence[int]) -> Mapping[int, Example]:
    """Return games as examples, by their ids: each at the ply at which the step after an opening is complete."""
    found, next_step = dict[int, Example](), len(opening.steps)
    for log in logs_of(games).select_related("game"):
        record = record_of(log)
        steps, replay = record_steps(opening.ruleset, record), verify(record).replay
        if log.game and replay and len(steps) > next_step:
            ply = steps[next_step][1]
            found[log.game.pk] = Example(log.game.key, ply, state_at(replay, ply))
    return found


__all__ = [
    "MOST_WRITTEN",
    "Continuation",
    "Example",
    "Explored",
    "Opening",
    "OpeningError",
    "Step",
    "explorable",
    "explore",
    "find_opening",
    "games_opened",
    "named_opening",
]
