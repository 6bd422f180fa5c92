"""Account names in forms."""

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from games.accounts.names import BadNameError, check


def _refuse_bad(name: str) -> None:
    try:
        check(name)
    except BadNameError as error:
        raise ValidationError(gettext(str(error)), code="bad_name") from error


VALIDATORS: list[Callable[[str], None]] = [_refuse_bad]
"""What django-allauth asks of a name; that nobody else has it, it asks by itself."""
