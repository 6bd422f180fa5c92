"""Parses upload options from requests, everywhere by the same rules: a lost option could publish a private file."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.utils.datastructures import MultiValueDict

from engine.words import marked
from games.platform.parameters import ParameterError, repeated, unknown

NAMES = ("scored", "private", "club", "dry_run", "webhook")
"""The options, the same on every road: a parameter, a form's field, or a key of Upload-Metadata."""
FILE = "file"
"""The field of a form with files; it may be repeated."""
TICKET = "csrfmiddlewaretoken"
"""The field by which a form proves that a page of this site sent it."""
_PAIR = re.compile(rb"[&\s]*[^\s=&\[{]{1,64}=")
_FIRST_KEY = re.compile(rb'\s*\{\s*"(file|%s)"\s*:' % b"|".join(map(str.encode, NAMES)))
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)  # of a number as long as it likes
_LONGEST_WORD = len("-Infinity")
_SPACE = b"\xef\xbb\xbf \t\r\n"

Part = tuple[MultiValueDict[str, Any], Collection[str]]
"""All names and values of one part of a request, and the names that it may have."""


def gather(*parts: Part) -> dict[str, Any]:
    """Return the options from all parts of a request.

    :raises ParameterError: for a name that its part may not have (perhaps a misspelt option), or that is repeated.
    """
    for sent, known in parts:
        _refuse_unknown(sent, known)
    said = [pair for sent, _ in parts for pair in _pairs(sent)]
    twice = [name for name, count in Counter(name for name, _ in said).items() if count > 1]
    if twice:
        raise ParameterError.about(twice[0], repeated(twice[0]))
    return dict(said)


def _refuse_unknown(names: Iterable[str], known: Collection[str]) -> None:
    others = sorted(set(names).difference(known))
    if others and others[0] in NAMES:
        raise ParameterError(others[0], marked("Send this option as a field of the form, not in the address."))
    if others:
        raise ParameterError.about(others[0], unknown(others[0], NAMES))


def _pairs(sent: MultiValueDict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every name with every value, but several files as one value."""
    return (
        pair
        for name, values in sent.lists()
        for pair in ([(name, values)] if name == FILE else [(name, value) for value in values])
    )


def refuse_options_in(head: bytes, media_type: str, *, more: bool = False) -> None:
    """Refuse a body that begins not with games but with a form or an object with options.

    By default curl sends a file with the media type of a form, so the type alone is no reason to refuse it.

    :param more: whether the body goes on after it.
    :raises ParameterError: when options would be lost in it.
    """
    said = marked("Send the file as the body and options in the address, or both as multipart/form-data.")
    if media_type == "application/x-www-form-urlencoded" and _PAIR.match(head):
        raise ParameterError("Content-Type", said)
    if name := _option_in_object(head.lstrip(_SPACE), more=more):
        raise ParameterError(name, said)


def _option_in_object(head: bytes, *, more: bool) -> str:
    """Return the name of an option in a JSON object, which a record never has; None if there is none."""
    if not head.startswith(b"{"):
        return ""
    if found := _FIRST_KEY.match(head):
        return found[1].decode()
    named = [name for name in NAMES if b'"%s"' % name.encode() in head]
    try:
        value, _ = _DECODER.raw_decode(head.decode(errors="replace"))
    except RecursionError:
        return named[0] if named else ""  # no record is nested so deeply
    except json.JSONDecodeError as error:
        return (named or ["file"])[0] if more and _is_cut_off(error) else ""
    return next((name for name in NAMES if name in value), "")


def _is_cut_off(error: json.JSONDecodeError) -> bool:
    """Return whether an object is only cut off after what was read of it; no record is that long."""
    return error.msg.startswith("Unterminated string") or error.pos > len(error.doc) - _LONGEST_WORD
