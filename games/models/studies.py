"""Studies: chapters with variations, comments and marks, that an account writes and others read."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from games.models.packed import PackedTextField
from games.models.records import KEY_LENGTH, Game, new_key
from games.models.reports import Hideable, Report


class Study(Hideable):
    """A titled list of chapters by one account."""

    class Visibility(models.TextChoices):
        """Who reads it."""

        PUBLIC = "public", "public"
        UNLISTED = "unlisted", "unlisted"
        PRIVATE = "private", "private"

    key = models.CharField(max_length=KEY_LENGTH, default=new_key, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="studies")
    title = models.CharField(max_length=100)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PRIVATE)
    version = models.PositiveIntegerField(default=1, help_text="Grows with every change of title, visibility or order.")
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    notified_at = models.DateTimeField(null=True, help_text="Up to which change its followers were notified.")
    forked_from = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="forks")

    class Meta:
        """Public studies are listed newest first."""

        constraints = [
            models.UniqueConstraint(fields=["key"], name="study_key_once"),
            models.CheckConstraint(
                condition=Q(visibility__in=["public", "unlisted", "private"]), name="study_visibility_known"
            ),
        ]
        indexes = [
            models.Index(
                F("changed_at").desc(),
                F("id").desc(),
                name="study_listed",
                condition=Q(visibility="public", hidden_at__isnull=True),
            ),
            models.Index(
                fields=["changed_at"],
                name="study_to_tell_of",
                condition=Q(notified_at__isnull=True) | Q(notified_at__lt=F("changed_at")),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """Return the study's page."""
        return reverse("study", args=[self.key])

    @property
    def read_version(self) -> str:
        """What a moderator who read it names in a decision; every change of a chapter changes it, too."""
        return self.changed_at.isoformat()


class StudyChapter(models.Model):
    """A game, or a position, with variations; no name of a player is stored here."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="chapters")
    number = models.PositiveIntegerField(help_text="In its address; it never changes.")
    place = models.PositiveIntegerField(help_text="Its place in the list.")
    title = models.CharField(max_length=100, blank=True)
    ruleset = models.CharField(max_length=40)
    game = models.ForeignKey(
        Game,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="The game that it is about: who may not see the game does not see the chapter.",
    )
    tree = PackedTextField(help_text="How it begins, and its actions, comments and marks, as JSON.")
    version = models.PositiveIntegerField(default=1, help_text="Grows with every change.")
    changed_at = models.DateTimeField()

    class Meta:
        """A chapter has its number to itself."""

        constraints = [models.UniqueConstraint(fields=["study", "number"], name="chapter_number_once")]

    def __str__(self) -> str:
        return f"{self.study_id}/{self.number}"


class StudyFollow(models.Model):
    """A study that an account follows. Only the account itself sees it."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="followed_studies")
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="follows")
    since = models.DateTimeField()

    class Meta:
        """An account follows a study once."""

        constraints = [models.UniqueConstraint(fields=["account", "study"], name="study_follow_once")]

    def __str__(self) -> str:
        return f"{self.account_id} follows {self.study_id}"


class StudyReport(Report):
    """A report of a study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="reports")

    class Meta:
        """An account has one open report of a study."""

        constraints = [
            models.UniqueConstraint(
                fields=["study", "by"], condition=Q(settled_at__isnull=True), name="study_report_once"
            ),
        ]

    def __str__(self) -> str:
        return f"report of {self.study_id}"
