"""A chapter made from a game, with the branches that somebody tried on its replay."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.replay import Replay
from engine.studying.values import MOST_NODES, ROOT, Node, StudyError, Tree, beginning, tidy


class Branch(NamedTuple):
    """Other actions from a ply of a game on, and comments by their places among them."""

    ply: int
    play: Sequence[str]
    comments: Mapping[int, str]


def chapter_of_game(played: Replay[Any, Any], branches: Sequence[Branch] = ()) -> Tree:
    """Return a game's actions as the main line, and branches as variations. Whether these are legal is not checked.

    :raises StudyError: when a branch begins after the last action, or all are too many.
    """
    nodes = [Node(token, at - 1) for at, token in enumerate(played.actions)]
    known = {(node.parent, node.token): at for at, node in enumerate(nodes)}
    for branch in branches:
        if not 0 <= branch.ply <= len(played.actions):
            raise StudyError("AGN-MOVE-4", "The game has no ply {ply}.", ply=branch.ply)
        _add(nodes, known, branch)
    return Tree(beginning(played.tags), tuple(nodes))


def _add(nodes: list[Node], known: dict[tuple[int, str], int], branch: Branch) -> None:
    """Add the actions of a branch that are not there yet, and its comments."""
    at = branch.ply - 1 if branch.ply else ROOT
    for step, token in enumerate(branch.play):
        found = known.get((at, token))
        if found is None:
            if len(nodes) == MOST_NODES:
                raise StudyError("AGN-FILE-2", "A chapter can have at most {most} actions.", most=MOST_NODES)
            found = known[at, token] = len(nodes)
            nodes.append(Node(token, at))
        at = found
        if comment := tidy(branch.comments.get(step, "")):
            nodes[at] = nodes[at]._replace(comment=f"{nodes[at].comment} {comment}".strip(" "))
