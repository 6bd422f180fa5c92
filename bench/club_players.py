"""Simulated club players: games as people might play them, for samples and figures. Equal seeds give equal games."""

from collections.abc import Iterator, Mapping
from random import Random

from engine.agn.canonical import order_tags
from engine.agn.tags import check_tags
from engine.atta_ants.board import KINDS, NEST, NEST_CARD, NOWHERE, ROTATIONS, Board, Card, distances, lay_ring, misfit
from engine.atta_ants.notation import parse_deck
from engine.atta_ants.rules import apply, legal_actions
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.atta_ants.state import ANTS, COLONY, OVER, PLACE, Action, EndTurn, Placing, State
from engine.ruleset import Ruleset
from tests.agn_text import format_text

SEATS = {2: ("R Y", "Y R", "O B"), 3: ("R Y O", "B R O", "Y B R"), 4: ("R Y O B", "B O Y R", "O R B Y")}
TAG_OF = {"R": "Red", "Y": "Yellow", "O": "Orange", "B": "Brown"}

AttaRuleset = Ruleset[State, Action]


def games(
    count: int, seed: int, players: tuple[str, ...], ruleset: AttaRuleset = ATTA_ANTS[0], **tags: str
) -> Iterator[str]:
    """Yield finished games of two to four of the players, as canonical text."""
    random = Random(seed)
    for _ in range(count):
        seated = random.sample(players, random.choice((2, 2, 3, 4)))
        yield play(seated, random, ruleset, tags)


def play(names: list[str], random: Random, ruleset: AttaRuleset, more: Mapping[str, str]) -> str:
    """Return a game as canonical text."""
    seats = random.choice(SEATS[len(names)])
    ring, _ = deal(random)
    tags = {"Game": ruleset.game, "Rules": ruleset.edition, "Seats": seats, "Deck": "reconstruction-1", **more}
    tags |= {TAG_OF[letter]: name for letter, name in zip(seats.split(), names, strict=True)}
    tags["Setup"] = " ".join(card.code for card in ring)
    states, tokens = [ruleset.initial(tags)], list[str]()
    while states[-1].phase != OVER:
        action = choose(states[-1], random)
        tokens.append(ruleset.format_action(action))
        states.append(ruleset.apply(states[-1], action))
    outcome = ruleset.outcome(states[-1])
    tags["Result"] = "-".join(map(str, outcome.placements)) if outcome else "*"
    numbers = [state.round for state in states[:-1]]
    return format_text(order_tags(tags, check_tags(tags, ruleset)), tokens, numbers, {}, tags["Result"])


def deal(random: Random) -> tuple[tuple[Card, ...], Board]:
    """Return a ring that fits, from a shuffled deck."""
    while True:
        kinds = [KINDS[letter] for letter in parse_deck("reconstruction-1")[1]]
        random.shuffle(kinds)
        ring: tuple[Card, ...] = ()
        for kind in kinds:
            ring = (*ring, random.choice(ROTATIONS[kind])) if len(ring) < 8 else ring
            turns = list(ROTATIONS[kind])
            random.shuffle(turns)
            fitting = [turn for turn in turns if _fits((*ring[:-1], turn))]
            if not fitting:
                ring = ring[:-1]
                continue
            ring = (*ring[:-1], fitting[0])
            if len(ring) == 8:
                return ring, lay_ring(ring)


def _fits(ring: tuple[Card, ...]) -> bool:
    """Return whether the cards laid so far fit the nest and each other."""
    return misfit((NEST_CARD, *ring)) is None


def choose(state: State, random: Random) -> Action:
    """Return the action of a player who looks one action ahead."""
    legal = list(legal_actions(state))
    if state.phase == PLACE:
        letter = random.choice(state.stock)
        drawn = [action for action in legal if isinstance(action, Placing) and action.card.letter == letter]
        return random.choice(drawn)
    if state.phase != ANTS:
        return random.choice(legal)
    seat = state.queue[0]
    now = worth(state, seat)
    scored = [
        (worth(apply(state, action), seat) + random.random() * 3, action) for action in legal if action != EndTurn()
    ]
    best = max(scored, key=lambda pair: pair[0], default=(now, EndTurn()))
    return best[1] if best[0] > now + 1.5 or EndTurn() not in legal else EndTurn()


def worth(state: State, seat: int) -> float:
    """Return how good a position is for a colony: ants, leaves on the way home, distance to leaves and to spiders."""
    mine = range(seat * COLONY, (seat + 1) * COLONY)
    board = state.board
    leaves = [slot for slot, count in enumerate(state.leaves) if count]
    to_leaf = distances(board, leaves, range(len(board.cells))) if leaves else [9] * len(board.cells)
    to_spider = distances(board, state.spiders, range(len(board.cells))) if state.spiders else [9] * len(board.cells)
    total = 0.0
    for ant in mine:
        slot = state.ants[ant]
        if slot == NOWHERE:
            continue
        total += 60
        x, y = board.cells[slot]
        if state.laden >> ant & 1:
            total += 24 - 4 * (abs(x) + abs(y))
        elif slot != NEST:
            total += 6 - 2 * max(0, to_leaf[slot])
        if slot != NEST:
            total -= DANGER.get(to_spider[slot], 0) + 5 * (state.ants.count(slot) - 1)
    return total


DANGER = {1: 30, 2: 9}
"""What it is worth to be so many steps away from a spider, in points of `worth`."""
