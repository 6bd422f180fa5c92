"""By what games are found besides their positions: events, and words in comments (games/search)."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from games.models.records import Game, MoveLog


class GameEvents(models.Model):
    """What happened in a legal game, and how it began."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="+")
    codes = ArrayField(
        models.IntegerField(),
        null=True,
        help_text="Numbers of engine/story/coding.py; null until the worker finds them.",
    )
    opening = models.TextField(  # noqa: DJ001 (an opening may have no steps)
        null=True, help_text="The names of its steps, as engine/openings.py writes them; null until it is indexed."
    )

    class Meta:
        """Found by a number; what waits, in the order of the games."""

        indexes = [
            GinIndex(fields=["codes"], name="game_events"),
            models.Index(fields=["game"], name="game_events_due", condition=Q(codes__isnull=True)),
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
