"""The games of the day."""

from django.db import models

from games.models.records import Game


class GameOfTheDay(models.Model):
    """The game that was chosen for a day."""

    day = models.DateField(unique=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    chosen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.day}: {self.game_id}"
