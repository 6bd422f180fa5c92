"""Confirmations and disputes: who agrees that a game was played as recorded, and who does not."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.records import Game


class Confirmation(models.Model):
    """A player's confirmation of one game. It is bound to the game digest, seat and ruleset."""

    class How(models.TextChoices):
        """How it was given."""

        EXPLICIT = "explicit", "by the account itself"
        UPLOAD = "upload", "by an upload of the account"
        SEAT = "seat", "by taking a seat at a rated table"

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="confirmations")
    seat = models.PositiveSmallIntegerField(help_text="In turn order, from 0.")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="confirmations"
    )
    digest = models.CharField(max_length=64)
    ruleset = models.CharField(max_length=40)
    how = models.CharField(max_length=8, choices=How)
    at = models.DateTimeField()
    until = models.DateTimeField(help_text="When it expires, unless all seats have confirmed by then.")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        """One valid confirmation for each seat."""

        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat"], condition=Q(withdrawn_at__isnull=True), name="confirmation_stands_once"
            ),
            models.CheckConstraint(condition=Q(how__in=["explicit", "upload", "seat"]), name="confirmation_how_known"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game_id}"


class Dispute(models.Model):
    """A report that a game was not played as recorded or should not count, and the moderator's decision."""

    class State(models.TextChoices):
        """Whether it is open, or how it ended."""

        OPEN = "open", "open"
        UPHELD = "upheld", "upheld"
        DISMISSED = "dismissed", "dismissed"
        WITHDRAWN = "withdrawn", "withdrawn"

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="disputes")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="disputes")
    reason = models.TextField(max_length=1000)
    raised_at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    settled_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True, max_length=1000)

    class Meta:
        """An account has one open dispute about a game at most."""

        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["open", "upheld", "dismissed", "withdrawn"]), name="dispute_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="open", settled_at__isnull=True) | (~Q(state="open") & Q(settled_at__isnull=False)),
                name="dispute_settled_with_a_date",
            ),
            models.UniqueConstraint(fields=["game", "account"], condition=Q(state="open"), name="dispute_open_once"),
        ]
        indexes = [models.Index(fields=["raised_at", "id"], name="dispute_open", condition=Q(state="open"))]

    def __str__(self) -> str:
        return f"{self.account_id} disputes {self.game_id}: {self.state}"
