"""Uploads, and how many of their records got which verdict."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from games.models.leagues import League


class Upload(models.Model):
    """One file or paste as somebody handed it in."""

    class Via(models.TextChoices):
        """By which door."""

        WEB = "web", "web form"
        API = "api", "API"
        COMMAND = "command", "command"

    class State(models.TextChoices):
        """How far it has come; when all its logs are judged or set aside, it is done."""

        RECEIVING = "receiving", "receiving"
        WAITING = "waiting", "waiting"
        SPLITTING = "splitting", "splitting"
        VERIFYING = "verifying", "verifying"
        CANCELLED = "cancelled", "cancelled"
        REFUSED = "refused", "refused"

    UNSPLIT = (State.RECEIVING, State.WAITING, State.SPLITTING)
    """While more logs may come."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    uploader = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="uploads")
    via = models.CharField(max_length=8, choices=Via)
    filename = models.CharField(max_length=255, blank=True)
    received_at = models.DateTimeField()
    scored = models.BooleanField(default=True, help_text="Not for training games, which never count.")
    private = models.BooleanField(default=False, help_text="Whether its games are private.")
    league = models.ForeignKey(
        League,
        null=True,
        on_delete=models.PROTECT,
        related_name="uploads",
        help_text="For whose ladders its games count, on an organiser's word.",
    )
    accepted_at = models.DateTimeField(null=True, help_text="When its games were accepted for the league.")
    accepted_logs = models.PositiveIntegerField(default=0, help_text="Records whose games were accepted, so far.")
    split_logs = models.PositiveIntegerField(default=0, help_text="Records that it was cut into, so far.")
    begun_at = models.DateTimeField(null=True, help_text="When a worker took the first of its records.")
    judged_at = models.DateTimeField(null=True, help_text="When verdicts on its records were stored last.")
    done_at = models.DateTimeField(null=True, help_text="When none of its records waited any more.")
    notified_at = models.DateTimeField(null=True, help_text="When those who sat at its games were told of them.")
    state = models.CharField(max_length=9, choices=State, default=State.VERIFYING)
    dry_run = models.BooleanField(default=False, help_text="Judged to tell its uploader alone; removed after a day.")
    file_digest = models.CharField(
        max_length=64, blank=True, default="", help_text="SHA-256 of the file as it was sent, where an account sent it."
    )
    paused = models.BooleanField(default=False, help_text="While nothing of it is split or judged.")
    repeats = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="+",
        help_text="The upload of the same account whose file this one turned out to be: nothing of it is kept.",
    )

    class Meta:
        """No doors and no states but the known ones; what is over cannot be paused; what repeats has no records."""

        constraints = [
            models.CheckConstraint(condition=Q(via__in=["web", "api", "command"]), name="upload_via_known"),
            models.CheckConstraint(
                condition=Q(state__in=["receiving", "waiting", "splitting", "verifying", "cancelled", "refused"]),
                name="upload_state_known",
            ),
            models.CheckConstraint(condition=~Q(paused=True, state="cancelled"), name="upload_cancelled_not_paused"),
            models.CheckConstraint(condition=Q(repeats=None) | Q(split_logs=0), name="upload_repeating_has_no_logs"),
        ]
        indexes = [
            models.Index(fields=["repeats"], name="upload_repeating", condition=Q(repeats__isnull=False)),
            models.Index(fields=["done_at"], name="upload_tried", condition=Q(dry_run=True)),
            models.Index(
                fields=["state"], name="upload_unsplit", condition=Q(state__in=["receiving", "waiting", "splitting"])
            ),
            models.Index(fields=["uploader", "file_digest"], name="upload_of_file", condition=~Q(file_digest="")),
            models.Index(
                fields=["received_at", "id"],
                name="upload_to_accept",
                condition=Q(league__isnull=False, done_at__isnull=False, accepted_at__isnull=True),
            ),
            models.Index(
                fields=["done_at", "id"],
                name="upload_to_tell_of",
                condition=Q(done_at__isnull=False, notified_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"upload {self.pk}"

    def get_absolute_url(self) -> str:
        """The page with the results."""
        return reverse("upload-result", args=[self.pk])


class Tally(models.Model):
    """How many records of an upload got which verdict by which rule, kept up with the verdicts: nobody counts rows.

    A record that a later engine is asked about stays where it was until that has spoken.
    """

    class Kind(models.TextChoices):
        """What became of them."""

        VERIFIED = "verified", "verified"
        UNFINISHED = "unfinished", "unfinished"
        REJECTED = "rejected", "rejected"
        QUARANTINED = "quarantined", "quarantined"
        CANCELLED = "cancelled", "cancelled"

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="tallies", db_index=False)
    verdict = models.CharField(max_length=11, choices=Kind)
    rule = models.CharField(max_length=20, blank=True, help_text="The rule that was broken first, of those rejected.")
    games = models.PositiveIntegerField()

    class Meta:
        """One an upload, verdict and rule."""

        constraints = [
            models.UniqueConstraint(fields=["upload", "verdict", "rule"], name="tally_once"),
            models.CheckConstraint(
                condition=Q(verdict__in=["verified", "unfinished", "rejected", "quarantined", "cancelled"]),
                name="tally_verdict_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.games} {self.verdict} {self.rule} of {self.upload_id}".replace("  ", " ")
