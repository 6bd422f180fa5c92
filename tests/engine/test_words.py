"""Engine messages can be translated into any language and use its quotation marks."""

import json

import pytest

from engine.words import counted, render, untranslated, words

GERMAN = {
    "'{text}'": "„{text}“",
    "{token!r} is no action.": "{token!r} ist keine Aktion.",
    "ant {nth}": "Ameise {nth}",
    "{count} ant": "{count} Ameise",
    "{count} ants": "{count} Ameisen",
}


def german(template: str, plural: str = "", number: int = 1, /) -> str:
    return GERMAN.get(untranslated(template, plural, number), template)


def test_english_messages_quote_like_python() -> None:
    assert render("{token!r} is no action.", {"token": "R1:Q"}) == "'R1:Q' is no action."
    assert render("{token!r} is no action.", {"token": "it's"}) == '"it\'s" is no action.'


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("R1:Q", "„R1:Q“ ist keine Aktion."),
        ("it's", "„it's“ ist keine Aktion."),
        ("a\tb\x07\\", r"„a\tb\x07\\“ ist keine Aktion."),
        ("\u202eüß€", r"„\u202eüß€“ ist keine Aktion."),
        ("{x}", "„{x}“ ist keine Aktion."),
    ],
)
def test_german_messages_use_german_quotes_and_escape_invisible_characters(token: str, said: str) -> None:
    assert render("{token!r} is no action.", {"token": token}, german) == said


def test_numbers_are_not_quoted_and_nested_words_are_translated() -> None:
    assert render("{what}, {number!r}", {"what": words("ant {nth}", nth=3), "number": 7}, german) == "Ameise 3, 7"


@pytest.mark.parametrize(("count", "said", "gesagt"), [(0, "0 ants", "0 Ameisen"), (1, "1 ant", "1 Ameise"),
                                                       (2, "2 ants", "2 Ameisen")])  # fmt: skip
def test_counted_things_have_singular_and_plural_in_every_language(count: int, said: str, gesagt: str) -> None:
    ants = counted("{count} ant", "{count} ants", count)
    sentence = words("{ants}.", ants=ants)
    assert (str(sentence), sentence.render(german)) == (f"{said}.", f"{gesagt}.")
    stored = json.loads(json.dumps(sentence.as_json()))
    assert render(stored["template"], stored["params"], german) == f"{gesagt}."
