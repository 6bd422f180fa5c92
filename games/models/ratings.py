"""The sequence in which games are rated, the ledger of ratings, and the tables computed from it."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from engine.rating import ALGORITHM, Rating
from games.models.ladders import Ladder
from games.models.players import Player
from games.models.records import Game


class By(models.TextChoices):
    """By which ledger ratings go: games in the order in which they were accepted, or by the days they were played."""

    ACCEPTED = "accepted", "by order of acceptance"
    PLAYED = "played", "by day played"


class Acceptance(models.Model):
    """A game accepted for a ladder; it is due until it gets its number in the sequence in which games are rated."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="acceptances", db_index=False)
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="acceptances", db_index=False)
    due_at = models.DateTimeField(help_text="When the last condition was met.")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The organiser who accepted it; null where all seats have confirmed.",
    )
    number = models.PositiveBigIntegerField(unique=True, null=True, help_text="The number in the sequence, from 1.")
    accepted_at = models.DateTimeField(null=True)
    counts = models.BooleanField(default=True, help_text="False while the game is annulled.")
    rating = models.IntegerField(
        null=True, help_text="The mean of its players’ ratings before it; null until the worker has looked."
    )
    held = models.BooleanField(
        default=False, db_default=False, help_text="True while its flags hold it back, and if it was left unrated."
    )

    class Meta:
        """A game counts once on a ladder; a number comes with its time, and no game that is held back has one."""

        constraints = [
            models.UniqueConstraint(fields=["game", "ladder"], name="acceptance_once_a_ladder"),
            models.CheckConstraint(
                condition=Q(number__isnull=True, accepted_at__isnull=True)
                | Q(number__isnull=False, accepted_at__isnull=False),
                name="acceptance_whole",
            ),
            models.CheckConstraint(
                condition=Q(held=False) | Q(number__isnull=True), name="acceptance_held_is_not_placed"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="acceptance_due", condition=Q(number__isnull=True, held=False)),
            models.Index(
                fields=["ladder", "id"], name="acceptance_due_in_ladder", condition=Q(number__isnull=True, held=False)
            ),
            models.Index(fields=["ladder", "id"], name="acceptance_held", condition=Q(held=True)),
            models.Index(fields=["ladder", "number"], name="acceptance_in_order"),
            models.Index(
                fields=["id"], name="acceptance_unread", condition=Q(number__isnull=False, rating__isnull=True)
            ),
            models.Index(
                F("rating").desc(), F("game").desc(), name="acceptance_best_rated", condition=Q(rating__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} in {self.ladder_id}: {self.number or 'due'}"


class Correction(models.Model):
    """A decision that changes how games count that were already rated; the ladders are computed again from there."""

    class Kind(models.TextChoices):
        """What changes."""

        ANNULMENT = "annulment", "annulment"
        RESTORATION = "restoration", "restoration"
        MERGE = "merge", "merge"
        SPLIT = "split", "split"

    kind = models.CharField(max_length=11, choices=Kind)
    acceptance = models.ForeignKey(
        Acceptance, null=True, on_delete=models.PROTECT, related_name="corrections", help_text="Annulled or restored."
    )
    player = models.ForeignKey(
        Player, null=True, on_delete=models.PROTECT, related_name="corrections", help_text="Merged or split."
    )
    into = models.ForeignKey(
        Player,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The player merged into, or split from.",
    )
    reason = models.TextField(max_length=1000)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    ordered_at = models.DateTimeField()
    order = models.PositiveBigIntegerField(
        unique=True, null=True, help_text="Its number among all corrections; null until it is done."
    )
    after = models.PositiveBigIntegerField(null=True, help_text="The last number given before it was done.")
    done_at = models.DateTimeField(null=True)
    changed = models.PositiveIntegerField(default=0, help_text="Number of ratings that it changed.")

    class Meta:
        """It concerns a game or two players; once done it has its number."""

        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["annulment", "restoration"], acceptance__isnull=False, player__isnull=True)
                | Q(kind__in=["merge", "split"], acceptance__isnull=True, player__isnull=False, into__isnull=False),
                name="correction_of_a_game_or_a_player",
            ),
            models.CheckConstraint(
                condition=Q(order__isnull=True, after__isnull=True, done_at__isnull=True)
                | Q(order__isnull=False, after__isnull=False, done_at__isnull=False),
                name="correction_done_whole",
            ),
        ]
        indexes = [models.Index(fields=["id"], name="correction_waiting", condition=Q(order__isnull=True))]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class RatingEvent(models.Model):
    """The change of one player's rating by one game. Rows are never changed or deleted.

    A correction adds a row for every rating that it changes; of the rows for one game and seat the newest applies.
    """

    acceptance = models.ForeignKey(Acceptance, on_delete=models.PROTECT, related_name="events")
    number = models.PositiveBigIntegerField(help_text="The game's number in the sequence.")
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="+", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rating_events")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_events", db_index=False)
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    algorithm = models.CharField(max_length=40)
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    counts = models.BooleanField(default=True, help_text="Whether the game counts for this player.")
    correction = models.ForeignKey(
        Correction, null=True, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    at = models.DateTimeField()

    class Meta:
        """One row for each game and seat, and one more for each correction."""

        constraints = [
            models.UniqueConstraint(fields=["number", "seat", "correction"], nulls_distinct=False, name="rating_once"),
            models.CheckConstraint(condition=Q(sigma__gt=0, sigma_before__gt=0), name="rating_sigma_positive"),
        ]
        indexes = [
            models.Index(fields=["player", "ladder", "number", "id"], name="rating_history"),
            models.Index(fields=["ladder", "at", "id"], name="rating_by_time"),
            models.Index(fields=["correction"], name="rating_of_correction", condition=Q(correction__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} after game {self.number}"

    @property
    def value(self) -> float:
        """The rating after the game, in points."""
        return self.mu - 3 * self.sigma

    @property
    def value_before(self) -> float:
        """The rating before the game, in points."""
        return self.mu_before - 3 * self.sigma_before


class DayLedger(models.Model):
    """The ledger of a ladder by day played: all its games that count, rated in the order of the days they were played.

    It follows from the ledger by order of acceptance, which says what counts for whom, and from the dates of games.
    """

    ladder = models.OneToOneField(Ladder, on_delete=models.CASCADE, related_name="by_day")
    upto = models.PositiveBigIntegerField(default=0, help_text="The last entry by order of acceptance that it knows.")
    stale = models.BooleanField(default=True, help_text="True when dates changed since it was computed.")
    made_at = models.DateTimeField(null=True)
    games = models.PositiveIntegerField(default=0)
    undated = models.PositiveIntegerField(default=0, help_text="Games left out, as not even their year is known.")
    began_on = models.DateField(null=True, help_text="The first day of a game.")

    def __str__(self) -> str:
        return f"{self.ladder_id} by day played"


class DayRating(models.Model):
    """The change of one player's rating by one game, in the order of the days on which games were played."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="+", db_index=False)
    position = models.PositiveIntegerField(help_text="The game's place in this order, from 1.")
    day = models.DateField(help_text="The day played; of a range of days, the last.")
    number = models.PositiveBigIntegerField(help_text="The game's number by order of acceptance.")
    acceptance = models.ForeignKey(Acceptance, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        """One row for each game and seat."""

        constraints = [
            models.UniqueConstraint(fields=["ladder", "position", "seat"], name="day_rating_once"),
        ]
        indexes = [
            models.Index(fields=["player", "ladder", "position"], name="day_rating_history"),
            models.Index(fields=["ladder", "day", "position"], name="day_rating_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} on {self.day}"

    @property
    def game(self) -> Game:
        """The game."""
        return self.acceptance.game

    @property
    def at(self) -> datetime:
        """When it was accepted."""
        assert self.acceptance.accepted_at  # noqa: S101 - for the types
        return self.acceptance.accepted_at

    @property
    def algorithm(self) -> str:
        """What computed it."""
        return ALGORITHM

    @property
    def counts(self) -> bool:
        """Whether the game counts: others are left out here."""
        return True

    @property
    def value(self) -> float:
        """The rating after the game, in points."""
        return self.mu - 3 * self.sigma

    @property
    def value_before(self) -> float:
        """The rating before the game, in points."""
        return self.mu_before - 3 * self.sigma_before


class Standing(models.Model):
    """One line of a ladder: a player's results and rating, computed from placements alone."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="standings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="standings")
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0, help_text="Alone in first place.")
    draws = models.PositiveIntegerField(default=0, help_text="Sharing first place.")
    losses = models.PositiveIntegerField(default=0)
    first = models.PositiveIntegerField(default=0)
    second = models.PositiveIntegerField(default=0)
    third = models.PositiveIntegerField(default=0)
    fourth = models.PositiveIntegerField(default=0)
    beaten = models.PositiveIntegerField(default=0, help_text="The shares of rivals beaten, added up, in twelfths.")
    mu = models.FloatField()
    sigma = models.FloatField()
    value = models.GeneratedField(
        expression=F("mu") - 3 * F("sigma"), output_field=models.FloatField(), db_persist=True
    )
    last_number = models.PositiveBigIntegerField(help_text="The number of the newest game that counts.")
    last_at = models.DateTimeField(help_text="When that game was accepted.")

    class Meta:
        """The counts add up; a player without a game that counts has no row."""

        constraints = [
            models.UniqueConstraint(fields=["ladder", "player"], name="standing_once_a_ladder"),
            models.CheckConstraint(
                condition=Q(games=F("wins") + F("draws") + F("losses")), name="standing_results_add_up"
            ),
            models.CheckConstraint(
                condition=Q(games=F("first") + F("second") + F("third") + F("fourth")), name="standing_places_add_up"
            ),
            models.CheckConstraint(condition=Q(first=F("wins") + F("draws")), name="standing_first_won_or_drawn"),
            models.CheckConstraint(condition=Q(games__gt=0), name="standing_has_a_game"),
        ]
        indexes = [
            models.Index("ladder", F("value").desc(), "player", name="standing_ladder"),
            models.Index(fields=["ladder", "last_at"], name="standing_active"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.ladder_id}"

    @property
    def rating(self) -> Rating:
        """The rating as the rules know it."""
        return Rating(self.mu, self.sigma)


class RankBucket(models.Model):
    """Number of a ladder's players at one rating in whole points, so that a rank is found without counting players."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="buckets", db_index=False)
    points = models.IntegerField(help_text="The rating, rounded down; may be negative.")
    players = models.PositiveIntegerField()

    class Meta:
        """One row for each number of points."""

        constraints = [models.UniqueConstraint(fields=["ladder", "points"], name="bucket_once")]

    def __str__(self) -> str:
        return f"{self.players} at {self.points}"


class BestRank(models.Model):
    """A player's new best rank, reached with a game that counts.

    Games annulled since then are left out.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="best_ranks")
    rank = models.PositiveIntegerField()
    number = models.PositiveBigIntegerField(help_text="The number of the game that brought it.")
    at = models.DateTimeField()

    class Meta:
        """Each rank is reached for the first time once."""

        constraints = [models.UniqueConstraint(fields=["ladder", "player", "rank"], name="best_rank_once")]
        indexes = [models.Index(fields=["ladder", "at"], name="best_rank_by_time")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.rank}"
