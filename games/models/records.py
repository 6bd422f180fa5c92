"""Games, the logs in which they were handed in, and what verification said."""

import secrets
import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext

from engine.words import say
from games.models.leagues import League
from games.models.packed import PackedBytesField, PackedTextField
from games.models.players import Player

_KEY_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_KEY_LENGTH = 8


def new_key() -> str:
    """A short name that cannot be guessed from others, without letters that look alike."""
    number, key = secrets.randbits(64), ""  # so many bits that all keys are as likely as one can tell
    for _ in range(_KEY_LENGTH):
        number, letter = divmod(number, len(_KEY_ALPHABET))
        key += _KEY_ALPHABET[letter]
    return key


class VerdictKind(models.TextChoices):
    """What verification can say of a record."""

    VERIFIED = "verified", "verified"
    UNFINISHED = "unfinished", "unfinished"
    REJECTED = "rejected", "rejected"


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
    private = models.BooleanField(default=False, help_text="Shown to those alone who uploaded or played.")
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
    told_at = models.DateTimeField(null=True, help_text="When those who sat at its games were told of them.")
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
            models.Index(fields=["uploader", "file_digest"], name="upload_of_file", condition=~Q(file_digest="")),
            models.Index(
                fields=["received_at", "id"],
                name="upload_to_accept",
                condition=Q(league__isnull=False, done_at__isnull=False, accepted_at__isnull=True),
            ),
            models.Index(
                fields=["done_at", "id"],
                name="upload_to_tell_of",
                condition=Q(done_at__isnull=False, told_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"upload {self.pk}"

    def get_absolute_url(self) -> str:
        """The page with the results."""
        return reverse("upload-result", args=[self.pk])


class Game(models.Model):
    """One played game, or what was handed in as one and rejected."""

    key = models.CharField(max_length=_KEY_LENGTH, default=new_key, editable=False)
    ruleset = models.CharField(max_length=40, blank=True, help_text="Empty when the tags name none rightly.")
    verdict = models.CharField(max_length=10, choices=VerdictKind, help_text="The newest verdict on its first log.")
    digest = models.CharField(  # noqa: DJ001 (unique, so none cannot be written as empty)
        max_length=64, null=True, help_text="The game digest; none when rejected."
    )
    plies = models.PositiveIntegerField(help_text="Legal actions.")
    result = models.CharField(max_length=8, blank=True)
    ended = models.CharField(max_length=20, blank=True, help_text="The rule that ended the game.")
    played_on = models.DateField(null=True, help_text="The Date tag, when it is wholly known.")
    received_at = models.DateTimeField()
    same_as = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.PROTECT,
        db_index=False,
        help_text="The game that a later engine found this one to be.",
    )
    scored = models.BooleanField(default=True, help_text="Unless each of its uploads is for training.")
    private = models.BooleanField(default=False, help_text="While each of its uploads is.")

    class Meta:
        """A verified game has a digest and a ruleset."""

        # Unique by constraints: a field that is unique gets an index more, for searches by prefix.
        constraints = [
            models.UniqueConstraint(fields=["key"], name="game_key_once"),
            models.UniqueConstraint(fields=["digest"], name="game_digest_once"),
            models.CheckConstraint(condition=Q(verdict__in=VerdictKind.values), name="game_verdict_known"),
            models.CheckConstraint(
                condition=Q(verdict="rejected") | (Q(digest__isnull=False) & ~Q(ruleset="")),
                name="game_legal_has_digest",
            ),
        ]
        indexes = [
            models.Index(F("received_at").desc(), F("id").desc(), name="game_newest"),
            models.Index("ruleset", F("received_at").desc(), F("id").desc(), name="game_newest_of_ruleset"),
            models.Index("verdict", F("received_at").desc(), F("id").desc(), name="game_newest_of_verdict"),
            models.Index(fields=["same_as"], name="game_same", condition=Q(same_as__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        """The game's page, which is its replay."""
        return reverse("game", args=[self.key])


class MoveLog(models.Model):
    """One record as sent, and the place in the queue of what waits for verification."""

    class State(models.TextChoices):
        """What has become of it."""

        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        JUDGED = "judged", "judged"
        QUARANTINED = "quarantined", "quarantined"
        HELD = "held", "held"
        CANCELLED = "cancelled", "cancelled"
        TRIED = "tried", "tried"

    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, related_name="logs", db_index=False)
    number = models.PositiveIntegerField(help_text="The record's number in its file, from 1.")
    line = models.PositiveIntegerField(help_text="The line of the file in which it begins, from 1.")
    offset = models.PositiveBigIntegerField(
        null=True, help_text="The byte of the unpacked file at which it begins, from 0; not known of older ones."
    )
    entry = models.ForeignKey(
        "games.Entry",
        null=True,
        on_delete=models.PROTECT,
        db_index=False,
        related_name="+",
        help_text="The file in a zip archive in which it stands; line and offset are those in it.",
    )
    form = models.CharField(max_length=4)
    data = PackedBytesField(help_text="The bytes as sent.")
    too_long = models.BooleanField(
        default=False, help_text="Only the beginning was kept: the record is over the limit."
    )
    state = models.CharField(max_length=11, choices=State, default=State.WAITING)
    queued_at = models.DateTimeField(help_text="Since when it waits, or waited.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before the work.")
    fence = models.PositiveIntegerField(default=0, help_text="Grows with every claim; only the last one may store.")
    leased_until = models.DateTimeField(null=True)
    trouble = models.TextField(blank=True, help_text="Why verification did not end, as far as is known.")
    game = models.ForeignKey(Game, null=True, on_delete=models.PROTECT, related_name="logs")
    seats = models.JSONField(default=list, help_text="Letter and player's name of each seat, as this log tells them.")
    text = PackedTextField(blank=True, default="", help_text="The canonical text; empty when rejected.")
    game_digest = models.CharField(max_length=64, blank=True)
    record_digest = models.CharField(max_length=64, blank=True)
    verdict = models.CharField(
        max_length=10, blank=True, default="", db_default="", help_text="The newest; empty before the first."
    )
    rule = models.CharField(
        max_length=20, blank=True, default="", db_default="", help_text="The rule that it breaks first."
    )

    class Meta:
        """A judged log has its game, an unjudged one has none yet."""

        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="log_once_in_upload"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "judged", "quarantined", "held", "cancelled", "tried"]),
                name="log_state_known",
            ),
            models.CheckConstraint(condition=Q(form__in=["text", "json"]), name="log_form_known"),
            models.CheckConstraint(condition=~Q(state="judged") | Q(game__isnull=False), name="log_judged_has_game"),
        ]
        indexes = [
            models.Index(fields=["attempts", "number", "id"], name="log_waiting", condition=Q(state="waiting")),
            models.Index(fields=["leased_until"], name="log_running", condition=Q(state="running")),
            models.Index(fields=["upload", "game_digest", "number"], name="log_tried", condition=Q(state="tried")),
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


class Seating(models.Model):
    """Who sat where in a game, and what place was reached."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seatings", db_index=False)
    seat = models.PositiveSmallIntegerField(help_text="In turn order, from 0.")
    letter = models.CharField(max_length=1)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seatings")
    place = models.PositiveSmallIntegerField(null=True, help_text="None while the game is unfinished.")
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
    """What one version of the engine said of a log. Never changed, never taken back: a later engine adds its own."""

    log = models.ForeignKey(MoveLog, on_delete=models.PROTECT, related_name="verdicts", db_index=False)
    game = models.ForeignKey(
        Game, null=True, on_delete=models.PROTECT, related_name="verdicts", help_text="None of a dry run."
    )
    engine_version = models.CharField(max_length=20)
    verdict = models.CharField(max_length=10, choices=VerdictKind)
    rule = models.CharField(max_length=20, blank=True)
    line = models.PositiveIntegerField(null=True, help_text="In the uploaded file, from 1.")
    column = models.PositiveIntegerField(null=True, help_text="In characters, from 1.")
    ply = models.PositiveIntegerField(null=True)
    token = models.CharField(max_length=64, null=True)  # noqa: DJ001 (none and empty differ in the record format)
    template = models.TextField(blank=True, help_text="The sentence, to be translated, with its parameters apart.")
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
        return say(self.template, self.params, gettext)
