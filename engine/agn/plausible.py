"""A quick test whether a record could be a game, by the tag that every game has (AGN-TAG-2), without parsing it."""

from engine.agn.known_tags import REQUIRED
from engine.agn.log import Record

_TEXT = tuple(f'[{name} "'.encode() for name in REQUIRED)
_JSON = tuple(f'"{name}"'.encode() for name in (*REQUIRED, "actions"))
_ESCAPED = b"\\u"
"""How JSON may write the letters of a name, too."""


def could_be_game(record: Record) -> bool:
    """Return whether a record could be accepted; if this returns False, it is certain to be rejected."""
    data = record.data
    if record.too_long:
        return False
    if record.form == "json":
        return all(name in data for name in _JSON) or _ESCAPED in data
    return all(tag in data for tag in _TEXT)
