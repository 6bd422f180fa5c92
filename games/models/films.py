"""Films of games: asked for, made by a worker, and kept for a while."""

from django.db import models
from django.db.models import Q

from games.models.records import Game


class Film(models.Model):
    """A film of some plies of a game: the request for it, and then the file."""

    class Form(models.TextChoices):
        """The format of the file."""

        GIF = "gif", "GIF"
        WEBP = "webp", "WebP"
        MP4 = "mp4", "MP4"

    class State(models.TextChoices):
        """What has become of the request."""

        WAITING = "waiting", "waiting"
        MAKING = "making", "being made"
        MADE = "made", "made"
        FAILED = "failed", "failed"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="films")
    form = models.CharField(max_length=4, choices=Form)
    first = models.PositiveIntegerField(help_text="The ply of its first picture.")
    last = models.PositiveIntegerField(help_text="The ply of its last picture.")
    size = models.PositiveSmallIntegerField(help_text="The length of the longer side, in pixels.")
    theme = models.CharField(max_length=5)
    pace = models.PositiveSmallIntegerField(help_text="Milliseconds for each picture.")
    drawn_by = models.CharField(max_length=40, help_text="The versions of the engine and of the way films are made.")
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    asked_by = models.CharField(
        max_length=32,
        blank=True,
        help_text="Digest of the account or address that asked for it; empty once it is over.",
    )
    asked_at = models.DateTimeField(help_text="When somebody last asked for it.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before each attempt.")
    leased_until = models.DateTimeField(null=True, help_text="Until when a worker has it; null if none has.")
    made_at = models.DateTimeField(null=True)
    data = models.BinaryField(null=True, help_text="The file; null until it is made.")
    bytes = models.PositiveIntegerField(default=0, help_text="The size of the file.")

    class Meta:
        """One film for each game and set of options; a film that is made has its file."""

        constraints = [
            models.UniqueConstraint(
                fields=["game", "form", "first", "last", "size", "theme", "pace", "drawn_by"], name="film_once"
            ),
            models.CheckConstraint(condition=Q(first__lte=models.F("last")), name="film_forwards"),
            models.CheckConstraint(
                condition=Q(state="made", data__isnull=False, made_at__isnull=False)
                | (~Q(state="made") & Q(data__isnull=True, made_at__isnull=True)),
                name="film_made_with_file",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="film_waiting", condition=Q(state__in=["waiting", "making"])),
            models.Index(fields=["asked_at", "id"], name="film_asked"),
        ]

    def __str__(self) -> str:
        return f"{self.form} of {self.game_id}: {self.first} to {self.last}"
