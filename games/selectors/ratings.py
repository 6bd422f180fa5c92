"""Reading the ledger of ratings."""

from games.models import Game, RatingEvent


def ratings_of(game: Game) -> dict[int, RatingEvent]:
    """What a game did to its players' ratings, by seat; nothing while it is not accepted."""
    return {event.seat: event for event in RatingEvent.objects.filter(game=game)}
