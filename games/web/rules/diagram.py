"""Boards in the rules: a record in a block of its own, drawn as the position to which it leads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any
from zlib import crc32

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from markdown_it.token import Token

from engine.replay import Replay
from engine.ruleset import IllegalMoveError
from engine.scene import Scene, svg, union
from engine.scene.film import film
from engine.scene.hints import tried
from engine.verify import verify_bytes
from games.sentences import translated
from games.web.boards import drawn

_BOARD = "board"
_CAPTION = 3
"""Tokens of the paragraph that follows a board, and is its caption."""
_QUESTION = re.compile(r"\? (.+)")
"""A comment on the last action that asks where the next one may go."""


def is_board(token: Token) -> bool:
    """Return whether a token is a record to be drawn."""
    return token.type == "fence" and token.info == _BOARD


def with_figures(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield Markdown tokens, every board made a figure with the paragraph after it as the caption."""
    rest = iter(tokens)
    for token in rest:
        if is_board(token):
            yield Token("figure_open", "figure", 1, attrs={"class": "diagram"})
            yield Token("board", "", 0, content=token.content)
            yield from (replace(part, tag="figcaption") for part in islice(rest, _CAPTION))
            yield Token("board_record", "", 0, content=token.content)
            yield Token("figure_close", "figure", -1)
        else:
            yield token


def board(_self: object, tokens: Sequence[Token], at: int, *_rest: object) -> SafeString:
    """Return the position to which a record leads."""
    record = tokens[at].content
    scene = position(record)
    # Drawings on one page must not share ids.
    return drawn(svg(scene, union([scene]), prefix=f"board-{crc32(record.encode()):08x}-", translate=translated))


def board_record(_self: object, tokens: Sequence[Token], at: int, *_rest: object) -> SafeString:
    """Return the record itself, for those who want to see how it is written."""
    whole = '<details><summary>{}</summary><pre tabindex="0"><code>{}</code></pre></details>\n'
    return format_html(whole, _("Notation"), tokens[at].content)


def position(record: str) -> Scene:
    """Return the last scene of a record, with the answers to its question."""
    played = verify_bytes(record.encode())[0].replay
    if played is None:
        raise ValueError(f"Nothing to be seen in {record!r}")
    scene = film(played.ruleset, played.states, played.actions)[-1]
    return tried(scene, _answers(played))


def _answers(played: Replay[Any, Any]) -> dict[str, bool]:
    """Return which of the actions in question are legal."""
    question = _QUESTION.fullmatch(played.comments.get(len(played.actions) - 1, ""))
    return {token: _is_legal(played, token) for token in question[1].split()} if question else {}


def _is_legal(played: Replay[Any, Any], token: str) -> bool:
    try:
        played.ruleset.apply(played.last, played.ruleset.parse_action(token))
    except IllegalMoveError:
        return False
    return True
