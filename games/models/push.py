"""Browsers that are notified, and the notifications still to be sent."""

from hashlib import sha256

from django.conf import settings
from django.db import models

from games.models.playing import Table


class PushSubscription(models.Model):
    """One browser of an account: its address at a push service, and the keys with which only it can read."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=500, unique=True)
    point = models.BinaryField(max_length=65, help_text="The browser's public key.")
    auth = models.BinaryField(max_length=16, help_text="The secret that the browser added.")
    name = models.CharField(max_length=60, blank=True, help_text="What its owner knows it by: Firefox, Linux.")
    language = models.CharField(max_length=10, help_text="In which it was turned on.")
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, help_text="When its push service last took a notice.")

    def __str__(self) -> str:
        return f"push subscription {self.pk} of {self.account_id}"

    @property
    def digest(self) -> str:
        """Return the digest of its address, by which a page knows it without showing the address."""
        return sha256(self.endpoint.encode()).hexdigest()


class PushNotice(models.Model):
    """It is somebody's turn at a table, which a browser is to show; the row is deleted when it is sent or given up."""

    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="notices")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="push_notices")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before each attempt.")
    next_at = models.DateTimeField(help_text="When the next attempt is due.")

    class Meta:
        """A browser is notified of a table once."""

        constraints = [models.UniqueConstraint(fields=["subscription", "table"], name="push_once")]
        indexes = [models.Index(fields=["next_at"], name="push_due")]

    def __str__(self) -> str:
        return f"push of {self.table_id} to {self.subscription_id}"

    @property
    def is_proven(self) -> bool:
        """Return whether its push service took a notice before, and this is the first attempt to send this one."""
        return self.attempts <= 1 and self.subscription.sent_at is not None
