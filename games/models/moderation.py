"""Flags for moderators, and the record of what was decided."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.ladders import Ladder
from games.models.players import Player
from games.models.records import Game


class Flag(models.Model):
    """Something to look at before a game counts for a ladder, or about a game that counts already.

    With a ladder, the game waits there until it is settled; without one, it changes nothing by itself.
    """

    class Kind(models.TextChoices):
        """What is unusual."""

        SAME_PERSON = "same-person", "one account in two seats"
        REPEATED_PAIRING = "repeated-pairing", "the same rivals again and again"
        RESIGN_FARMING = "resign-farming", "early resignations to one player"
        NEW_ACCOUNT = "new-account", "an account that is brand-new"
        LIKENESS = "likeness", "the same play as a game that came before"
        UNVOUCHED = "unvouched", "nobody independent vouches for a player"

    kind = models.CharField(max_length=16, choices=Kind)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="flags")
    player = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="flags")
    params = models.JSONField(default=dict, help_text="The figures that met the threshold.")
    ladder = models.ForeignKey(
        Ladder,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The ladder on which the game waits; null if it does not wait.",
    )
    raised_at = models.DateTimeField()
    looked_at = models.DateTimeField(
        null=True, help_text="When it was last checked whether the reason still holds; null if never."
    )
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    answer = models.TextField(blank=True, max_length=1000)
    unrated = models.BooleanField(
        default=False, db_default=False, help_text="Whether it was settled by leaving the game unrated on the ladder."
    )

    class Meta:
        """One flag for each kind, game, player and ladder; only a game that waited can be left unrated."""

        constraints = [
            models.UniqueConstraint(
                fields=["kind", "game", "player", "ladder"], nulls_distinct=False, name="flag_once"
            ),
            models.CheckConstraint(
                condition=Q(unrated=False) | Q(ladder__isnull=False, settled_at__isnull=False),
                name="flag_unrated_once_settled",
            ),
        ]
        indexes = [
            models.Index(fields=["raised_at", "id"], name="flag_open", condition=Q(settled_at__isnull=True)),
            models.Index(fields=["game", "ladder"], name="flag_of_game"),
            models.Index(
                F("looked_at").asc(nulls_first=True),
                F("id"),
                name="flag_looked_at",
                condition=Q(settled_at__isnull=True, kind__in=["unvouched", "new-account"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.game_id}"


class Act(models.Model):
    """Who decided what, when and why. Rows are never changed or deleted."""

    class Kind(models.TextChoices):
        """What was decided."""

        CLAIM_APPROVED = "claim-approved", "claim approved"
        CLAIM_REFUSED = "claim-refused", "claim refused"
        CLAIM_REVOKED = "claim-revoked", "claim revoked"
        DISPUTE_UPHELD = "dispute-upheld", "dispute upheld"
        DISPUTE_DISMISSED = "dispute-dismissed", "dispute dismissed"
        GAME_ANNULLED = "game-annulled", "game annulled"
        GAME_RESTORED = "game-restored", "game restored"
        PLAYERS_MERGED = "players-merged", "players merged"
        PLAYERS_SPLIT = "players-split", "players split"
        FLAG_SETTLED = "flag-settled", "flag settled"
        GAME_LET_COUNT = "game-let-count", "game that waited counts"
        GAME_LEFT_UNRATED = "game-left-unrated", "game that waited does not count"
        NAME_VOUCHED = "name-vouched", "name vouched for"
        CLAIM_CONTESTED = "claim-contested", "claim contested"
        BOT_MARKED = "bot-marked", "marked as a bot"
        BOT_UNMARKED = "bot-unmarked", "no longer marked as a bot"
        CLUB_FOUNDED = "club-founded", "club founded"
        CLUB_LISTED = "club-listed", "club listed"
        CLUB_UNLISTED = "club-unlisted", "club no longer listed"
        ORGANISER_NAMED = "organiser-named", "organiser named"
        ORGANISER_DISMISSED = "organiser-dismissed", "organiser dismissed"
        MODERATOR_NAMED = "moderator-named", "moderator named"
        MODERATOR_DISMISSED = "moderator-dismissed", "moderator dismissed"
        GAME_HIDDEN = "game-hidden", "game made private"
        GAME_SHOWN = "game-shown", "game made public"
        ACCOUNT_DELETED = "account-deleted", "account deleted"
        SEATING_CHOSEN = "seating-chosen", "seating chosen"
        SEATING_AGREED = "seating-agreed", "seating agreed"
        STUDY_HIDDEN = "study-hidden", "study hidden"
        STUDY_SHOWN = "study-shown", "study shown again"
        COMMENT_HIDDEN = "comment-hidden", "comment hidden"
        COMMENT_SHOWN = "comment-shown", "comment shown again"
        COLLECTION_HIDDEN = "collection-hidden", "collection hidden"
        COLLECTION_SHOWN = "collection-shown", "collection shown again"
        LEDGER_REBUILT = "ledger-rebuilt", "ledger rebuilt"

    kind = models.CharField(max_length=20, choices=Kind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        help_text="Kept as a number after the account is deleted.",
    )
    at = models.DateTimeField()
    reason = models.TextField(blank=True, max_length=1000)
    game = models.ForeignKey(Game, null=True, on_delete=models.PROTECT, related_name="acts")
    player = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="acts")
    params = models.JSONField(default=dict, help_text="Ids of what else the decision concerned.")

    class Meta:
        """Listed newest first."""

        indexes = [models.Index(fields=["-at", "-id"], name="act_newest")]

    def __str__(self) -> str:
        return f"{self.kind} by {self.by_id}"
