"""Boards that were computed from the ledger once and are kept: a ladder as of some day, or what a period changed.

A board is known by the entries of the ledger that it was made of. Entries are only ever added, so a board that is
kept can be old but never wrong; any may be thrown away and made again.
"""

from django.db import models
from django.db.models import Q

from engine.rating import Rating, shown
from games.models.leagues import Ladder
from games.models.players import Player


class LeaderboardSnapshot(models.Model):
    """A ladder as it stood after an entry, or what changed between two entries; waiting until it is made."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="boards", db_index=False)
    after = models.PositiveBigIntegerField(null=True, help_text="Of a period: the last entry before it, or 0.")
    upto = models.PositiveBigIntegerField(help_text="The last entry that is told, or 0.")
    asked_at = models.DateTimeField(help_text="When somebody last asked for it, within a day.")
    made_at = models.DateTimeField(null=True)
    players = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0, help_text="That count.")
    digest = models.CharField(max_length=64, blank=True, help_text="Of the set of games.")
    bars = models.JSONField(default=dict, help_text="How many players by rating, in steps.")

    class Meta:
        """Made of other entries, it is another board."""

        constraints = [
            models.UniqueConstraint(fields=["ladder", "after", "upto"], nulls_distinct=False, name="board_once"),
            models.CheckConstraint(
                condition=Q(made_at__isnull=True) | Q(digest__regex="^[0-9a-f]{64}$"), name="board_made_has_a_digest"
            ),
        ]
        indexes = [models.Index(fields=["id"], name="board_waiting", condition=Q(made_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.ladder_id} up to {self.upto}"


class SnapshotRow(models.Model):
    """A player's line of a board."""

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
    mu_before = models.FloatField(help_text="Where the board begins.")
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
