"""The scenes of a whole replay, the stage that has room for all of them, and the steps between them for browsers."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar, cast

from engine.agn.administrative import parse_administrative
from engine.ruleset import Ruleset
from engine.scene.drawing import number
from engine.scene.values import Box, Label, Piece, Scene, Trace, Tray
from engine.shown import Headings
from engine.words import Translate, untranslated

S = TypeVar("S")
A = TypeVar("A")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """What several scenes have in common: room for all of them, so that the board never shifts, and their drawings."""

    box: Box
    labels: frozenset[Label]
    symbols: tuple[str, ...]


def union(scenes: Iterable[Scene]) -> Stage:
    """Return the stage of scenes, of which there is at least one."""
    scenes = list(scenes)
    trays = [piece for scene in scenes for tray in scene.trays for piece in tray.pieces]
    pieces = [piece for scene in scenes for piece in scene.pieces]
    return Stage(
        box=reduce(Box.around, (scene.box for scene in scenes)),
        labels=frozenset().union(*(scene.labels for scene in scenes)),
        symbols=tuple(sorted({piece.symbol for piece in (*pieces, *trays)})),
    )


class Reel(Generic[S, A]):
    """The scenes of a replay, of which each is drawn when it is asked for.

    Pieces that stay keep their heading, so a scene depends on the actions before it, which are followed for all.
    """

    def __init__(self, ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str]) -> None:
        """Follow a replay: its initial state, and the state after each token."""
        self._ruleset, self._states, self._tokens = ruleset, states, tokens
        self._headings = list(_all_headings(ruleset, states, tokens))
        self._drawn = dict[int, Scene]()

    def __len__(self) -> int:
        return len(self._headings)

    def __getitem__(self, ply: int) -> Scene:
        found = self._drawn.get(ply)
        if found is None:
            found = self._drawn[ply] = self._draw(ply)
        return found

    def _draw(self, ply: int) -> Scene:
        shown, headings = self._ruleset.shown, self._headings[ply]
        if not ply:
            return cast("Scene", shown.scene(self._states[0], headings=headings))
        token = self._tokens[ply - 1]
        action = _action(self._ruleset, token)
        state, before = self._states[ply], self._states[ply - 1]
        return cast("Scene", shown.scene(state, before, action, token=token, headings=headings))


def film(ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str]) -> list[Scene]:
    """Return the scenes of a replay: of its initial state, and of the state after each token."""
    reel = Reel(ruleset, states, tokens)
    return [reel[ply] for ply in range(len(reel))]


def last_scene(ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str]) -> Scene:
    """Return the last scene of a replay, without making those before it."""
    headings = _headings(ruleset, states, tokens)
    if not tokens:
        return cast("Scene", ruleset.shown.scene(states[0], headings=headings))
    return cast("Scene", ruleset.shown.scene(
        states[-1], states[-2], _action(ruleset, tokens[-1]), token=tokens[-1], headings=headings
    ))  # fmt: skip


def traces_of_turn(ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str]) -> tuple[Trace, ...]:
    """Return the traces of the last turn once it is another seat's, else of the last action alone."""
    actors = [ruleset.to_act(state) for state in states[:-1]]
    if not actors:
        return ()
    first = len(actors) - 1
    while first and actors[first - 1] == actors[-1] != ruleset.to_act(states[-1]):
        first -= 1
    return tuple(trace for scene in film(ruleset, states[first:], tokens[first:]) for trace in scene.traces)


def branches(
    ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str], others: Iterable[str]
) -> tuple[Scene, list[Scene]]:
    """Return the last scene of a replay, and the scenes that would follow it after each of some legal actions."""
    headings = _headings(ruleset, states, tokens)
    last, following = states[-1], list[Scene]()
    for token in others:
        action = ruleset.parse_action(token)
        state = ruleset.apply(last, action)
        turned = ruleset.shown.headings(headings, state, last, action)
        following.append(ruleset.shown.scene(state, last, action, token=token, headings=turned))
    return cast("Scene", ruleset.shown.scene(last, headings=headings)), following


def _headings(ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str]) -> Headings:
    """Return which way pieces look at the end of a replay."""
    return deque(_all_headings(ruleset, states, tokens), maxlen=1).pop()


def _all_headings(ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str]) -> Iterator[Headings]:
    """Yield which way pieces look in the initial state, and after each token."""
    headings = ruleset.shown.headings({}, states[0], None, None)
    yield headings
    for before, token, state in zip(states, tokens, states[1:], strict=False):
        headings = ruleset.shown.headings(headings, state, before, _action(ruleset, token))
        yield headings


def _action(ruleset: Ruleset[S, A], token: str) -> A | None:
    return None if parse_administrative(token) else ruleset.parse_action(token)


def frames(scenes: Iterable[Scene], start: int = 0, translate: Translate = untranslated) -> list[Json]:
    """Return scenes for stepping in a browser, ready for JSON: the first in full, for the others only what changes.

    :param start: the ply of the first scene.
    """
    return list(_frames(scenes, start, translate))


def _frames(scenes: Iterable[Scene], start: int, translate: Translate) -> Iterator[Json]:
    before: Scene | None = None
    written = ""
    for ply, scene in enumerate(scenes, start):
        frame: Json = {"ply": ply, "token": scene.token, "caption": scene.caption.render(translate)}
        if before is None:
            frame["whole"] = True
        frame |= _pieces(before.pieces if before else (), scene.pieces, translate)
        frame["traces"] = [_trace(trace) for trace in scene.traces]
        frame["trays"] = _trays(before.trays if before else (), scene.trays, translate)
        text = scene.text.render(translate)
        frame |= _text(written, text)
        yield frame
        before, written = scene, text


def _pieces(before: tuple[Piece, ...], after: tuple[Piece, ...], translate: Translate) -> Json:
    were = {piece.id: piece for piece in before}
    put = [piece_json(piece, translate) for piece in after if were.pop(piece.id, None) != piece]
    return {"put": put, "gone": list(were)}


def _trays(before: tuple[Tray, ...], after: tuple[Tray, ...], translate: Translate) -> list[Json]:
    """Return the trays that have changed, by seat, with only what has changed."""
    were = {tray.seat: tray_json(tray, translate) for tray in before}
    found = []
    for tray in after:
        whole, old = tray_json(tray, translate), were.get(tray.seat, {})
        changed = {key: value for key, value in whole.items() if key not in old or old[key] != value}
        if changed:
            found.append({"seat": tray.seat} | changed)
    return found


def _text(before: str, after: str) -> Json:
    """Return the number of lines in the text picture, and the lines that have changed, by number."""
    were, lines = before.split("\n"), after.split("\n")
    if not before:
        were = []
    changed = {row: line for row, line in enumerate(lines) if row >= len(were) or were[row] != line}
    return {"height": len(lines), "lines": changed}


_LEFT_OUT: Json = {"turn": 0, "size": 1, "classes": [], "text": "", "name": "", "title": ""}
"""What a piece's JSON leaves out, because it is nearly always so."""


def piece_json(piece: Piece, translate: Translate = untranslated) -> Json:
    """Return a piece as JSON, without default values."""
    whole: Json = {
        "id": piece.id,
        "symbol": piece.symbol,
        "layer": piece.layer,
        "x": piece.x,
        "y": piece.y,
        "turn": piece.turn,
        "size": piece.size,
        "classes": list(piece.classes),
        "text": piece.text,
        "name": piece.name,
        "title": piece.title.render(translate) if piece.title else "",
    }
    return {key: value for key, value in whole.items() if key not in _LEFT_OUT or value != _LEFT_OUT[key]}


def _trace(trace: Trace) -> Json:
    found: Json = {"kind": trace.kind, "points": [[float(number(x)), float(number(y))] for x, y in trace.points]}
    return found | {"pieces": list(trace.pieces)} if trace.pieces else found


def tray_json(tray: Tray, translate: Translate = untranslated) -> Json:
    """Return a tray as JSON."""
    return {
        "seat": tray.seat,
        "counts": {count.key: count.value for count in tray.counts},
        "marks": [mark.key for mark in tray.marks if mark.shown],
        "place": tray.place,
        "pieces": [piece_json(piece, translate) for piece in tray.pieces],
        "said": tray.said.render(translate),
    }
