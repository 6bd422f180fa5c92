"""The ledger of ratings, and the table that is computed from it."""

from django.db import models
from django.db.models import F, Q

from games.models.players import Player
from games.models.records import Game


class RatingEvent(models.Model):
    """What one accepted game did to one player's rating. Never changed, never taken back."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rating_events")
    acceptance = models.PositiveBigIntegerField(help_text="The game's place in the order of acceptance.")
    ruleset = models.CharField(max_length=40)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_events")
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    algorithm = models.CharField(max_length=40)
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        """One event a game and player."""

        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="rating_once_a_game"),
            models.UniqueConstraint(fields=["acceptance", "seat"], name="rating_once_a_seat"),
            models.CheckConstraint(condition=Q(sigma__gt=0, sigma_before__gt=0), name="rating_sigma_positive"),
        ]
        indexes = [models.Index(fields=["player", "ruleset", "acceptance"], name="rating_history")]

    def __str__(self) -> str:
        return f"{self.player_id} after game {self.acceptance}"

    @property
    def change(self) -> float:
        """By how much the rating rose, in points."""
        return (self.mu - 3 * self.sigma) - (self.mu_before - 3 * self.sigma_before)


class Standing(models.Model):
    """One line of a ladder: a player's results and rating in one ruleset, computed from placements alone."""

    ruleset = models.CharField(max_length=40)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="standings")
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0, help_text="First alone.")
    draws = models.PositiveIntegerField(default=0, help_text="First, shared.")
    losses = models.PositiveIntegerField(default=0)
    first = models.PositiveIntegerField(default=0)
    second = models.PositiveIntegerField(default=0)
    third = models.PositiveIntegerField(default=0)
    fourth = models.PositiveIntegerField(default=0)
    beaten = models.PositiveIntegerField(default=0, help_text="Shares of rivals beaten, added up, in twelfths.")
    mu = models.FloatField()
    sigma = models.FloatField()
    value = models.GeneratedField(
        expression=F("mu") - 3 * F("sigma"), output_field=models.FloatField(), db_persist=True
    )

    class Meta:
        """The counts agree with each other."""

        constraints = [
            models.UniqueConstraint(fields=["ruleset", "player"], name="standing_once_a_ruleset"),
            models.CheckConstraint(
                condition=Q(games=F("wins") + F("draws") + F("losses")), name="standing_results_add_up"
            ),
            models.CheckConstraint(
                condition=Q(games=F("first") + F("second") + F("third") + F("fourth")), name="standing_places_add_up"
            ),
            models.CheckConstraint(condition=Q(first=F("wins") + F("draws")), name="standing_first_won_or_drawn"),
        ]
        indexes = [models.Index("ruleset", F("value").desc(), "id", name="standing_ladder")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.ruleset}"
