"""Checks whether the deal of a record follows from its tags: sealed, proved or broken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.chance import FIRST, SETUP, VERSION, Stream, commitment, seed
from engine.dealing.deals import check_digits, check_entropy, deal_cards, draw_first
from engine.ruleset import Dealt, RuleError, Ruleset, TagError, Tags
from engine.words import marked, render
from engine.written import Written

SEALED: Final = "sealed"
PROVED: Final = "proved"
BROKEN: Final = "broken"

_TAG: Final = "Dealing"
_COMMITMENT: Final = "DealingCommitment"
_SEATS: Final = "DealingSeats"
_FIRST: Final = "DealingFirst"
_ENTROPY: Final = "DealingEntropy"
SECRET: Final = "DealingSecret"  # noqa: S105 (the name of a tag)
_DRAWN: Final = "drawn"
_CHOSEN: Final = "chosen"


@dataclass(frozen=True, slots=True)
class Dealing:
    """The finding on a record's deal. The sentence is a template with parameters, so that it can be translated."""

    status: str
    """`sealed` while there is no secret, `proved`, or `broken`."""
    rule: str | None
    """The first rule that does not hold; none unless it is broken."""
    template: str
    params: Mapping[str, object]

    @property
    def message(self) -> str:
        """One sentence that says what this means, or what is wrong."""
        return render(self.template, self.params)

    def as_json(self) -> dict[str, Any]:
        """Return it as the command line prints it."""
        return {"status": self.status, "rule": self.rule, "message": self.message}


_MEANING: Final = {
    SEALED: marked("The deal can be checked once its secret is published."),
    PROVED: marked("The deal follows from the secret and the players’ entropies."),
}


def entropies_in(tags: Tags) -> tuple[str, ...]:
    """Return a record's entropies in the order of joining, wherever their tags are."""
    names = sorted((name for name in tags if name.startswith(_ENTROPY)), key=lambda name: (len(name), name))
    return tuple(tags[name] for name in names)


def check_dealing(ruleset: Ruleset[Any, Any], tags: Tags, actions: Written, *, over: bool) -> Dealing | None:
    """Check the deal of a record that is not rejected; return None if the record does not mention one.

    :param over: whether the game is over, and so has to have its secret.
    """
    if _TAG not in tags:
        return None
    try:
        status = _status(ruleset, tags, actions, over=over)
    except RuleError as error:
        return Dealing(BROKEN, error.rule, error.template, error.params)
    return Dealing(status, None, _MEANING[status], {})


def _status(ruleset: Ruleset[Any, Any], tags: Tags, actions: Written, *, over: bool) -> str:
    """Return `sealed` or `proved`. :raises RuleError: with the first rule that does not hold."""
    entropies = _check_tags(tags, over=over)
    cards = _cards(ruleset, tags)
    secret = tags.get(SECRET)
    if secret is None:
        _check_order(tags)
        return SEALED
    if commitment(secret).digest != tags[_COMMITMENT]:
        raise TagError(SECRET, "DEAL-COMMIT-1", "DealingSecret does not match DealingCommitment.")
    begun = seed(ruleset.game, ruleset.edition, secret, entropies).digest
    _check_order(tags)
    _check_first(ruleset, tags, draw_first(Stream(FIRST, begun), len(entropies)))
    dealt = deal_cards(ruleset, cards, Stream(SETUP, begun))
    _check_setup(ruleset, tags, dealt)
    _check_deck(ruleset, actions.tokens(), dealt)
    return PROVED


# DEAL-TAG-1


def _check_tags(tags: Tags, *, over: bool) -> tuple[str, ...]:
    """Check that the tags are there and well formed, and return the entropies. :raises TagError: (DEAL-TAG-1)."""
    if tags[_TAG] != VERSION:
        raise TagError(_TAG, "DEAL-TAG-1", "Dealing {value!r} is not a known method; the only one is {version}.",
                       value=tags[_TAG], version=VERSION)  # fmt: skip
    seats = tags["Seats"].split(" ")
    entropies = [f"{_ENTROPY}{number}" for number in range(1, len(seats) + 1)]
    for name in (_COMMITMENT, _SEATS, _FIRST, *entropies):
        _require(tags, name)
    check_digits(_COMMITMENT, tags[_COMMITMENT])
    if sorted(tags[_SEATS].split(" ")) != sorted(seats):
        raise TagError(_SEATS, "DEAL-TAG-1", "DealingSeats {joined!r} does not list the same seats as Seats, {seats}.",
                       joined=tags[_SEATS], seats=tags["Seats"])  # fmt: skip
    if tags[_FIRST] not in (_DRAWN, _CHOSEN):
        raise TagError(_FIRST, "DEAL-TAG-1", "DealingFirst must be drawn or chosen, not {value!r}.", value=tags[_FIRST])
    _check_entropies(tags, entropies)
    if over and SECRET not in tags:
        raise TagError(SECRET, "DEAL-TAG-1", "The game is over, but tag DealingSecret is missing.")
    if SECRET in tags:
        check_digits(SECRET, tags[SECRET])
    return entropies_in(tags)


def _require(tags: Tags, name: str) -> None:
    if name not in tags:
        raise TagError(name, "DEAL-TAG-1", "Tag {name} is missing.", name=name)


def _check_entropies(tags: Tags, names: list[str]) -> None:
    for name in tags:
        if name.startswith(_ENTROPY) and name not in names:
            raise TagError(
                name, "DEAL-TAG-1", "Tag {name} belongs to no seat: there is one such tag for each seat.", name=name
            )
    for number, name in enumerate(names, 1):
        check_entropy(name, number, tags[name])


def _cards(ruleset: Ruleset[Any, Any], tags: Tags) -> tuple[str, ...]:
    """Return the cards that were shuffled. :raises TagError: (DEAL-TAG-1)."""
    if not ruleset.dealer.has_deck:
        return ()
    _require(tags, "Deck")
    return ruleset.dealer.cards(tags["Deck"])


# The other rules


def _check_order(tags: Tags) -> None:
    """Check that the seats are in the order of joining. :raises TagError: (DEAL-FIRST-1)."""
    seats, joined = tags["Seats"].split(" "), tags[_SEATS].split(" ")
    begins = joined.index(seats[0])
    if seats != joined[begins:] + joined[:begins]:
        raise TagError(
            "Seats",
            "DEAL-FIRST-1",
            "Seats is {seats}, but the players joined in the order {joined} and {first} goes first.",
            seats=tags["Seats"],
            joined=tags[_SEATS],
            first=seats[0],
        )


def _check_first(ruleset: Ruleset[Any, Any], tags: Tags, drawn: int) -> None:
    """Check that the player drawn begins. :raises TagError: (DEAL-FIRST-1)."""
    due, first = tags[_SEATS].split(" ")[drawn], tags["Seats"].split(" ")[0]
    if tags[_FIRST] == _DRAWN and first != due:
        raise TagError("Seats", "DEAL-FIRST-1", "{due} was drawn to go first, but Seats begins with {first}.",
                       due=ruleset.seat(due).lettered, first=ruleset.seat(first).lettered)  # fmt: skip


def _check_setup(ruleset: Ruleset[Any, Any], tags: Tags, dealt: Dealt) -> None:
    """Check the setup. :raises TagError: (DEAL-SETUP-1)."""
    if not ruleset.dealer.is_setup(dealt.setup, tags["Setup"]):
        raise TagError("Setup", "DEAL-SETUP-1", "Setup differs from what was dealt, {setup}.", setup=dealt.setup)


def _check_deck(ruleset: Ruleset[Any, Any], actions: Sequence[str], dealt: Dealt) -> None:
    """Check the cards played. :raises RuleError: (DEAL-DECK-1)."""
    dealer = ruleset.dealer
    for number, (card, due) in enumerate(zip(dealer.played(actions), dealt.deck or (), strict=False), 1):
        if dealer.kind(card) != dealer.kind(due):
            raise RuleError("DEAL-DECK-1", "Card {number} of the deck is {due}, but {card} was played.",
                            number=number, due=due, card=card)  # fmt: skip
