"""The position of a game at a table, replayed from its stored actions, the same in every process."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import Any

from engine.agn.administrative import administer, parse_administrative
from engine.registry import ruleset_by_slug
from engine.ruleset import Outcome, Ruleset
from games.models import Table


class BrokenGameError(Exception):
    """Stored actions that break the rules, which happens only if somebody altered them."""


@dataclass(frozen=True)
class Position:
    """A game's state now."""

    ruleset: Ruleset[Any, Any]
    tags: dict[str, str]
    tokens: tuple[str, ...]
    state: Any

    @property
    def turn(self) -> str | None:
        """Return the letter of the seat to act; none when the game is over."""
        return self.ruleset.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended."""
        return self.ruleset.outcome(self.state)

    @cached_property
    def lays_card(self) -> bool:
        """Whether the next action plays a card of the deck, so that the next one is turned up."""
        if not self.ruleset.dealer.has_deck or self.turn is None:
            return False
        first = islice(self.ruleset.legal_actions(self.state), 1)
        return any(self.cards_in([self.ruleset.format_action(action)]) for action in first)

    @property
    def cards_played(self) -> int:
        """Return how many cards of the deck were played."""
        return self.cards_in(self.tokens)

    def cards_in(self, tokens: Sequence[str]) -> int:
        """Return how many cards of the deck some actions play."""
        return sum(1 for _ in self.ruleset.dealer.played(tokens))

    def legal(self, drawn: str) -> list[str]:
        """Return the legal actions as tokens; where a card was drawn, those that play it, in any rotation."""
        tokens = [self.ruleset.format_action(action) for action in self.ruleset.legal_actions(self.state)]
        return [token for token in tokens if self.plays(token, drawn)] if drawn else tokens

    def plays(self, token: str, drawn: str) -> bool:
        """Return whether an action plays the card that was drawn, or none."""
        kind = self.ruleset.dealer.kind
        return all(kind(card) == kind(drawn) for card in self.ruleset.dealer.played([token]))


def tags_of(table: Table) -> dict[str, str]:
    """Return the tags that decide how the game of a table begins."""
    ruleset = ruleset_by_slug(table.ruleset)
    deck = {"Deck": table.deck_tag} if table.deck_tag else {}
    return {"Game": ruleset.game, "Rules": ruleset.edition, "Seats": table.seats_line, **deck, "Setup": table.setup}


def tokens_of(table: Table) -> tuple[str, ...]:
    """Return the actions of a table as it was read, in order: what was stored since is not among them."""
    return stored_tokens(table)[: table.plies]


def stored_tokens(table: Table) -> tuple[str, ...]:
    """Return all stored actions of a table, in order."""
    return tuple(table.actions.order_by("ply").values_list("token", flat=True))


def position_of(table: Table, tokens: Sequence[str] | None = None) -> Position:
    """Play the stored actions of a table that has its setup.

    :param tokens: the actions, where they are known or only the first some are asked for.
    :raises BrokenGameError: when the rules refuse one of them.
    """
    ruleset, tags = ruleset_by_slug(table.ruleset), tags_of(table)
    tokens = tokens_of(table) if tokens is None else tuple(tokens)
    start = (table.ruleset, tuple(tags.values()))
    known, rest = _RECENT.before(start, tokens)
    try:
        state = _play(ruleset, known or ruleset.initial(tags), rest)
    except ValueError as error:  # a token that is none, or a setup
        raise BrokenGameError(str(error)) from error
    _RECENT.keep((start, tokens), state)
    return Position(ruleset, tags, tokens, state)


def numbers_of(position: Position) -> list[int]:
    """Return the number of the round, or pair of turns, of each action, in one walk that keeps no state."""
    ruleset, state, numbers = position.ruleset, position.ruleset.initial(position.tags), list[int]()
    for token in position.tokens:
        numbers.append(ruleset.number(state))
        state = _play(ruleset, state, [token])
    return numbers


class _Recent:
    """A cache of recent states, by everything from which they follow, so that an altered action is not found."""

    def __init__(self, most: int) -> None:
        self._states: dict[Hashable, Any] = {}
        self._most, self._lock = most, Lock()

    def before(self, start: Hashable, tokens: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        """Return the cached state after all tokens or all but the last, and the tokens left; else None and all."""
        for count in (len(tokens), max(0, len(tokens) - 1)):
            if state := self._states.get((start, tokens[:count])):
                return state, tokens[count:]
        return None, tokens

    def keep(self, key: Hashable, state: Any) -> None:  # noqa: ANN401 (each game its own)
        """Keep a state, and drop the oldest."""
        with self._lock:
            self._states.pop(key, None)
            self._states[key] = state
            if len(self._states) > self._most:
                del self._states[next(iter(self._states))]


_RECENT = _Recent(256)


def _play(ruleset: Ruleset[Any, Any], state: Any, tokens: Sequence[str]) -> Any:  # noqa: ANN401 (each game its own)
    waiting = list[Any]()
    for token in tokens:
        if (said := parse_administrative(token)) is None:
            waiting.append(ruleset.step(ruleset.parse_action(token)))
        else:
            state, waiting = administer(ruleset, _stretch(ruleset, state, waiting), said), []
    return _stretch(ruleset, state, waiting)


def _stretch(ruleset: Ruleset[Any, Any], state: Any, steps: list[Any]) -> Any:  # noqa: ANN401 (as above)
    played = ruleset.play(state, steps)
    if played.plies < len(steps):
        raise BrokenGameError(f"stored action {played.plies + 1} of {len(steps)} is not legal")
    return played.state
