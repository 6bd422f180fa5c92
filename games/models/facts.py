"""Corrections of facts about games, such as their dates."""

from django.conf import settings
from django.db import models

from games.models.clubs import Club
from games.models.records import Game, MoveLog


class FactChange(models.Model):
    """A record of a game whose facts apply instead of those before. The newest of a game holds."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="fact_changes")
    log = models.OneToOneField(
        MoveLog,
        on_delete=models.CASCADE,
        related_name="fact_change",
        help_text="The record whose facts apply from then on.",
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    club = models.ForeignKey(
        Club, null=True, on_delete=models.SET_NULL, related_name="+", help_text="For which an organiser changed them."
    )
    at = models.DateTimeField()
    changes = models.JSONField(
        default=list, help_text="Objects with `tag`, `before` and `after`; the tags that differ."
    )
    comments = models.BooleanField(default=False, help_text="Whether the comments are others, too.")

    def __str__(self) -> str:
        return f"facts of {self.game_id} by {self.log_id}"
