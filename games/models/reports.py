"""What reports to moderators have in common, whatever is reported."""

from django.conf import settings
from django.db import models


class Report(models.Model):
    """A reader's report, for moderators. An account has one open report of a thing."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.TextField(max_length=1000)
    raised_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True, max_length=1000)

    class Meta:
        """Each thing that can be reported has a table of its own for this."""

        abstract = True


class Hideable(models.Model):
    """Something that moderators can hide from everybody but its author."""

    hidden_at = models.DateTimeField(null=True, help_text="Since when a moderator hides it from everybody else.")
    hidden_for = models.TextField(
        blank=True, default="", db_default="", max_length=1000, help_text="Why; its author reads it."
    )

    class Meta:
        """The columns are in the tables of what can be hidden."""

        abstract = True
