"""Translation of the engine's and the app's sentences into the reader's language."""

from django.utils.translation import gettext, ngettext


def translated(template: str, plural: str = "", number: int = 1, /) -> str:
    """Return a template in the reader's language; of one that has a plural the form for a number."""
    return ngettext(template, plural, number) if plural else gettext(template)
