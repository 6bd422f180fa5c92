"""Find every template in the sources, however it reaches its use."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_FOLDERS = ("engine", "games")
_PLUMBING = {
    "engine/words.py", "engine/ruleset.py", "engine/agn/log.py", "engine/replay/values.py", "games/platform/errors.py",
}  # fmt: skip
"""Here templates are only passed on."""
_TAKERS = {
    "words": 0, "Words": 0, "RuleError": 1, "IllegalMoveError": 1, "MoveSyntaxError": 1, "TagError": 2, "AgnError": 2,
    "RecranksError": 1, "RefusedError": 1, "SendError": 0,
}  # fmt: skip
"""A function that takes a template, and the parameter it takes it as."""
_KEYWORDS = {"Ruleset": "title"}


def templates() -> dict[str, str]:
    """Return every template of the engine and the services, with a place of its use."""
    found: dict[str, str] = {}
    for path in sorted(path for folder in _FOLDERS for path in (ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name not in _PLUMBING:
            found |= dict.fromkeys(_Module(name, ast.parse(path.read_text())).templates(), name)
    return found


class _Module:
    """One module; `takers` grows by its own functions that pass on a template."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name = name
        self.takers = dict(_TAKERS) | dict(_kinds(tree))
        self.functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self.scopes: list[ast.FunctionDef | ast.Module] = [tree, *self.functions.values()]
        self.tree = tree

    def templates(self) -> set[str]:
        """Return all templates, searching until no further function passes one on."""
        while True:
            known = len(self.takers)
            found = {template for scope in self.scopes for template in self._in(scope)}
            if len(self.takers) == known:
                return found

    def _in(self, scope: ast.FunctionDef | ast.Module) -> Iterator[str]:
        for node in _own(scope):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self._note_partial(node, scope)
                for template in self._asked(node):
                    yield from self._values(template, scope)

    def _asked(self, call: ast.Call) -> list[ast.expr]:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        place = self.takers.get(name)
        by_place = [] if place is None else call.args[place : place + 1]
        return by_place + [word.value for word in call.keywords if word.arg and word.arg == _KEYWORDS.get(name)]

    def _note_partial(self, call: ast.Call, scope: ast.FunctionDef | ast.Module) -> None:
        """`wrong = partial(AgnError, rule, place)` takes the rest."""
        if isinstance(call.func, ast.Name) and call.func.id == "partial" and isinstance(call.args[0], ast.Name):
            place = self.takers.get(call.args[0].id)
            for name, value in _assigned(scope):
                if value is call and place is not None:
                    self.takers[name] = place - len(call.args) + 1

    def _values(self, node: ast.expr, scope: ast.FunctionDef | ast.Module) -> Iterator[str]:
        """Yield the possible templates of an expression."""
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.Name(id=name):
                yield from self._of_name(name, scope, node.lineno)
            case ast.Call(func=ast.Name(id=name)) if name in self.functions:
                for value in _returned(self.functions[name]):
                    yield from self._values(value, self.functions[name])
            case _:
                parts = list(_parts(node))
                assert parts, f"{self.name}:{node.lineno}: no template to be seen in {ast.unparse(node)}"
                for part in parts:
                    yield from self._values(part, scope)

    def _of_name(self, name: str, scope: ast.FunctionDef | ast.Module, line: int) -> Iterator[str]:
        parameters = [] if isinstance(scope, ast.Module) else [one.arg for one in scope.args.args]
        values = [value for at in (scope, self.tree) for assigned, value in _assigned(at) if assigned == name]
        if name in parameters and isinstance(scope, ast.FunctionDef):
            self.takers[scope.name] = parameters.index(name)
            return
        assert values, f"{self.name}:{line}: {name} is nowhere given a value"
        for value in values:
            yield from self._values(value, scope)


def _kinds(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the error classes a module derives from known ones."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in _TAKERS:
                    yield node.name, _TAKERS[base.id]


def _parts(node: ast.expr) -> list[ast.expr]:
    """Return the expressions in a conditional, a table or a translation call."""
    match node:
        case ast.IfExp(body=one, orelse=other):
            return [one, other]
        case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.Call(func=ast.Name(id="marked"), args=parts):
            return parts
        case ast.Subscript(value=table):
            return [table]
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, *rest]):
            return [table, *rest]
    return []


def _own(scope: ast.FunctionDef | ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes of a scope itself, without those of nested functions."""
    rest: list[ast.AST] = list(scope.body)
    while rest:
        node = rest.pop()
        if not isinstance(node, ast.FunctionDef):
            yield node
            rest.extend(ast.iter_child_nodes(node))


def _assigned(scope: ast.FunctionDef | ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in _own(scope):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in _own(function):
        if isinstance(node, ast.Return) and node.value:
            yield node.value
