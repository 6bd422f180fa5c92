"""Saying what the engine and the services say in the language of the reader."""

from django.utils.translation import gettext, ngettext


def translated(template: str, plural: str = "", number: int = 1, /) -> str:
    """Return a template in the reader's language; of one that has a plural the form for a number."""
    return ngettext(template, plural, number) if plural else gettext(template)
