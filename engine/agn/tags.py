"""The tags of a record: their syntax (AGN-TAG-1) and their values (AGN-TAG-2 to 6)."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from engine.agn.dates import is_ahead, is_date
from engine.agn.known_tags import DATES, FORMAL, LONG, REQUIRED, SETUP_TAGS, SHORT, TIMES
from engine.agn.log import MAX_TAGS, AgnError, Record
from engine.agn.names import name_key
from engine.ruleset import Ruleset, TagError

NAME_LENGTH = 64

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\][ \t]*')
_TAGS = re.compile(r'^\[([A-Za-z][A-Za-z0-9_]*) "([^"\\\n]*)"\][ \t]*$', re.MULTILINE)
"""Tags without an escape."""
_KEPT = 1024
"""Names of tags that are remembered."""
_name_between: dict[str, str] = {}
"""The names of tags, by what is between the quotation marks of two values: the end of one tag and the next name."""
_ESCAPE = re.compile(r'\\(["\\])')
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")


def read_tags(text: str, first_line: int) -> tuple[dict[str, str], bool]:
    """Return the tags, one a line, and whether it is known that each is written as in a canonical text.

    :raises AgnError: (AGN-TAG-1, AGN-FILE-2)
    """
    lines = text.count("\n") + 1
    if lines > MAX_TAGS or text.count('"') != 2 * lines or "\\" in text:
        return _parse_each(text.split("\n"), first_line), False
    is_canonical = text.endswith('"]')
    parts = f"]\n{text}".split('"')
    try:
        tags = dict(zip(map(_name_between.__getitem__, parts[:-1:2]), parts[1::2]))  # noqa: B905 (`lines` shows it)
    except KeyError:
        tags, is_canonical = _with_new_names(text), False
    if len(tags) != lines or parts[-1].rstrip(" \t") != "]":
        return _parse_each(text.split("\n"), first_line), False
    if max(map(len, tags.values())) > SHORT:
        for number, (name, value) in enumerate(tags.items(), first_line):
            check_length(name, value, number)
    return tags, is_canonical


def _with_new_names(text: str) -> dict[str, str]:
    """Return the tags, as far as they are tags without an escape, and remember their names while there is room."""
    tags = dict(_TAGS.findall(text))
    if len(_name_between) < _KEPT:
        _name_between.update({f"]\n[{name} ": name for name in tags if len(name) <= NAME_LENGTH})
    return tags


def _parse_each(lines: list[str], first_line: int) -> dict[str, str]:
    """Return the same, parsed tag by tag: with escapes, and up to the first wrong tag."""
    tags: dict[str, str] = {}
    for number, line in enumerate(lines, first_line):
        match = _TAG.fullmatch(line)
        if match is None:
            if tags and "[" not in line:
                raise AgnError("AGN-TAG-1", (number, 1), "This line is not a tag; moves begin after an empty line.")
            raise AgnError("AGN-TAG-1", (number, 1), 'This line is not a tag of the form [Name "value"].')
        name, value = match[1], _ESCAPE.sub(r"\1", match[2])
        if name in tags:
            raise AgnError("AGN-TAG-1", (number, 1), "Tag {name} appears twice.", name=name[:NAME_LENGTH])
        if len(tags) == MAX_TAGS:
            raise AgnError(
                "AGN-FILE-2", (number, 1), "This game has too many tags: at most {most} are allowed.", most=MAX_TAGS
            )
        check_length(name, value, number)
        tags[name] = value
    return tags


def refused_value(tags: Mapping[str, str], error: TagError) -> str:
    """Return the value of the tag that is refused; nothing for names of players and free texts."""
    return tags.get(error.tag, "") if error.tag in FORMAL else ""


def refused_line(record: Record, error: AgnError) -> str:
    """Return the line that is refused because it is no tag (AGN-TAG-1); nothing for other faults."""
    lines = (
        record.data.decode(errors="replace").split("\n") if error.rule == "AGN-TAG-1" and record.form == "text" else []
    )
    at = error.place[0] - record.line
    return lines[at] if 0 <= at < len(lines) else ""


def check_name(name: str, line: int) -> None:
    """Check a tag's name. :raises AgnError: when it is not a valid name (AGN-TAG-1)."""
    if _NAME.fullmatch(name) is None:
        raise AgnError(
            "AGN-TAG-1",
            (line, 1),
            "{name!r} is not a tag name: it must be letters, digits and _ and begin with a letter.",
            name=name[:NAME_LENGTH],
        )


def check_length(name: str, value: str, line: int) -> None:
    """Check a value's length. :raises AgnError: when it is longer than AGN-FILE-2 allows."""
    most = LONG if name in SETUP_TAGS else SHORT
    if len(value) > most:
        raise AgnError(
            "AGN-FILE-2",
            (line, 1),
            "The value of tag {name} has {length} characters; at most {most} are allowed.",
            name=name[:NAME_LENGTH],
            length=len(value),
            most=most,
        )


def require(tags: Mapping[str, str], *names: str) -> None:
    """Check that required tags are present. :raises TagError: when one is missing (AGN-TAG-2)."""
    for name in names:
        if name not in tags:
            raise TagError(name, "AGN-TAG-2", "Tag {name} is missing.", name=name)


def check_tags(tags: Mapping[str, str], ruleset: Ruleset[Any, Any], today: date | None = None) -> tuple[str, ...]:
    """Check the values of all tags, except the setup and the result.

    :param today: the day of the verdict in UTC; without it no date is too late.
    :returns: the names of the tags that hold the players' names, in seat order.
    :raises TagError: (AGN-TAG-2, AGN-TAG-4, AGN-TAG-5, AGN-TAG-6)
    """
    require(tags, *REQUIRED)
    seat_tags = _seat_tags(ruleset, tags["Seats"])
    if not seat_tags:
        raise TagError("Seats", "AGN-TAG-4", "Seats {seats!r} is not a seat order of {game}, such as {example}.",
                       seats=tags["Seats"], game=ruleset.game, example=_seat_order(ruleset))  # fmt: skip
    require(tags, *seat_tags)
    _check_players(tags, seat_tags)
    for name in DATES:
        if name in tags:
            _check_date(name, tags[name], today)
    for name in TIMES:
        if name in tags and _TIME.fullmatch(tags[name]) is None:
            raise TagError(name, "AGN-TAG-6", "{name} {value!r} is not a time such as 19:30:00.",
                           name=name, value=tags[name])  # fmt: skip
    return seat_tags


def _check_date(name: str, value: str, today: date | None) -> None:
    if not is_date(value):
        raise TagError(name, "AGN-TAG-6", "{name} {value!r} is not a date such as 2026.11.21 or 2026.??.??.",
                       name=name, value=value)  # fmt: skip
    if today and is_ahead(value, today):
        raise TagError(name, "AGN-TAG-6", "{name} {value!r} is in the future: this was checked on {today}.",
                       name=name, value=value, today=today.isoformat().replace("-", "."))  # fmt: skip


def _seat_order(ruleset: Ruleset[Any, Any]) -> str:
    """Return an example of a seat order that the game allows: a shortest one, with the seats in their listed order."""
    listed = [seat.letter for seat in ruleset.seats]
    order = min(ruleset.seatings, key=lambda letters: (len(letters), [*map(listed.index, letters)]))
    return " ".join(order)


@lru_cache
def _seat_tags(ruleset: Ruleset[Any, Any], seats: str) -> tuple[str, ...]:
    """Return the names of the tags with the players' names, in seat order; None for seats that the game forbids."""
    letters = tuple(seats.split(" "))
    return tuple([ruleset.seat(letter).tag for letter in letters]) if letters in ruleset.seatings else ()


def _check_players(tags: Mapping[str, str], seat_tags: tuple[str, ...]) -> None:
    """Check the names, which are counted and compared as they are looked up: by `name_key`."""
    seen: set[str] = set()
    for tag in seat_tags:
        name, key = tags[tag], name_key(tags[tag])
        if not 1 <= len(key) <= NAME_LENGTH:
            raise TagError(tag, "AGN-TAG-5", "The name in tag {tag} has {length} characters; 1 to {most} are allowed.",
                           most=NAME_LENGTH, tag=tag, length=len(key))  # fmt: skip
        if name != name.strip(" "):
            raise TagError(tag, "AGN-TAG-5", "The name {name!r} begins or ends with a space.", name=name)
        if not name.isprintable() and any(unicodedata.category(char) == "Cc" for char in name):
            raise TagError(tag, "AGN-TAG-5", "The name {name!r} contains a control character.", name=name)
        if key in seen:
            raise TagError(tag, "AGN-TAG-5", "Two seats have the same name, {name!r}.", name=key)
        seen.add(key)
