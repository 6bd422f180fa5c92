"""Writes a record as records are written: undoes what programs for texts did to its tags and tokens."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from engine.agn.canonical import escape
from engine.agn.known_tags import DATES, KNOWN_TAGS, SETUP_TAGS, TIMES
from engine.agn.log import MAX_TAGS, Record
from engine.agn.reading import LEXEME, parse
from engine.agn.typographic import plain, plain_date, plain_tokens, tag_line
from engine.registry import RULESETS
from engine.suggesting.candidates import repairs, site_of
from engine.suggesting.editing import edited
from engine.verify import Verdict, verify

MOST = 50
"""Tokens that are spelled otherwise, one after the other."""
_QUOTED = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"'))
_BYTES_A_TOKEN = 5
_KNOWN = {name.casefold(): name for ruleset in RULESETS for name in (ruleset.game, ruleset.edition)}
"""The values of the tags Game and Rules, by their small letters."""
_TAGS = {
    **{tag.name.casefold(): tag.name for tag in KNOWN_TAGS},
    **{seat.tag.casefold(): seat.tag for ruleset in RULESETS for seat in ruleset.seats},
}
"""The names of tags, by their small letters."""
_CASES: tuple[Callable[[str], str], ...] = (str, str.upper, str.lower)

Allows = Callable[[int], bool]
"""Whether so many tokens may still be read."""


def repaired(verdict: Verdict, allows: Allows) -> Verdict | None:
    """Return the verdict on a record with its writing repaired; None if it gets no further by that."""
    best = verdict
    for data in _plain_records(verdict.record):
        best = _further(best, data, allows)
    for _ in range(MOST):
        before = best
        for data in _respelled(best):
            best = _further(best, data, allows)
            if best is not before:
                break
        if best is before:
            break
    return None if best is verdict else best


def _further(best: Verdict, data: bytes, allows: Allows) -> Verdict:
    """Return the verdict on other bytes of a record, if it gets further; otherwise the best one so far."""
    if data == best.record.data or not allows(len(data) // _BYTES_A_TOKEN + 1):
        return best
    now = verify(best.record._replace(data=data))
    return now if _reach(now) > _reach(best) else best


def _reach(verdict: Verdict) -> tuple[bool, int]:
    return verdict.fault is None, verdict.replay.plies if verdict.replay else -1


def _respelled(verdict: Verdict) -> Iterator[bytes]:
    """Yield a record with the token at its first fault spelled otherwise."""
    if verdict.fault is None or verdict.replay is None:
        return
    site = site_of(parse(verdict.record), verdict.replay, verdict.fault)
    for edit in repairs(site) if site else ():
        yield edited(verdict.record, edit)


def _plain_records(record: Record) -> Iterator[bytes]:
    """Yield a record with plain characters, its setup in letters of either case."""
    try:
        text = record.data.decode()
    except UnicodeDecodeError:
        return
    found = _plain_json(text) if record.form == "json" else _plain_text(text)
    yield from (changed.encode(errors="surrogatepass") for changed in dict.fromkeys(found))


def _plain_text(text: str) -> Iterator[str]:
    lines = text.split("\n")
    head = next((at for at, line in enumerate(lines) if not plain(line).strip()), len(lines))
    rest = ["", LEXEME.sub(_plain_lexeme, "\n".join(lines[head + 1 :]))] if lines[head + 1 :] else []
    for case in _CASES:
        yield "\n".join([*(_plain_line(line, case) for line in lines[: min(head, MAX_TAGS)]), *rest])


def _plain_line(line: str, case: Callable[[str], str]) -> str:
    found = tag_line(line)
    if found is None:
        return line
    name, value = _TAGS.get(found[0].casefold(), found[0]), found[1]
    value = re.sub(r"\\([\"\\])", r"\1", value)
    return f'[{name} "{escape(_plain_value(name, value, case))}"]'


def _plain_value(name: str, value: str, case: Callable[[str], str]) -> str:
    """Return the value of a tag as it is written; names of players and free texts stay as they are."""
    spaced = " ".join(plain(value).split())
    if name in ("Game", "Rules"):
        return _KNOWN.get(spaced.casefold(), spaced)
    if name == "Seats":
        return " ".join(re.findall("[A-Z]", spaced.upper()))
    if name == "Result":
        return "".join(plain_tokens(value))
    if name in DATES:
        return plain_date(value)
    if name in TIMES:
        return spaced.replace(" ", "").replace(".", ":")
    return case(spaced) if name in SETUP_TAGS else value


def _plain_lexeme(match: re.Match[str]) -> str:
    word = match[0]
    return word if word[0] in "{;()" else " ".join(plain_tokens(word))


def _plain_json(text: str) -> Iterator[str]:
    """Yield a record in JSON; nothing if it is none, or if an action falls apart and there are comments."""
    for said in (text, text.translate(_QUOTED)):
        try:
            value: dict[str, Any] = json.loads(said)
            tags = [{name: _plain_value(name, tag, case) for name, tag in value["tags"].items()} for case in _CASES]
            actions = [token for action in value["actions"] for token in plain_tokens(action)]
            result = "".join(plain_tokens(value["result"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        if not value.get("comments") or len(actions) == len(value["actions"]):
            changed = ({**value, "tags": one, "actions": actions, "result": result} for one in tags)
            yield from (json.dumps(one, ensure_ascii=False) for one in changed)
        return


__all__ = ["repaired"]
