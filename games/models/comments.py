"""Comments on games by accounts, and reports of them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from games.models.records import Game
from games.models.reports import Hideable, Report

LONGEST = 2000


class GameComment(Hideable):
    """What an account writes about a game, or about the position after one of its actions."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="comments", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="comments")
    ply = models.PositiveIntegerField(null=True, help_text="After how many actions; null where it is about the game.")
    text = models.TextField(max_length=LONGEST, help_text="Markdown, as it was written.")
    version = models.PositiveIntegerField(default=1, help_text="Grows with every change.")
    written_at = models.DateTimeField()
    changed_at = models.DateTimeField(null=True, help_text="When its author last changed it; null if never.")
    notified_at = models.DateTimeField(
        null=True, help_text="When those who commented on the game before were notified of it."
    )

    class Meta:
        """The comments of a game are listed newest first; those of which nobody was notified yet are found quickly."""

        indexes = [
            models.Index(F("game"), F("written_at").desc(), F("id").desc(), name="comment_listed"),
            models.Index(fields=["game"], name="comment_to_tell_of", condition=Q(notified_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"comment {self.pk} on {self.game_id}"

    def get_absolute_url(self) -> str:
        """Return the page of the comment alone."""
        return reverse("comment", args=[self.pk])

    @property
    def read_version(self) -> str:
        """What a moderator who read it names in a decision."""
        return str(self.version)


class CommentReport(Report):
    """A report of a comment."""

    comment = models.ForeignKey(GameComment, on_delete=models.CASCADE, related_name="reports")

    class Meta:
        """An account has one open report of a comment."""

        constraints = [
            models.UniqueConstraint(
                fields=["comment", "by"], condition=Q(settled_at__isnull=True), name="comment_report_once"
            ),
        ]

    def __str__(self) -> str:
        return f"report of comment {self.comment_id}"
