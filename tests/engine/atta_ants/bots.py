"""Bots for Atta Ants in several styles, and a dealer, for games that cover everything.

`python -m tests.engine.atta_ants.bots online RYO forager,thief,home reconstruction-1 17` prints one such game.
"""

import sys
from collections.abc import Sequence
from functools import partial
from random import Random

from engine.atta_ants.board import (
    CARDS,
    NEST,
    NEST_ALONE,
    NOWHERE,
    RING,
    ROTATIONS,
    SPIDER,
    Board,
    Card,
    edges_wanted,
    lay,
    letter_of,
    slots_around,
)
from engine.atta_ants.notation import RECONSTRUCTION_1, SYMBOLS
from engine.atta_ants.rules import apply
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.atta_ants.state import ANTS, COLONY, PLACE, Action, AntMove, EndTurn, Placing, State
from tests.strategies import AnyRuleset, Choose, Playout, at_random, bots_game

PLAYERS = {"R": ("Red", "Ada"), "Y": ("Yellow", "Bruno"), "O": ("Orange", "Chloé"), "B": ("Brown", "Dịu")}


def ruleset_of(edition: str) -> AnyRuleset:
    return next(ruleset for ruleset in ATTA_ANTS if ruleset.edition == edition)


# Dealing


def deal(random: Random, edition: str, seats: str, deck: str) -> dict[str, str]:
    """Return the tags of a game: the players, and a ring from the deck. `own` invents a list of 23 cards."""
    cards = list(_cards(random, deck))
    tags = {"Game": "Atta Ants", "Rules": edition, "Seats": " ".join(seats)}
    tags |= {PLAYERS[seat][0]: PLAYERS[seat][1] for seat in seats}
    if deck != "printed" or random.random() < 0.5:
        tags["Deck"] = " ".join(card.code for card in cards) if deck == "own" else deck
    return tags | {"Setup": " ".join(card.code for card in _ring(random, cards)), "Result": "*"}


def _cards(random: Random, deck: str) -> list[Card]:
    if deck == "reconstruction-1":
        return [CARDS[code] for code in RECONSTRUCTION_1.split(" ")]
    codes = [code for code in CARDS if "|" not in code or random.random() < 0.5]
    of = {symbol: [CARDS[code] for code in codes if CARDS[code].symbol == symbol] for symbol in SYMBOLS}
    return [random.choice(of[symbol]) for symbol, count in SYMBOLS.items() for _ in range(count)]


def _ring(random: Random, cards: list[Card]) -> list[Card]:
    """Return eight of the cards that form a ring, found by trial."""
    while True:
        board, left = NEST_ALONE, random.sample(cards, len(cards))
        for cell in RING:
            board = _lay_any(random, board, cell, left)
        if len(board.cells) == len(RING) + 1:
            return list(board.cards[1:])


def _lay_any(random: Random, board: Board, cell: tuple[int, int], left: list[Card]) -> Board:
    facing, trails = edges_wanted(board, slots_around(board, cell))
    for card in left:
        for turned in random.sample(ROTATIONS[card.kind], len(ROTATIONS[card.kind])):
            if turned.edges & facing == trails:
                left.remove(card)
                return lay(board, cell, turned)
    return board


# Styles


def _with_the_card_drawn(style: Choose, random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Return the action of a style; it may only lay the card it drew."""
    if state.phase == PLACE:
        drawn = random.choice(state.stock)
        same = [
            act
            for act in legal
            if isinstance(act, Placing) and letter_of(act.card, by_code=state.table.by_code) == drawn
        ]
        legal = same or legal
    action: Action = style(random, state, legal)
    return action


def _distance(state: State, slot: int) -> int:
    x, y = state.board.cells[slot]
    return abs(x) + abs(y)


def _colony(state: State, seat: int) -> range:
    return range(seat * COLONY, (seat + 1) * COLONY)


def wealth(state: State, seat: int) -> int:
    """Return how well a colony is doing for a player who wants leaves at home."""
    total = 0
    for ant in _colony(state, seat):
        slot = state.ants[ant]
        if slot != NOWHERE:
            total += 1000
            total += 100 - 10 * _distance(state, slot) if state.laden >> ant & 1 else 0
            total -= 0 if state.laden >> ant & 1 else min(_leaf_distance(state, slot), 9)
    return total


def _leaf_distance(state: State, slot: int) -> int:
    x, y = state.board.cells[slot]
    cells = [state.board.cells[at] for at, count in enumerate(state.leaves) if count]
    return min((abs(x - a) + abs(y - b) for a, b in cells), default=9)


def forager(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Bring leaves home, and end the turn when nothing improves."""
    if state.phase != ANTS:
        return random.choice(legal)
    seat, now = state.queue[0], wealth(state, state.queue[0])
    scored = [
        (wealth(apply(state, act), seat) - now, random.random(), act) for act in legal if isinstance(act, AntMove)
    ]
    best = max(scored, default=None, key=lambda one: one[:2])
    if best and (best[0] > 0 or EndTurn() not in legal):
        return best[2]
    return EndTurn()


def thief(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Take leaves from other ants wherever possible, else forage."""
    thefts = [act for act in legal if isinstance(act, AntMove) and any(part[0] == "x" for part in act.parts)]
    return random.choice(thefts) if thefts else forager(random, state, legal)


def home(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Leave the nest when forced, return when possible, and do nothing else."""
    if state.phase != ANTS:
        return random.choice(legal)
    seat = state.queue[0]
    entries = [
        act for act in legal if isinstance(act, AntMove) and act.parts[-1] in "NESW" and _at_home(state, seat, act)
    ]
    return random.choice(entries) if entries else EndTurn() if EndTurn() in legal else random.choice(legal)


def _at_home(state: State, seat: int, action: Action) -> bool:
    def inside(state: State) -> int:
        return sum(state.ants[ant] == NEST for ant in _colony(state, seat))

    return inside(apply(state, action)) > inside(state)


def reckless(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Crowd together next to spiders."""
    if state.phase == PLACE:
        spiders = [act for act in legal if isinstance(act, Placing) and act.card.symbol == SPIDER and act.cell]
        return random.choice(spiders or legal)
    if state.phase != ANTS:
        return random.choice(legal)
    seat, now = state.queue[0], _danger(state, state.queue[0])
    scored = [
        (_danger(apply(state, act), seat) - now, random.random(), act) for act in legal if isinstance(act, AntMove)
    ]
    best = max(scored, default=None, key=lambda one: one[:2])
    return best[2] if best and (best[0] > 0 or EndTurn() not in legal) else EndTurn()


def _danger(state: State, seat: int) -> int:
    danger = 0
    for ant in _colony(state, seat):
        slot = state.ants[ant]
        if slot > NEST:
            x, y = state.board.cells[slot]
            spiders = [state.board.cells[spider] for spider in state.spiders]
            danger += 10 - min((abs(x - a) + abs(y - b) for a, b in spiders), default=9)
    return danger


STYLES: dict[str, Choose] = {
    "random": at_random,
    "forager": forager,
    "thief": thief,
    "home": home,
    "reckless": reckless,
}


def game(edition: str, seats: str, styles: str, deck: str, seed: int) -> Playout:
    """Return a game played by comma-separated styles, one per seat."""
    dealt = partial(deal, edition=edition, seats=seats, deck=deck)
    drawing = {name: partial(_with_the_card_drawn, style) for name, style in STYLES.items()}
    return bots_game(ruleset_of(edition), dealt, drawing, styles, seed)


if __name__ == "__main__":
    edition, seats, styles, deck, seed = sys.argv[1:]
    sys.stdout.write(game(edition, seats, styles, deck, int(seed)).text())
