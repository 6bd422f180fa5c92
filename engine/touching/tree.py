"""Builds a tree of touches from the legal actions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.touches import CHOICE, Ghost, Spelling, Touch
from engine.words import Translate, Words, counted, untranslated, words

Json = dict[str, Any]
Point = tuple[float, float]


@dataclass(slots=True)
class Node:
    """A touch, the action that may end with it, and what may be touched after it."""

    touch: Touch
    token: str | None = None
    following: dict[tuple[str, str], "Node"] = field(default_factory=dict)
    """By target and part."""

    @property
    def chosen(self) -> bool:
        """Whether it is a choice from a list."""
        return self.touch.target.startswith(CHOICE)


def build_tree(actions: Iterable[tuple[str, Iterable[Spelling]]]) -> list[Node]:
    """Return the tree of some actions, given as tokens with the touches for each."""
    root: dict[tuple[str, str], Node] = {}
    for token, spellings in actions:
        for spelling in spellings:
            _add(root, token, spelling)
    return _tidy(root)


def _add(root: dict[tuple[str, str], Node], token: str, spelling: Spelling) -> None:
    following, node = root, None
    for touch in spelling:
        key = touch.target, touch.part
        node = following.get(key)
        if node is None:
            node = following[key] = Node(touch)
        following = node.following
    if node is not None:
        node.token = token


def _tidy(following: Mapping[tuple[str, str], Node]) -> list[Node]:
    """Return the nodes with each target only once; if it has several meanings, they become a choice."""
    by_target: dict[str, list[Node]] = {}
    for node in following.values():
        by_target.setdefault(node.touch.target, []).append(node)
    return [_single(nodes[0]) if len(nodes) == 1 else _asked(target, nodes) for target, nodes in by_target.items()]


def _single(node: Node) -> Node:
    """Return a node; a choice with a single option is merged into it, so that nobody has to choose."""
    if not node.following:
        return node
    kept = _tidy(node.following)
    if node.token is None and len(kept) == 1 and kept[0].chosen:
        (only,) = kept
        first, then = node.touch, only.touch
        touch = then._replace(
            target=first.target,
            part=first.part + then.part,
            label=words("{first} – {then}", first=first.label, then=then.label),
            place=first.place,
            badge=then.badge or first.badge,
        )
        return Node(touch, only.token, only.following)
    return Node(node.touch, node.token, {(one.touch.target, one.touch.part): one for one in kept})


def _asked(target: str, nodes: list[Node]) -> Node:
    """Return one node for several with the same target."""
    place = next((node.touch.place for node in nodes if node.touch.place), None)
    badge = next((node.touch.badge for node in nodes if node.touch.badge), "")
    following = {}
    for node in nodes:
        one = _single(node)
        touch = one.touch._replace(target=f"{CHOICE}{one.touch.part}", place=None)
        following[touch.target, touch.part] = Node(touch, one.token, one.following)
    label = counted("{count} way", "{count} ways", len(nodes))
    return Node(Touch(target, "", label, badge=badge, place=place), None, following)


def places_in(nodes: Iterable[Node]) -> dict[str, tuple[float, float, float, float]]:
    """Return the positions of targets that are places, by name."""
    found = {}
    for node in nodes:
        if node.touch.place:
            found[node.touch.target] = node.touch.place
        if node.following:
            found |= places_in(node.following.values())
    return found


def symbols_in(nodes: Iterable[Node]) -> set[str]:
    """Return the drawings that the ghosts of a tree need."""
    found = set[str]()
    for node in nodes:
        for ghost in node.touch.ghosts:
            found.add(ghost.symbol)
        if node.following:
            found |= symbols_in(node.following.values())
    return found - {""}


@dataclass(slots=True)
class Writer:
    """Writes a tree for JSON."""

    where: Mapping[str, Point]
    """The middle of each target that is on the board."""
    captions: Mapping[str, str]
    """The sentence of each action, by its token."""
    translate: Translate = untranslated
    _said: dict[Words, str] = field(default_factory=dict)

    def write(self, nodes: Iterable[Node]) -> list[Json]:
        """Return nodes in reading order, then the choices in the game's order."""
        return [self._node(node) for node in sorted(nodes, key=self._order)]

    def _order(self, node: Node) -> tuple[bool, float, float]:
        if node.chosen:
            return True, 0, 0
        x, y = self.where[node.touch.target]
        return False, y, x

    def _node(self, node: Node) -> Json:
        touch = node.touch
        found: Json = {"t": touch.target, "p": touch.part, "s": self._say(touch.label)}
        if node.token is not None:
            found["a"] = node.token
            if caption := self.captions.get(node.token):
                found["c"] = caption
        if touch.ghosts:
            first, *others = map(_ghost, touch.ghosts)
            found["g"] = first
            if others:
                found["gg"] = others
        if touch.way:
            found["w"] = [list(point) for point in touch.way]
        if touch.badge:
            found["d"] = touch.badge
        if node.following:
            found["k"] = self.write(node.following.values())
        return found

    def _say(self, label: Words) -> str:
        if label not in self._said:
            self._said[label] = label.render(self.translate)
        return self._said[label]


def _ghost(ghost: Ghost) -> Json:
    """Write a ghost without default values; field by field, because there may be 1,500 of them."""
    found: Json = {"id": ghost.id, "x": ghost.x, "y": ghost.y}
    if ghost.turn is not None:
        found["turn"] = ghost.turn
    if ghost.symbol:
        found["symbol"] = ghost.symbol
    if ghost.layer is not None:
        found["layer"] = ghost.layer
    if ghost.size is not None:
        found["size"] = ghost.size
    return found | {"classes": list(ghost.classes)} if ghost.classes else found
