"""Mails to accounts about what happened, and each account's mail preferences."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.challenges import Challenge
from games.models.consent import Dispute
from games.models.players import Claim
from games.models.playing import Table
from games.models.ratings import Correction
from games.models.records import Game
from games.models.studies import Study
from games.models.uploads import Upload


class MailPreferences(models.Model):
    """The language of an account's mails, and what it gets mails about. Without a row it gets all of them."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="mail_preferences"
    )
    language = models.CharField(max_length=10, blank=True, help_text="Empty for the site's default language.")
    claims = models.BooleanField(default=True, help_text="Claims to decide, and the decisions on its own.")
    confirmations = models.BooleanField(default=True, help_text="Games that wait to be confirmed.")
    disputes = models.BooleanField(default=True, help_text="Disputes of its games, and the decisions on them.")
    turns = models.BooleanField(default=True, db_default=True, help_text="Games played here in which it is its turn.")
    comments = models.BooleanField(
        default=True, db_default=True, help_text="Comments by others on games on which it has commented."
    )
    studies = models.BooleanField(default=True, db_default=True, help_text="Changes of studies that it follows.")

    SWITCHES = ("claims", "confirmations", "disputes", "turns", "comments", "studies")
    """The names of what it can turn off."""

    def __str__(self) -> str:
        return f"mail preferences of {self.account_id}"


class Notice(models.Model):
    """News for an account, to be sent by mail: stored together with what happened, sent later by the worker."""

    class Kind(models.TextChoices):
        """What happened."""

        CLAIM_MADE = "claim-made", "a claim waits for its decision"
        CLAIM_DECIDED = "claim-decided", "its claim was decided"
        CLAIM_REVOKED = "claim-revoked", "its claim was revoked"
        CLAIM_CONTESTED = "claim-contested", "somebody contests a claim of its own"
        TO_CONFIRM = "to-confirm", "games wait to be confirmed"
        DISPUTE_RAISED = "dispute-raised", "a game of its own is disputed"
        DISPUTE_SETTLED = "dispute-settled", "such a dispute has ended"
        GAME_ANNULLED = "game-annulled", "a game of its own was annulled"
        GAME_RESTORED = "game-restored", "a game of its own counts again"
        SEATING_RAISED = "seating-raised", "another upload of a game names others"
        SEATING_SETTLED = "seating-settled", "it was decided who sat there"
        YOUR_TURN = "your-turn", "it is its turn at a table"
        COMMENTED = "commented", "others comment on a game on which it has commented"
        STUDY_CHANGED = "study-changed", "a study that it follows has changed"

    kind = models.CharField(max_length=15, choices=Kind)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    claim = models.ForeignKey(Claim, null=True, on_delete=models.CASCADE, related_name="notices")
    upload = models.ForeignKey(Upload, null=True, on_delete=models.CASCADE, related_name="notices")
    dispute = models.ForeignKey(Dispute, null=True, on_delete=models.CASCADE, related_name="notices")
    correction = models.ForeignKey(Correction, null=True, on_delete=models.CASCADE, related_name="notices")
    challenge = models.ForeignKey(Challenge, null=True, on_delete=models.CASCADE, related_name="notices")
    table = models.ForeignKey(Table, null=True, on_delete=models.CASCADE, related_name="notices")
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="notices")
    study = models.ForeignKey(Study, null=True, on_delete=models.CASCADE, related_name="notices")
    noted_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before each attempt.")
    next_at = models.DateTimeField(
        null=True, help_text="When the next attempt is due; null once it is sent or given up."
    )
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """Nobody is notified of the same thing twice; a notice that was sent is not due again."""

        constraints = [
            models.UniqueConstraint(
                fields=[
                    *("account", "kind", "claim", "upload", "dispute", "correction", "challenge", "table"),
                    *("game", "study"),
                ],
                nulls_distinct=False,
                name="notice_once",
            ),
            models.CheckConstraint(
                condition=Q(kind__startswith="claim-", claim__isnull=False)
                | Q(kind="to-confirm", upload__isnull=False)
                | Q(kind__startswith="dispute-", dispute__isnull=False)
                | Q(kind__startswith="game-", correction__isnull=False)
                | Q(kind__startswith="seating-", challenge__isnull=False)
                | Q(kind="your-turn", table__isnull=False)
                | Q(kind="commented", game__isnull=False)
                | Q(kind="study-changed", study__isnull=False),
                name="notice_about_something",
            ),
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(next_at__isnull=True), name="notice_sent_once"
            ),
        ]
        indexes = [models.Index(fields=["next_at"], name="notice_due", condition=Q(next_at__isnull=False))]

    def __str__(self) -> str:
        return f"{self.kind} to {self.account_id}"
