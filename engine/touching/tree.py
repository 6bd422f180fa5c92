"""Builds a tree of touches from the legal actions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.touches import CHOICE, Ghost, Rectangle, Spelling, Touch
from engine.words import NOTHING_SAID, Translate, Words, counted, untranslated, words

Json = dict[str, Any]
Point = tuple[float, float]


@dataclass(slots=True)
class Node:
    """A touch, the action that may end with it, and what may be touched after it."""

    touch: Touch
    token: str | None = None
    grown: "dict[tuple[str, str], Node] | None" = None
    """What follows, by target and part, while the tree is made."""
    following: "Sequence[Node]" = ()
    """What follows, each target once."""

    @property
    def chosen(self) -> bool:
        """Whether it is a choice from a list."""
        return self.touch.target.startswith(CHOICE)


def build_tree(actions: Iterable[tuple[str, Iterable[Spelling]]]) -> Sequence[Node]:
    """Return the tree of some actions, given as tokens with the touches for each."""
    root = Node(Touch("", "", NOTHING_SAID))
    for token, spellings in actions:
        for spelling in spellings:
            _add(root, token, spelling)
    return _tidy(root.grown.values()) if root.grown else ()


def _add(root: Node, token: str, spelling: Spelling) -> None:
    node = root
    for touch in spelling:
        key = touch[:2]
        if node.grown is None:
            node.grown = {}
        following = node.grown.get(key)
        if following is None:
            following = node.grown[key] = Node(touch)
        node = following
    node.token = token


def _tidy(nodes: Collection[Node]) -> list[Node]:
    """Return the nodes with each target only once; if it has several meanings, they become a choice."""
    if len({node.touch.target for node in nodes}) == len(nodes):
        return [_single(node) if node.grown else node for node in nodes]
    by_target: dict[str, list[Node]] = {}
    for node in nodes:
        by_target.setdefault(node.touch.target, []).append(node)
    return [_single(nodes[0]) if len(nodes) == 1 else _asked(target, nodes) for target, nodes in by_target.items()]


def _single(node: Node) -> Node:
    """Return a node; a choice with a single option is merged into it, so that nobody has to choose."""
    if not node.grown:
        return node
    kept = _tidy(node.grown.values())
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
        return Node(touch, only.token, following=only.following)
    node.following = kept
    return node


def _asked(target: str, nodes: list[Node]) -> Node:
    """Return one node for several with the same target."""
    place = next((node.touch.place for node in nodes if node.touch.place), None)
    badge = next((node.touch.badge for node in nodes if node.touch.badge), "")
    following = []
    for node in nodes:
        one = _single(node)
        _, part, label, ghosts, way, sign, _ = one.touch
        option = Touch(f"{CHOICE}{part}", part, label, ghosts, way, sign)
        following.append(Node(option, one.token, following=one.following))
    label = counted("{count} way", "{count} ways", len(nodes))
    return Node(Touch(target, "", label, badge=badge, place=place), following=following)


def needs_of(nodes: Iterable[Node]) -> tuple[dict[str, Rectangle], set[str]]:
    """Return the positions of targets that are places, by name, and the drawings that the ghosts of a tree need."""
    places, symbols = dict[str, Rectangle](), set[str]()
    _collect(nodes, places, symbols)
    return places, symbols - {""}


def _collect(nodes: Iterable[Node], places: dict[str, Rectangle], symbols: set[str]) -> None:
    for node in nodes:
        target, _, _, ghosts, _, _, place = node.touch
        if place:
            places[target] = place
        for ghost in ghosts:
            symbols.add(ghost.symbol)
        if node.following:
            _collect(node.following, places, symbols)


@dataclass(slots=True)
class Writer:
    """Writes a tree for JSON."""

    where: Mapping[str, Point]
    """The middle of each target that is on the board."""
    captions: Mapping[str, str]
    """The sentence of each action, by its token."""
    translate: Translate = untranslated
    _said: dict[int, str] = field(default_factory=dict)
    """What labels say, by their identity: the same label is on many nodes, and to compare it takes longer."""
    _drawn: dict[int, Json] = field(default_factory=dict)
    """What ghosts are like, in the same way."""

    def write(self, nodes: Collection[Node]) -> list[Json]:
        """Return nodes in reading order, then the choices in the game's order."""
        return [self._node(node) for node in (sorted(nodes, key=self._order) if len(nodes) > 1 else nodes)]

    def _order(self, node: Node) -> tuple[bool, float, float]:
        target = node.touch.target
        if target.startswith(CHOICE):
            return True, 0, 0
        x, y = self.where[target]
        return False, y, x

    def _node(self, node: Node) -> Json:
        target, part, label, ghosts, way, badge, _ = node.touch
        found: Json = {"t": target, "p": part, "s": self._said.get(id(label)) or self._say(label)}
        if node.token is not None:
            found["a"] = node.token
            if caption := self.captions.get(node.token):
                found["c"] = caption
        if ghosts:
            first, *others = [self._drawn.get(id(ghost)) or self._draw(ghost) for ghost in ghosts]
            found["g"] = first
            if others:
                found["gg"] = others
        if way:
            found["w"] = [list(point) for point in way]
        if badge:
            found["d"] = badge
        if node.following:
            found["k"] = self.write(node.following)
        return found

    def _draw(self, ghost: Ghost) -> Json:
        drawn = self._drawn[id(ghost)] = _ghost(ghost)
        return drawn

    def _say(self, label: Words) -> str:
        text = self._said[id(label)] = label.render(self.translate)
        return text


def _ghost(ghost: Ghost) -> Json:
    """Write a ghost without default values; field by field, because there may be 1,500 of them."""
    name, x, y, turn, symbol, layer, size, classes = ghost
    found: Json = {"id": name, "x": x, "y": y}
    if turn is not None:
        found["turn"] = turn
    if symbol:
        found["symbol"] = symbol
    if layer is not None:
        found["layer"] = layer
    if size is not None:
        found["size"] = size
    if classes:
        found["classes"] = list(classes)
    return found
