"""The texts of the script for laying a setup card by card, in the reader's language."""

from django.utils.translation import gettext

Texts = dict[str, str | list[str]]


def laying_texts() -> Texts:
    """Return its sentences by their names; the script fills in what is in braces."""
    return {
        "layingBoard": gettext("The table before the first action"),
        "whatLies": gettext("What lies here: {place}?"),
        "laidAll": gettext("Everything is in place. Touch a piece to change it."),
        "takeAway": gettext("Remove"),
        "left": gettext("{n} left"),
        "leftOf": gettext("{left} of {of}"),
        "rotations": gettext("{fit} of {all} rotations fit"),
    }
