"""What keeps a game from the whole site's ladder although it was played to its end and everybody may see it."""

from typing import Literal

from games.models import Acceptance, Challenge, Game

SeatingHindrance = Literal["", "contested", "other-seating"]


def seating_hindrance(game: Game) -> SeatingHindrance:
    """Return whether others are named for the same moves, and that is not settled, or was settled for them."""
    if not game.upheld:
        return "other-seating"
    if game.challenges.filter(state=Challenge.State.OPEN, holds=True).exists():
        return "contested"
    # Until its annulment has been carried out, the seating that applied before goes on to count.
    others = Acceptance.objects.filter(
        ladder__league=None, counts=True, game__digest=game.digest, game__upheld=False, game__private=False
    )
    return "contested" if others.exists() else ""
