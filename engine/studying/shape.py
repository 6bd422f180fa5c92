"""Chapters as JSON: what is stored, sent and downloaded has one shape."""

from collections.abc import Mapping
from typing import Any

from engine.agn.names import name_key
from engine.studying.values import MOST_NODES, MOST_TITLE, Mark, Node, StudyError, Tree, beginning, check_text, tidy
from engine.words import marked

Json = dict[str, Any]


def tree_json(tree: Tree) -> Json:
    """Return a tree as JSON; what is empty is left out of an action."""
    return {
        "tags": dict(tree.tags),
        "comment": tree.comment,
        "marks": [_mark_json(mark) for mark in tree.marks],
        "nodes": [_node_json(node) for node in tree.nodes],
    }


def chapter_json(title: str, tree: Tree) -> Json:
    """Return a chapter as JSON."""
    return {"title": title, **tree_json(tree)}


def _node_json(node: Node) -> Json:
    whole: Json = {"token": node.token, "parent": node.parent}
    if node.comment:
        whole["comment"] = node.comment
    if node.marks:
        whole["marks"] = [_mark_json(mark) for mark in node.marks]
    return whole


def _mark_json(mark: Mark) -> Json:
    return {"cell": mark.cell, "to": mark.to, "colour": mark.colour} if mark.to else {
        "cell": mark.cell, "colour": mark.colour
    }  # fmt: skip


def chapter_from_json(value: object) -> tuple[str, Tree]:
    """Return a chapter's title and its tree. :raises StudyError: when the JSON has another shape (AGN-JSON-1)."""
    chapter = _object(value, marked("A chapter must be an object."))
    title = name_key(_text(chapter, "title"))
    if len(title) > MOST_TITLE:
        raise StudyError("AGN-FILE-2", "A title can have at most {most} characters.", most=MOST_TITLE)
    return title, tree_from_json(chapter)


def tree_from_json(value: object) -> Tree:
    """Return a tree. :raises StudyError: when the JSON has another shape (AGN-JSON-1)."""
    found = _object(value, marked("A chapter must be an object."))
    tags = _object(found.get("tags"), marked("The tags of a chapter must be an object."))
    nodes = _list(found, "nodes")
    if len(nodes) > MOST_NODES:
        raise StudyError("AGN-FILE-2", "A chapter can have at most {most} actions.", node=MOST_NODES, most=MOST_NODES)
    return Tree(
        beginning({name: _text(tags, name) for name in tags}),
        tuple(_node(at, node) for at, node in enumerate(nodes)),
        tidy(_text(found, "comment")),
        _marks(found),
    )


def _node(at: int, value: object) -> Node:
    try:
        found = _object(value, marked("An action must be an object."))
        parent = found.get("parent")
        if not isinstance(parent, int) or isinstance(parent, bool):
            raise StudyError("AGN-JSON-1", "The parent of an action must be the number of an earlier action, or -1.")  # noqa: TRY301
        return Node(_text(found, "token"), parent, tidy(_text(found, "comment")), _marks(found))
    except StudyError as error:
        raise StudyError.of(error, node=at) from None


def _marks(value: Mapping[str, Any]) -> tuple[Mark, ...]:
    return tuple(dict.fromkeys(_mark(one) for one in _list(value, "marks")))


def _mark(value: object) -> Mark:
    found = _object(value, marked("A mark must be an object."))
    return Mark(_text(found, "cell"), _text(found, "to"), _text(found, "colour") or Mark("").colour)


def _object(value: object, otherwise: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise StudyError("AGN-JSON-1", otherwise)
    return value


def _list(value: Mapping[str, Any], key: str) -> list[Any]:
    found = value.get(key, [])
    if not isinstance(found, list):
        raise StudyError("AGN-JSON-1", "{key} must be a list.", key=key)
    return found


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key, "")
    if not isinstance(found, str):
        raise StudyError("AGN-JSON-1", "{key} must be a string.", key=key[:64])
    check_text(found)
    return found
