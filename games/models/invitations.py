"""Invitations: links by which somebody who is named in uploaded games claims the name and confirms the games."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.players import Claim, Player
from games.models.records import Game
from games.models.uploads import Upload


class Invitation(models.Model):
    """A link that an uploader gives to the people named in the games of an upload. Only its digest is stored."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    upload = models.ForeignKey(Upload, null=True, on_delete=models.SET_NULL, related_name="invitations")
    games = models.ManyToManyField(Game, related_name="invitations")
    nonce = models.CharField(max_length=32, help_text="Says, with the site’s key, what the link is.")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token in the link.")
    for_all = models.BooleanField(default=False, help_text="Whether it is for several names: each chooses their own.")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """An account's invitations are listed newest first."""

        indexes = [models.Index(fields=["by", "-made_at", "-id"], name="invitation_of_account")]

    def __str__(self) -> str:
        return f"invitation {self.pk}"


class InvitedName(models.Model):
    """A name that an invitation is for, and who used it. Each name can be used once."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="names")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    claim = models.ForeignKey(
        Claim, null=True, on_delete=models.SET_NULL, related_name="+", help_text="Null if the name was the account’s."
    )
    used_at = models.DateTimeField(null=True)
    declined_at = models.DateTimeField(null=True, help_text="When somebody last said that they are not this player.")
    doubted_at = models.DateTimeField(null=True, help_text="When somebody said that another person used the link.")

    class Meta:
        """An invitation names each player once."""

        constraints = [
            models.UniqueConstraint(fields=["invitation", "player"], name="invited_once"),
            models.CheckConstraint(
                condition=Q(used_at__isnull=False) | Q(account__isnull=True, claim__isnull=True),
                name="invited_account_only_when_used",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.invitation_id} invites {self.player_id}"


class PromisedAnswer(models.Model):
    """What a claimant says about a game. It takes effect when the claim is approved."""

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="promises")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    dispute = models.TextField(blank=True, max_length=1000, help_text="What is wrong; empty for a confirmation.")

    class Meta:
        """One answer to a game for each claim."""

        constraints = [models.UniqueConstraint(fields=["claim", "game"], name="promised_once")]

    def __str__(self) -> str:
        return f"{self.claim_id} answers {self.game_id}"
