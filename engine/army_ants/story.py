"""What matters in a game of Army Ants: cards taken, the queen above all, and chances to take her that were missed."""

from collections.abc import Iterator
from typing import Final

from engine.army_ants.board import NAMES, NOTHING, RANK, queen_of
from engine.army_ants.rules import queen_attacks
from engine.army_ants.scene.captions import attack_said
from engine.army_ants.state import COLONIES, SEATS, Action, Attack, Gambit, State
from engine.events import Event, Kind, SeatName, StoryParts, Turning
from engine.rounds import pair_called
from engine.words import Words, counted, words

QUEEN, MISSED, GAMBIT, TAKEN = "queen", "missed", "gambit", "taken"


def events(before: State, action: Action | None, state: State) -> Iterator[Event]:
    """Yield what happened between two positions."""
    seat, queen = before.seat, queen_of(1 - before.seat)
    if isinstance(action, Attack):
        said = attack_said(before, action, state)
        kind = QUEEN if before.cards[action.end] == queen else TAKEN
        yield Event(kind, SEATS[seat], said)
        if state.cards[action.end] == NOTHING:
            yield Event(TAKEN, SEATS[1 - seat], said)
        if kind == QUEEN:
            return
    if isinstance(action, Gambit):
        said = words("{colony} plays the queen’s gambit: its queen goes to the back row.", colony=COLONIES[seat])
        yield Event(GAMBIT, SEATS[seat], said)
    if action and (chance := next(queen_attacks(before), None)):
        start, end = NAMES[chance.start], NAMES[chance.end]
        said = words("{colony} could have taken the queen: {start} on {end}.", colony=COLONIES[seat],
                     start=start, end=end)  # fmt: skip
        yield Event(MISSED, SEATS[seat], said)


def merits(state: State) -> tuple[tuple[int, int], ...]:
    """Return, by seat, the number of its cards and the sum of their ranks."""
    return tuple([
        (state.held[seat].bit_count(), sum([RANK[card] for card in state.cards if queen <= card < queen + _COLONY]))
        for seat, queen in enumerate((queen_of(0), queen_of(1)))
    ])  # fmt: skip


_COLONY: Final = queen_of(1) - queen_of(0)


def _missed(count: int, player: SeatName, when: Words) -> Words:
    return counted(
        "{player} missed a chance to take the queen in {when}.",
        "{player} missed {count} chances to take the queen in {when}.",
        count,
        player=player,
        when=when,
    )


STORY: Final[StoryParts[State, Action]] = StoryParts(
    kinds=(
        Kind(QUEEN, words("queen taken"), "crown"),
        Kind(MISSED, words("chance missed"), "chance"),
        Kind(GAMBIT, words("queen’s gambit"), "loop"),
        Kind(TAKEN, words("card taken"), "dot"),
    ),
    events=events,
    chart="in-play",
    merits=merits,
    when=pair_called,
    turning=Turning(MISSED, _missed),
)

__all__ = ["STORY"]
