"""Changing a chapter's tree: actions, comments, marks, the order of variations. Legality is checked by `play` after."""

from dataclasses import replace

from engine.studying.values import ROOT, Mark, Node, Tree, tidy


def add_action(tree: Tree, after: int, token: str) -> tuple[Tree, int]:
    """Return the tree with an action after another, and the place of that action; it may be there already."""
    for at, node in enumerate(tree.nodes):
        if node.parent == after and node.token == token:
            return tree, at
    return replace(tree, nodes=(*tree.nodes, Node(token, after))), len(tree.nodes)


def comment_on(tree: Tree, at: int, text: str) -> Tree:
    """Return the tree with another comment on a position; an empty one takes it away."""
    if at == ROOT:
        return replace(tree, comment=tidy(text))
    return _with(tree, at, tree.nodes[at]._replace(comment=tidy(text)))


def switch_mark(tree: Tree, at: int, mark: Mark) -> Tree:
    """Return the tree with a mark added to a position or, where it has the same, without it."""
    marks = tree.marks if at == ROOT else tree.nodes[at].marks
    same = [one for one in marks if one == mark]
    kept = tuple(one for one in marks if (one.cell, one.to) != (mark.cell, mark.to))
    changed = kept if same else (*kept, mark)
    if at == ROOT:
        return replace(tree, marks=changed)
    return _with(tree, at, tree.nodes[at]._replace(marks=changed))


def promote(tree: Tree, at: int) -> tuple[Tree, int]:
    """Return the tree with a variation one place further ahead among those that replace it, and its new place."""
    children = {parent: list(found) for parent, found in tree.children().items()}
    order = children[tree.nodes[at].parent]
    place = order.index(at)
    order.insert(max(0, place - 1), order.pop(place))
    return _in_order(tree, children, at)


def drop(tree: Tree, at: int) -> tuple[Tree, int]:
    """Return the tree without an action and all that follows it, and the place of the action before it."""
    before = tree.nodes[at].parent
    children = {parent: [one for one in found if one != at] for parent, found in tree.children().items()}
    return _in_order(tree, children, before)


def _in_order(tree: Tree, children: dict[int, list[int]], at: int) -> tuple[Tree, int]:
    """Return the tree with its actions in the order of their children, and the new place of one of them."""
    places, nodes, todo = {ROOT: ROOT}, list[Node](), list(reversed(children.get(ROOT, [])))
    while todo:
        one = todo.pop()
        node = tree.nodes[one]
        places[one] = len(nodes)
        nodes.append(node._replace(parent=places[node.parent]))
        todo += reversed(children.get(one, []))
    return replace(tree, nodes=tuple(nodes)), places[at]


def _with(tree: Tree, at: int, node: Node) -> Tree:
    return replace(tree, nodes=(*tree.nodes[:at], node, *tree.nodes[at + 1 :]))
