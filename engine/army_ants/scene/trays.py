"""The trays beside the board: the cards that each colony took, and empty places for the others."""

from functools import lru_cache

from engine.army_ants.board import COLONY, QUEEN, RANK, owner_of
from engine.army_ants.scene.drawings import TRAY_HEIGHT, TRAY_SIZE, TRAY_WIDTH
from engine.army_ants.scene.names import COLOURS, letter_of, name_of, title_of
from engine.army_ants.state import COLONIES, OVER, SEATS, SETUP, SETUP_ACTIONS, State
from engine.scene.drawing import PRINTED
from engine.scene.values import Box, Count, Mark, Piece, Tray, tray_summary
from engine.words import Words, counted, words

COUNTS = _IN_PLAY, _TAKEN = words("in play"), words("taken")
"""What a score sheet counts, in its order."""
_TURN, _READY, _LEFT = words("to act"), words("ready for battle"), words("left the game")
_COLUMNS, _ROWS = 7, 3
_STEP_X, _STEP_Y = TRAY_WIDTH + 3, TRAY_HEIGHT + 3
_MARGIN = 3
_KEPT = 1024
_BOX = Box(0, 0, _COLUMNS * _STEP_X + 2 * _MARGIN, _ROWS * _STEP_Y + 2 * _MARGIN)


def trays(state: State) -> tuple[Tray, ...]:
    """Return the trays in seat order."""
    return tuple(_tray(state, seat) for seat in range(len(SEATS)))


def sheets(state: State) -> tuple[tuple[Count, ...], ...]:
    """Return the score sheet of each seat, in seat order."""
    return tuple(_counts(state, seat) for seat in range(len(SEATS)))


def _tray(state: State, seat: int) -> Tray:
    on_board = frozenset(state.cards)
    counts, marks = _counts(state, seat), _marks(state, seat)
    place = state.outcome.placements[seat] if state.outcome else None
    return _laid_out(seat, frozenset(_cards_of(1 - seat)) - on_board, counts, marks, place)


@lru_cache(maxsize=_KEPT)
def _laid_out(
    seat: int, taken: frozenset[int], counts: tuple[Count, ...], marks: tuple[Mark, ...], place: int | None
) -> Tray:
    return Tray(
        seat=SEATS[seat],
        colour=COLOURS[seat],
        name=COLONIES[seat],
        counts=counts,
        marks=marks,
        place=place,
        box=_BOX,
        pieces=_pieces(1 - seat, taken),
        said=_said(seat, counts, marks, place),
    )


def _cards_of(seat: int) -> range:
    return range(seat * COLONY + 1, (seat + 1) * COLONY + 1)


def _counts(state: State, seat: int) -> tuple[Count, ...]:
    own, theirs = state.held[seat].bit_count(), state.held[1 - seat].bit_count()
    return Count("in-play", _IN_PLAY, own), Count("taken", _TAKEN, COLONY - theirs)


def _marks(state: State, seat: int) -> tuple[Mark, ...]:
    over, ready = state.phase == OVER, state.phase == SETUP and state.done[seat] == SETUP_ACTIONS
    left = state.outcome is not None and state.outcome.termination.by_leaving and state.seat == seat
    return (
        Mark("turn", _TURN, not over and state.seat == seat),
        Mark("ready", _READY, ready),
        Mark("left", _LEFT, left),
    )


@lru_cache(maxsize=_KEPT)
def _pieces(seat: int, taken: frozenset[int]) -> tuple[Piece, ...]:
    """Return a colony's cards that were taken, and empty places for the others, the highest first."""
    cards = [_card(card, number, is_taken=card in taken) for number, card in enumerate(reversed(_cards_of(seat)))]
    return tuple(sorted(cards, key=lambda piece: piece.id))


def _card(card: int, place: int, *, is_taken: bool) -> Piece:
    row, column = divmod(place, _COLUMNS)
    x, y = _MARGIN + (column + 0.5) * _STEP_X, _MARGIN + (row + 0.5) * _STEP_Y
    if not is_taken:
        return Piece(f"taken:{name_of(card)}", "away", x, y, classes=("away",))
    return Piece(
        f"taken:{name_of(card)}",
        "taken-queen" if RANK[card] == QUEEN else "taken",
        x + 1,
        y,
        size=TRAY_SIZE,
        classes=("card", PRINTED, f"seat-{COLOURS[owner_of(card)]}"),
        text=letter_of(card),
        title=title_of(card),
    )


def _said(seat: int, counts: tuple[Count, ...], marks: tuple[Mark, ...], place: int | None) -> Words:
    said = words("{colony}: {in_play}, {taken} taken", colony=COLONIES[seat], taken=counts[1].value,
                 in_play=counted("{count} card in play", "{count} cards in play", counts[0].value))  # fmt: skip
    return tray_summary(said, marks, place)
