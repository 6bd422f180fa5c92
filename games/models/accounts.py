"""What the site stores about accounts besides the tables of Django and django-allauth."""

from django.conf import settings
from django.db import models


class AccountName(models.Model):
    """The shape of an account's name: no two accounts may have names that look the same."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="lookalike"
    )
    skeleton = models.CharField(  # noqa: DJ001 - none is not the same as none again, which unique empty ones would be
        max_length=400,
        null=True,
        unique=True,
        help_text="The skeleton of UTS 39; null where an older name looks the same.",
    )

    def __str__(self) -> str:
        return f"name of {self.account_id}"


class FormerName(models.Model):
    """The name of a deleted account, which nobody can take for a while; only a keyed digest of its shape is kept."""

    digest = models.CharField(max_length=64, unique=True, help_text="HMAC of the skeleton, with the site's key.")
    held_until = models.DateTimeField(db_index=True, help_text="From when on the name can be taken again.")

    def __str__(self) -> str:
        return f"former name {self.pk}"


class AccountMail(models.Model):
    """A mail that waits to be sent, encrypted, so that nobody who reads the database can use the links in it."""

    sealed = models.BinaryField(help_text="Recipient, subject and text, encrypted with the site's key.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before each attempt.")
    next_at = models.DateTimeField(
        db_index=True, help_text="When the next attempt is due; the row is deleted once the mail is sent."
    )

    def __str__(self) -> str:
        return f"account mail {self.pk}"


class TokenUse(models.Model):
    """When an API token was last used."""

    # Without a constraint: code of an earlier version deletes tokens without this row.
    token = models.OneToOneField(
        "knox.AuthToken", on_delete=models.CASCADE, primary_key=True, related_name="use", db_constraint=False
    )
    used_at = models.DateTimeField(help_text="The beginning of the hour in which it was last used.")

    def __str__(self) -> str:
        return f"use of token {self.token_id}"
