"""What makes two names the same: one person, place or occasion, however its text was typed (AGN-TAG-5)."""

from collections.abc import Mapping
from unicodedata import normalize

from engine.agn.known_tags import SHORT


def name_key(text: str) -> str:
    """Return the form of a name under which it is stored, looked up and shown: composed (NFC), with plain spaces.

    Every run of white space, of whatever width, becomes one plain space, and none is left at the ends. Upper and lower
    case, characters that only look alike and compatibility forms (such as `ﬁ` and `fi`) stay different names.
    """
    if not text.isascii():
        text = normalize("NFC", text)
    return " ".join(text.split())


def site_of(tags: Mapping[str, str]) -> str:
    """Return where the names of a record are used, as it is looked up: the Site tag; empty without one.

    The composed form of a few letters is longer than the written one; what is beyond the length of a tag is left out.
    """
    return name_key(tags.get("Site", ""))[:SHORT].rstrip(" ")
