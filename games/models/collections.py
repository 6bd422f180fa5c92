"""Collections of games: the favourites of an account, and others that it names."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from games.models.records import KEY_LENGTH, Game, new_key
from games.models.reports import Hideable, Report


class Collection(Hideable):
    """Games that an account has put together; one of them are its favourites, which only the account itself sees."""

    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_key)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collections")
    name = models.CharField(max_length=80, blank=True, help_text="Empty for the favourites.")
    favourites = models.BooleanField(default=False)
    public = models.BooleanField(default=False, help_text="Whether everybody who knows the address may read it.")
    made_at = models.DateTimeField()
    version = models.PositiveIntegerField(
        default=1, db_default=1, help_text="Grows when it is renamed, or a game is added."
    )

    class Meta:
        """An account has its favourites once, and they are private; every other collection has a name."""

        constraints = [
            models.UniqueConstraint(
                fields=["account"], condition=Q(favourites=True), name="collection_favourites_once"
            ),
            models.CheckConstraint(
                condition=Q(favourites=True, name="", public=False) | (Q(favourites=False) & ~Q(name="")),
                name="collection_named",
            ),
        ]

    def __str__(self) -> str:
        return f"collection {self.key} of {self.account_id}"

    def get_absolute_url(self) -> str:
        """Return the collection's page."""
        return reverse("collection", args=[self.key])

    @property
    def read_version(self) -> str:
        """What a moderator who read it names in a decision."""
        return str(self.version)


class CollectedGame(models.Model):
    """A game in a collection."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="games")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    added_at = models.DateTimeField()

    class Meta:
        """A collection has a game once; the newest come first."""

        constraints = [models.UniqueConstraint(fields=["collection", "game"], name="collected_once")]
        indexes = [models.Index(fields=["collection", "added_at", "id"], name="collected_by_time")]

    def __str__(self) -> str:
        return f"{self.game_id} in {self.collection_id}"


class CollectionReport(Report):
    """A report of a public collection."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="reports")

    class Meta:
        """An account has one open report of a collection."""

        constraints = [
            models.UniqueConstraint(
                fields=["collection", "by"], condition=Q(settled_at__isnull=True), name="collection_report_once"
            ),
        ]

    def __str__(self) -> str:
        return f"report of collection {self.collection_id}"
