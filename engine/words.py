"""Words for people, as templates with parameters, so that everything the engine says can be translated.

A template is always a literal in `words(...)`, `counted(...)`, an error or `marked(...)`, so that tools can find it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, Protocol


class Translate(Protocol):
    """A function that translates templates, as gettext and ngettext do."""

    def __call__(self, template: str, plural: str = "", number: int = 1, /) -> str:
        """Return a template in a language; if it has a plural, the form for a number."""


def untranslated(template: str, plural: str = "", number: int = 1, /) -> str:
    """Return a template unchanged, in English."""
    return plural if plural and number != 1 else template


def marked(template: str) -> str:
    """Mark a template for translation where it is written; it is used elsewhere."""
    return template


_QUOTED = marked("'{text}'")
"""How a token is quoted. English quotes as Python writes a text, which programs have read and fixtures hold."""


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, or a part of one, as a template and its parameters, so that it can be translated."""

    template: str
    params: tuple[tuple[str, "str | int | Words"], ...] = ()
    plural: str = ""
    """The template for other numbers than one, where the parameter `count` is a number of things."""

    def render(self, translate: Translate = untranslated) -> str:
        """Return the words in the language of `translate`, which is called for every template, including inner ones."""
        return render(self.template, dict(self.params), translate, self.plural)

    def as_json(self) -> dict[str, Any]:
        """Return the template and the parameters as they are stored and sent; `render` reads them in this form too."""
        plural = {"plural": self.plural} if self.plural else {}
        return {"template": self.template, "params": params_json(dict(self.params)), **plural}

    def __str__(self) -> str:
        return self.render()


def words(template: str, **params: "str | int | Words") -> Words:
    """Return words, with the parameters written as keywords."""
    return Words(template, tuple(params.items()))


def counted(one: str, many: str, /, count: int, **params: "str | int | Words") -> Words:
    """Return a number of things, `{count}`, as part of a sentence: a template for one, and one for other numbers."""
    return Words(one, (("count", count), *params.items()), many)


NOTHING_SAID = Words("")


def render(template: str, params: Mapping[str, Any], translate: Translate = untranslated, plural: str = "") -> str:
    """Return a template filled in; parameters that are words, also in JSON form, are translated as well.

    :param plural: the template where the parameter `count` is not one.
    """
    if not template:
        return ""  # a catalogue translates it to its own header
    text = translate(template, plural, params["count"]) if plural else translate(template)
    if not params and "{" not in text and "}" not in text:
        return text
    filled = {name: _said(value, translate) for name, value in params.items()}
    if "!r}" not in text or (quoted := translate(_QUOTED)) == _QUOTED:
        return text.format(**filled)
    return _Quoting(quoted).vformat(text, (), filled)


class _Quoting(Formatter):
    """Quotes texts with a language's quotation marks."""

    def __init__(self, quoted: str) -> None:
        self._quoted = quoted

    def convert_field(self, value: Any, conversion: str | None) -> Any:  # noqa: ANN401 (the library's own)
        """Return a text in quotation marks for `{name!r}`; invisible characters stay spelt out."""
        if conversion != "r" or not isinstance(value, str):
            return super().convert_field(value, conversion)
        return self._quoted.format(text="".join(repr(char)[1:-1] for char in value))


_PLAIN = (str, int)


def _said(value: object, translate: Translate) -> object:
    if isinstance(value, _PLAIN):
        return value  # first, because asking whether something is a mapping takes long
    if isinstance(value, Words):
        return value.render(translate)
    if isinstance(value, Mapping):
        return render(value["template"], value["params"], translate, value.get("plural", ""))
    return value


def params_json(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters ready for JSON."""
    return {name: value.as_json() if isinstance(value, Words) else value for name, value in params.items()}


def listed(items: "Sequence[str | Words]") -> "str | Words":
    """Return names as a list: `R1, R2 and Y1`. There is at least one."""
    if len(items) == 1:
        return items[0]
    names, last = items[0], items[-1]
    for name in items[1:-1]:
        plain = isinstance(names, str) and isinstance(name, str)
        names = f"{names}, {name}" if plain else words("{names}, {name}", names=names, name=name)
    return words("{names} and {last}", names=names, last=last)


def lines(first: str, second: "str | Words", *others: "str | Words") -> Words:
    """Return lines joined by line breaks."""
    said = words("{above}\n{below}", above=first, below=second)
    for line in others:
        said = words("{above}\n{below}", above=said, below=line)
    return said


def sentences(first: Words, others: Iterable[Words]) -> Words:
    """Return sentences joined into one text."""
    said = first
    for sentence in others:
        said = words("{before} {after}", before=said, after=sentence)
    return said
