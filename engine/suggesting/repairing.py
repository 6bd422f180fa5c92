"""Writes a record as records are written: undoes what programs for texts did to its tags and tokens."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from engine.agn.canonical import escape
from engine.agn.foreign_dates import plain_dates
from engine.agn.known_tags import DATES, KNOWN_TAGS, SETUP_TAGS, TIMES
from engine.agn.log import MAX_TAGS, Record
from engine.agn.pasted import halves, plain_movetext, unwrapped
from engine.agn.reading import RESULT, parse
from engine.agn.typographic import plain, plain_result, plain_tokens, tag_line
from engine.registry import RULESETS
from engine.replay import hides_tokens
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
Value = Callable[[str, str], str]
"""The value of a tag as it is written, by its name."""


def repaired(verdict: Verdict, allows: Allows) -> list[Verdict]:
    """Return the verdicts on a record with its writing repaired, if it gets further by that; the likeliest first.

    There are two where a date may be read with the day first or with the month first.
    """
    readings = dict.fromkeys(tuple(_plain_records(verdict.record, dated)) for dated in (0, -1))
    found = {now.record.data: now for now in (_furthest(verdict, data, allows) for data in readings)}
    return [now for now in found.values() if now is not verdict]


def _furthest(verdict: Verdict, written: Iterable[bytes], allows: Allows) -> Verdict:
    best = verdict
    for data in written:
        best = _further(best, data, allows)
    for _ in range(MOST):
        before = best
        for data in _respelled(best):
            best = _further(best, data, allows)
            if best is not before:
                break
        if best is before:
            break
    return best


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


def _plain_records(record: Record, dated: int) -> Iterator[bytes]:
    """Yield a record with plain characters, its setup in letters of either case.

    :param dated: which of the dates is read that a value may mean.
    """
    try:
        text = record.data.decode()
    except UnicodeDecodeError:
        return
    said = dict.fromkeys((text, unwrapped(text)))
    read = _plain_json if record.form == "json" else _plain_text
    values = [partial(_plain_value, dated=dated, case=case) for case in _CASES]
    found = chain.from_iterable(read(one, values) for one in said)
    yield from (changed.encode(errors="surrogatepass") for changed in dict.fromkeys(found))


def _plain_text(text: str, values: Sequence[Value]) -> Iterator[str]:
    lines, movetext = halves(text)
    tags = [[_plain_line(line, value) for line in lines[:MAX_TAGS]] for value in values]
    if movetext is None:
        yield from map("\n".join, tags)
        return
    for moves in (plain_movetext(movetext, hides) for hides in (_never, _is_token)):
        yield from ("\n".join([*one, *_missing_result(one, moves), "", moves]) for one in tags)


def _missing_result(tags: list[str], movetext: str) -> list[str]:
    """Return the line of the tag Result, from the movetext, if there is none."""
    results = [word for word in movetext.split() if RESULT.fullmatch(word)]
    return [f'[Result "{results[-1]}"]'] if results and not any(line.startswith("[Result ") for line in tags) else []


def _never(_: str) -> bool:
    return False


def _is_token(word: str) -> bool:
    """Return whether a word is one with which a movetext may begin, so that the sign before it hides tokens."""
    plain = " ".join(plain_tokens(word))
    return any(hides_tokens(ruleset, plain) for ruleset in RULESETS)


def _plain_line(line: str, value: Value) -> str:
    found = tag_line(line)
    if found is None:
        return line
    name, said = _TAGS.get(found[0].casefold(), found[0]), found[1]
    said = re.sub(r"\\([\"\\])", r"\1", said)
    return f'[{name} "{escape(value(name, said))}"]'


def _plain_value(name: str, value: str, *, dated: int, case: Callable[[str], str]) -> str:
    """Return the value of a tag as it is written; names of players and free texts stay as they are."""
    spaced = " ".join(plain(value).split())
    if name in ("Game", "Rules"):
        return _KNOWN.get(spaced.casefold(), spaced)
    if name == "Seats":
        return " ".join(re.findall("[A-Z]", spaced.upper()))
    if name == "Result":
        return plain_result(value)
    if name in DATES:
        return (plain_dates(plain(value)) or (value,))[dated]
    if name in TIMES:
        return spaced.replace(" ", "").replace(".", ":")
    return case(spaced) if name in SETUP_TAGS else value


def _plain_json(text: str, values: Sequence[Value]) -> Iterator[str]:
    """Yield a record in JSON; nothing if it is none, or if an action falls apart and there are comments."""
    for said in (text, text.translate(_QUOTED)):
        try:
            found: dict[str, Any] = json.loads(said)
            result = plain_result(found["result"])
            named = [{name: value(name, tag) for name, tag in found["tags"].items()} for value in values]
            actions = [token for action in found["actions"] for token in plain_tokens(action)]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        if not found.get("comments") or len(actions) == len(found["actions"]):
            changed = (
                {**found, "tags": {"Result": result} | tags, "actions": actions, "result": result} for tags in named
            )
            yield from (json.dumps(one, ensure_ascii=False) for one in changed)
        return


__all__ = ["repaired"]
