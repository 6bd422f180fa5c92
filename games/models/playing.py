"""Tables at which games are played, who sits there, what was done in which order, and what viewers are sent."""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from games.models.records import KEY_LENGTH, Game, new_key
from games.models.uploads import Upload

MOST_SEATS = 4


class Table(models.Model):
    """A game that is being played here, from the moment its secret is fixed to the record that is made of it."""

    class State(models.TextChoices):
        """How far it has come."""

        OPEN = "open", "open"
        PLAYING = "playing", "playing"
        FINISHED = "finished", "finished"
        ABORTED = "aborted", "aborted"
        CANCELLED = "cancelled", "cancelled"

    class Time(models.TextChoices):
        """How time is measured."""

        NONE = "none", "no limit"
        DAYS = "days", "days for each turn"
        MINUTES = "minutes", "minutes with increment"

    class Visibility(models.TextChoices):
        """Who may join; everybody may watch."""

        OPEN = "open", "anybody"
        LINK = "link", "anybody with the link"
        NAMES = "names", "invited accounts"

    class First(models.TextChoices):
        """Who begins."""

        DRAWN = "drawn", "drawn"
        OPENER = "opener", "who opened the table"
        OLDEST = "oldest", "the oldest"
        TURNED = "turned", "who was second in the game before"

    key = models.CharField(max_length=KEY_LENGTH, default=new_key, editable=False)
    ruleset = models.CharField(max_length=40)
    places = models.PositiveSmallIntegerField(help_text="How many seats there are.")
    first = models.CharField(max_length=6, choices=First)
    rated = models.BooleanField(default=False)
    hot_seat = models.BooleanField(default=False, help_text="Whether all play on the screen of who opened it.")
    time_kind = models.CharField(max_length=7, choices=Time, default=Time.NONE)
    time_base = models.PositiveIntegerField(default=0, help_text="Seconds for a turn, or at the start for a game.")
    time_step = models.PositiveIntegerField(default=0, help_text="Seconds that are added after each turn.")
    visibility = models.CharField(max_length=5, choices=Visibility, default=Visibility.OPEN)
    invited = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="table_invitations")
    bots = models.JSONField(default=list, help_text="Built-in bots that sit down once who opened it has, by name.")
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)

    commitment = models.CharField(max_length=64, help_text="Published before anybody joins.")
    sealed_secret = models.BinaryField(help_text="Under the site's key, until the game is over.")
    deck_tag = models.CharField(max_length=255, blank=True, help_text="The Deck tag; empty without a deck.")
    sealed_deck = models.BinaryField(default=b"", help_text="The cards in the order in which they come; as above.")
    hand = models.CharField(max_length=255, blank=True, help_text="The cards with which the first seat lays the setup.")
    setup = models.CharField(max_length=2000, blank=True, help_text="The Setup tag, once it is known.")
    seats_line = models.CharField(max_length=16, blank=True, help_text="The Seats tag, once the table is full.")

    plies = models.PositiveIntegerField(default=0, help_text="Actions so far.")
    last_event = models.PositiveIntegerField(default=0, help_text="The number of the newest event.")
    turn = models.CharField(max_length=1, blank=True, help_text="The letter of the seat to act.")
    turn_since = models.DateTimeField(null=True, help_text="Since when its clock runs.")
    deadline = models.DateTimeField(null=True, help_text="When its time is up.")
    draw_offered = models.CharField(max_length=1, blank=True, help_text="The letter of the seat that offers a draw.")
    drawn = models.CharField(max_length=20, blank=True, help_text="The card that was turned up and is to be laid.")
    placements = models.JSONField(null=True, help_text="In seat order, once the game is over.")
    ended = models.CharField(max_length=20, blank=True, help_text="The rule that ended the game.")
    termination = models.CharField(max_length=9, blank=True, help_text="How it ended, as the engine says it.")

    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="tables_opened"
    )
    opened_by_guest = models.CharField(max_length=64, blank=True, help_text="The digest of a guest's token.")
    opened_from = models.CharField(
        max_length=32,
        blank=True,
        default="",
        db_default="",
        help_text="The keyed digest of a guest's network, while the table is open.",
    )
    opened_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    rematch_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="rematches")
    upload = models.OneToOneField(Upload, null=True, on_delete=models.SET_NULL, related_name="table")
    game = models.ForeignKey(Game, null=True, on_delete=models.SET_NULL, related_name="tables")

    class Meta:
        """A game that goes on has its seats; one whose time runs has a turn; what is over has an end."""

        constraints = [
            models.UniqueConstraint(fields=["key"], name="table_key_once"),
            models.UniqueConstraint(fields=["rematch_of"], name="table_one_rematch"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "playing", "finished", "aborted", "cancelled"]), name="table_state_known"
            ),
            models.CheckConstraint(condition=Q(time_kind__in=["none", "days", "minutes"]), name="table_time_known"),
            models.CheckConstraint(
                condition=Q(time_kind="none", time_base=0, time_step=0) | (~Q(time_kind="none") & Q(time_base__gt=0)),
                name="table_time_has_a_base",
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=["open", "link", "names"]), name="table_visibility_known"
            ),
            models.CheckConstraint(
                condition=Q(first__in=["drawn", "opener", "oldest", "turned"]), name="table_first_known"
            ),
            models.CheckConstraint(condition=Q(places__range=(2, MOST_SEATS)), name="table_two_to_four"),
            models.CheckConstraint(condition=Q(commitment__regex="^[0-9a-f]{64}$"), name="table_commitment_is_digest"),
            models.CheckConstraint(condition=~Q(rated=True, hot_seat=True), name="table_hot_seat_is_training"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "cancelled"]) | (Q(begun_at__isnull=False) & ~Q(seats_line="")),
                name="table_begun_has_seats",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "playing"], ended_at__isnull=True)
                | (~Q(state__in=["open", "playing"]) & Q(ended_at__isnull=False)),
                name="table_over_has_an_end",
            ),
            models.CheckConstraint(
                condition=(Q(state="playing") & ~Q(turn="")) | (~Q(state="playing") & Q(turn="", deadline=None)),
                name="table_turn_while_playing",
            ),
            models.CheckConstraint(
                condition=(Q(state="finished") & Q(placements__isnull=False))
                | (~Q(state="finished") & Q(placements=None)),
                name="table_finished_has_places",
            ),
        ]
        indexes = [
            models.Index(F("opened_at").desc(), name="table_to_join", condition=Q(state="open", visibility="open")),
            models.Index(F("begun_at").desc(), name="table_to_watch", condition=Q(state="playing")),
            models.Index(fields=["deadline"], name="table_due", condition=Q(deadline__isnull=False)),
            models.Index(
                fields=["ended_at"], name="table_to_link", condition=Q(upload__isnull=False, game__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.key}"

    def get_absolute_url(self) -> str:
        """Return the address of the table's page."""
        return reverse("table", args=[self.key])


class TableSeat(models.Model):
    """Who sits at a table, and what they add to the deal."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats", db_index=False)
    joined = models.PositiveSmallIntegerField(help_text="In the order of joining, from 0.")
    letter = models.CharField(max_length=1, blank=True, help_text="Its colour; empty until it follows from the deal.")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="table_seats"
    )
    guest = models.CharField(max_length=64, blank=True, help_text="The digest of a guest's token.")
    bot = models.CharField(max_length=40, blank=True, help_text="Which bot plays here; empty for people.")
    name = models.CharField(max_length=64)
    entropy = models.CharField(max_length=64, help_text="Published when the table is full.")
    born = models.PositiveSmallIntegerField(null=True, help_text="The year, where the oldest begins; removed then.")
    clock = models.PositiveIntegerField(null=True, help_text="Milliseconds left when its clock last stopped.")
    left_at = models.DateTimeField(null=True, help_text="When it resigned or ran out of time.")
    aborted_at = models.DateTimeField(null=True, help_text="When it aborted a rated game, though the deal was seen.")
    joined_at = models.DateTimeField()

    class Meta:
        """Nobody sits twice at a table, and no two look alike there."""

        constraints = [
            models.UniqueConstraint(fields=["table", "joined"], name="tableseat_in_order"),
            models.UniqueConstraint(fields=["table", "letter"], condition=~Q(letter=""), name="tableseat_one_a_colour"),
            models.UniqueConstraint(fields=["table", "account"], name="tableseat_one_an_account"),
            models.UniqueConstraint(fields=["table", "guest"], condition=~Q(guest=""), name="tableseat_one_a_guest"),
            models.UniqueConstraint(fields=["table", "name"], name="tableseat_one_a_name"),
            models.CheckConstraint(condition=Q(joined__lt=MOST_SEATS), name="tableseat_four_at_most"),
            models.CheckConstraint(condition=Q(guest="") | Q(account=None), name="tableseat_guest_or_account"),
            models.CheckConstraint(condition=Q(entropy__regex="^[!-~]{1,64}$"), name="tableseat_entropy_well_formed"),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.table_id}"


class TableAction(models.Model):
    """An action of a game that is played here: never changed, numbered without gaps."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="actions", db_index=False)
    ply = models.PositiveIntegerField(help_text="How many actions were before it.")
    token = models.CharField(max_length=64)
    letter = models.CharField(max_length=1, help_text="The seat that acted.")
    at = models.DateTimeField()
    clock = models.PositiveIntegerField(null=True, help_text="Milliseconds that the seat had left after it.")
    key = models.CharField(max_length=255, blank=True, help_text="The sender's idempotency key.")

    class Meta:
        """One an instant of the game, and one a key."""

        constraints = [
            models.UniqueConstraint(fields=["table", "ply"], name="tableaction_once_a_ply"),
            models.UniqueConstraint(
                fields=["table", "letter", "key"], condition=~Q(key=""), name="tableaction_once_a_key"
            ),
            models.CheckConstraint(condition=~Q(token=""), name="tableaction_has_a_token"),
        ]

    def __str__(self) -> str:
        return f"{self.ply} {self.token} at {self.table_id}"


class TableEvent(models.Model):
    """Something that viewers of a table are sent, stored in the transaction in which it happens."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="events", db_index=False)
    number = models.PositiveIntegerField(help_text="From 1, without gaps.", validators=[MinValueValidator(1)])
    kind = models.CharField(max_length=16)
    body = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        """In order at each table."""

        constraints = [models.UniqueConstraint(fields=["table", "number"], name="tableevent_once_a_number")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} at {self.table_id}"


class TableAlarm(models.Model):
    """A played game with a problem that should never occur, for the operator."""

    class Kind(models.TextChoices):
        """What is wrong."""

        NOT_VERIFIED = "not-verified", "the record was rejected"
        DEALING_BROKEN = "dealing-broken", "the deal does not follow from the secret"
        OTHER_RESULT = "other-result", "the record ends otherwise than the table"
        ALTERED = "altered", "the stored actions are not those that were announced"
        OTHER_PLAYERS = "other-players", "somebody else uploaded the same game with other players"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="alarms")
    kind = models.CharField(max_length=14, choices=Kind)
    message = models.TextField()
    raised_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        """A table has one alarm of a kind; open ones are found."""

        constraints = [
            models.UniqueConstraint(fields=["table", "kind"], name="tablealarm_once_a_kind"),
            models.CheckConstraint(
                condition=Q(kind__in=["not-verified", "dealing-broken", "other-result", "altered", "other-players"]),
                name="tablealarm_kind_known",
            ),
        ]
        indexes = [models.Index(fields=["raised_at"], name="tablealarm_open", condition=Q(settled_at=None))]

    def __str__(self) -> str:
        return f"{self.kind} at {self.table_id}"
