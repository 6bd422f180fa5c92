"""What a position of Atta Ants looks like."""

from engine.atta_ants.state import Action, State


def picture(state: State) -> str:
    """The board as lines of text."""
    return "\n".join(f"{cell}: {card.code}" for cell, card in zip(state.board.cells, state.board.cards, strict=True))


def scene(state: State, before: State | None = None, action: Action | None = None) -> None:
    """What a picture of the position is made of."""
