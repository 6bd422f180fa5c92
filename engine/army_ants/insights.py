"""What to notice in a position of Army Ants: which cards each colony can take."""

from engine.army_ants.board import NAMES
from engine.army_ants.rules import attacks
from engine.army_ants.scene.layout import centre
from engine.army_ants.scene.names import name_of, rank_of
from engine.army_ants.state import BATTLE, COLONIES, SEATS, Attack, State
from engine.insights import Arrow, Insight
from engine.words import Words, words


def insights(state: State) -> tuple[Insight, ...]:
    """Return what each colony could take if it were its turn; nothing before and after the battle."""
    if state.phase != BATTLE:
        return ()
    return tuple(_attacks(state, seat) for seat in (state.seat, 1 - state.seat))


def _attacks(state: State, seat: int) -> Insight:
    found = list(attacks(state, seat))
    template = words("{colony} can take", colony=COLONIES[seat])
    threats = words("{colony} threatens to take", colony=COLONIES[seat])
    return Insight(
        key=f"attacks-{SEATS[seat]}",
        label=template if seat == state.seat else threats,
        facts=tuple(_said(state, action) for action in found),
        pieces=tuple(dict.fromkeys(name_of(state.cards[action.end]) for action in found)),
        arrows=tuple(Arrow((centre(action.start), centre(action.end))) for action in found),
    )


def _said(state: State, action: Attack) -> Words:
    return words("The {rank} on {start} can take the {prey} on {end}.",
                 rank=rank_of(state.cards[action.start]), start=NAMES[action.start],
                 prey=rank_of(state.cards[action.end]), end=NAMES[action.end])  # fmt: skip


__all__ = ["insights"]
