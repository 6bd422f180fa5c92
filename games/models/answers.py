"""Answers to requests that may be repeated."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Answer(models.Model):
    """The answer to a request with an `Idempotency-Key`, kept for when the request is repeated."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(
        max_length=64, help_text="A digest of the request: a different request may not reuse the key."
    )
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    body = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        """One answer a key; an index finds old answers to delete."""

        constraints = [
            models.UniqueConstraint(fields=["account", "key"], name="answer_once_a_key"),
            models.UniqueConstraint(fields=["key"], condition=Q(account=None), name="answer_once_a_key_of_nobody"),
        ]
        indexes = [models.Index(fields=["made_at"], name="answer_over")]

    def __str__(self) -> str:
        return f"{self.status} to {self.key} of {self.account_id}"
