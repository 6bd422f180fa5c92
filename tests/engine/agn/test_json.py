"""JSON records (AGN-JSON-1): one shape, the rules of the text, and no harm from hostile objects."""

import json
from typing import Any

import pytest

from engine.agn.log import MAX_TEXT
from engine.verify import UNFINISHED, verify_bytes
from tests.engine.agn.records import (
    ACTIONS,
    TAGS,
    as_json,
    comments_of,
    fault_in,
    gave_up,
    not_over,
    rule_and_place,
    verdict_on,
    written,
)


def fault_of(**changes: Any) -> tuple[str, int, int, str]:
    return rule_and_place(fault_in(json.dumps(as_json(**changes))))


def test_json_and_text_give_the_same_record() -> None:
    verdict, text = verdict_on(json.dumps(as_json())), verdict_on(written())

    assert verdict.verdict == UNFINISHED
    assert (verdict.text, verdict.digest) == (text.text, text.digest)


def test_json_may_span_lines_and_omit_comments() -> None:
    assert verdict_on(json.dumps(as_json(comments=None), indent=1)).verdict == UNFINISHED


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": None}, "Key 'format' is missing."),
        ({"result": None}, "Key 'result' is missing."),
        ({"moves": []}, "Unknown key 'moves': a record has format, tags, actions, comments and result."),
        ({"format": "agn/2"}, "The format must be 'agn/1'."),
        ({"format": 1}, "The format must be 'agn/1'."),
        ({"tags": []}, "Tags and comments must be objects whose values are strings."),
        ({"tags": {**TAGS, "Round": 2}}, "Tags and comments must be objects whose values are strings."),
        ({"comments": ["x"]}, "Tags and comments must be objects whose values are strings."),
        ({"comments": {"0": None}}, "Tags and comments must be objects whose values are strings."),
        ({"actions": "/"}, "Actions must be a list of strings, and the result must be a string."),
        ({"actions": ["/", 1]}, "Actions must be a list of strings, and the result must be a string."),
        ({"actions": ["/", None]}, "Actions must be a list of strings, and the result must be a string."),
        ({"result": 1}, "Actions must be a list of strings, and the result must be a string."),
        ({"result": ["*"]}, "Actions must be a list of strings, and the result must be a string."),
        ({"actions": [""]}, "'' is not a single action."),
        ({"actions": ["R1:N /"]}, "'R1:N /' is not a single action."),
        ({"actions": ["R1:N\n"]}, r"'R1:N\n' is not a single action."),
        ({"actions": ["{x}"]}, "'{x}' is not a single action."),
        ({"actions": ["R1:N;"]}, "'R1:N;' is not a single action."),
        ({"actions": ["("]}, "'(' is not a single action."),
        ({"actions": ["1."]}, "'1.' is not a single action."),
        ({"actions": ["*"]}, "'*' is not a single action."),
        ({"actions": ["1-2"]}, "'1-2' is not a single action."),
        ({"comments": {"8": "x"}}, "There is a comment at '8', but this game has no such ply."),
        ({"comments": {"-2": "x"}}, "There is a comment at '-2', but this game has no such ply."),
        ({"comments": {"01": "x"}}, "There is a comment at '01', but this game has no such ply."),
        ({"comments": {"٣": "x"}}, "There is a comment at '٣', but this game has no such ply."),
        ({"comments": {"": "x"}}, "There is a comment at '', but this game has no such ply."),
    ],
)
def test_json_of_another_shape_is_rejected(changes: dict[str, Any], sentence: str) -> None:
    assert fault_of(**changes) == ("AGN-JSON-1", 1, 1, sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"format"}', "This is not valid JSON: Expecting ':' delimiter: line 1 column 10 (char 9)."),
        ('{"a": 1} x', "This is not valid JSON: Extra data: line 1 column 10 (char 9)."),
        ('{"a": 1, "a": 2}', "This is not valid JSON: a key appears twice."),
        ('{"tags": {"A": "", "A": ""}}', "This is not valid JSON: a key appears twice."),
        ('{"a": tru}', "This is not valid JSON: Expecting value: line 1 column 7 (char 6)."),
        ('{"format": NaN}', "Key 'actions' is missing."),
    ],
)  # fmt: skip
def test_json_that_is_not_an_object_is_rejected(text: str, sentence: str) -> None:
    assert rule_and_place(fault_in(text)) == ("AGN-JSON-1", 1, 1, sentence)


def test_other_format_rules_apply_to_json() -> None:
    tags = {name: value for name, value in TAGS.items() if name != "Red"}

    assert fault_of(tags=tags) == ("AGN-TAG-2", 1, 1, "Tag Red is missing.")
    assert fault_of(tags={**TAGS, "A-B": ""}) == (
        "AGN-TAG-1",
        1,
        1,
        "'A-B' is not a tag name: it must be letters, digits and _ and begin with a letter.",
    )
    assert fault_of(tags={**TAGS, "A": "b\nc"}) == (
        "AGN-TAG-1",
        1,
        1,
        "The value of tag A contains a line break; a tag is a single line.",
    )
    why = not_over(14) + gave_up("Yellow")
    assert fault_of(result="1-2") == (
        "AGN-RESULT-2",
        1,
        1,
        f"Expected result *, found 1-2. {why}",
    )
    assert fault_of(result="won") == ("AGN-RESULT-1", 1, 1, "Expected a result such as 1-2 or *, found 'won'.")
    assert fault_of(actions=["nonsense"]) == ("AGN-MOVE-1", 1, 1, "'nonsense' is not an action of Atta Ants.")


def test_size_limits_apply_to_json() -> None:
    tags = {**TAGS, **{f"T{number}": "" for number in range(57)}}

    assert fault_of(tags=tags) == ("AGN-FILE-2", 1, 1, "This game has too many tags: at most 64 are allowed.")
    assert fault_of(actions=["x" * 65]) == (
        "AGN-FILE-2",
        1,
        1,
        "This token is too long: at most 64 characters are allowed.",
    )
    assert fault_of(tags={**TAGS, "Event": "x" * 256})[0] == "AGN-FILE-2"
    assert fault_of(comments={"0": "x" * MAX_TEXT}) == (
        "AGN-FILE-2",
        1,
        1,
        "This game’s text is too long: at most 262144 bytes are allowed.",
    )


def test_json_fault_has_the_line_of_its_object_and_the_ply_of_its_action() -> None:
    broken = [*ACTIONS[:2], "R1:S", *ACTIONS[2:]]
    lines = [json.dumps(as_json()), "", json.dumps(as_json(actions=broken))]

    _, second = verify_bytes("\n".join(lines).encode())

    assert second.fault is not None
    assert rule_and_place(second.fault) == ("ATTA-MOVE-1", 3, 1, "Ant R1 has already moved this turn.")
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
def test_deeply_nested_json_is_rejected(text: str) -> None:
    rule, line, _, sentence = rule_and_place(fault_in(text))

    assert (rule, line) == ("AGN-JSON-1", 1)
    assert (
        sentence
        in (
            "This JSON is nested too deeply.",
            "Unknown key 'a': a record has format, tags, actions, comments and result.",
        )
        or "Expecting" in sentence
    )


@pytest.mark.parametrize("number", ["9" * 200_000, "-" + "9" * 5_000, "1e999999999", "0." + "1" * 100_000, "Infinity"])
def test_huge_number_is_rejected_as_the_wrong_type(number: str) -> None:
    text = json.dumps(as_json()).replace('"result": "*"', f'"result": {number}')

    assert rule_and_place(fault_in(text))[3] == "Actions must be a list of strings, and the result must be a string."


@pytest.mark.parametrize("escape", [r"\u0000", r"\u001f", r"\r", r"\b", r"\ud800", r"\udfff", r"\udfff\ud800"])
@pytest.mark.parametrize("place", ["Ada", "NESW@0,2", "said"])
def test_escaped_control_characters_and_lone_surrogates_are_rejected(place: str, escape: str) -> None:
    text = json.dumps(as_json(comments={"0": "said"})).replace(place, place + escape, 1)

    assert rule_and_place(fault_in(text)) == (
        "AGN-FILE-1",
        1,
        1,
        "A string contains a control character or an incomplete character.",
    )


def test_a_pair_of_surrogates_is_one_character() -> None:
    text = json.dumps(as_json(comments={"0": "🐜"}))

    assert r"\ud83d\udc1c" in text
    assert comments_of(text) == {0: "🐜"}


def test_a_raw_control_character_is_refused() -> None:
    assert rule_and_place(fault_in(b'{"a": "\x01"}')) == (
        "AGN-FILE-1",
        1,
        8,
        "Control character U+0001 is not allowed; only tabs and line ends are.",
    )
    assert rule_and_place(fault_in(b'{"a": "\xff"}')) == ("AGN-FILE-1", 1, 8, "Byte 0xff is not valid UTF-8.")


def test_error_messages_stay_short_for_huge_values() -> None:
    long = "\ud800" + "k" * 100_000
    faults = [
        fault_of(**{long: 1}),
        fault_of(tags={long: "1"}),
        fault_of(actions=[long]),
        fault_of(comments={long: ""}),
    ]

    assert all(len(sentence.encode()) < 200 for _, _, _, sentence in faults)


def test_broken_json_lines_do_not_hide_good_ones() -> None:
    good = json.dumps(as_json())
    lines = [good, "{", "[1, 2]", "null", '"x"', good[:-1], 2 * "\ufeff" + good, "\ufeff" + good]

    verdicts = verify_bytes("\n".join(lines).encode())

    assert [verdict.verdict == UNFINISHED for verdict in verdicts] == [True, *[False] * 6, True]
    assert str(verdicts[6].fault.message).endswith("a second byte-order mark (U+FEFF) stands before the object.")  # type: ignore[union-attr]
    assert {verdict.fault.rule for verdict in verdicts if verdict.fault} == {"AGN-JSON-1"}


@pytest.mark.parametrize("text", ["[]", "null", '"x"', "1"])
def test_input_without_an_opening_brace_is_read_as_text(text: str) -> None:
    assert fault_in(text).rule == "AGN-TAG-1"
