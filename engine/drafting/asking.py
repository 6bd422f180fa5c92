"""The requests of the score sheet, about a draft or a setup; the server and the browser answer them the same way."""

from functools import lru_cache
from typing import Any

from engine.drafting.answering import Json, answer
from engine.drafting.reading import Draft, UnreadableError, read
from engine.drafting.writing import Change, change, compose
from engine.ruleset import Ruleset
from engine.touching import Reader, laying

_KEPT = 16
"""Drafts that a process keeps: somebody who steps through one asks for each of its positions."""
_KEPT_LONG, _LONG = 2, 16 * 1024
"""Of those that have more characters, which hardly any game has: each can take six megabytes."""


class IllegalError(UnreadableError):
    """Actions to be added to a draft are not legal."""


def answer_position(asked: Json, reader: Reader) -> Json:
    """Return a position of a draft, what may be touched next, and the draft's first fault.

    :param asked: `text`, `ply`, `play`, `cut`, `comments`, `tags` and `drawn`, all of them.
    :raises UnreadableError: when nothing of the draft can be shown.
    :raises IllegalError: when an action that is to be added is not legal.
    """
    draft = _changed(asked)
    added = bool(asked["play"])
    if added and draft.fault and draft.fault.ply is not None:
        raise IllegalError(draft.fault)
    return answer(draft, reader, None if added else asked["ply"], asked["drawn"])


def answer_setup(ruleset: Ruleset[Any, Any], asked: Json, reader: Reader) -> Json:
    """Return what is laid out so far and what may still be laid.

    :param asked: `laid`, `deck` and `hand`, all of them.
    :raises LayingError: when something cannot lie in its place.
    :raises TagError: when there is no such deck.
    """
    return _of_ruleset(ruleset, reader) | laying(ruleset, asked["laid"], asked["deck"], reader, asked["hand"])


def _changed(asked: Json) -> Draft:
    play, cut, comments, tags = (asked[name] for name in ("play", "cut", "comments", "tags"))
    if not asked["text"]:
        return _read(compose({name: value for name, value in tags.items() if value}, play, comments))
    draft = _read(asked["text"])
    if not (play or cut or comments or tags):
        return draft
    return _read(change(draft, Change(at=asked["ply"], play=play, cut=cut, comments=comments, tags=tags)))


def _read(text: str) -> Draft:
    return (_read_short if len(text) <= _LONG else _read_long)(text)


_read_short, _read_long = lru_cache(_KEPT)(read), lru_cache(_KEPT_LONG)(read)


def _of_ruleset(ruleset: Ruleset[Any, Any], reader: Reader) -> Json:
    letters = [seat.letter for seat in ruleset.seats]
    return {
        "game": ruleset.game,
        "rules": ruleset.edition,
        "title": reader.translate(ruleset.title),
        "seats": [{"letter": seat.letter, "tag": seat.tag, "colour": seat.colour} for seat in ruleset.seats],
        "seatings": sorted(ruleset.seatings, key=lambda line: (len(line), [letters.index(one) for one in line])),
    }
