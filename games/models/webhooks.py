"""Webhooks: the addresses to notify when an upload is done, and every attempt."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.uploads import Upload


class WebhookKey(models.Model):
    """The salt of an account's webhook secret; the secret itself is derived from it and not stored."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="webhook_key"
    )
    salt = models.BinaryField(max_length=32)
    made_at = models.DateTimeField()
    turn_at = models.DateTimeField(
        null=True, help_text="When a webhook was last sent for this account; accounts take turns."
    )
    slow = models.BooleanField(default=False, help_text="Whether its last receiver was slow or did not answer.")

    def __str__(self) -> str:
        return f"webhook key of {self.account_id}"


class Delivery(models.Model):
    """A notification that an upload is done. It is due when the upload is done and `next_at` has passed."""

    upload = models.OneToOneField(Upload, on_delete=models.CASCADE, related_name="delivery")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deliveries")
    url = models.CharField(max_length=500)
    made_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before each attempt.")
    next_at = models.DateTimeField(
        null=True, help_text="When the next attempt is due; null once it is sent or given up."
    )
    leased_until = models.DateTimeField(null=True, help_text="Until when a worker holds it.")
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """A delivery that was sent is not due again."""

        constraints = [
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(next_at__isnull=True), name="delivery_sent_once"
            )
        ]
        indexes = [
            models.Index(fields=["account", "next_at"], name="delivery_in_turn", condition=Q(next_at__isnull=False))
        ]

    def __str__(self) -> str:
        return f"delivery of {self.upload_id} to {self.url}"


class DeliveryAttempt(models.Model):
    """The result of one attempt: a status, or the reason why there was none."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tries")
    at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField()
    status = models.PositiveSmallIntegerField(null=True)
    template = models.CharField(
        max_length=200, blank=True, help_text="Why there was no answer, as a template to translate."
    )
    params = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.status or self.template} at {self.at}"
