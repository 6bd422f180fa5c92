"""Where somebody is told that an upload is done, and what came of telling it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.uploads import Upload


class WebhookKey(models.Model):
    """From what the secret of an account's webhooks is made; the secret itself is kept nowhere."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="webhook_key"
    )
    salt = models.BinaryField(max_length=32)
    made_at = models.DateTimeField()
    turn_at = models.DateTimeField(null=True, help_text="When something was sent for it last: accounts take turns.")
    slow = models.BooleanField(default=False, help_text="Whether its last receiver took long, or did not answer.")

    def __str__(self) -> str:
        return f"webhook key of {self.account_id}"


class Delivery(models.Model):
    """Telling somebody that an upload is done. It is due when it is, and `next_at` has come."""

    upload = models.OneToOneField(Upload, on_delete=models.CASCADE, related_name="delivery")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deliveries")
    url = models.CharField(max_length=500)
    made_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before the work.")
    next_at = models.DateTimeField(null=True, help_text="When it is tried next; none once it is sent, or given up.")
    leased_until = models.DateTimeField(null=True, help_text="While somebody is at it.")
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """What is sent waits no longer."""

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
    """What came of one attempt: a status, or why there was none."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tries")
    at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField()
    status = models.PositiveSmallIntegerField(null=True)
    template = models.CharField(max_length=200, blank=True, help_text="Why there was no answer, to be translated.")
    params = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.status or self.template} at {self.at}"
