"""The resources of a search: the game, random numbers, and the number of positions left."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, Protocol

from engine.ruleset import A, Ruleset, S

NODES: Final = 20_000
"""How many positions a search looks at if nothing ends it before."""


_BETWEEN_LOOKS: Final = 8
"""How many times a search asks whether it is over until the clock is asked, which takes about as long as a position."""


class Numbers(Protocol):
    """A source of numbers, such as `engine.chance.Stream`."""

    def below(self, bound: int, /) -> int:
        """Return a number from 0 to one less than a bound."""


def never() -> bool:
    """Serve as `enough` for a search that is limited only by the number of positions."""
    return False


@dataclass(slots=True)
class Search(Generic[S, A]):
    """A search in progress. With the same numbers and no `enough`, it always gives the same result."""

    ruleset: Ruleset[S, A]
    numbers: Numbers
    seats: int = 2
    """How many seats the game has."""
    nodes: int = NODES
    """How many positions may still be looked at."""
    enough: Callable[[], bool] = never
    """Whether to stop: a clock, which the engine has none of."""
    _asked: int = 0
    _over: bool = False

    @property
    def over(self) -> bool:
        """Whether to stop the search; once it is over, it stays so."""
        if not self._over:
            self._asked += 1
            self._over = self.nodes <= 0 or (self._asked % _BETWEEN_LOOKS == 0 and self.enough())
        return self._over

    def acting(self, state: S) -> str:
        """Return the seat to act. :raises ValueError: when the game is over."""
        seat = self.ruleset.to_act(state)
        if seat is None:
            raise ValueError("the game is over")
        return seat

    def after(self, state: S, action: A) -> S:
        """Return the position after an action."""
        self.nodes -= 1
        return self.ruleset.apply(state, action)

    def draws(self, state: S) -> bool:
        """Return whether a card is drawn next, so that the legal actions are unknown."""
        return bool(self.ruleset.dealer.coming(state))

    def legal(self, state: S, drawn: str | None = None) -> Iterator[A]:
        """Yield the legal actions; if a card is drawn, those that play it.

        :param drawn: the card, by its code in any rotation; if none is given, one of the possible cards is drawn.
        """
        ruleset = self.ruleset
        actions, cards = ruleset.legal_actions(state), ruleset.dealer.coming(state)
        if not cards:
            yield from actions
            return
        card = cards[self.numbers.below(len(cards))] if drawn is None else drawn
        yield from (action for action in actions if ruleset.shown.touching.plays(action, card))


__all__ = ["NODES", "Numbers", "Search", "never"]
