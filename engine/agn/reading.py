"""Parses one record, text or JSON, into a log."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from engine.agn.log import MAX_TAGS, MAX_TEXT, MAX_TOKEN, AgnError, Log, Place, Record
from engine.agn.tags import check_length, check_name, read_tags
from engine.words import Words, marked, words

FORMAT = "agn/1"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")
_NO_CONTROLS = bytes(byte for byte in range(256) if byte >= ord(" ") or byte in b"\t\n")
_BLANK_LINE = re.compile(r"^[ \t]*(?:\n|\Z)", re.MULTILINE)
_WHITE = re.compile(r"[ \t\n]+")
_WORD = re.compile(r"[^ \t\n]+")
_SPECIAL = re.compile(r"[{;()]")
LEXEME = re.compile(r"[^ \t\n{;()]+|\{[^}]*\}|;[^\n]*|[{()]")
NUMBER = re.compile(r"[0-9]+\.")
"""A round's or pair's number (AGN-MOVE-2)."""
RESULT = re.compile(r"\*|[0-9]+(?:-[0-9]+)+")
"""A result token (AGN-RESULT-1)."""
_MARK = "\ufeff"
_SURROGATES = chr(0xD800), chr(0xDFFF)
_PLY = re.compile(r"-1|0|[1-9][0-9]{0,4}")
_make = tuple.__new__


class Head(NamedTuple):
    """A record whose tags are parsed, but not its movetext."""

    tags: Mapping[str, str]
    log: Callable[[], Log]
    """Reads the movetext."""
    movetext: str = ""
    """As it is written; nothing for a record in JSON."""
    first_line: int = 0
    """The line of the file in which the movetext begins."""
    heading: str = ""
    """The lines of the tags, if each is written as in a canonical text."""


def parse(record: Record) -> Log:
    """Parse a record. :raises AgnError: when its text or its tags are not well formed."""
    return read_head(record).log()


def read_head(record: Record) -> Head:
    """Parse a record's tags; all of a JSON record. :raises AgnError: when its text or its tags are not well formed."""
    start = (record.line, 1)
    if record.too_long:
        raise AgnError(
            "AGN-FILE-2", start, "This game’s text is too long: at most {most} bytes are allowed.", most=MAX_TEXT
        )
    text = _decode(record)
    if record.form == "json":
        log = _parse_json(text, record.line)
        return Head(log.tags, lambda: log)
    return _read_tags(text, record.line)


def _decode(record: Record) -> str:
    data = record.data
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        raise AgnError("AGN-FILE-1", _place_at(before, len(before), record.line),
                       "Byte {byte:#04x} is not valid UTF-8.", byte=data[error.start]) from None  # fmt: skip
    if data.translate(None, _NO_CONTROLS) and (control := _CONTROL.search(text)):
        if control[0] == "\r":
            sentence = marked("This line ends with a CR alone (U+000D), as on old Macs; lines end with LF or CRLF.")
            raise AgnError("AGN-FILE-1", _place_at(text, control.start(), record.line), sentence)
        raise AgnError(
            "AGN-FILE-1",
            _place_at(text, control.start(), record.line),
            "Control character U+{code:04X} is not allowed; only tabs and line ends are.",
            code=ord(control[0]),
        )
    return text


def _place_at(text: str, offset: int, first_line: int) -> Place:
    return first_line + text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset)


# Text


def _read_tags(text: str, line: int) -> Head:
    lines, movetext, blanks = _halves(text)
    tags, is_canonical = read_tags(lines, line)
    first_line = line + lines.count("\n") + 1 + blanks
    heading = f"{lines}\n" if is_canonical else ""
    read = partial(_read_movetext, tags, line, movetext, first_line)
    return _make(Head, (tags, read, movetext, first_line, heading))


def _read_movetext(tags: Mapping[str, str], line: int, movetext: str, first_line: int) -> Log:
    tokens, comments, fault_at = _lex(movetext)
    places = partial(_token_places, movetext, first_line)
    fault = None
    if fault_at is not None:
        fault = _fault_of_form(movetext, fault_at, _place_at(movetext, fault_at, first_line))
    return Log(
        tags,
        partial(_tag_place, tags, line),
        tokens,
        comments,
        fault,
        lambda number: next(islice(places(), number, None)),
        lambda: list(places()),
    )


def _halves(text: str) -> tuple[str, str, int]:
    """Return the tag lines, the movetext, and the number of the blank line between them, or -1.

    In most records that line is empty, which is found faster than a line of white space.
    """
    head, empty, movetext = text.partition("\n\n")
    if empty and "\n " not in head and "\n\t" not in head:
        return head, movetext, 1
    blank = _BLANK_LINE.search(text)
    if blank is None:
        return text.removesuffix("\n"), "", -1
    return text[: blank.start()].removesuffix("\n"), text[blank.end() :], 1


def _tag_place(tags: Mapping[str, str], line: int, name: str) -> Place:
    """Return where a tag is, as there is one on each line; for a missing tag, where the tags begin."""
    return line + (list(tags).index(name) if name in tags else 0), 1


def _lex(movetext: str) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...], int | None]:
    """Return the tokens and comments up to the first syntax error, and that error."""
    if "{" in movetext or ";" in movetext or "(" in movetext or ")" in movetext:
        return _lex_all(movetext)
    # Other white space is not ASCII, or a control character.
    tokens = movetext.split() if movetext.isascii() else _WORD.findall(movetext)
    if _has_long_way(movetext) and max(map(len, tokens), default=0) > MAX_TOKEN:
        return _lex_all(movetext)
    return tuple(tokens), (), None


def _has_long_way(movetext: str) -> bool:
    """Return whether any two spaces are further apart than the longest token; if not, all tokens are short enough."""
    space = -1
    while len(movetext) - space > MAX_TOKEN + 1:
        after = space + 1
        space = movetext.rfind(" ", after, after + MAX_TOKEN + 1)
        if space < 0:
            return True
    return False


def _lex_all(movetext: str) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...], int | None]:
    tokens: list[str] = []
    comments: list[tuple[int, str]] = []
    for match in LEXEME.finditer(movetext):
        word = match[0]
        if word[0] == "{" and len(word) > 1:
            comments.append((len(tokens), word[1:-1]))
        elif word[0] == ";":
            comments.append((len(tokens), word[1:]))
        elif word in "{()" or len(word) > MAX_TOKEN:
            return tuple(tokens), tuple(comments), match.start()
        else:
            tokens.append(word)
    return tuple(tokens), tuple(comments), None


def _fault_of_form(movetext: str, offset: int, place: Place) -> AgnError:
    char = movetext[offset]
    if char == "{":
        return AgnError("AGN-MOVE-3", place, "This comment is never closed.", token=char)
    if char in "()":
        return AgnError(
            "AGN-MOVE-3",
            place,
            "Variations in parentheses are not supported in version 1: only studies have them.",
            token=char,
        )
    return AgnError(
        "AGN-FILE-2", place, "This token is too long: at most {most} characters are allowed.", most=MAX_TOKEN
    )


def _token_places(movetext: str, first_line: int) -> Iterator[Place]:
    """Return the place of each token and, last, of the end of the text."""
    line, begin = first_line, 0
    for match in LEXEME.finditer(movetext):
        if match[0][0] not in "{;()":
            line, begin = _moved_on(movetext, line, begin, match.start())
            yield line, match.start() - begin + 1
    end = len(movetext.rstrip(" \t\n"))
    yield _place_at(movetext, end, first_line)


def _moved_on(text: str, line: int, begin: int, offset: int) -> tuple[int, int]:
    """Return the line of an offset and where that line begins, counting from an earlier line."""
    return line + text.count("\n", begin, offset), text.rfind("\n", begin, offset) + 1 or begin


# JSON


def _parse_json(text: str, line: int) -> Log:
    place = (line, 1)
    loaded = _load(text, place)
    _check_strings(loaded, place)
    value = _check_shape(loaded, place)
    for name, tag in value["tags"].items():
        check_name(name, line)
        if "\n" in tag:
            raise AgnError(
                "AGN-TAG-1",
                place,
                "The value of tag {name} contains a line break; a tag is a single line.",
                name=name[:MAX_TOKEN],
            )
        check_length(name, tag, line)
    if len(value["tags"]) > MAX_TAGS:
        raise AgnError("AGN-FILE-2", place, "This game has too many tags: at most {most} are allowed.", most=MAX_TAGS)
    comments = sorted((int(ply) + 1, comment) for ply, comment in value.get("comments", {}).items())
    tokens, fault = _json_tokens(value["actions"], value["result"], place)
    return Log(
        value["tags"],
        lambda _: place,
        tokens,
        tuple(comments),
        fault,
        lambda _: place,
        lambda: [place] * (len(tokens) + 1),
    )


def _json_tokens(actions: list[str], result: str, place: Place) -> tuple[tuple[str, ...], AgnError | None]:
    """Return the tokens up to the first syntax error, and that error."""
    tokens = (*actions, result)
    for number, token in enumerate(tokens):
        if len(token) > MAX_TOKEN:
            return tokens[:number], AgnError(
                "AGN-FILE-2", place, "This token is too long: at most {most} characters are allowed.", most=MAX_TOKEN
            )
    if RESULT.fullmatch(result) is None:
        return tokens[:-1], AgnError(
            "AGN-RESULT-1", place, "Expected a result such as 1-2 or *, found {result!r}.", result=result
        )
    return tokens, None


def _load(text: str, place: Place) -> object:
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_int=_number, parse_float=_number, parse_constant=_number
        )
    except RecursionError:
        raise AgnError("AGN-JSON-1", place, "This JSON is nested too deeply.") from None
    except ValueError as error:
        raise AgnError("AGN-JSON-1", place, "This is not valid JSON: {problem}.", problem=_problem(error)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice")
    return found


_PROBLEMS = {
    problem.template: problem
    for problem in (
        words("Expecting value"),
        words("Expecting property name enclosed in double quotes"),
        words("Expecting ':' delimiter"),
        words("Expecting ',' delimiter"),
        words("Extra data"),
        words("Unterminated string starting at"),
        words("Invalid control character at"),
        words("Invalid \\uXXXX escape"),
        words("Illegal trailing comma before end of object"),
        words("Illegal trailing comma before end of array"),
    )
}
"""What the standard library finds wrong with JSON; what it may find besides stays as it says it."""


def _problem(error: ValueError) -> Words:
    if not isinstance(error, json.JSONDecodeError):
        return words("a key appears twice")
    if error.doc.startswith(_MARK):
        return words("a second byte-order mark (U+FEFF) stands before the object")
    return words("{problem}: line {line} column {column} (char {at})",
                 problem=_PROBLEMS.get(error.msg, error.msg), line=error.lineno, column=error.colno,
                 at=error.pos)  # fmt: skip


def _number(_: str) -> None:
    """Return None for any number: records contain none, and a huge one must cost nothing."""


def _check_shape(value: object, place: Place) -> dict[str, Any]:
    """Return a record's object. :raises AgnError: when it has other keys or other types than a record (AGN-JSON-1)."""
    wrong = partial(AgnError, "AGN-JSON-1", place)
    if not isinstance(value, dict):
        raise wrong(marked("A record in JSON must be an object."))
    _check_keys(value, wrong)
    if not _all_strings(value["tags"], dict) or not _all_strings(value.get("comments", {}), dict):
        raise wrong(marked("Tags and comments must be objects whose values are strings."))
    if not _all_strings(value["actions"], list) or not isinstance(value["result"], str):
        raise wrong(marked("Actions must be a list of strings, and the result must be a string."))
    _check_words(value, wrong)
    return value


def _check_keys(value: dict[str, Any], wrong: Callable[..., AgnError]) -> None:
    if unknown := value.keys() - {"format", "tags", "actions", "comments", "result"}:
        raise wrong(
            marked("Unknown key {key!r}: a record has format, tags, actions, comments and result."),
            key=min(unknown)[:MAX_TOKEN],
        )
    if missing := {"format", "tags", "actions", "result"} - value.keys():
        raise wrong(marked("Key {key!r} is missing."), key=min(missing))
    if value["format"] != FORMAT:
        raise wrong(marked("The format must be {format!r}."), format=FORMAT)


def _check_words(value: dict[str, Any], wrong: Callable[..., AgnError]) -> None:
    for action in value["actions"]:
        if not _is_action(action):
            raise wrong(marked("{action!r} is not a single action."), action=action[:MAX_TOKEN])
    for ply in value.get("comments", {}):
        if _PLY.fullmatch(ply) is None or int(ply) >= len(value["actions"]):
            raise wrong(marked("There is a comment at {ply!r}, but this game has no such ply."), ply=ply[:MAX_TOKEN])


def _all_strings(value: object, kind: type[list[Any]] | type[dict[str, Any]]) -> bool:
    values: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, kind) and all(isinstance(one, str) for one in values)


def _is_word(text: str) -> bool:
    return bool(text) and _WHITE.search(text) is None and _SPECIAL.search(text) is None


def _is_action(text: str) -> bool:
    return _is_word(text) and RESULT.fullmatch(text) is None and NUMBER.fullmatch(text) is None


def _check_strings(value: object, place: Place) -> None:
    """Check escapes. :raises AgnError: when a string contains a character that no text may contain (AGN-FILE-1)."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, dict):
            rest.extend((*one.keys(), *one.values()))
        elif isinstance(one, list):
            rest.extend(one)
        elif isinstance(one, str) and (_CONTROL.search(one) or (not one.isprintable() and _has_surrogate(one))):
            raise AgnError("AGN-FILE-1", place, "A string contains a control character or an incomplete character.")


def _has_surrogate(text: str) -> bool:
    return any(_SURROGATES[0] <= char <= _SURROGATES[1] for char in text)


def tidy_comment(text: str) -> str:
    """Return a comment in canonical form (AGN-MOVE-3): single spaces, none at its ends, `)` for a closing brace."""
    return _WHITE.sub(" ", text).strip(" ").replace("}", ")")
