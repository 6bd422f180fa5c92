"""The share of rivals that a seat beat, in SQL: the same as `engine.rating.beaten`."""

from engine.rating import TWELFTHS


def beaten(place: str, tied: str, seats: str) -> str:
    """Return the share in twelfths, a whole number, as an expression.

    :param place: an expression for the seat's place; `tied` for how many share it, `seats` for how many sat there.
    """
    return f"((2 * {seats} - 2 * {place} - {tied} + 1) * {TWELFTHS} / (2 * ({seats} - 1)))"
