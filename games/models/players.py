"""Who plays."""

from django.conf import settings
from django.db import models
from django.urls import reverse


class Player(models.Model):
    """A name as it stands in logs of one source; an account can later claim it."""

    name = models.CharField(max_length=64)
    source = models.CharField(max_length=255, blank=True, help_text="Where the name is used: the logs' Site tag.")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="players"
    )
    created_at = models.DateTimeField()

    class Meta:
        """One row a name and source."""

        constraints = [
            models.UniqueConstraint(fields=["source", "name"], name="player_once_a_source"),
            models.CheckConstraint(condition=~models.Q(name=""), name="player_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.source})" if self.source else self.name

    def get_absolute_url(self) -> str:
        """The player's page."""
        return reverse("player", args=[self.pk])
