"""Leaderboards computed from the ledger and kept: a ladder as of a day, or the changes within a period.

A snapshot is identified by the ledger entries it was made of. Entries by order of acceptance are only ever added, so
such a snapshot can be old but never wrong; where the ledger by day played changes, the snapshots of it are deleted. Any
of them can be made again.
"""

from django.db import models
from django.db.models import Q

from engine.rating import Rating, shown
from games.models.ladders import Ladder
from games.models.players import Player
from games.models.ratings import By


class LeaderboardSnapshot(models.Model):
    """A ladder after one ledger entry, or the changes between two entries; it waits until a worker makes it.

    By day played, the entries are games, by their position.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="boards", db_index=False)
    by = models.CharField(max_length=8, choices=By, default=By.ACCEPTED, db_default=By.ACCEPTED)
    after = models.PositiveBigIntegerField(null=True, help_text="For a period: the last entry before it, or 0.")
    upto = models.PositiveBigIntegerField(help_text="The last entry that is included, or 0.")
    asked_at = models.DateTimeField(help_text="When somebody last asked for it, accurate to a day.")
    made_at = models.DateTimeField(null=True)
    players = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0, help_text="Games that count.")
    digest = models.CharField(max_length=64, blank=True, help_text="Of the set of games.")
    bars = models.JSONField(default=dict, help_text="Number of players for each range of ratings.")

    class Meta:
        """One snapshot for each range of entries."""

        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "by", "after", "upto"], nulls_distinct=False, name="board_once_by"
            ),
            models.CheckConstraint(
                condition=Q(made_at__isnull=True) | Q(digest__regex="^[0-9a-f]{64}$"), name="board_made_has_a_digest"
            ),
        ]
        indexes = [models.Index(fields=["id"], name="board_waiting", condition=Q(made_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.ladder_id} up to {self.upto}"


class SnapshotRow(models.Model):
    """One player's row of a snapshot."""

    board = models.ForeignKey(LeaderboardSnapshot, on_delete=models.CASCADE, related_name="lines", db_index=False)
    line = models.PositiveIntegerField(help_text="From 1.")
    rank = models.PositiveIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    first = models.PositiveIntegerField()
    second = models.PositiveIntegerField()
    third = models.PositiveIntegerField()
    fourth = models.PositiveIntegerField()
    beaten = models.PositiveIntegerField()
    mu_before = models.FloatField(help_text="At the start of the period.")
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        """One a player."""

        constraints = [
            models.UniqueConstraint(fields=["board", "line"], name="board_line_once"),
            models.UniqueConstraint(fields=["board", "player"], name="board_player_once"),
        ]

    def __str__(self) -> str:
        return f"line {self.line} of {self.board_id}"

    @property
    def ladder(self) -> Ladder:
        """Whose line it is."""
        return self.board.ladder

    @property
    def value(self) -> float:
        """The rating in points."""
        return Rating(self.mu, self.sigma).value

    @property
    def gain(self) -> int:
        """By how many whole points the rating rose."""
        return shown(self.value) - self.begun

    @property
    def begun(self) -> int:
        """The rating in whole points where the board begins."""
        return Rating(self.mu_before, self.sigma_before).shown
