"""The sentences that the scripts for verifying on one's own device say, in the reader's language."""

from typing import Any

from django.utils.translation import gettext

from games.web.labels import DEALINGS, STAMPS


def proof_texts() -> dict[str, Any]:
    """Return them by their names; in braces is what the script fills in."""
    return _loading() | {
        "reading": gettext("Reading the record…"),
        "gameProved": gettext(
            "Verified on this device: everything shown follows from the record. “What if” now runs on this device, too."
        ),
        "gameDiffers": gettext("Differences from what this site shows: {n}. Please report them."),
        "dealBroken": gettext(
            "Verified on this device: this page matches the record, but its deal does not follow "
            "from the secret and the players’ texts."
        ),
        "rating": gettext("Games rated: {n} of {of}"),
        "tableProved": gettext("Verified on this device: the table follows from these games, byte for byte."),
        "tableDiffers": gettext("These games give a different table. Please report it."),
        "differs": gettext("{here} here, {there} on this site"),
        "names": _names(),
        "values": _values(),
    }


def _loading() -> dict[str, str]:
    return {
        "python": gettext("Loading the engine: about 6 MB, once."),
        "engine": gettext("Starting the engine…"),
        "version": gettext("The site’s rules have changed since this page was opened. Reload the page."),
        "failed": gettext("The engine could not be loaded: {why}. Check your connection and try again."),
        "broken": gettext("This could not be verified: {why}."),
    }


def _names() -> dict[str, str]:
    return {
        "verdict": gettext("Verdict"),
        "rule": gettext("Broken rule"),
        "plies": gettext("Actions"),
        "result": gettext("Result"),
        "digest": gettext("Game digest"),
        "likeness": gettext("Digest of all games with the same play"),
        "text": gettext("Canonical text"),
        "dealing": gettext("Deal"),
        "games": gettext("Rated games"),
        "set": gettext("Digest of the set of games (SHA-256)"),
        "table": gettext("Table of {n} players"),
    }


def _values() -> dict[str, str]:
    return {
        **{kind: str(STAMPS[kind].word) for kind in ("verified", "unfinished", "rejected")},
        **{status: str(word) for status, word in DEALINGS.items()},
    }
