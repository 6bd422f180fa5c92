"""Makes a deal from a secret and the players' entropies, and explains it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.chance import FIRST, SETUP, Drawing, Hashed, RecordingStream, Stream, StreamUsedUpError, commitment, seed
from engine.ruleset import Dealt, Ruleset, TagError
from engine.words import marked

_DIGITS: Final = re.compile(r"[0-9a-f]{64}")
_ENTROPY: Final = re.compile(r"[!-~]{1,64}")


class Deal(NamedTuple):
    """The deal that follows from a secret and the entropies."""

    commitment: str
    seed: str
    first: int
    """Who begins where that is drawn, as a number in the order of joining, from 0."""
    setup: str
    """The value of the `Setup` tag; where the first player lays the cards, these cards."""
    deck: tuple[str, ...] | None
    """The cards in the order in which they come; none for a game without a deck."""

    def as_json(self) -> dict[str, Any]:
        """Return the deal as the command line prints it."""
        return self._asdict() | {"deck": None if self.deck is None else list(self.deck)}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A deal explained step by step: every digest with the text that was hashed, every number drawn."""

    deal: Deal
    commitment: Hashed
    seed: Hashed
    first: Drawing
    setup: Drawing
    """Its stages have the names that the game's `dealing.py` gives them; a stage that comes again is another try."""


def deal(ruleset: Ruleset[Any, Any], secret: str, entropies: Sequence[str], deck: str | None = None) -> Deal:
    """Return the deal of a game.

    :param entropies: in the order of joining, as many as the game has seats.
    :param deck: the value of the `Deck` tag; if none is given, a game with a deck deals from its usual cards.
    :raises TagError: when a parameter is not well formed, or no setup can be dealt; `tag` names the parameter.
    """
    cards = _check(ruleset, secret, entropies, deck)
    committed, begun = commitment(secret), seed(ruleset.game, ruleset.edition, secret, entropies)
    first = draw_first(Stream(FIRST, begun.digest), len(entropies))
    dealt = deal_cards(ruleset, cards, Stream(SETUP, begun.digest))
    return Deal(committed.digest, begun.digest, first, *dealt)


def explain_deal(
    ruleset: Ruleset[Any, Any], secret: str, entropies: Sequence[str], deck: str | None = None
) -> Explanation:
    """Return the same deal with the steps that led to it. :raises TagError: as `deal` does."""
    cards = _check(ruleset, secret, entropies, deck)
    committed, begun = commitment(secret), seed(ruleset.game, ruleset.edition, secret, entropies)
    first, setup = RecordingStream(FIRST, begun.digest), RecordingStream(SETUP, begun.digest)
    begins, dealt = draw_first(first, len(entropies)), deal_cards(ruleset, cards, setup)
    return Explanation(
        deal=Deal(committed.digest, begun.digest, begins, *dealt),
        commitment=committed,
        seed=begun,
        first=first.drawing(),
        setup=setup.drawing(),
    )


def draw_first(stream: Stream, seats: int) -> int:
    """Draw who begins, as a number in the order of joining, from 0."""
    stream.stage("first")
    return stream.below(seats)


def deal_cards(ruleset: Ruleset[Any, Any], cards: tuple[str, ...], stream: Stream) -> Dealt:
    """Deal the setup and the deck. :raises TagError: when no try succeeds (DEAL-SETUP-1)."""
    try:
        return ruleset.dealer.deal(cards, stream)
    except StreamUsedUpError:
        raise TagError("deck", "DEAL-SETUP-1", "No valid setup can be dealt from this deck.") from None


def check_digits(tag: str, text: str) -> None:
    """Check a secret or a commitment. :raises TagError: (DEAL-TAG-1)."""
    if _DIGITS.fullmatch(text) is None:
        raise TagError(tag, "DEAL-TAG-1", "{tag} must be 64 hexadecimal digits in lower case.", tag=tag)


def check_entropy(tag: str, number: int, text: str) -> None:
    """Check the entropy of the player who joined as number `number`, from 1. :raises TagError: (DEAL-TAG-1)."""
    if _ENTROPY.fullmatch(text) is None:
        raise TagError(tag, "DEAL-TAG-1", "Entropy {number} must be 1 to 64 characters from ! to ~.", number=number)


def _check(ruleset: Ruleset[Any, Any], secret: str, entropies: Sequence[str], deck: str | None) -> tuple[str, ...]:
    """Check the parameters, and return the cards to shuffle.

    :raises TagError: when one is not well formed (DEAL-TAG-1).
    """
    check_digits("secret", secret)
    seats = sorted({len(line) for line in ruleset.seatings})
    if len(entropies) not in seats:
        sentence = marked("{game} needs one entropy for each seat, {seats} in all, not {count}.")
        raise TagError("entropies", "DEAL-TAG-1", sentence, game=ruleset.game, seats="/".join(map(str, seats)),
                       count=len(entropies))  # fmt: skip
    for number, entropy in enumerate(entropies, 1):
        check_entropy("entropies", number, entropy)
    try:
        return ruleset.dealer.cards(deck)
    except TagError as error:
        error.tag = "deck"
        raise
