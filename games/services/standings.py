"""Standings: what an accepted game does to its players' ratings and to the ladder."""

from collections.abc import Sequence

from django.db.models import F

from engine.rating import ALGORITHM, Rating, beaten, rate
from games.models import Game, RatingEvent, Seating, Standing

PLACES = ("first", "second", "third", "fourth")


def rate_game(game: Game) -> None:
    """Adds an accepted game to the ledger and to the ladder of its ruleset. Called under the lock of the order."""
    seatings = list(game.seatings.order_by("seat"))
    places = [seating.place or 0 for seating in seatings]
    standings = [_standing(game.ruleset, seating) for seating in seatings]
    before = [Rating(standing.mu, standing.sigma) for standing in standings]
    after = rate(before, places)
    RatingEvent.objects.bulk_create(
        _event(game, seating, old, new) for seating, old, new in zip(seatings, before, after, strict=True)
    )
    for standing, place, share, new in zip(standings, places, beaten(places), after, strict=True):
        _add_game(standing, place, places, share, new)


def _standing(ruleset: str, seating: Seating) -> Standing:
    fresh = Rating()
    standing, _ = Standing.objects.get_or_create(
        ruleset=ruleset, player_id=seating.player_id, defaults={"mu": fresh.mu, "sigma": fresh.sigma}
    )
    return standing


def _event(game: Game, seating: Seating, before: Rating, after: Rating) -> RatingEvent:
    if game.acceptance is None or game.accepted_at is None or seating.place is None:
        raise ValueError(f"{game} is not accepted and cannot be rated")
    return RatingEvent(
        game=game,
        acceptance=game.acceptance,
        ruleset=game.ruleset,
        player_id=seating.player_id,
        seat=seating.seat,
        place=seating.place,
        algorithm=ALGORITHM,
        mu_before=before.mu,
        sigma_before=before.sigma,
        mu=after.mu,
        sigma=after.sigma,
        at=game.accepted_at,
    )


def _add_game(standing: Standing, place: int, places: Sequence[int], share: int, rating: Rating) -> None:
    """Counts one game: a win is a first place alone, a draw one that is shared, all else a loss."""
    result = "losses" if place > 1 else "wins" if places.count(1) == 1 else "draws"
    counted = ("games", result, PLACES[place - 1])
    Standing.objects.filter(pk=standing.pk).update(
        **{name: F(name) + 1 for name in counted}, beaten=F("beaten") + share, mu=rating.mu, sigma=rating.sigma
    )
