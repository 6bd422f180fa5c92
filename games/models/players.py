"""Players, claims to their names, and who vouches for them."""

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from games.models.folding import Folded, FoldedWords


class Player(models.Model):
    """A name used in the logs of one source; an account can claim it."""

    name = models.CharField(max_length=64)
    folded = models.GeneratedField(
        expression=Folded("name"),
        output_field=models.TextField(),
        db_persist=True,
        help_text="The name in which a part of it is looked for.",
    )
    source = models.CharField(max_length=255, blank=True, help_text="Where the name is used: the logs' Site tag.")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="players"
    )
    introduced_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The account whose public upload first named the player; it, or a moderator, decides claims.",
    )
    is_bot = models.BooleanField(default=False)
    is_pseudonym = models.BooleanField(default=False, help_text="The account was deleted, and its name with it.")
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="merged",
        help_text="The player this one was merged into, who is not merged himself.",
    )
    created_at = models.DateTimeField()
    unsettled_after = models.BigIntegerField(
        null=True,
        help_text="The name changed hands, and games with greater ids are still to be checked; null when all are.",
    )

    class Meta:
        """One row for each name and source."""

        constraints = [
            models.UniqueConstraint(fields=["source", "name"], name="player_once_a_source"),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
            models.CheckConstraint(condition=~Q(merged_into=F("id")), name="player_is_not_merged_into_itself"),
        ]
        indexes = [
            models.Index(fields=["name"], name="player_by_name"),
            GinIndex(FoldedWords("name"), name="player_by_words"),
            models.Index(fields=["folded"], name="player_by_folded"),
            models.Index(fields=["id"], name="player_unsettled", condition=Q(unsettled_after__isnull=False)),
        ]
        permissions = [("moderate", "Can settle claims, disputes, merges, annulments and flags")]

    def __str__(self) -> str:
        return f"{self.name} ({self.source})" if self.source else self.name

    def get_absolute_url(self) -> str:
        """Return the player's page."""
        return reverse("player", args=[self.pk])

    @property
    def spelled(self) -> str:
        """Return the name as it is shown: where it was merged into the same name in another form, that form."""
        whole = self.merged_into
        return whole.name if whole is not None and whole.folded == self.folded else self.name

    @property
    def rated_id(self) -> int:
        """The id under which this player's games are rated."""
        return self.merged_into_id or self.pk

    @property
    def rated_account_id(self) -> int | None:
        """The account that has claimed the player under whom this one's games are rated."""
        return (self.merged_into or self).account_id


class Claim(models.Model):
    """An account's claim to a name, and the decision."""

    class State(models.TextChoices):
        """Whether it is open, or how it ended."""

        OPEN = "open", "open"
        APPROVED = "approved", "approved"
        REFUSED = "refused", "refused"
        WITHDRAWN = "withdrawn", "withdrawn"
        REVOKED = "revoked", "revoked"

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="claims")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims")
    reason = models.TextField(blank=True, max_length=1000)
    made_at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True, max_length=1000)
    approved_from = models.DateTimeField(
        null=True,
        help_text="When it is approved unless somebody contests it: for a name that the claimant uploaded first.",
    )
    contested_at = models.DateTimeField(null=True, help_text="Since when only a moderator can decide it.")
    contested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        """A player has one account at most; an account has one open claim to a name at most."""

        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["open", "approved", "refused", "withdrawn", "revoked"]), name="claim_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True) | (~Q(state="open") & Q(decided_at__isnull=False)),
                name="claim_decided_with_a_date",
            ),
            models.UniqueConstraint(fields=["player"], condition=Q(state="approved"), name="claim_one_a_player"),
            models.UniqueConstraint(fields=["player", "account"], condition=Q(state="open"), name="claim_open_once"),
        ]
        indexes = [
            models.Index(fields=["made_at", "id"], name="claim_open", condition=Q(state="open")),
            models.Index(
                fields=["approved_from"],
                name="claim_uncontested",
                condition=Q(state="open", approved_from__isnull=False, contested_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} claims {self.player_id}: {self.state}"


class Follow(models.Model):
    """A player whom an account follows. Only the account itself sees it."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        """An account follows a player once; the newest come first."""

        constraints = [models.UniqueConstraint(fields=["account", "player"], name="follow_once")]
        indexes = [models.Index(fields=["account", "since", "id"], name="follow_by_time")]

    def __str__(self) -> str:
        return f"{self.account_id} follows {self.player_id}"


class Vouch(models.Model):
    """A statement that an account's owner really is the player of that name."""

    class Role(models.TextChoices):
        """The role in which it was given."""

        MODERATOR = "moderator", "as a moderator"
        ORGANISER = "organiser", "as a club’s organiser"
        PLAYER = "player", "as another player"

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="vouches")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Null where the operator did it, or the account was deleted.",
    )
    role = models.CharField(max_length=9, choices=Role)
    at = models.DateTimeField()

    class Meta:
        """An account vouches once for a name."""

        constraints = [
            models.UniqueConstraint(fields=["claim", "by"], name="vouch_once"),
            models.CheckConstraint(condition=Q(role__in=["moderator", "organiser", "player"]), name="vouch_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} vouches for {self.claim_id}"
