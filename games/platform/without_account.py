"""What the site calls guests and its own bots: in records, and in a reader's language on pages."""

from collections.abc import Iterator

from django.utils.translation import gettext, gettext_noop

_GUEST = ""
_NAMES = {
    _GUEST: gettext_noop("Guest ({number})"),
    "random": gettext_noop("random bot ({number})"),
    "greedy": gettext_noop("greedy bot ({number})"),
    "searching": gettext_noop("searching bot ({number})"),
}
"""Names by the bot; no account may have brackets in its name."""
_MOST = 8
_SHOWN = {
    template.format(number=number): (template, number) for template in _NAMES.values() for number in range(1, _MOST + 1)
}


def names_without_account(bot: str = _GUEST) -> Iterator[str]:
    """Yield the names of guests, or of a bot, in turn: one after another sits down at a table."""
    return (_NAMES[bot].format(number=number) for number in range(1, _MOST + 1))


def shown_name(name: str) -> str:
    """Return a name at a table as a reader is shown it: what the site calls somebody is in the reader's language."""
    template, number = _SHOWN.get(name, (name, None))
    return name if number is None else gettext(template).format(number=number)
