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
