"""Games, their uploaded logs, and the verdicts."""

import secrets
from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from engine.agn.dates import Days
from engine.ruleset import Termination
from engine.words import render
from games.models.packed import PackedBytesField, PackedTextField
from games.models.players import Player
from games.models.uploads import Upload
from games.sentences import translated

_KEY_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
KEY_LENGTH = 8
SEATING_LENGTH = 32
"""Hexadecimal digits of a seating's digest."""


def new_key() -> str:
    """Return a short name that cannot be guessed from others, without letters that look alike."""
    number, key = secrets.randbits(64), ""  # so many bits that all keys are as likely as one can tell
    for _ in range(KEY_LENGTH):
        number, letter = divmod(number, len(_KEY_ALPHABET))
        key += _KEY_ALPHABET[letter]
    return key


class VerdictKind(models.TextChoices):
    """What verification can say of a record."""

    VERIFIED = "verified", "verified"
    UNFINISHED = "unfinished", "unfinished"
    REJECTED = "rejected", "rejected"


class TerminationKind(models.TextChoices):
    """How a game ended, as the engine says it."""

    PLAYED = Termination.PLAYED, "played"
    RESIGNED = Termination.RESIGNED, "resigned"
    TIMED_OUT = Termination.TIMED_OUT, "timed out"
    AGREED = Termination.AGREED, "agreed"


class Game(models.Model):
    """One played game, or a rejected record."""

    key = models.CharField(max_length=KEY_LENGTH, default=new_key, editable=False)
    ruleset = models.CharField(max_length=40, blank=True, help_text="Empty when the tags name no known ruleset.")
    verdict = models.CharField(max_length=10, choices=VerdictKind, help_text="The newest verdict on its first log.")
    digest = models.CharField(  # noqa: DJ001 (unique, so none cannot be written as empty)
        max_length=64, null=True, help_text="The game digest; null when rejected."
    )
    plies = models.PositiveIntegerField(help_text="Legal actions.")
    result = models.CharField(max_length=8, blank=True)
    ended = models.CharField(max_length=20, blank=True, help_text="The rule that ended the game.")
    termination = models.CharField(
        max_length=9,
        choices=TerminationKind,
        blank=True,
        default="",
        db_default="",
        help_text="How it ended: by the rules, by resignation, on time or by agreement; empty while it is unfinished.",
    )
    likeness = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="The same digest for the same moves on a turned board or in other colours; empty when rejected.",
    )
    played_from = models.DateField(
        null=True, help_text="The first day on which it may have been played, by its tags; null for an unknown year."
    )
    played_until = models.DateField(null=True, help_text="The last one; the same when the whole date is known.")
    received_at = models.DateTimeField()
    same_as = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.PROTECT,
        db_index=False,
        help_text="The game its address redirects to: the same game, or the one whose seating applies.",
    )
    scored = models.BooleanField(default=True, help_text="False when all its uploads are for training.")
    private = models.BooleanField(
        default=False,
        help_text="Visible only to its owner and to accounts whose claim to a name in it the owner approved.",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        db_index=False,
        related_name="+",
        help_text="The owner of a private game; others who upload the same moves get a game of their own.",
    )
    seating = models.CharField(
        max_length=SEATING_LENGTH,
        default="",
        db_default="",
        help_text="A digest of who sat where; empty when rejected.",
    )
    upheld = models.BooleanField(
        default=True, db_default=True, help_text="Among public games of the same moves, the one whose seating applies."
    )
    comment_count = models.IntegerField(
        default=0, db_default=0, help_text="Comments on it that nobody hides; the database keeps it."
    )
    version = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Raised by the database with whatever its public page shows; it never falls."
    )

    class Meta:
        """A verified game has a digest and a ruleset; of public games of the same moves one applies."""

        # Unique by constraints: a field that is unique gets an index more, for searches by prefix.
        constraints = [
            models.UniqueConstraint(fields=["key"], name="game_key_once"),
            models.UniqueConstraint(
                fields=["digest"], condition=Q(upheld=True, private=False), name="game_digest_once"
            ),
            models.UniqueConstraint(
                fields=["digest", "seating"], condition=Q(upheld=False, private=False), name="game_rival_once"
            ),
            models.UniqueConstraint(
                fields=["owner", "digest", "seating"],
                condition=Q(owner__isnull=False, same_as__isnull=True),
                name="game_private_once",
            ),
            models.CheckConstraint(condition=Q(owner__isnull=True) | Q(private=True), name="game_owned_is_private"),
            models.CheckConstraint(condition=Q(verdict__in=VerdictKind.values), name="game_verdict_known"),
            models.CheckConstraint(
                condition=Q(termination__in=["", *TerminationKind.values]), name="game_termination_known"
            ),
            models.CheckConstraint(
                condition=Q(played_from__isnull=True, played_until__isnull=True)
                | Q(played_from__isnull=False, played_until__gte=F("played_from")),
                name="game_played_in_order",
            ),
            models.CheckConstraint(
                condition=Q(verdict="rejected") | (Q(digest__isnull=False) & ~Q(ruleset="")),
                name="game_legal_has_digest",
            ),
        ]
        indexes = [
            models.Index(F("received_at").desc(), F("id").desc(), name="game_newest"),
            models.Index("ruleset", F("received_at").desc(), F("id").desc(), name="game_newest_of_ruleset"),
            models.Index("verdict", F("received_at").desc(), F("id").desc(), name="game_newest_of_verdict"),
            models.Index(F("plies").desc(), F("id").desc(), name="game_longest"),
            models.Index(
                F("comment_count").desc(), F("id").desc(), name="game_most_comments", condition=Q(comment_count__gt=0)
            ),
            models.Index(fields=["likeness"], name="game_like"),
            models.Index(fields=["same_as"], name="game_same", condition=Q(same_as__isnull=False)),
            models.Index(fields=["owner"], name="game_owner", condition=Q(owner__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        """Return the game's page, which is its replay."""
        return reverse("game", args=[self.key])

    @property
    def played(self) -> Days | None:
        """Return the days on which it may have been played; none where nothing is known."""
        return Days(self.played_from, self.played_until) if self.played_from and self.played_until else None

    @property
    def played_on(self) -> date | None:
        """Return the day on which it was played; none where a part of the date is unknown."""
        return self.played.only if self.played else None


class MoveLog(models.Model):
    """One record as sent, and the place in the queue of what waits for verification."""

    class State(models.TextChoices):
        """Where it is on its way to a verdict."""

        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        JUDGED = "judged", "judged"
        QUARANTINED = "quarantined", "quarantined"
        HELD = "held", "held"
        CANCELLED = "cancelled", "cancelled"
        DRY_RUN = "dry_run", "dry run"

    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, related_name="logs", db_index=False)
    number = models.PositiveIntegerField(help_text="The record's number in its file, from 1.")
    line = models.PositiveIntegerField(help_text="The line of the file in which it begins, from 1.")
    offset = models.PositiveBigIntegerField(
        null=True, help_text="The byte of the unpacked file at which it begins, from 0; null for older records."
    )
    entry = models.ForeignKey(
        "games.Entry",
        null=True,
        on_delete=models.PROTECT,
        db_index=False,
        related_name="+",
        help_text="The file of a zip archive that contains it; line and offset count within that file.",
    )
    form = models.CharField(max_length=4)
    data = PackedBytesField(help_text="The bytes as sent.")
    too_long = models.BooleanField(
        default=False, help_text="The record is over the size limit; only its beginning is stored."
    )
    state = models.CharField(max_length=11, choices=State, default=State.WAITING)
    queued_at = models.DateTimeField(help_text="When it was queued.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before each attempt.")
    fence = models.PositiveIntegerField(
        default=0, help_text="Rises with every lease; only the newest holder may store results."
    )
    leased_until = models.DateTimeField(null=True)
    failure = models.TextField(blank=True, help_text="Why verification failed, as far as is known.")
    game = models.ForeignKey(Game, null=True, on_delete=models.PROTECT, related_name="logs")
    seats = models.JSONField(default=list, help_text="Letter and player's name of each seat, as this log names them.")
    text = PackedTextField(blank=True, default="", help_text="The canonical text; empty when rejected.")
    game_digest = models.CharField(max_length=64, blank=True)
    record_digest = models.CharField(max_length=64, blank=True)
    verdict = models.CharField(
        max_length=10, blank=True, default="", db_default="", help_text="The newest verdict; empty before the first."
    )
    rule = models.CharField(
        max_length=20, blank=True, default="", db_default="", help_text="The first rule that it breaks."
    )

    class Meta:
        """A judged log has a game."""

        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="log_once_in_upload"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "judged", "quarantined", "held", "cancelled", "dry_run"]),
                name="log_state_known",
            ),
            models.CheckConstraint(condition=Q(form__in=["text", "json"]), name="log_form_known"),
            models.CheckConstraint(condition=~Q(state="judged") | Q(game__isnull=False), name="log_judged_has_game"),
        ]
        indexes = [
            models.Index(fields=["attempts", "number", "id"], name="log_waiting", condition=Q(state="waiting")),
            models.Index(fields=["leased_until"], name="log_running", condition=Q(state="running")),
            models.Index(fields=["upload", "game_digest", "number"], name="log_dry_run", condition=Q(state="dry_run")),
            models.Index(fields=["upload"], name="log_set_aside", condition=Q(state__in=["held", "quarantined"])),
            models.Index(
                fields=["upload", "verdict", "rule", "number"],
                name="log_not_verified",
                condition=Q(verdict__in=["unfinished", "rejected"]),
            ),
        ]

    def __str__(self) -> str:
        return f"log {self.number} of {self.upload_id}"

    @property
    def names(self) -> dict[str, str]:
        """The player's name by seat letter, in turn order."""
        return dict(self.seats)


class Seating(models.Model):
    """One seat of a game: its player, and the place reached."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seatings", db_index=False)
    seat = models.PositiveSmallIntegerField(help_text="In turn order, from 0.")
    letter = models.CharField(max_length=1)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seatings")
    place = models.PositiveSmallIntegerField(null=True, help_text="Null while the game is unfinished.")
    left_in = models.PositiveSmallIntegerField(
        null=True, help_text="The round or pair of turns in which the player left; null if they played to the end."
    )
    sheet = models.JSONField(default=dict, help_text="What the seat's score sheet shows at the end, by name.")

    class Meta:
        """A seat has one player, a player one seat."""

        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="seating_once_a_seat"),
            models.UniqueConstraint(fields=["game", "player"], name="seating_once_a_player"),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(place__range=(1, 4)), name="seating_place_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.letter} in {self.game_id}"


class Verdict(models.Model):
    """One engine version's verdict on a log. Rows are never changed; a later engine adds its own."""

    log = models.ForeignKey(MoveLog, on_delete=models.PROTECT, related_name="verdicts", db_index=False)
    game = models.ForeignKey(
        Game, null=True, on_delete=models.PROTECT, related_name="verdicts", help_text="Null in a dry run."
    )
    engine_version = models.CharField(max_length=20)
    verdict = models.CharField(max_length=10, choices=VerdictKind)
    rule = models.CharField(max_length=20, blank=True)
    line = models.PositiveIntegerField(null=True, help_text="In the uploaded file, from 1.")
    column = models.PositiveIntegerField(null=True, help_text="In characters, from 1.")
    ply = models.PositiveIntegerField(null=True)
    token = models.CharField(max_length=64, null=True)  # noqa: DJ001 (none and empty differ in the record format)
    template = models.TextField(
        blank=True, help_text="The sentence as a template to translate; its parameters are in `params`."
    )
    params = models.JSONField(default=dict)
    legal = models.JSONField(null=True, help_text="Up to 20 actions that were legal where an action was at fault.")
    plies = models.PositiveIntegerField(null=True)
    judged_at = models.DateTimeField()

    class Meta:
        """One verdict a log and engine; a rejection names its rule and place."""

        constraints = [
            models.UniqueConstraint(fields=["log", "engine_version"], name="verdict_once_an_engine"),
            models.CheckConstraint(condition=Q(verdict__in=VerdictKind.values), name="verdict_kind_known"),
            models.CheckConstraint(
                condition=(Q(verdict="rejected") & ~Q(rule="") & Q(line__isnull=False) & Q(column__isnull=False))
                | (~Q(verdict="rejected") & Q(rule="") & Q(plies__isnull=False)),
                name="verdict_rejects_by_rule",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by engine {self.engine_version}"

    @property
    def sentence(self) -> str:
        """What is wrong, in one sentence in the reader's language."""
        return render(self.template, self.params, translated)


class CorrectedRecord(models.Model):
    """A rejected record, and the record of the same account that corrects it."""

    rejected = models.OneToOneField(MoveLog, primary_key=True, on_delete=models.CASCADE, related_name="corrected")
    correction = models.ForeignKey(
        MoveLog, on_delete=models.CASCADE, related_name="corrects", help_text="The only record of an upload of its own."
    )

    def __str__(self) -> str:
        return f"{self.rejected_id} corrected by {self.correction_id}"


class RemovedRecord(models.Model):
    """A rejected record that its uploader removed: it is hidden, but can be brought back."""

    log = models.OneToOneField(MoveLog, primary_key=True, on_delete=models.CASCADE, related_name="removed")
    was_private = models.BooleanField(help_text="Whether its game was private before.")

    def __str__(self) -> str:
        return f"{self.log_id} removed"
