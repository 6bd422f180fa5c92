"""What was answered to requests that may come again."""

from django.conf import settings
from django.db import models


class Answer(models.Model):
    """What was answered to a request with an `Idempotency-Key`, for who asks once more."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64, help_text="Of the request: another one may not have the same key.")
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    body = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        """A key has one answer; old ones are found, to be removed."""

        constraints = [models.UniqueConstraint(fields=["account", "key"], name="answer_once_a_key")]
        indexes = [models.Index(fields=["made_at"], name="answer_over")]

    def __str__(self) -> str:
        return f"{self.status} to {self.key} of {self.account_id}"
