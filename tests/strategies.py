"""Random games for tests: the same seed gives the same game. They start where fixtures start."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.agn.administrative import LEAVING
from engine.agn.canonical import order_tags, tidy_comments
from engine.agn.tags import check_tags
from engine.registry import RULESETS
from engine.replay import Replay
from engine.ruleset import IllegalMoveError, Ruleset, Termination
from engine.verify import verify_file
from tests.agn_text import format_text

FIXTURES = Path(__file__).parents[1] / "fixtures"
LONGEST = 2_000
"""Plies after which a playout is given up: no real game comes near."""

AnyRuleset = Ruleset[Any, Any]
Choose = Callable[[Random, Any, Sequence[Any]], Any]
"""A style of play: picks one of the legal actions of a state."""


def at_random(random: Random, _: object, legal: Sequence[Any]) -> Any:
    """The style of a random player."""
    return random.choice(legal)


@dataclass(frozen=True)
class Position:
    """A position of a playout, with everything its ruleset says is legal there."""

    state: Any
    legal: tuple[Any, ...]


@dataclass(frozen=True)
class Playout:
    """A game played at random or by a style."""

    ruleset: AnyRuleset
    tags: Mapping[str, str]
    states: tuple[Any, ...]
    tokens: tuple[str, ...]

    @property
    def result(self) -> str:
        outcome = self.ruleset.outcome(self.states[-1])
        return "-".join(map(str, outcome.placements)) if outcome else "*"

    def text(self, comments: Mapping[int, str] | None = None) -> str:
        """Return the game as a record in canonical form."""
        seat_tags = check_tags(self.tags, self.ruleset)
        tags = order_tags({**self.tags, "Result": self.result}, seat_tags)
        numbers = [self.ruleset.number(state) for state in self.states[:-1]]
        return format_text(tags, self.tokens, numbers, comments or {}, self.result)


def package(ruleset: AnyRuleset) -> str:
    """Return the folder of a ruleset's game, in the engine and in the fixtures."""
    return ruleset.rules.parent.name


@cache
def recorded(ruleset: AnyRuleset) -> tuple[Replay[Any, Any], ...]:
    """Return the legal fixture games of a ruleset."""
    return tuple(_recorded(ruleset))


def _recorded(ruleset: AnyRuleset) -> Iterator[Replay[Any, Any]]:
    for path in sorted((FIXTURES / package(ruleset) / "games").glob("*.agn")):
        with path.open("rb") as file:
            for verdict in verify_file(file):
                if verdict.ruleset is ruleset and verdict.replay and not verdict.fault:
                    yield verdict.replay


def positions(ruleset: AnyRuleset, random: Random, choose: Choose = at_random) -> Iterator[Position]:
    """Yield endless positions of playouts: each starts in a recorded game and is played to the end."""
    while True:
        replay = random.choice(recorded(ruleset))
        yield from walk(ruleset, random.choice(replay.states), random, choose)


def walk(ruleset: AnyRuleset, state: Any, random: Random, choose: Choose = at_random) -> Iterator[Position]:
    """Yield the positions of a game played on from a state, the last one without legal actions."""
    for _ in range(LONGEST):
        legal = tuple(ruleset.legal_actions(state))
        yield Position(state, legal)
        if not legal:
            return
        state = ruleset.apply(state, choose(random, state, legal))
    raise AssertionError(f"a playout of {ruleset.slug} does not end")


def play(ruleset: AnyRuleset, tags: Mapping[str, str], random: Random, choose: Choose = at_random) -> Playout:
    """Return a whole game; sometimes a player leaves or both agree to a draw."""
    states, tokens = [ruleset.initial(tags)], list[str]()
    leaving = random.choice((0, 0, 0, 0.004))
    while legal := tuple(ruleset.legal_actions(states[-1])):
        if random.random() < leaving:
            state, token = _end_by_people(ruleset, states[-1], tags, random)
        else:
            action = choose(random, states[-1], legal)
            state, token = ruleset.apply(states[-1], action), ruleset.format_action(action)
        states.append(state)
        tokens.append(token)
    return Playout(ruleset, tags, tuple(states), tuple(tokens))


def bots_game(
    ruleset: AnyRuleset, deal: Callable[[Random], dict[str, str]], styles: Mapping[str, Choose], names: str, seed: int
) -> Playout:
    """Return a game played by comma-separated styles in seat order, reused in turn if too few."""
    random = Random(seed)
    tags = deal(random) | {"Annotator": f"bots: {names}, seed {seed}"}
    seated = dict(zip(tags["Seats"].split(" "), cycle(styles[name] for name in names.split(",")), strict=False))

    def choose(random: Random, state: Any, legal: Sequence[Any]) -> Any:
        return seated[str(ruleset.to_act(state))](random, state, legal)

    return play(ruleset, tags, random, choose)


def _end_by_people(ruleset: AnyRuleset, state: Any, tags: Mapping[str, str], random: Random) -> tuple[Any, str]:
    if len(tags["Seats"].split(" ")) == 2 and random.random() < 0.5:
        return ruleset.agree_draw(state), "draw"
    word, letter = random.choice(("resign", "timeout")), str(ruleset.to_act(state))
    if word == "resign":
        letter = random.choice([letter, *still_playing(ruleset, state, tags)])
    return ruleset.leave(state, letter, LEAVING[word]), f"{word}:{letter}"


def still_playing(ruleset: AnyRuleset, state: Any, tags: Mapping[str, str]) -> list[str]:
    """Return the seats that may resign, whoever's turn it is (AGN-ADMIN-1)."""
    playing = list[str]()
    for letter in tags["Seats"].split(" "):
        with suppress(IllegalMoveError):
            ruleset.leave(state, letter, Termination.RESIGNED)
            playing.append(letter)
    return playing


def cut_short(playout: Playout, plies: int) -> Playout:
    """Return the first plies of a playout."""
    return Playout(playout.ruleset, playout.tags, playout.states[: plies + 1], playout.tokens[:plies])


def played_on(replay: Replay[Any, Any], ply: int, plies: int, random: Random) -> Playout:
    """Return a recorded game up to a ply, followed by some random plies."""
    ruleset, states, tokens = replay.ruleset, list(replay.states[: ply + 1]), list(replay.actions[:ply])
    while len(states) <= ply + plies and (legal := tuple(ruleset.legal_actions(states[-1]))):
        action = random.choice(legal)
        states.append(ruleset.apply(states[-1], action))
        tokens.append(ruleset.format_action(action))
    return Playout(ruleset, replay.tags, tuple(states), tuple(tokens))


# Hypothesis


rulesets = st.sampled_from(RULESETS)


@st.composite
def playouts(draw: st.DrawFn) -> Playout:
    """Games of any ruleset: recorded ones, cut at any ply, or played on at random from there."""
    replay = draw(st.sampled_from(recorded(draw(rulesets))))
    ply = draw(st.integers(0, len(replay.actions)))
    return played_on(replay, ply, draw(st.integers(0, 8)), Random(draw(st.integers(0, 2**32 - 1))))


_PLAIN = st.characters(exclude_categories=("Cc", "Cs"))
comments = st.dictionaries(st.integers(-1, 40), st.text(_PLAIN, max_size=20), max_size=5).map(
    lambda said: tidy_comments(said.items())
)
"""Comments, by ply."""
_SPACE = st.sampled_from((" ", "  ", "\n", "\r\n", "\t", " ; said aside\n", "{ between }"))
"""What may stand between two tokens."""


@st.composite
def written(draw: st.DrawFn, playout: Playout) -> str:
    """A playout as a person might write it: with other spacing, comments and optional numbers."""
    tags = {**playout.tags, "Result": playout.result}
    words = [f'[{name} "{escaped(value)}"]{draw(st.sampled_from(("", " ")))}\n' for name, value in tags.items()]
    words.append("\n")
    seed = Random(draw(st.integers(0, 2**32 - 1)))
    spaces = draw(st.lists(_SPACE, min_size=1, max_size=5))
    number = 0
    for state, token in zip(playout.states, playout.tokens, strict=False):
        due = playout.ruleset.number(state)
        words.append(f"{due}. {token}" if due != number and seed.random() < 0.5 else token)
        words.append(seed.choice(spaces))
        number = due
    return "".join((*words, playout.result))


def escaped(value: str) -> str:
    """Return a tag's value escaped for quotes."""
    return value.replace("\\", "\\\\").replace('"', '\\"')
