"""What is kept of accounts besides what Django and django-allauth keep."""

from django.conf import settings
from django.db import models


class AccountName(models.Model):
    """What the name of an account looks like: no two may look the same."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="lookalike"
    )
    skeleton = models.CharField(  # noqa: DJ001 - none is not the same as none again, which unique empty ones would be
        max_length=400, null=True, unique=True, help_text="Of UTS 39; none where an older name looks the same."
    )

    def __str__(self) -> str:
        return f"name of {self.account_id}"


class AccountMail(models.Model):
    """A mail as it will be sent, sealed: whoever reads the database alone opens no link in it."""

    sealed = models.BinaryField(help_text="Recipient, subject and text, under the site's key.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Counted before the work.")
    next_at = models.DateTimeField(db_index=True, help_text="When it is tried next; once it is sent it is removed.")

    def __str__(self) -> str:
        return f"account mail {self.pk}"
