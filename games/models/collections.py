"""Collections of games: the favourites of an account, and others that it names."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.records import KEY_LENGTH, Game, new_key


class Collection(models.Model):
    """Games that an account has put together; one of them are its favourites, which only the account itself sees."""

    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_key)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collections")
    name = models.CharField(max_length=80, blank=True, help_text="Empty for the favourites.")
    favourites = models.BooleanField(default=False)
    public = models.BooleanField(default=False, help_text="Whether everybody who knows the address may read it.")
    made_at = models.DateTimeField()

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
