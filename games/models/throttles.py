"""How often somebody asked lately."""

from django.db import models


class Throttle(models.Model):
    """What one address or account has used of what it may, in the period that runs.

    The table is not logged: after a crash it may be empty, and no request should wait for a disk to be counted.
    """

    key = models.CharField(primary_key=True, max_length=160)
    used = models.PositiveIntegerField()
    until = models.DateTimeField(help_text="When the period ends and the count begins anew.")

    class Meta:
        """Rows whose period is over are found, to be removed."""

        indexes = [models.Index(fields=["until"], name="throttle_over")]

    def __str__(self) -> str:
        return f"{self.key}: {self.used} until {self.until}"
