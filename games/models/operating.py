"""What operators have paused, and which processes run."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Pause(models.Model):
    """A part of the service that an operator has paused; what has no row goes on."""

    class Part(models.TextChoices):
        """What can be paused by itself."""

        INTAKE = "intake", "intake of uploads"
        VERIFICATION = "verification", "splitting and verification"
        RATING = "rating", "rating"
        MAIL = "mail", "mail"

    part = models.CharField(max_length=12, choices=Part, primary_key=True)
    paused_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        """Only known parts."""

        constraints = [
            models.CheckConstraint(
                condition=Q(part__in=["intake", "verification", "rating", "mail"]), name="pause_part_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.part} since {self.paused_at}"


class RunningProcess(models.Model):
    """A process of the service that has lately said that it runs."""

    kind = models.CharField(max_length=8, help_text="web, live, worker, bots, films or beat.")
    host = models.CharField(max_length=100)
    number = models.PositiveIntegerField(help_text="The process's id on its host.")
    version = models.CharField(max_length=40, help_text="The version of the package and of the engine.")
    migration = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="The newest migration of its code; 0 of code that did not say."
    )
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="By the database's clock.")
    clock = models.FloatField(default=0, help_text="Seconds by which the process's clock was ahead of the database's.")

    class Meta:
        """A row for each process."""

        constraints = [models.UniqueConstraint(fields=["host", "number", "kind"], name="process_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} on {self.host}"
