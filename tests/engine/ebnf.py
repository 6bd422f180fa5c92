"""Read a grammar in the EBNF of XML 1.0 and match texts with it.

The grammar of records is not recursive, so every rule is a regular expression, assembled here from its own text.
It runs in linear time because no two alternatives share a long prefix.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"^([a-z][a-z-]*)\s*::=(.*?)(?=^[a-z][a-z-]*\s*::=|\Z)", re.MULTILINE | re.DOTALL)
_SYMBOL = re.compile(r"\s*('[^']*'|\"[^\"]*\"|\[\^?[^\]]*\]|#x[0-9A-F]+|[a-z][a-z-]*|[()|?*+]|-(?=\s))")
_CODE = re.compile(r"#x([0-9A-F]+)")


@dataclass(frozen=True)
class Grammar:
    """The rules of a grammar by their names."""

    rules: dict[str, str]

    def matches(self, rule: str, text: str) -> bool:
        """Return whether a whole text matches a rule."""
        return _compiled(tuple(self.rules.items()), rule).fullmatch(text) is not None


def read(text: str) -> Grammar:
    """Return the grammar in a text. :raises ValueError: when a part is not a rule or a rule is defined twice."""
    bare = _COMMENT.sub("", text)
    found = _RULE.findall(bare)
    if _RULE.sub("", bare).strip() or len(dict(found)) < len(found):
        raise ValueError("this is not a grammar of different rules")
    return Grammar(dict(found))


def names_in(body: str) -> set[str]:
    """Return the rules that a rule mentions."""
    return {symbol for symbol in _symbols(body) if symbol[0].islower()}


@cache
def _compiled(rules: tuple[tuple[str, str], ...], rule: str) -> re.Pattern[str]:
    return re.compile(_Translation(dict(rules)).rule(rule))


def _symbols(body: str) -> list[str]:
    symbols, at = [], 0
    while body[at:].strip():
        match = _SYMBOL.match(body, at)
        if match is None:
            raise ValueError(f"no symbol of a grammar: {body[at : at + 20]!r}")
        symbols.append(match[1])
        at = match.end()
    return symbols


class _Translation:
    """Rules as regular expressions."""

    def __init__(self, rules: dict[str, str]) -> None:
        self.rules = rules
        self.under_way: list[str] = []

    def rule(self, name: str) -> str:
        if name in self.under_way:
            raise ValueError(f"{name} is defined by itself")
        self.under_way.append(name)
        symbols = iter([*_symbols(self.rules[name]), ""])
        whole, _ = self.alternatives(symbols)
        self.under_way.pop()
        return whole

    def alternatives(self, symbols: Iterator[str]) -> tuple[str, str]:
        """Return the text up to a closing bracket or the end, and that delimiter."""
        parts, end = [], "|"
        while end == "|":
            part, end = self.sequence(symbols)
            parts.append(part)
        return f"(?:{'|'.join(parts)})", end

    def sequence(self, symbols: Iterator[str]) -> tuple[str, str]:
        parts: list[str] = []
        for symbol in symbols:
            if symbol in ("|", ")", ""):
                return "".join(parts), symbol
            if symbol == "-":
                # Exact as long as an excluded text is never just the beginning of a longer allowed one.
                excluded = self.one(next(symbols), symbols)
                parts[-1] = f"(?!{excluded}){parts[-1]}"
            elif symbol in "?*+":
                parts[-1] = f"(?:{parts[-1]}){symbol}"
            else:
                parts.append(self.one(symbol, symbols))
        raise ValueError("a grammar ends within a rule")

    def one(self, symbol: str, symbols: Iterator[str]) -> str:
        if symbol == "(":
            return self.alternatives(symbols)[0]
        if symbol[0] in "'\"":
            return re.escape(symbol[1:-1])
        if symbol[0] == "[":
            return _CODE.sub(_escaped, symbol[0] + symbol[1:-1].replace("\\", "\\\\") + symbol[-1])
        if symbol[0] == "#":
            return _CODE.sub(_escaped, symbol)
        return self.rule(symbol)


def _escaped(code: re.Match[str]) -> str:
    return f"\\U{int(code[1], 16):08x}"
