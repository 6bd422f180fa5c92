"""Why something cannot be touched: what the rules say of the action that was meant."""

from collections.abc import Sequence
from typing import TypeVar

from engine.ruleset import RuleError, Ruleset
from engine.touches import Refusal
from engine.touching.tree import Json
from engine.words import Translate, render

S = TypeVar("S")
A = TypeVar("A")


def refusal(ruleset: Ruleset[S, A], state: S, touched: Sequence[str], drawn: str | None = None) -> Refusal | None:
    """Return why the last of some touches is not possible after the others.

    The game says which action was meant, `apply` why it is not legal: legality is written nowhere else.

    :param touched: targets, as in a tree of touches; the last one need not be in the tree.
    :param drawn: the card that is drawn, in any rotation, where that is known.
    :returns: none where nothing was meant that the rules refuse.
    """
    *before, target = touched
    for meant in ruleset.shown.touching.meant(state, before, target, drawn):
        if not isinstance(meant, str):
            return meant
        try:
            ruleset.apply(state, ruleset.parse_action(meant))
        except RuleError as error:
            return error
    return None


def refusal_json(found: Refusal | None, translate: Translate) -> Json | None:
    """Return a refusal as JSON, in the reader's language."""
    return {"message": render(found.template, found.params, translate), "rule": found.rule} if found else None
