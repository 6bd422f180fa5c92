"""A position for a player: its picture, and what to touch next."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar
from xml.etree.ElementTree import Element, tostring

from engine.rounds import round_json
from engine.ruleset import Outcome, Ruleset
from engine.scene import Box, Scene, frames, last_scene, traces_of_turn
from engine.touches import Must, Picker, Rectangle, left_of
from engine.touching.refusing import refusal, refusal_json
from engine.touching.tree import Json, Node, Writer, build_tree, needs_of
from engine.words import Translate, render, untranslated

S = TypeVar("S")
A = TypeVar("A")

_DRAWN = 2048
"""Drawings that a process keeps as text, some two megabytes: drawing was a third of an answer."""
SAID_AT_MOST = 400
"""Actions whose sentences are in an answer: of more it has only the touches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads a position."""

    acting: bool = True
    """Whether they may act; else the tree is empty, and so are `picker` and `must`."""
    known: Collection[str] = ()
    """The drawings that the reader already has."""
    whole: bool = True
    """Whether the tree has what every card does that may come; else it is empty until one is named as drawn."""
    turn: bool = False
    """Whether the board shows what the whole last turn did, not only its last action."""
    touched: Sequence[str] = ()
    """Targets of which the last cannot be touched after the others: the answer says why (`refusal`)."""
    translate: Translate = untranslated


def position(
    ruleset: Ruleset[S, A],
    states: Sequence[S],
    tokens: Sequence[str],
    reader: Reader = Reader(),
    drawn: str | None = None,
) -> Json:
    """Return a position as JSON, as `position.schema.json` says.

    :param states: all positions up to this one, which is the last.
    :param tokens: the actions between them.
    :param drawn: the card that is drawn, in any rotation; if it is not given, the reader is asked for it.
    """
    (acting, translate), state, ply = (reader.acting, reader.translate), states[-1], len(tokens)
    scene = _scene(ruleset, states, tokens, whole_turn=reader.turn)
    picker = ruleset.shown.touching.picker(state) if acting else None
    asked = picker if drawn is None else None
    actions = _actions(ruleset, state, drawn) if acting and (reader.whole or not asked) else []
    nodes = _tree(ruleset, state, actions, skipped=int(picker is not asked))
    places, symbols = needs_of(nodes)
    writer = Writer(_middles(scene, places), dict(_captions(ruleset, state, actions, translate)), translate)
    (frame,) = frames([scene], ply, translate)
    return {
        "ruleset": ruleset.slug,
        "ply": ply,
        "number": ruleset.number(state),
        "round": round_json(ruleset.round(state), translate),
        "turn": ruleset.to_act(state),
        **_ending(ruleset.outcome(state), translate),
        "frame": frame,
        "box": list(_room(scene.box, places.values())),
        "labels": labels_json(scene),
        "symbols": symbols_json(scene, {*symbols, *_symbols_of(asked)}, reader.known),
        "tree": writer.write(nodes),
        "places": {name: dict(zip("xywh", place, strict=True)) for name, place in places.items()},
        "picker": _picker(asked, translate) if asked else None,
        "must": _musts(ruleset, state, translate) if acting else [],
        "count": len(actions),
        **_refused(ruleset, state, reader, drawn),
    }


def _refused(ruleset: Ruleset[S, A], state: S, reader: Reader, drawn: str | None) -> Json:
    if not (reader.touched and reader.acting):
        return {}
    return {"refusal": refusal_json(refusal(ruleset, state, reader.touched, drawn), reader.translate)}


def _scene(ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str], *, whole_turn: bool) -> Scene:
    scene = last_scene(ruleset, states, tokens)
    return replace(scene, traces=traces_of_turn(ruleset, states, tokens)) if whole_turn else scene


def _room(board: Box, places: Iterable[Rectangle]) -> Box:
    """Return the room for the board and the places where something can be put."""
    for place in places:
        board = board.around(Box(*place))
    return board


def _actions(ruleset: Ruleset[S, A], state: S, drawn: str | None) -> list[tuple[str, A]]:
    """Return the legal actions with their tokens; with a card drawn, those that play it."""
    legal: Iterable[A] = ruleset.legal_actions(state)
    if drawn is not None:
        legal = (action for action in legal if ruleset.shown.touching.plays(action, drawn))
    return [(ruleset.format_action(action), action) for action in legal]


def _tree(ruleset: Ruleset[S, A], state: S, actions: Iterable[tuple[str, A]], skipped: int) -> Sequence[Node]:
    """Return the tree of some actions, without the touches that pick a card that is already known."""
    spell = ruleset.shown.touching.spell
    return build_tree((token, [spelling[skipped:] for spelling in spell(state, action)]) for token, action in actions)


def _captions(
    ruleset: Ruleset[S, A], state: S, actions: Sequence[tuple[str, A]], translate: Translate
) -> Iterator[tuple[str, str]]:
    """Yield what each action does, in words, if they are not too many."""
    if len(actions) <= SAID_AT_MOST:
        for token, action in actions:
            after = ruleset.apply(state, action)
            yield token, ruleset.shown.caption(state, action, after, token).render(translate)


def _middles(scene: Scene, places: Mapping[str, Rectangle]) -> dict[str, tuple[float, float]]:
    of_pieces = {piece.id: (piece.x, piece.y) for piece in scene.pieces}
    return of_pieces | {name: (x + width / 2, y + height / 2) for name, (x, y, width, height) in places.items()}


def _ending(outcome: Outcome | None, translate: Translate) -> Json:
    if outcome is None:
        return {"over": False, "placements": None, "ended": None}
    ended = {"rule": outcome.rule, "reason": outcome.reason.render(translate), "termination": outcome.termination.value}
    return {"over": True, "placements": list(outcome.placements), "ended": ended}


def labels_json(scene: Scene) -> list[Json]:
    """Return the labels at a board's edges as JSON."""
    labels = sorted(scene.labels, key=str)
    return [{"text": label.text, "x": label.x, "y": label.y} for label in labels]


def symbols_json(scene: Scene, more: Collection[str], known: Collection[str]) -> dict[str, str]:
    """Return the drawings of a scene and some others by name, except those that the reader already has."""
    pieces = (*scene.pieces, *(piece for tray in scene.trays for piece in tray.pieces))
    wanted = {*(piece.symbol for piece in pieces), *more}.difference(known)
    return {name: _markup(scene.draw, name) for name in sorted(wanted)}


@lru_cache(maxsize=_DRAWN)
def _markup(draw: Callable[[str], Element], name: str) -> str:
    return tostring(draw(name), encoding="unicode")


def _symbols_of(picker: Picker | None) -> list[str]:
    return [card.symbol for _, cards in picker.groups for card in cards] if picker else []


def _picker(picker: Picker, translate: Translate) -> Json:
    groups = [
        {
            "label": label.render(translate),
            "left": left_of(cards),
            "cards": [
                {"part": card.code, "symbol": card.symbol, "left": card.left, "of": card.of,
                 "label": card.label.render(translate)}
                for card in cards
            ],
        }
        for label, cards in picker.groups
    ]  # fmt: skip
    return {"label": picker.label.render(translate), "groups": groups}


def _musts(ruleset: Ruleset[S, A], state: S, translate: Translate) -> list[Json]:
    return [_must(must, translate) for must in ruleset.shown.touching.musts(state)]


def _must(must: Must, translate: Translate) -> Json:
    refusal = must.refusal
    return {"target": must.target, "why": render(refusal.template, refusal.params, translate), "rule": refusal.rule}
