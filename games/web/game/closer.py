"""A position looked at closer: whose turn it is, what follows from the rules, and every legal action in words."""

import json
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import quote

from engine.insights import Insight, insight_json
from engine.replay import Replay
from engine.ruleset import Ruleset
from games.models import Game
from games.records.reads import replays
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.web.game.elsewhere import Elsewhere, elsewhere
from games.web.parameters import ply_from

SAID = 120
"""Legal actions that are listed; their number is given in any case."""
ASKED = "closer"
"""The part of the address that asks for it."""


@dataclass(frozen=True, slots=True)
class Act:
    """A legal action."""

    token: str
    sentence: str
    url: str
    """Where it is acted on the replay's board, as a branch."""


@dataclass(frozen=True, slots=True)
class Look:
    """One thing to look at."""

    key: str
    label: str
    count: int
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CloserShown:
    """What is seen when a position is looked at closer."""

    ply: int
    letter: str
    """The seat to act; empty when the game is over."""
    colour: str
    looks: tuple[Look, ...]
    acts: tuple[Act, ...]
    total: int
    marks: tuple[dict[str, Any], ...]
    """The pieces and ways of each look, for the board."""
    elsewhere: Elsewhere
    """The position in other games."""

    @property
    def more(self) -> int:
        """Return how many actions are not listed."""
        return self.total - len(self.acts)


def closer_shown(game: Game, replay: Replay[Any, Any], ply: int, viewer: Viewer) -> CloserShown:
    """Return a position of a replay looked at closer."""
    ruleset, state = replay.ruleset, replay.states[ply]
    letter, insights = ruleset.to_act(state) or "", ruleset.shown.insights(state)
    legal = list(ruleset.legal_actions(state))
    return CloserShown(
        ply=ply,
        letter=letter,
        colour=ruleset.seat(letter).colour if letter else "",
        looks=tuple(map(_look, insights)),
        acts=tuple(_act(ruleset, state, action, ply) for action in islice(legal, SAID)),
        total=len(legal),
        marks=tuple(insight_json(insight, translated) for insight in insights),
        elsewhere=elsewhere(game, replay, ply, viewer),
    )


def _look(insight: Insight) -> Look:
    count = len(insight.arrows) or len(insight.pieces)
    return Look(
        insight.key, insight.label.render(translated), count, tuple(fact.render(translated) for fact in insight.facts)
    )


def _act(ruleset: Ruleset[Any, Any], state: Any, action: Any, ply: int) -> Act:  # noqa: ANN401 (any game's)
    token = ruleset.format_action(action)
    said = ruleset.shown.caption(state, action, ruleset.apply(state, action), token).render(translated)
    return Act(token, said, f"?ply={ply}#what-if={quote(json.dumps([[ply, [token], {}]]))}")


def game_closer(game: Game, viewer: Viewer, asked: str) -> CloserShown | None:
    """Return a game's position looked at closer; none of a game without a replay.

    :param asked: the ply, as the address has it.
    """
    played = replays.replay_of(replays.first_log(game, viewer)).replay
    if played is None:
        return None
    return closer_shown(game, played, ply_from(asked, len(played.actions)), viewer)
