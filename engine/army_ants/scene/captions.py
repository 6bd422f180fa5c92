"""What an action of Army Ants did, in words."""

from collections.abc import Iterator

from engine.agn.administrative import parse_administrative
from engine.army_ants.board import NAMES, NOTHING
from engine.army_ants.scene.names import rank_of
from engine.army_ants.state import (
    BATTLE,
    COLONIES,
    SEATS,
    SETUP,
    Action,
    Attack,
    Gambit,
    March,
    MoveOut,
    Pass,
    State,
    Swap,
)
from engine.ruleset import Outcome, Termination
from engine.words import Words, marked, sentences, words

_SIDES = (words("north"), words("east"), words("south"), words("west"))


def caption(before: State | None, action: Action | None, state: State, token: str = "") -> Words:
    """Return what happened between two positions.

    :param before: none for the position before the first action.
    :param action: none when a seat left or both agreed to a draw; then the token says which.
    """
    if before is None:
        return words("The cards are dealt, and the sides are closed. {colony} begins.", colony=COLONIES[state.seat])
    return sentences(_what_was_done(before, action, state, token), _consequences(before, state))


def _what_was_done(before: State, action: Action | None, state: State, token: str) -> Words:
    match action:
        case Swap():
            return _swap(before, action)
        case March():
            return _march(before, action)
        case Attack():
            return attack_said(before, action, state)
        case MoveOut(start, end):
            return words("{colony} moves its {rank} out from {start} to {end}.", colony=COLONIES[before.seat],
                         rank=rank_of(before.cards[start]), start=NAMES[start], end=NAMES[end])  # fmt: skip
    return _without_cards(before, action, token)


def _without_cards(before: State, action: Action | None, token: str) -> Words:
    """Return what a colony did in an action that names no cell."""
    if isinstance(action, Gambit):
        return words("{colony} plays the queen’s gambit: its queen goes to the back row.", colony=COLONIES[before.seat])
    if isinstance(action, Pass):
        return words("{colony} can do nothing and passes.", colony=COLONIES[before.seat])
    return _leaving(token)


def _leaving(token: str) -> Words:
    """Return who left, or that both agreed to a draw."""
    said = parse_administrative(token)
    if said is None:
        raise ValueError(f"{token!r} is not an administrative action")
    return words(_LEAVINGS[said.how], colony=COLONIES[SEATS.index(said.letter)] if said.letter else "")


_LEAVINGS = {
    Termination.AGREED: marked("Both players agree to a draw."),
    Termination.TIMED_OUT: marked("{colony} runs out of time."),
    Termination.RESIGNED: marked("{colony} resigns."),
}


def _swap(before: State, action: Swap) -> Words:
    one, other = action.one, action.other
    return words("{colony} swaps its {rank} on {one} with its {other_rank} on {other}.", colony=COLONIES[before.seat],
                 rank=rank_of(before.cards[one]), one=NAMES[one],
                 other_rank=rank_of(before.cards[other]), other=NAMES[other])  # fmt: skip


def _march(before: State, action: March) -> Words:
    colony, run = COLONIES[before.seat], action.run
    if len(run) == 1:
        one = (
            marked("{colony} marches its {rank} on {start} one cell {side}.")
            if action.steps == 1
            else marked("{colony} marches its {rank} on {start} {steps} cells {side}.")
        )
        return words(one, colony=colony, rank=rank_of(before.cards[run[0]]), start=NAMES[run[0]],
                     steps=action.steps, side=_SIDES[action.side])  # fmt: skip
    many = (
        marked("{colony} marches {count} cards, {first}–{last}, one cell {side}.")
        if action.steps == 1
        else marked("{colony} marches {count} cards, {first}–{last}, {steps} cells {side}.")
    )
    return words(many, colony=colony, count=len(run), first=NAMES[run[0]], last=NAMES[run[-1]],
                 steps=action.steps, side=_SIDES[action.side])  # fmt: skip


def attack_said(before: State, action: Attack, state: State) -> Words:
    """Say which card took which one, or that both left the board."""
    attacker, prey = (before.cards[cell] for cell in (action.start, action.end))
    both = state.cards[action.end] == NOTHING
    sentence = (
        marked("{colony}’s {rank} on {start} meets the {prey} on {end}: both leave the board.")
        if both
        else marked("{colony}’s {rank} on {start} takes the {prey} on {end}.")
    )
    return words(sentence, colony=COLONIES[before.seat], rank=rank_of(attacker), start=NAMES[action.start],
                 prey=rank_of(prey), end=NAMES[action.end])  # fmt: skip


def _consequences(before: State, state: State) -> Iterator[Words]:
    """Yield consequences of the action: that a colony is ready, that the battle began, that the game is over."""
    if state.outcome:
        yield _end(state.outcome)
    elif state.phase == BATTLE and before.phase == SETUP:
        yield words("Both colonies are ready: the battle begins.")
    elif state.seat == before.seat:
        yield words("{colony} is skipped until the battle.", colony=COLONIES[1 - state.seat])


def _end(outcome: Outcome) -> Words:
    """Return who has won, or why nobody has."""
    if outcome.placements == (1, 1):
        why = {
            "ARMY-END-2": marked("Only the queens are left: the game is drawn."),
            "ARMY-END-3": marked("The same series was played four times: the game is drawn."),
        }
        return words(why.get(outcome.rule, marked("The game is drawn.")))
    return words("The game is over: {colony} wins.", colony=COLONIES[outcome.placements.index(1)])
