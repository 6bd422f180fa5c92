"""Challenges: two uploads name different players for the same moves, and somebody must decide who played."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.records import Game


class Challenge(models.Model):
    """Another seating of a game, and the decision about it. Each seating of the same moves is a `Game` of its own."""

    class State(models.TextChoices):
        """Whether it is open, or how it ended."""

        OPEN = "open", "open"
        UPHELD = "upheld", "upheld"
        DISMISSED = "dismissed", "dismissed"

    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="challenges", help_text="The game whose seating is challenged."
    )
    rival = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="challenging", help_text="The same moves with the other seating."
    )
    raised_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who uploaded it; null for an upload without an account.",
    )
    raised_at = models.DateTimeField()
    holds = models.BooleanField(
        help_text="Whether the game waits for the decision. A confirmed game continues to count."
    )
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    settled_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True, max_length=1000, help_text="The moderator's reason; empty after agreement.")

    class Meta:
        """A seating has one open challenge at most, and never challenges itself."""

        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["open", "upheld", "dismissed"]), name="challenge_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="open", settled_at__isnull=True) | (~Q(state="open") & Q(settled_at__isnull=False)),
                name="challenge_settled_with_a_date",
            ),
            models.CheckConstraint(condition=~Q(game=models.F("rival")), name="challenge_of_another"),
            models.UniqueConstraint(fields=["rival"], condition=Q(state="open"), name="challenge_open_once"),
        ]
        indexes = [
            models.Index(fields=["raised_at", "id"], name="challenge_open", condition=Q(state="open")),
            models.Index(fields=["game", "id"], name="challenge_open_of_game", condition=Q(state="open")),
        ]

    def __str__(self) -> str:
        return f"{self.rival_id} challenges {self.game_id}: {self.state}"


class SeatingChoice(models.Model):
    """The seating of a game that an account says is right."""

    digest = models.CharField(max_length=64, help_text="The game digest, which all seatings share.")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seating_choices")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="choices", help_text="The seating chosen.")
    at = models.DateTimeField()

    class Meta:
        """One choice for each account and game; it can be changed."""

        constraints = [models.UniqueConstraint(fields=["digest", "account"], name="choice_once")]

    def __str__(self) -> str:
        return f"{self.account_id} chooses {self.game_id}"
