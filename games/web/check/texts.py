"""The texts of the page's script, in the reader's language."""

from django.utils.translation import gettext, ngettext


def texts() -> dict[str, str | list[str]]:
    """Return the texts by name; the script fills in braces, and a list holds singular and plural."""
    return {
        "python": gettext("Loading the engine: about 6 MB, once."),
        "engine": gettext("Starting the engine…"),
        "reading": gettext("Reading the file…"),
        "checked": [ngettext("{n} game checked", "{n} games checked", number) for number in (1, 2)],
        "verified": gettext("{n} verified"),
        "unfinished": gettext("{n} unfinished"),
        "rejected": gettext("{n} rejected"),
        "corrected": gettext("{n} corrected"),
        "place": gettext("Game {game}, line {line}, column {column}"),
        "more": [
            ngettext("{n} more rejected game is in the report.", "{n} more rejected games are in the report.", number)
            for number in (1, 2)
        ],
        "notShown": [
            ngettext("{n} more legal action is not shown.", "{n} more legal actions are not shown.", number)
            for number in (1, 2)
        ],
        "nothing": gettext("There is no game in this file."),
        "too_large": gettext("This file is too large to check here. Upload it: the server takes larger files."),
        "damaged": gettext("This file cannot be unpacked: it is damaged, or not compressed with gzip or zip."),
        "version": gettext("The site’s rules have changed since this page was opened. Reload the page."),
        "failed": gettext("The engine could not be loaded: {why}. Check your connection and try again."),
        "broken": gettext("The file could not be checked: {why}."),
        "legal": gettext("This game is legal now."),
        "replace": gettext("Replace {old} with {new}?"),
        "whole": gettext("This makes the whole game legal."),
        "pasted": gettext("Pasted text"),
    }
