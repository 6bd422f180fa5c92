"""Reading the games that the first page shows: shipped with the site, each with an action that can be broken there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from math import hypot
from pathlib import Path
from typing import Any

from engine.drafting import Draft, read
from engine.ruleset import RuleError, Ruleset
from engine.scene import Piece, Scene, Stage, film, last_scene, union
from engine.scene.mistakes import Mistake, drawing, mistaken
from engine.scene.values import GROUND, WALKING, Box, Point, unwritten
from engine.touches import CHOICE, Ghost, Spelling
from engine.verify import Verdict, verify_bytes
from engine.words import NOTHING_SAID

_GROUND_REACH, _REACH = 60, 34
"""How far from its middle a card or cell reaches at the most, and what stands on it."""
_CELL = re.compile("[a-k][0-9]+")
FOLDER = Path(__file__).resolve().parents[2] / "showcase"


@dataclass(frozen=True, slots=True)
class Showcase:
    """A game and one action of it, with mistakes that could be made there."""

    name: str
    """Its file's name, and its game's rules."""
    ply: int
    """How many actions precede the one that is broken."""
    mistakes: tuple[str, ...]
    """What may be written in its place and is refused."""
    pictured: int
    """After how many actions the game is shown as a picture, from close by."""
    crop: Box
    """What of the board the picture shows."""


SHOWCASES = (
    Showcase("ant-trails", 91, ("i6", "i10", "c4>d4"), 128, Box(-60, -200, 330, 206)),
    Showcase("army-ants", 16, ("c2xc3", "b2xb7", "c3xc4"), 8, Box(-175, -140, 350, 218)),
    Showcase("atta-ants", 50, ("R2:S+", "Y1:S", "R2:NN"), 64, Box(-148, -122, 296, 185)),
)

OFFERED = 8
"""Legal actions that are offered in place of a mistake."""


def showcase_called(name: str) -> Showcase | None:
    """Return a showcase by its name, if it exists."""
    return next((showcase for showcase in SHOWCASES if showcase.name == name), None)


def showcase_of(day: date) -> Showcase:
    """Return the showcase of a day: they take turns."""
    return SHOWCASES[day.toordinal() % len(SHOWCASES)]


@cache
def game_of(showcase: Showcase) -> Draft:
    """Return the game as the engine reads it."""
    return read(_text(showcase))


@cache
def verdict_with(showcase: Showcase, token: str) -> Verdict:
    """Return the verdict on the game with another action in place of the one that can be broken."""
    line, column = game_of(showcase).places[showcase.ply]
    lines = _text(showcase).split("\n")
    before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 + len(played(showcase)) :]
    lines[line - 1] = f"{before}{token}{after}"
    return verify_bytes("\n".join(lines).encode())[0]


def played(showcase: Showcase) -> str:
    """Return the action that was actually played."""
    return game_of(showcase).actions[showcase.ply]


@cache
def legal_at(showcase: Showcase) -> tuple[str, ...]:
    """Return every action that was legal there: first the one that was played, then those written like it."""
    ruleset, state = _ruleset(showcase), game_of(showcase).states[showcase.ply]
    others = [ruleset.format_action(action) for action in ruleset.legal_actions(state)]
    mine = played(showcase)
    return tuple(sorted(others, key=lambda token: (token != mine, _form(token) != _form(mine))))


def _form(token: str) -> str:
    """Return how an action is written, whatever its cells; of an action of one piece that is named, which."""
    piece, named, _ = token.partition(":")
    return piece if named else _CELL.sub("#", token)


@cache
def scenes_of(showcase: Showcase) -> tuple[Scene, ...]:
    """Return the scenes of the whole game."""
    game = game_of(showcase)
    return tuple(map(_markable, film(game.ruleset, game.states, game.actions)))


def _markable(scene: Scene) -> Scene:
    """Return a scene that can also draw marks, as the stage for all of them has to."""
    return replace(scene, draw=drawing(scene.draw))


@cache
def scene_with(showcase: Showcase, token: str) -> Scene:
    """Return what another action looks like there: the position that it leads to, or the mistake."""
    game = game_of(showcase)
    ruleset, states = game.ruleset, game.states[: showcase.ply + 1]
    try:
        after = ruleset.apply(states[-1], ruleset.parse_action(token))
    except RuleError as refusal:
        return mistaken(scenes_of(showcase)[showcase.ply], _mistake(showcase, token, refusal))
    return _markable(last_scene(ruleset, [*states, after], [*game.actions[: showcase.ply], token]))


@cache
def stage_of(showcase: Showcase) -> Stage:
    """Return the stage on which the game, its mistakes and its other legal actions are drawn."""
    tokens = *showcase.mistakes, *legal_at(showcase)[:OFFERED]
    return union([*scenes_of(showcase), *(scene_with(showcase, token) for token in tokens)])


@cache
def _text(showcase: Showcase) -> str:
    return (FOLDER / f"{showcase.name}.agn").read_text(encoding="utf-8")


def _ruleset(showcase: Showcase) -> Ruleset[Any, Any]:
    return game_of(showcase).ruleset


# What a mistake looks like


def _mistake(showcase: Showcase, token: str, refusal: RuleError) -> Mistake:
    scene = scenes_of(showcase)[showcase.ply]
    pieces = {piece.id: piece for piece in scene.pieces}
    spelling = _spelling(showcase, token)
    open_to = {
        place: None for other in legal_at(showcase)[:OFFERED] for place in _places(_spelling(showcase, other), pieces)
    }
    return Mistake(
        at=next(_places(spelling, pieces), None),
        pieces=tuple(_piece(ghost, pieces) for ghost in _ghosts(spelling)),
        offended=_offended(refusal, scene) or _attacker(spelling, pieces),
        open_to=tuple(place for place in open_to if not _is_taken(place, scene)),
        played=next(_places(_spelling(showcase, played(showcase)), pieces), None),
    )


def _spelling(showcase: Showcase, token: str) -> Spelling:
    ruleset, state = _ruleset(showcase), game_of(showcase).states[showcase.ply]
    return ruleset.shown.touching.spell(state, ruleset.parse_action(token))[0]


def _places(spelling: Spelling, pieces: dict[str, Piece]) -> Iterator[Point]:
    """Yield where an action ends on the board, if it is done there."""
    for touch in reversed(spelling):
        if touch.ghosts and not touch.target.startswith(CHOICE):
            yield touch.ghosts[-1].x, touch.ghosts[-1].y
        elif touch.target in pieces:
            yield pieces[touch.target].x, pieces[touch.target].y


def _ghosts(spelling: Spelling) -> tuple[Ghost, ...]:
    """Return the pieces where an action puts them in the end."""
    return next((touch.ghosts for touch in reversed(spelling) if touch.ghosts), ())


def _is_taken(place: Point, scene: Scene) -> bool:
    """Return whether a dot would cover a piece there."""
    standing = [piece for piece in scene.pieces if piece.layer == WALKING]
    return any(hypot(piece.x - place[0], piece.y - place[1]) < _REACH for piece in standing)


def _piece(ghost: Ghost, pieces: dict[str, Piece]) -> Piece:
    """Return a piece after the action; values that its ghost leaves out stay as they were."""
    was = pieces.get(ghost.id)
    said = {"turn": ghost.turn, "symbol": ghost.symbol, "size": ghost.size, "classes": ghost.classes}
    given: dict[str, Any] = {name: value for name, value in said.items() if value not in (None, "", ())}
    kept = {name: getattr(was, name) for name in ("symbol", "turn", "size", "classes", "text")} if was else {}
    return Piece(id=ghost.id, x=ghost.x, y=ghost.y, **{**kept, **given})


def _offended(refusal: RuleError, scene: Scene) -> Point | None:
    """Return where the piece is that a refusal names."""
    named = {value for value in refusal.params.values() if isinstance(value, str)}
    for piece in scene.pieces:
        if piece.layer == WALKING and ":" in piece.id and piece.id.rpartition(":")[2] in named:
            return piece.x, piece.y
    return None


def _attacker(spelling: Spelling, pieces: dict[str, Piece]) -> Point | None:
    """Return where an action begins that moves no piece."""
    first = pieces.get(spelling[0].target)
    return (first.x, first.y) if first and not _ghosts(spelling) else None


# A picture from close by


@cache
def picture_of(showcase: Showcase) -> Scene:
    """Return the part of the board that the game's picture shows, with no text and nothing outside it."""
    scene, crop = scenes_of(showcase)[showcase.pictured], showcase.crop
    pieces = tuple(replace(piece, title=None) for piece in scene.pieces if _touches(piece, crop))
    return replace(scene, box=crop, pieces=pieces, traces=(), write=unwritten, caption=NOTHING_SAID)


def _touches(piece: Piece, crop: Box) -> bool:
    reach = _GROUND_REACH if piece.layer == GROUND else _REACH
    inside = crop.x - reach < piece.x < crop.x + crop.width + reach
    return inside and crop.y - reach < piece.y < crop.y + crop.height + reach
