"""Counts of recent requests, for rate limits."""

from django.db import models


class Throttle(models.Model):
    """The requests of one address or account in the current period.

    The table is not logged: after a crash it may be empty, and no request should wait for a disk to be counted.
    """

    key = models.CharField(primary_key=True, max_length=160)
    used = models.PositiveIntegerField()
    until = models.DateTimeField(help_text="When the period ends and the count starts again.")

    class Meta:
        """An index finds rows whose period is over, to delete them."""

        indexes = [models.Index(fields=["until"], name="throttle_over")]

    def __str__(self) -> str:
        return f"{self.key}: {self.used} until {self.until}"
