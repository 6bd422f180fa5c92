"""Undoes what programs and habits do to tokens and tags: special spaces, dashes, quotes, forms of other formats."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from engine.agn.foreign_dates import plain_dates
from engine.agn.known_tags import LONG
from engine.words import Words, words

_LOOKALIKES: Final = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63", "-"),
    **dict.fromkeys("\u02dc\u223c\u301c", "~"),
    **dict.fromkeys("\u00d7\u2715\u2a2f", "x"),
    **dict.fromkeys("\u203a\u2192", ">"),
    **dict.fromkeys("\u2044\u2215", "/"),
    **dict.fromkeys("\u2217\u204e\u2731", "*"),
    **dict.fromkeys("\u00b7\u2022\u2219", "."),
    **dict.fromkeys("\u201a\u066b", ","),
    **dict.fromkeys("\u2223\u00a6", "|"),
    "\u266f": "#",
    **dict(
        zip("\u0430\u0435\u043e\u0441\u0445\u0410\u0412\u0415\u041e\u0421\u0405\u0425", "aeocxABEOCSX", strict=True)
    ),
}
"""Characters that look like plain ones, also letters of other scripts, which NFKC leaves alone."""
_QUOTES: Final = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02'
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DROPPED: Final = f"{_QUOTES}{_INVISIBLE}'`\u00b4\u2018\u2019\u2032"
"""What no action has, and what is only put around it or into it."""
_PLAIN: Final = str.maketrans({**_LOOKALIKES, **dict.fromkeys(_DROPPED, "")})
_DRAWS: Final = {"\u00bd": "1-1", "\u00bd-\u00bd": "1-1", "1/2-1/2": "1-1"}
"""How draws are written elsewhere."""
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_NUMBER: Final = re.compile(r"([0-9]+)[,.:]*")
_GLUED: Final = re.compile(r"([0-9]+)[,.]+(?=[^0-9,.])")
_PLACE: Final = re.compile(r"@(-?[0-9]+)[.;](-?[0-9]+)")


def plain(text: str) -> str:
    """Return a text with plain characters in place of typographic ones; spaces of any kind become plain ones."""
    if text.isascii():
        return text.translate(_PLAIN)
    text = "".join(" " if char.isspace() else char for char in text)
    return unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)


def plain_tokens(token: str) -> list[str]:
    """Return the tokens that one is meant to be: plain, taken apart at special spaces, a number with its dot."""
    found = list[str]()
    for word in plain(_DRAWS.get(token, token)).split():
        draw = _DRAWS.get(word, word)
        if number := _NUMBER.fullmatch(draw):
            found.append(f"{number[1]}.")
            continue
        if glued := _GLUED.match(draw):
            found.append(f"{glued[1]}.")
            draw = draw[glued.end() :]
        found.append(_PLACE.sub(r"@\1,\2", draw.rstrip(",") or draw))
    return found


def plain_result(value: str) -> str:
    """Return a result as it is written: without spaces, with hyphens, a draw as places."""
    spaced = plain(_DRAWS.get(value, value)).split()
    return "".join(_DRAWS.get(word, word) for word in spaced)


_MISSPELT: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Words]], ...]] = (
    (
        re.compile(r"([0-9]+)"),
        lambda found: words("A number has a dot after it: {number}", number=f"{found[1]}."),
    ),
    (
        re.compile(r"([0-9]+)(?:[,:]|\.{2,})"),
        lambda found: words("A number has a single dot after it: {number}", number=f"{found[1]}."),
    ),
    (
        re.compile(r"(resign|timeout)", re.IGNORECASE),
        lambda found: words("The letter of the seat is missing, as in {word}:R.", word=found[1].lower()),
    ),
    (
        re.compile(r"(resign|timeout)s?[:=].*", re.IGNORECASE),
        lambda found: words("The seat is named by its letter, as in {word}:R.", word=found[1].lower()),
    ),
    (
        re.compile(r".+,"),
        lambda _: words("Tokens are separated by spaces, without commas."),
    ),
    (
        re.compile(r"(?:.*[^!?#])?([!?#]{1,2})|(\$[0-9]+)"),
        lambda found: words("Annotations belong in comments: {comment}.", comment=f"{{{found[1] or found[2]}}}"),
    ),
    (
        re.compile(r".*(&#?[A-Za-z0-9]+)"),
        lambda found: words("It has {entity}, as HTML writes a character.", entity=f"{found[1]};"),
    ),
    (
        re.compile(r".*\\.*"),
        lambda _: words("It has a backslash, as Markdown writes some characters."),
    ),
)
"""Tokens that are written by the habits of other formats, and what to say of them; the first that fits."""


def misspelt(token: str) -> Words | None:
    """Return by which habit of other formats a token is written; None if by none that is known."""
    fitting = ((form.fullmatch(token), said) for form, said in _MISSPELT)
    return next((said(found) for found, said in fitting if found), None)


def damage(text: str) -> Words | None:
    """Return which typographic character a text has first, or what else was done to a tag; None if there is nothing."""
    return _of_other_programs(text) or _of_characters(text)


def _of_other_programs(text: str) -> Words | None:
    """Return what a mail, Markdown or HTML did to a tag's line, or how the tag's date may be meant."""
    if wrapped := _WRAPPED.match(text):
        return words("It begins with {sign}, as in mails and Markdown.", sign=wrapped[0])
    if "&quot;" in text:
        return words("It has {entity}, as HTML writes a character.", entity="&quot;")
    if len(read := plain_dates(plain(text))) > 1:
        first, second = read
        return words("It may be {first} or {second}: the year comes first, then the month.", first=first, second=second)
    return None


def _of_characters(text: str) -> Words | None:
    for found in _FOREIGN.finditer(text, 0, LONG):
        char = found[0]
        code = f"{ord(char):04X}"
        if char in _INVISIBLE:
            return words("It has an invisible character (U+{code}).", code=code)
        if char.isspace():
            return words("It has a special space (U+{code}) instead of a plain one.", code=code)
        if char in _DROPPED:
            return words("It has the quotation mark {char} (U+{code}).", char=char, code=code)
        if (meant := plain(char)) != char and meant.isascii() and meant.strip():
            return words("It has {char} (U+{code}) instead of {meant}.", char=char, code=code, meant=meant)
    return None


# Tags

_TAGLIKE: Final = re.compile(
    rf"^\W*?[\[\uff3b]\s*([^\W\d_]\w*)\s*[:=]?\s*(?:[{_QUOTES}]|'')(.*)(?:[{_QUOTES}]|'')\s*[\]\uff3d]\W*$"
)
_WRAPPED: Final = re.compile(r"```|~~~|>")


def tag_line(line: str) -> tuple[str, str] | None:
    """Return the name and the value of what is nearly written as a tag, the value unchanged; None for other lines."""
    if len(line) > 2 * LONG:  # so that searching stays short
        return None
    spaced = "".join(" " if char.isspace() else char for char in line)
    found = _TAGLIKE.match("".join(char for char in spaced if char not in _INVISIBLE))
    name = unicodedata.normalize("NFKC", found[1]) if found else ""
    return (name, found[2]) if found and name.isascii() else None


__all__ = ["damage", "misspelt", "plain", "plain_result", "plain_tokens", "tag_line"]
