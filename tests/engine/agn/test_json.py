"""Records in JSON (AGN-JSON-1): one shape, the rules of the text, and nothing that a hostile object can do."""

import json
from typing import Any

import pytest

from engine.agn.log import MAX_TEXT
from engine.verify import UNFINISHED, verify_bytes
from tests.engine.agn.records import ACTIONS, TAGS, as_json, comments_of, fault_in, said, verdict_on, written


def fault_of(**changes: Any) -> tuple[str, int, int, str]:
    return said(fault_in(json.dumps(as_json(**changes))))


def test_it_is_the_same_record_as_the_text() -> None:
    verdict, text = verdict_on(json.dumps(as_json())), verdict_on(written())

    assert verdict.verdict == UNFINISHED
    assert (verdict.text, verdict.digest) == (text.text, text.digest)


def test_it_may_go_over_lines_and_lack_comments() -> None:
    assert verdict_on(json.dumps(as_json(comments=None), indent=1)).verdict == UNFINISHED


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": None}, "A record has a key 'format'."),
        ({"result": None}, "A record has a key 'result'."),
        ({"moves": []}, "A record has no key 'moves'."),
        ({"format": "agn/2"}, "The format is not 'agn/1'."),
        ({"format": 1}, "The format is not 'agn/1'."),
        ({"tags": []}, "Tags and comments are objects whose values are strings."),
        ({"tags": {**TAGS, "Round": 2}}, "Tags and comments are objects whose values are strings."),
        ({"comments": ["x"]}, "Tags and comments are objects whose values are strings."),
        ({"comments": {"0": None}}, "Tags and comments are objects whose values are strings."),
        ({"actions": "/"}, "Actions are a list of strings, and the result is a string."),
        ({"actions": ["/", 1]}, "Actions are a list of strings, and the result is a string."),
        ({"actions": ["/", None]}, "Actions are a list of strings, and the result is a string."),
        ({"result": 1}, "Actions are a list of strings, and the result is a string."),
        ({"result": ["*"]}, "Actions are a list of strings, and the result is a string."),
        ({"actions": [""]}, "Action '' is not one token of an action."),
        ({"actions": ["R1:N /"]}, "Action 'R1:N /' is not one token of an action."),
        ({"actions": ["R1:N\n"]}, r"Action 'R1:N\n' is not one token of an action."),
        ({"actions": ["{x}"]}, "Action '{x}' is not one token of an action."),
        ({"actions": ["R1:N;"]}, "Action 'R1:N;' is not one token of an action."),
        ({"actions": ["("]}, "Action '(' is not one token of an action."),
        ({"actions": ["1."]}, "Action '1.' is not one token of an action."),
        ({"actions": ["*"]}, "Action '*' is not one token of an action."),
        ({"actions": ["1-2"]}, "Action '1-2' is not one token of an action."),
        ({"comments": {"8": "x"}}, "A comment stands at '8', which is no ply of this game."),
        ({"comments": {"-2": "x"}}, "A comment stands at '-2', which is no ply of this game."),
        ({"comments": {"01": "x"}}, "A comment stands at '01', which is no ply of this game."),
        ({"comments": {"٣": "x"}}, "A comment stands at '٣', which is no ply of this game."),
        ({"comments": {"": "x"}}, "A comment stands at '', which is no ply of this game."),
    ],
)
def test_another_shape_is_refused(changes: dict[str, Any], sentence: str) -> None:
    assert fault_of(**changes) == ("AGN-JSON-1", 1, 1, sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"format"}', "This is not a JSON object: Expecting ':' delimiter: line 1 column 10 (char 9)."),
        ('{"a": 1} x', "This is not a JSON object: Extra data: line 1 column 10 (char 9)."),
        ('{"a": 1, "a": 2}', "This is not a JSON object: a key stands twice."),
        ('{"tags": {"A": "", "A": ""}}', "This is not a JSON object: a key stands twice."),
        ('{"a": tru}', "This is not a JSON object: Expecting value: line 1 column 7 (char 6)."),
        ('{"format": NaN}', "A record has a key 'actions'."),
    ],
)  # fmt: skip
def test_what_is_no_object_is_refused(text: str, sentence: str) -> None:
    assert said(fault_in(text)) == ("AGN-JSON-1", 1, 1, sentence)


def test_the_other_rules_hold() -> None:
    tags = {name: value for name, value in TAGS.items() if name != "Red"}

    assert fault_of(tags=tags) == ("AGN-TAG-2", 1, 1, "Tag Red is missing.")
    assert fault_of(tags={**TAGS, "A-B": ""}) == ("AGN-TAG-1", 1, 1, "A tag cannot be named 'A-B'.")
    assert fault_of(tags={**TAGS, "A": "b\nc"}) == ("AGN-TAG-1", 1, 1, "The value of tag A goes over several lines.")
    assert fault_of(result="1-2") == ("AGN-RESULT-2", 1, 1, "The result is *, not 1-2.")
    assert fault_of(result="won") == ("AGN-RESULT-1", 1, 1, "'won' is not a result such as 1-2 or *.")
    assert fault_of(actions=["nonsense"]) == ("AGN-MOVE-1", 1, 1, "'nonsense' is not an action of Atta Ants.")


def test_the_limits_hold() -> None:
    tags = {**TAGS, **{f"T{number}": "" for number in range(57)}}

    assert fault_of(tags=tags) == ("AGN-FILE-2", 1, 1, "A game has at most 64 tags.")
    assert fault_of(actions=["x" * 65]) == ("AGN-FILE-2", 1, 1, "A token has at most 64 characters.")
    assert fault_of(tags={**TAGS, "Event": "x" * 256})[0] == "AGN-FILE-2"
    assert fault_of(comments={"0": "x" * MAX_TEXT}) == ("AGN-FILE-2", 1, 1, "A game's text has at most 262144 bytes.")


def test_a_fault_has_the_line_of_its_object_and_the_ply_of_its_action() -> None:
    broken = [*ACTIONS[:2], "R1:S", *ACTIONS[2:]]
    lines = [json.dumps(as_json()), "", json.dumps(as_json(actions=broken))]

    _, second = verify_bytes("\n".join(lines).encode())

    assert second.fault is not None
    assert said(second.fault) == ("ATTA-MOVE-1", 3, 1, "Ant R1 has moved in this turn already.")
    assert (second.record.game, second.fault.ply, second.fault.token) == (2, 2, "R1:S")


def test_comments_are_tidied() -> None:
    comments = {"-1": " a\n\nb ", "0": "{ } ;", "3": " \t ", "7": "\u2028x"}

    assert comments_of(json.dumps(as_json(comments=comments))) == {-1: "a b", 0: "{ ) ;", 7: "\u2028x"}


# Attacks


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 40_000,
        '{"a":' + "[" * 250_000,
        '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a":' * 40_000 + "1" + "}" * 40_000,
    ],
)
def test_a_deep_nest_is_refused(text: str) -> None:
    rule, line, _, sentence = said(fault_in(text))

    assert (rule, line) == ("AGN-JSON-1", 1)
    assert sentence in ("This JSON is nested too deeply.", "A record has no key 'a'.") or "Expecting" in sentence


@pytest.mark.parametrize("number", ["9" * 200_000, "-" + "9" * 5_000, "1e999999999", "0." + "1" * 100_000, "Infinity"])
def test_a_huge_number_is_only_of_the_wrong_type(number: str) -> None:
    text = json.dumps(as_json()).replace('"result": "*"', f'"result": {number}')

    assert said(fault_in(text))[3] == "Actions are a list of strings, and the result is a string."


@pytest.mark.parametrize("escape", [r"\u0000", r"\u001f", r"\r", r"\b", r"\ud800", r"\udfff", r"\udfff\ud800"])
@pytest.mark.parametrize("place", ["Ada", "NESW@0,2", "said"])
def test_an_escape_brings_nothing_in_that_a_text_could_not_hold(place: str, escape: str) -> None:
    text = json.dumps(as_json(comments={"0": "said"})).replace(place, place + escape, 1)

    assert said(fault_in(text)) == ("AGN-FILE-1", 1, 1, "A string holds a control character or half a character.")


def test_a_pair_of_surrogates_is_one_character() -> None:
    text = json.dumps(as_json(comments={"0": "🐜"}))

    assert r"\ud83d\udc1c" in text
    assert comments_of(text) == {0: "🐜"}


def test_a_raw_control_character_is_refused() -> None:
    assert said(fault_in(b'{"a": "\x01"}')) == ("AGN-FILE-1", 1, 8, "Control character U+0001 is not allowed.")
    assert said(fault_in(b'{"a": "\xff"}')) == ("AGN-FILE-1", 1, 8, "Byte 0xff is not UTF-8.")


def test_a_sentence_stays_short_and_can_be_printed() -> None:
    long = "\ud800" + "k" * 100_000
    faults = [
        fault_of(**{long: 1}),
        fault_of(tags={long: "1"}),
        fault_of(actions=[long]),
        fault_of(comments={long: ""}),
    ]

    assert all(len(sentence.encode()) < 200 for _, _, _, sentence in faults)


def test_broken_lines_hide_no_other() -> None:
    good = json.dumps(as_json())
    lines = [good, "{", "[1, 2]", "null", '"x"', good[:-1], "\ufeff" + good, good]

    verdicts = verify_bytes("\n".join(lines).encode())

    assert [verdict.verdict == UNFINISHED for verdict in verdicts] == [True, *[False] * 6, True]
    assert {verdict.fault.rule for verdict in verdicts if verdict.fault} == {"AGN-JSON-1"}


@pytest.mark.parametrize("text", ["[]", "null", '"x"', "1"])
def test_what_does_not_begin_with_a_brace_is_text(text: str) -> None:
    assert fault_in(text).rule == "AGN-TAG-1"
