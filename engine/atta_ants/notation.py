"""How the actions, the ring and the deck of Atta Ants are written."""

import re
from functools import lru_cache

from engine.atta_ants.board import CARDS, LEAF, PLAIN, RING, SIDES, SPIDER, SYMBOL_LETTERS, Card
from engine.atta_ants.state import Action, AntMove, EndTurn, Placing, SpiderStep, ant_move
from engine.ruleset import MoveSyntaxError, TagError
from engine.words import counted

RECONSTRUCTION_1 = (
    "NESW* NES* NES* NS* NS* NE* NE* N* NES# NS# NE# .# NESW NESW NESW NES NES NES NS NS NE NE N"
)  # fmt: skip
"""The list of cards that this project deals from; the printed cards' trails are not known (ATTA-DECK-1)."""

SYMBOLS = {LEAF: 8, SPIDER: 4, PLAIN: 11}
"""How many cards besides the nest bear each symbol (ATTA-CARD-1)."""

_ANT_MOVE = re.compile(r"([RYOB][1-6]):((?:[NESW+-]|x[RYOB][1-6])+)")
_PART = re.compile(r"[NESW+-]|x[RYOB][1-6]")
_SPIDER_STEP = re.compile(r"S([1-9][0-9]?):([NESW])")
_CELL = re.compile(r"(0|-?[1-9][0-9]*),(0|-?[1-9][0-9]*)")
_END_OF_TURN = "/"
_DECKS_KEPT = 64

STEPS = 2
"""The most steps an ant goes in one move."""


def parse_action(token: str) -> Action:
    """Parse a token. :raises MoveSyntaxError: when it is not a placing, an ant move, a spider's choice or `/`."""
    if token == _END_OF_TURN:
        return EndTurn()
    if "@" in token:
        return _parse_placing(token)
    if move := _ANT_MOVE.fullmatch(token):
        return _parse_ant_move(token, move[1], move[2])
    if step := _SPIDER_STEP.fullmatch(token):
        return SpiderStep(int(step[1]), step[2])
    raise MoveSyntaxError("AGN-MOVE-1", "{token!r} is not an action of Atta Ants.", token=token)


def _parse_placing(token: str) -> Placing:
    code, _, place = token.partition("@")
    card = CARDS.get(code)
    if card is None:
        raise MoveSyntaxError("ATTA-CARD-2", "{code!r} in {token!r} is not a card such as NS*.", code=code, token=token)
    if place == "-":
        return Placing(card, None)
    cell = _CELL.fullmatch(place)
    if cell is None:
        raise MoveSyntaxError(
            "ATTA-PLACE-1", "{place!r} in {token!r} is not a cell such as 2,-1.", place=place, token=token
        )
    return Placing(card, (int(cell[1]), int(cell[2])))


def _parse_ant_move(token: str, ant: str, body: str) -> AntMove:
    parts = tuple(_PART.findall(body))
    if sum(part in SIDES for part in parts) > STEPS:
        raise MoveSyntaxError("AGN-MOVE-1", "{token!r} has more than two steps; an ant takes two at most.", token=token)
    return ant_move(ant, parts)


def format_action(action: Action) -> str:
    """Write an action; undoes `parse_action`."""
    match action:
        case AntMove(ant, parts, _):
            return f"{ant}:{''.join(parts)}"
        case Placing(card, None):
            return f"{card.code}@-"
        case Placing(card, (x, y)):
            return f"{card.code}@{x},{y}"
        case SpiderStep(number, side):
            return f"S{number}:{side}"
    return _END_OF_TURN


def parse_ring(text: str) -> tuple[Card, ...]:
    """Read the `Setup` tag: eight cards. :raises TagError: (ATTA-SETUP-1, ATTA-CARD-2)."""
    ring = text.split(" ")
    if len(ring) != len(RING):
        raise TagError("Setup", "ATTA-SETUP-1", "Setup has {words}; expected the eight cards around the nest.",
                       words=counted("{count} word", "{count} words", len(ring)))  # fmt: skip
    try:
        return tuple([CARDS[code] for code in ring])
    except KeyError:
        return tuple([_card_of("Setup", code) for code in ring])


@lru_cache(maxsize=_DECKS_KEPT)
def parse_deck(text: str | None) -> tuple[bool, str]:
    """Parse the `Deck` tag: whether it lists the cards one by one, and what may come up (see `State.stock`).

    :raises TagError: (ATTA-DECK-1, ATTA-CARD-2).
    """
    if text is None or text == "printed":
        return False, "".join([SYMBOL_LETTERS[symbol] * count for symbol, count in SYMBOLS.items()])
    codes = (RECONSTRUCTION_1 if text == "reconstruction-1" else text).split(" ")
    if len(codes) != sum(SYMBOLS.values()):
        raise TagError("Deck", "ATTA-DECK-1", "Deck must be `printed`, `reconstruction-1` or a list of 23 cards.")
    cards = [_card_of("Deck", code) for code in codes]
    for symbol, count in SYMBOLS.items():
        if sum(card.symbol == symbol for card in cards) != count:
            raise TagError("Deck", "ATTA-DECK-1", "Deck must have 8 leaf, 4 spider and 11 plain cards.")
    return True, "".join(sorted([card.letter for card in cards]))


def _card_of(tag: str, code: str) -> Card:
    card = CARDS.get(code)
    if card is None:
        raise TagError(tag, "ATTA-CARD-2", "{code!r} in {tag} is not a card such as NS*.", code=code, tag=tag)
    return card


__all__ = ["RECONSTRUCTION_1", "format_action", "parse_action", "parse_deck", "parse_ring"]
