"""What accounts are told by mail, and how they want to be told."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.challenges import Challenge
from games.models.consent import Dispute
from games.models.players import Claim
from games.models.ratings import Correction
from games.models.uploads import Upload


class MailPreferences(models.Model):
    """In which language an account reads its mails, and of what it wants to be told. Without one it is told of all."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="letterbox"
    )
    language = models.CharField(max_length=10, blank=True, help_text="Empty for the site's own.")
    claims = models.BooleanField(default=True, help_text="Claims to decide, and what was said to its own.")
    words = models.BooleanField(default=True, help_text="Games that wait for its word.")
    rulings = models.BooleanField(default=True, help_text="Disputes of its games, and what came of them.")

    def __str__(self) -> str:
        return f"letterbox of {self.account_id}"


class Notice(models.Model):
    """Something that an account is to be told by mail: written down with what happened, sent by the worker later."""

    class Kind(models.TextChoices):
        """What happened."""

        CLAIM_MADE = "claim-made", "a claim waits for its decision"
        CLAIM_DECIDED = "claim-decided", "its claim was decided"
        CLAIM_REVOKED = "claim-revoked", "its claim was revoked"
        CLAIM_CONTESTED = "claim-contested", "somebody contests a claim of its own"
        WORDS_WANTED = "words-wanted", "games wait for its word"
        DISPUTE_RAISED = "dispute-raised", "a game of its own is disputed"
        DISPUTE_SETTLED = "dispute-settled", "such a dispute has ended"
        GAME_ANNULLED = "game-annulled", "a game of its own was annulled"
        GAME_RESTORED = "game-restored", "a game of its own counts again"
        SEATING_RAISED = "seating-raised", "another upload of a game names others"
        SEATING_SETTLED = "seating-settled", "it was decided who sat there"

    kind = models.CharField(max_length=15, choices=Kind)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    claim = models.ForeignKey(Claim, null=True, on_delete=models.CASCADE, related_name="notices")
    upload = models.ForeignKey(Upload, null=True, on_delete=models.CASCADE, related_name="notices")
    dispute = models.ForeignKey(Dispute, null=True, on_delete=models.CASCADE, related_name="notices")
    recount = models.ForeignKey(Correction, null=True, on_delete=models.CASCADE, related_name="notices")
    challenge = models.ForeignKey(Challenge, null=True, on_delete=models.CASCADE, related_name="notices")
    noted_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before the work.")
    next_at = models.DateTimeField(null=True, help_text="When it is tried next; none once it is sent, or given up.")
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """Nobody is told the same twice; what is sent waits no longer."""

        constraints = [
            models.UniqueConstraint(
                fields=["account", "kind", "claim", "upload", "dispute", "recount", "challenge"],
                nulls_distinct=False,
                name="notice_once",
            ),
            models.CheckConstraint(
                condition=Q(kind__startswith="claim-", claim__isnull=False)
                | Q(kind="words-wanted", upload__isnull=False)
                | Q(kind__startswith="dispute-", dispute__isnull=False)
                | Q(kind__startswith="game-", recount__isnull=False)
                | Q(kind__startswith="seating-", challenge__isnull=False),
                name="notice_about_something",
            ),
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(next_at__isnull=True), name="notice_sent_once"
            ),
        ]
        indexes = [models.Index(fields=["next_at"], name="notice_due", condition=Q(next_at__isnull=False))]

    def __str__(self) -> str:
        return f"{self.kind} to {self.account_id}"
