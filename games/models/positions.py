"""The index of positions: which games reached which of them (games/search)."""

from django.db import models


class PositionRun(models.Model):
    """Games whose positions are sorted together. Runs of about the same size are merged."""

    games = models.PositiveIntegerField()
    old = models.BooleanField(
        default=False, db_default=False, help_text="Whether it is removed at the end of a rebuild."
    )

    def __str__(self) -> str:
        return f"positions of {self.games} games"


class PositionBlock(models.Model):
    """A part of a run: pairs of a position's number and a game, sorted and packed."""

    run = models.ForeignKey(PositionRun, on_delete=models.CASCADE, related_name="blocks", db_index=False)
    first = models.BigIntegerField(help_text="The lowest number of a position in it.")
    pairs = models.BinaryField()

    class Meta:
        """Blocks of a run are found by the number of a position; equal ones are in the order of their ids."""

        indexes = [models.Index(fields=["run", "first", "id"], name="position_block")]

    def __str__(self) -> str:
        return f"positions from {self.first} on"


class PositionRebuild(models.Model):
    """A rebuild of the index that has begun and not ended: one at the most."""

    last = models.BigIntegerField(default=0, help_text="The last game of which it has added the positions.")

    def __str__(self) -> str:
        return f"rebuild up to game {self.last}"
