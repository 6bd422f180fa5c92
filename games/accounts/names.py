"""Rules for account names."""

import unicodedata

from django.utils.translation import gettext_noop

from engine.quoting import is_needed
from games.platform.lookalikes import is_invisible, mixes_scripts, stacks_marks

MOST = 64
"""Characters of a name."""
_BESIDE = frozenset(" .-_'’")
"""What a name may contain besides letters and digits. No `@`: it distinguishes an e-mail address from a name."""


class BadNameError(ValueError):
    """An invalid account name; the text says why."""


def check(name: str) -> None:
    """Check an account name.

    :raises BadNameError: when it is too long, or has anything but letters, digits and a few signs.
    """
    if len(name) > MOST:
        raise BadNameError(gettext_noop("A name may have at most 64 characters."))
    seen = "".join(letter for at, letter in enumerate(name) if not is_needed(name, at))
    if any(map(is_invisible, seen)):
        raise BadNameError(gettext_noop("Names cannot contain invisible or text-direction characters."))
    if not all(letter in _BESIDE or unicodedata.category(letter)[0] in "LNM" for letter in seen):
        raise BadNameError(
            gettext_noop("A name may contain only letters, digits, spaces, dots, hyphens, underscores and apostrophes.")
        )
    if not name or unicodedata.category(name[0])[0] not in "LN":
        raise BadNameError(gettext_noop("A name must begin with a letter or a digit."))
    if stacks_marks(name):
        raise BadNameError(gettext_noop("A letter can have at most two accents."))
    if mixes_scripts(name):
        raise BadNameError(gettext_noop("Use letters of one script only."))
