"""What the cards and the colonies of Army Ants are called."""

from functools import cache

from engine.army_ants.board import DEALT, RANK, RANKS, owner_of
from engine.army_ants.state import COLONIES, SEATS
from engine.words import Words, words

COLOURS = ("red", "black")
"""The colonies' colours, as classes and in the names of drawings."""
_WORDS = {"Q": words("queen"), "A": words("ace")}


@cache
def name_of(card: int) -> str:
    """Return the name of a card's piece, the same throughout a game: `R7a`, `BQ`."""
    seat, letter = owner_of(card), letter_of(card)
    same = DEALT[seat, letter]
    return SEATS[seat] + letter + ("ab"[same.index(card)] if len(same) > 1 else "")


def letter_of(card: int) -> str:
    """Return the letter of a card's rank."""
    return RANKS[RANK[card]]


def rank_of(card: int) -> str | Words:
    """Return a card's rank in words."""
    letter = letter_of(card)
    return _WORDS.get(letter, letter)


@cache
def title_of(card: int) -> Words:
    """Return a card's name for people."""
    return words("{colony}: {rank}", colony=COLONIES[owner_of(card)], rank=rank_of(card))
