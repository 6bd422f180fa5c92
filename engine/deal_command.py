"""Deals for programs: each line is an object with the secret and the texts, answered by an object with the deal."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final

from engine.dealing import deal
from engine.registry import find_ruleset
from engine.ruleset import TagError

_KEYS: Final = ("game", "rules", "secret", "entropies", "deck")
MOST_BYTES: Final = 1 << 16
"""Of a line: far more than a deal or a record needs, however it is written."""


class LineError(ValueError):
    """A line that cannot be answered: its number (from 1), the field at fault, and why."""

    def __init__(self, line: int, what: str, why: str) -> None:
        super().__init__(why)
        self.line, self.what, self.why = line, what, why

    def as_json(self) -> dict[str, Any]:
        """Return the error as the command line prints it."""
        return {"line": self.line, "error": {"what": self.what, "why": self.why}}


def deals(stream: BinaryIO) -> Iterator[dict[str, Any] | LineError]:
    """Yield the deal for each line that is not empty, or the line's error, in bounded memory."""
    for number, given in read_objects(stream):
        try:
            yield given if isinstance(given, LineError) else _deal(number, given)
        except LineError as error:
            yield error


def read_objects(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any] | LineError]]:
    """Yield the number and the object of each line that is not empty, or the line's error."""
    for number, line in enumerate(_lines(stream), 1):
        if line is None or line.strip():
            try:
                yield number, _read(number, line)
            except LineError as error:
                yield number, error


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line; None for a line that is too long."""
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) <= MOST_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES)
        yield None


def _deal(number: int, given: dict[str, Any]) -> dict[str, Any]:
    """Return the deal for the object of a line.

    :raises LineError:
    """
    check_keys(number, given, _KEYS)
    _check_types(number, given)
    try:
        ruleset = find_ruleset({"Game": given["game"], "Rules": given["rules"]})
    except TagError as error:
        raise LineError(number, error.tag.lower(), str(error)) from None
    try:
        return deal(ruleset, given["secret"], given["entropies"], given["deck"]).as_json()
    except TagError as error:
        raise LineError(number, error.tag, str(error)) from None


def _read(number: int, line: bytes | None) -> dict[str, Any]:
    if line is None:
        raise LineError(number, "line", f"This line is too long: at most {MOST_BYTES} bytes are allowed.")
    try:
        given = json.loads(line.rstrip().decode(), object_pairs_hook=_object)
    except RecursionError:
        raise LineError(number, "line", "This JSON is nested too deeply.") from None
    except UnicodeDecodeError as error:
        raise LineError(number, "line", f"Byte {error.start + 1} of the line is not UTF-8.") from None
    except ValueError as error:
        raise LineError(number, "line", f"This is not valid JSON: {error}.") from None
    if not isinstance(given, dict):
        raise LineError(number, "line", "This is not a JSON object.")
    return given


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice")
    return found


def check_keys(number: int, given: dict[str, Any], keys: Sequence[str]) -> None:
    """Refuse an object with other keys than these.

    :raises LineError:
    """
    for key in keys:
        if key not in given:
            raise LineError(number, key, f"Key {key} is missing.")
    for key in given:
        if key not in keys:
            raise LineError(number, "line", f"Unknown key {key!r}. Known keys: {', '.join(keys)}.")


def _check_types(number: int, given: dict[str, Any]) -> None:
    for key in ("game", "rules", "secret"):
        if not isinstance(given[key], str):
            raise LineError(number, key, "This is not a string.")
    entropies = given["entropies"]
    if not isinstance(entropies, list) or not all(isinstance(entropy, str) for entropy in entropies):
        raise LineError(number, "entropies", "This is not a list of strings.")
    if given["deck"] is not None and not isinstance(given["deck"], str):
        raise LineError(number, "deck", "This is neither null nor a string.")
