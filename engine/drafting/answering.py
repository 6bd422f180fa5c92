"""The answer to a draft: the position, every action in words, and the first fault."""

from itertools import islice
from typing import Any

from engine.drafting.completing import completions
from engine.drafting.reading import Draft
from engine.replay import Fault
from engine.touching import Reader, position
from engine.words import render

Json = dict[str, Any]
MOST_TOKENS = 500
"""Actions that an answer describes; few games have more."""


def answer(draft: Draft, reader: Reader, ply: int | None = None, drawn: str | None = None) -> Json:
    """Return the answer to a draft, as JSON.

    :param ply: which position to show; by default, or if the draft has fewer legal actions, the last one.
    :param drawn: the card drawn after it.
    """
    at = len(draft.actions) if ply is None else min(ply, len(draft.actions))
    shown = position(draft.ruleset, draft.states[: at + 1], draft.actions[:at], reader, drawn) if draft.states else None
    return {
        "position": shown,
        "actions": len(draft.actions),
        "tokens": _tokens(draft, reader, at),
        "fault": fault_json(draft, draft.fault, reader) if draft.fault else None,
        "tags": dict(draft.tags),
        "comments": {str(ply): text for ply, text in draft.comments.items()},
        "result": draft.result,
        "digest": draft.digest(),
        "text": draft.text(),
    }


def _tokens(draft: Draft, reader: Reader, at: int) -> list[Json]:
    """Return legal actions: where each is in the text, whose it was and what it did.

    Of more than `MOST_TOKENS` those around a ply, so that no draft has an answer that is much longer than itself.
    """
    numbers = draft.replay.numbers if draft.replay else ()
    begin = max(0, min(at - MOST_TOKENS // 2, len(draft.actions) - MOST_TOKENS))
    places = zip(draft.actions, draft.places, numbers, draft.captions, strict=True)
    return [
        {"token": token, "line": line, "column": column, "ply": ply, "number": number, "seat": draft.seat(ply),
         "sentence": said.render(reader.translate)}
        for ply, (token, (line, column), number, said) in islice(enumerate(places), begin, begin + MOST_TOKENS)
    ]  # fmt: skip


def fault_json(draft: Draft | None, fault: Fault, reader: Reader) -> Json:
    """Return a fault as JSON, with up to four actions that may have been meant."""
    token = fault.token or ""
    meant = completions(token, _legal(draft)) if draft and fault.legal is not None else []
    return {
        "rule": fault.rule,
        "line": fault.line,
        "column": fault.column,
        "end_column": fault.column + max(1, len(token)),
        "message": render(fault.template, fault.params, reader.translate),
        "token": fault.token,
        "legal": list(fault.legal or ()),
        "completions": [{"token": token, "sentence": _sentence(draft, token, reader)} for token in meant if draft],
    }


def _legal(draft: Draft) -> list[str]:
    ruleset = draft.ruleset
    return [ruleset.format_action(action) for action in ruleset.legal_actions(draft.states[-1])]


def _sentence(draft: Draft, token: str, reader: Reader) -> str:
    ruleset, before = draft.ruleset, draft.states[-1]
    action = ruleset.parse_action(token)
    return ruleset.shown.caption(before, action, ruleset.apply(before, action), token).render(reader.translate)
