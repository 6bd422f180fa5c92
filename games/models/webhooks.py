"""Webhooks: the addresses to notify when an upload is done or a club has news, and every attempt."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.clubs import Club, Evening, Season
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


class ClubWebhook(models.Model):
    """Where a club's news are sent, signed with the secret of the organiser who set the address."""

    class Form(models.TextChoices):
        """What is sent: an event with all its data, or for a chat's own webhooks a sentence alone."""

        JSON = "json", "JSON"
        CHAT = "chat", "chat"

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="webhook")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_webhooks")
    url = models.CharField(max_length=500)
    form = models.CharField(max_length=4, choices=Form)
    language = models.CharField(max_length=10, help_text="Of the sentences.")
    made_at = models.DateTimeField()
    games_upto = models.PositiveBigIntegerField(
        default=0, help_text="The number in the sequence of the last game that was announced."
    )

    class Meta:
        """What is sent is known."""

        constraints = [models.CheckConstraint(condition=Q(form__in=["json", "chat"]), name="club_webhook_form_known")]

    def __str__(self) -> str:
        return f"webhook of {self.club_id}"


class Delivery(models.Model):
    """A notification that an upload is done, or of a club's news.

    It is due when `next_at` has passed and its upload, if it has one, is done. News without a game, an evening or a
    season greet the address.
    """

    upload = models.OneToOneField(Upload, null=True, on_delete=models.CASCADE, related_name="delivery")
    webhook = models.ForeignKey(ClubWebhook, null=True, on_delete=models.CASCADE, related_name="deliveries")
    evening = models.ForeignKey(Evening, null=True, on_delete=models.CASCADE, related_name="+")
    season = models.ForeignKey(Season, null=True, on_delete=models.CASCADE, related_name="+")
    games_after = models.PositiveBigIntegerField(
        null=True, help_text="The number in the sequence after which its news of games begin."
    )
    games_upto = models.PositiveBigIntegerField(null=True)
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
            ),
            models.CheckConstraint(
                condition=Q(upload__isnull=True, webhook__isnull=False) | Q(upload__isnull=False, webhook__isnull=True),
                name="delivery_of_upload_or_club",
            ),
        ]
        indexes = [
            models.Index(fields=["account", "next_at"], name="delivery_in_turn", condition=Q(next_at__isnull=False))
        ]

    def __str__(self) -> str:
        return f"delivery of {self.upload_id or self.webhook_id} to {self.url}"


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
