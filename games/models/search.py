"""What games are found by: their positions, events, openings, and words in comments (games/search)."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q

from games.models.records import Game, MoveLog


class PositionRun(models.Model):
    """Games whose positions are sorted together. Runs of about the same size are merged."""

    games = models.PositiveIntegerField()
    numbering = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="How its positions are numbered (engine/positions.py)."
    )
    old = models.BooleanField(
        default=False, db_default=False, help_text="Whether it is removed at the end of a rebuild."
    )

    def __str__(self) -> str:
        return f"positions of {self.games} games"


class PositionBlock(models.Model):
    """A part of a run: pairs of a position's number and a game, sorted and packed."""

    run = models.ForeignKey(PositionRun, on_delete=models.CASCADE, related_name="blocks", db_index=False)
    first = models.BigIntegerField(help_text="The lowest number of a position in it.")
    pairs = models.BinaryField()

    class Meta:
        """Blocks of a run are found by the number of a position; equal ones are in the order of their ids."""

        indexes = [models.Index(fields=["run", "first", "id"], name="position_block")]

    def __str__(self) -> str:
        return f"positions from {self.first} on"


class PositionRebuild(models.Model):
    """A rebuild of the index that has begun and not ended: one at the most."""

    last = models.BigIntegerField(default=0, help_text="The last game of which it has added the positions.")
    positions_only = models.BooleanField(
        default=False, db_default=False, help_text="Whether events and words in comments stay as they are."
    )

    def __str__(self) -> str:
        return f"rebuild up to game {self.last}"


class UnindexedGame(models.Model):
    """A new legal game that is not in the index of positions yet, nor has its opening been read."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"unindexed {self.game_id}"


class GameEvents(models.Model):
    """What happened in a legal game, how exciting it was, and how it began."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="happened")
    codes = ArrayField(
        models.IntegerField(),
        null=True,
        help_text="Numbers of engine/story/coding.py; null until the worker finds them.",
    )
    opening = models.TextField(  # noqa: DJ001 (an opening may have no steps)
        null=True, help_text="The names of its steps, as engine/openings.py writes them; null until it is indexed."
    )

    lead_changes = models.SmallIntegerField(
        null=True, help_text="How often the lead passed to another seat; null until the worker has counted."
    )
    closeness = models.SmallIntegerField(
        null=True,
        help_text="What the second of the final figures is of the first, in percent; null if it was not played out.",
    )

    class Meta:
        """Found by a number; what waits, in the order of the games; the most exciting first."""

        indexes = [
            GinIndex(fields=["codes"], name="game_events"),
            models.Index(fields=["game"], name="game_events_due", condition=Q(codes__isnull=True)),
            models.Index(fields=["game"], name="game_tension_due", condition=Q(lead_changes__isnull=True)),
            models.Index(
                F("lead_changes").desc(),
                F("game").desc(),
                name="game_most_lead_changes",
                condition=Q(lead_changes__isnull=False),
            ),
            models.Index(
                F("closeness").desc(), F("game").desc(), name="game_closest", condition=Q(closeness__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"events of {self.game_id}"


class CommentWords(models.Model):
    """The words of the comments in a legal record that has some."""

    log = models.OneToOneField(MoveLog, on_delete=models.CASCADE, primary_key=True, related_name="+")
    words = SearchVectorField()

    class Meta:
        """Found by a word."""

        indexes = [GinIndex(fields=["words"], name="comment_words")]

    def __str__(self) -> str:
        return f"comments of {self.log_id}"
