"""Uploads, and how many of their records got which verdict."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from games.models.clubs import Club


class Upload(models.Model):
    """One uploaded file or pasted text."""

    class Via(models.TextChoices):
        """How it was sent."""

        WEB = "web", "web form"
        API = "api", "API"
        COMMAND = "command", "command"
        PLAYED = "played", "played here"

    class State(models.TextChoices):
        """How far it has come; it is done when all its logs are judged or set aside."""

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
    scored = models.BooleanField(default=True, help_text="False for training games, which never count.")
    private = models.BooleanField(default=False, help_text="Whether its games are private.")
    club = models.ForeignKey(
        Club,
        null=True,
        on_delete=models.PROTECT,
        related_name="uploads",
        help_text="The club on whose ladders its games count; an organiser uploaded it.",
    )
    accepted_at = models.DateTimeField(null=True, help_text="When its games were accepted for the club.")
    accepted_logs = models.PositiveIntegerField(
        default=0, help_text="Number of records whose games have been accepted so far."
    )
    split_logs = models.PositiveIntegerField(default=0, help_text="Number of records found in it so far.")
    begun_at = models.DateTimeField(null=True, help_text="When a worker took the first of its records.")
    judged_at = models.DateTimeField(null=True, help_text="When a verdict on one of its records was last stored.")
    done_at = models.DateTimeField(null=True, help_text="When the last of its records was done.")
    notified_at = models.DateTimeField(null=True, help_text="When the players of its games were notified.")
    state = models.CharField(max_length=9, choices=State, default=State.VERIFYING)
    dry_run = models.BooleanField(
        default=False, help_text="Checked only: nothing is published, and it is deleted after a day."
    )
    file_digest = models.CharField(
        max_length=64,
        blank=True,
        default="",
        help_text="SHA-256 of the file as sent; empty for an upload without an account.",
    )
    paused = models.BooleanField(default=False, help_text="Whether splitting and verification are paused.")
    repeats = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="+",
        help_text="An earlier upload of the same file by the same account; then nothing of this one is stored.",
    )

    class Meta:
        """Only known origins and states; a cancelled upload cannot be paused; a duplicate has no records."""

        constraints = [
            models.CheckConstraint(condition=Q(via__in=["web", "api", "command", "played"]), name="upload_via_known"),
            models.CheckConstraint(
                condition=Q(state__in=["receiving", "waiting", "splitting", "verifying", "cancelled", "refused"]),
                name="upload_state_known",
            ),
            models.CheckConstraint(condition=~Q(paused=True, state="cancelled"), name="upload_cancelled_not_paused"),
            models.CheckConstraint(condition=Q(repeats=None) | Q(split_logs=0), name="upload_repeating_has_no_logs"),
        ]
        indexes = [
            models.Index(fields=["repeats"], name="upload_repeating", condition=Q(repeats__isnull=False)),
            models.Index(fields=["done_at"], name="upload_dry_run", condition=Q(dry_run=True)),
            models.Index(
                fields=["state"], name="upload_unsplit", condition=Q(state__in=["receiving", "waiting", "splitting"])
            ),
            models.Index(fields=["uploader", "file_digest"], name="upload_of_file", condition=~Q(file_digest="")),
            models.Index(
                fields=["received_at", "id"],
                name="upload_to_accept",
                condition=Q(club__isnull=False, done_at__isnull=False, accepted_at__isnull=True),
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
        """Return the page with the results."""
        return reverse("upload-result", args=[self.pk])


class VerdictCount(models.Model):
    """Number of an upload's records for each verdict and rule, updated with the verdicts so that no page counts rows.

    A record that is verified again keeps its old count until the new verdict is stored.
    """

    class Kind(models.TextChoices):
        """The verdict, or why there is none."""

        VERIFIED = "verified", "verified"
        UNFINISHED = "unfinished", "unfinished"
        REJECTED = "rejected", "rejected"
        QUARANTINED = "quarantined", "quarantined"
        CANCELLED = "cancelled", "cancelled"
        REMOVED = "removed", "removed"

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="verdict_counts", db_index=False)
    verdict = models.CharField(max_length=11, choices=Kind)
    rule = models.CharField(
        max_length=20, blank=True, help_text="For rejected records: the first rule that was broken."
    )
    games = models.PositiveIntegerField()

    class Meta:
        """One row for each upload, verdict and rule."""

        constraints = [
            models.UniqueConstraint(fields=["upload", "verdict", "rule"], name="verdict_count_once"),
            models.CheckConstraint(
                condition=Q(verdict__in=["verified", "unfinished", "rejected", "quarantined", "cancelled", "removed"]),
                name="verdict_count_verdict_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.games} {self.verdict} {self.rule} of {self.upload_id}".replace("  ", " ")
