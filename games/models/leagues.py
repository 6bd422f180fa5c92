"""Leagues, and the ladders of the site and of each league."""

from django.conf import settings
from django.db import models
from django.urls import reverse


class League(models.Model):
    """A group whose organisers decide which games count for its own ladders."""

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    about = models.TextField(blank=True, max_length=2000)
    organisers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="leagues")
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the league's page."""
        return reverse("league", args=[self.slug])


class Ladder(models.Model):
    """One ranking: of a ruleset on the whole site, or in a league."""

    ruleset = models.CharField(max_length=40)
    league = models.ForeignKey(League, null=True, on_delete=models.PROTECT, related_name="ladders")
    players = models.PositiveIntegerField(default=0, help_text="Players with a game that counts.")
    games = models.PositiveIntegerField(default=0, help_text="Games that count.")

    class Meta:
        """One ladder for each ruleset and league."""

        constraints = [
            models.UniqueConstraint(fields=["ruleset", "league"], nulls_distinct=False, name="ladder_once"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} of {self.league_id or 'the site'}"
