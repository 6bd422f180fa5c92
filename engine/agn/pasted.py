"""Takes records out of mails, Markdown and HTML, and movetext out of the forms of other formats."""

import re
from collections.abc import Callable
from html import unescape
from typing import Final

from engine.agn.typographic import plain, plain_tokens, tag_line

_LINE_END: Final = re.compile(r"\r\n?")
_FENCE: Final = re.compile(r"[ \t]*(?:`{3,}|~{3,})[a-zA-Z]*[ \t]*")
_QUOTE: Final = re.compile(r"^(?:[ \t]*>)+[ \t]?", re.MULTILINE)
_ELEMENT: Final = re.compile(r"</?(?:br|p|pre|code|div)\b[^<>\n]*>", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"\\([~*#_\[\]|>-])")


def unwrapped(text: str) -> str:
    """Return a text as it was before it was put into a mail, or written in Markdown or HTML; that changes tags, too."""
    lines = unescape(_ELEMENT.sub("", text)).split("\n")
    if all(line.lstrip().startswith(">") for line in lines if line.strip()):
        lines = _QUOTE.sub("", "\n".join(lines)).split("\n")
    if any(map(_FENCE.fullmatch, lines)):
        lines = [line for line in lines if not _FENCE.fullmatch(line)]
    return _ESCAPED.sub(r"\1", "\n".join(lines)).strip("\n")


def halves(text: str) -> tuple[list[str], str | None]:
    """Return the lines of the tags and the movetext, which may begin without an empty line; None if there is none."""
    lines = _LINE_END.sub("\n", text).split("\n")
    for at, line in enumerate(lines):
        if not plain(line).strip():
            return lines[:at], "\n".join(lines[at + 1 :])
        if at and "[" not in plain(line)[:2] and tag_line(line) is None:
            return lines[:at], "\n".join(lines[at:])
    return lines, None


# Movetext

_PIECE: Final = re.compile(
    r"(?P<comment>\{[^}]*\})"
    r"|[\uff5b\ufe5b](?P<wide>[^}\uff5d\ufe5c]*)[}\uff5d\ufe5c]"
    r"|(?P<sign>;)[ \t]*(?=(?P<first>[^ \t\n{;()]*))"
    r"|\(?(?P<number>[0-9]+)\.?\)[ \t]*"
    r"|[(\uff08](?P<aside>[^(){}\uff08\uff09]*)[)\uff09]"
    r"|(?P<word>[^ \t\n{;()\uff08\uff09\uff5b\ufe5b]+)"
)
_ANNOTATED: Final = re.compile(r"(.*?)([!?#]{1,2}|\$[0-9]+)")


def plain_movetext(movetext: str, hides: Callable[[str], bool]) -> str:
    """Return a movetext with plain tokens; what other formats put in parentheses or after actions becomes a comment.

    Every character is looked at once, however many signs hide something.

    :param hides: whether the word after a `;` begins no comment but actions, which the sign hides: then it goes.
    """
    plain, at = list[str](), 0
    while piece := _PIECE.search(movetext, at):
        plain.append(movetext[at : piece.start()])
        at = piece.end()
        if not piece["sign"]:
            plain.append(_plain_piece(piece))
        elif hides(piece["first"]):
            plain.append(" ")
        else:
            line_end = movetext.find("\n", at)
            at = len(movetext) if line_end < 0 else line_end
            plain.append(movetext[piece.start() : at])
    return "".join([*plain, movetext[at:]])


def _plain_piece(piece: re.Match[str]) -> str:
    if piece["comment"]:
        return piece[0]
    if piece["number"]:
        return f"{piece['number']}. "
    return _plain_word(piece["word"]) if piece["word"] else f"{{{piece['wide'] or piece['aside'] or ''}}}"


def _plain_word(word: str) -> str:
    annotated = _ANNOTATED.fullmatch(word)
    token, signs = annotated.groups() if annotated else (word, "")
    return " ".join([*plain_tokens(token), *([f"{{{signs}}}"] if signs else [])])


__all__ = ["halves", "plain_movetext", "unwrapped"]
