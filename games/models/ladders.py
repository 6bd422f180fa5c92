"""The ladders of the site and of each club."""

from django.db import models

from games.models.clubs import Club


class Ladder(models.Model):
    """One ranking: of a ruleset on the whole site, or in a club."""

    ruleset = models.CharField(max_length=40)
    club = models.ForeignKey(Club, null=True, on_delete=models.PROTECT, related_name="ladders")
    players = models.PositiveIntegerField(default=0, help_text="Players with a game that counts.")
    games = models.PositiveIntegerField(default=0, help_text="Games that count.")

    class Meta:
        """One ladder for each ruleset and club."""

        constraints = [
            models.UniqueConstraint(fields=["ruleset", "club"], nulls_distinct=False, name="ladder_once"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} of {self.club_id or 'the site'}"
