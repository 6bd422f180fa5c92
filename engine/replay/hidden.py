"""Says where the sign of a comment hides tokens: a `;` takes the rest of its line (AGN-MOVE-3)."""

import re
from dataclasses import replace
from textwrap import shorten
from typing import Any, Final

from engine.agn.administrative import parse_administrative
from engine.agn.reading import LEXEME, NUMBER, RESULT, Head
from engine.replay.values import Fault, also_said
from engine.ruleset import MoveSyntaxError, Ruleset
from engine.words import words

_SHOWN: Final = 60
"""Characters of what is hidden."""
_FIRST: Final = re.compile(r"[ \t]*([^ \t\n{;()]+)")


def hides_tokens(ruleset: Ruleset[Any, Any], comment: str) -> bool:
    """Return whether a comment begins with what a movetext is made of."""
    found = _FIRST.match(comment)
    if found is None:
        return False
    word = found[1]
    if NUMBER.fullmatch(word) or RESULT.fullmatch(word) or parse_administrative(word):
        return True
    try:
        ruleset.parse_action(word)
    except MoveSyntaxError:
        return word == "/"
    return True


def with_hidden(fault: Fault, ruleset: Ruleset[Any, Any], head: Head) -> Fault:
    """Return a fault of a movetext, with a sentence about the last `;` before it that hides tokens."""
    if fault.ply is None:
        return fault
    line, line_start, hidden = head.first_line, 0, None
    at = 0
    for match in LEXEME.finditer(head.movetext):
        begin = match.start()
        if line_end := head.movetext.rfind("\n", at, begin) + 1:
            line, line_start = line + head.movetext.count("\n", at, begin), line_end
        at = begin
        if (line, begin - line_start + 1) >= (fault.line, fault.column):
            break
        if match[0][0] == ";" and hides_tokens(ruleset, match[0][1:]):
            tokens = shorten(" ".join(match[0][1:].split()), _SHOWN, placeholder=" …")
            hidden = words("The ; on line {line} begins a comment: {tokens!r} is not read.", line=line, tokens=tokens)
    if hidden is None:
        return fault
    template, params = also_said(fault.template, fault.params, hidden)
    return replace(fault, template=template, params=params)
