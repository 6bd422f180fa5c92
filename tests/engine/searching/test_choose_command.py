"""A bot's choice on the command line: after the records of a file, or line by line."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.agn.canonical import format_tags
from engine.registry import RULESETS
from tests.engine.agn.records import written
from tests.strategies import AnyRuleset, recorded

BEGUN, TO_LAY = written("1. NESW@0,2"), written("")
OVER = written("1. NESW@0,2 resign:R", "2-1")
PLIES = 30


def rule_and_place(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def feed(monkeypatch: pytest.MonkeyPatch, *lines: object) -> None:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_a_choice_is_a_legal_action_of_the_seat_to_act(
    ruleset: AnyRuleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = max(recorded(ruleset), key=lambda one: len(one.actions))
    tags = {name: value for name, value in replay.tags.items() if name != "Termination"} | {"Result": "*"}
    file, plies = tmp_path / "begun.agn", min(PLIES, len(replay.actions) - 1)
    file.write_text(f"{format_tags(tags)}\n{' '.join(replay.actions[:plies])} *\n")

    assert main(["choose", "--positions", "40", str(file)]) == 0

    (answer,) = rule_and_place(capsys)
    assert (answer["game"], answer["ply"], answer["turn"]) == (1, plies, ruleset.to_act(replay.states[plies]))
    assert ruleset.parse_action(answer["token"]) in list(ruleset.legal_actions(replay.states[plies]))


def test_each_line_is_answered_and_one_that_cannot_be_does_not_stop_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, {"text": TO_LAY, "drawn": "NSW"}, {"text": OVER}, {"text": TO_LAY, "drawn": "?"}, {"text": BEGUN})

    assert main(["choose", "--lines", "--strength", "greedy", "-"]) == 1

    laid, over, unknown, moved = rule_and_place(capsys)
    assert laid["token"].partition("@")[0] in {"NES", "ESW", "NSW", "NEW"}
    assert (over["line"], over["error"]) == (2, {"what": "text", "why": "The game is over."})
    assert (unknown["line"], unknown["error"]) == (3, {"what": "drawn", "why": "No card '?' can come here."})
    assert (moved["ply"], moved["turn"]) == (1, "R")


@pytest.mark.parametrize(
    ("line", "what", "why"),
    [
        ({}, "text", "Key text is missing."),
        ({"text": 1}, "text", "This is not a string."),
        ({"text": BEGUN, "drawn": 1}, "drawn", "This is neither null nor a string."),
        ({"text": BEGUN, "ply": 1}, "line", "Unknown key 'ply'. Known keys: text, drawn."),
        ({"text": f"{BEGUN}\n{BEGUN}"}, "text", "One record is expected; there are 2."),
        ({"text": written("1. NESW@0,2 R1:NE")}, "text", "Ant R1 cannot"),
        ("[1]", "line", "This is not a JSON object."),
    ],
)
def test_a_line_after_which_nothing_can_be_chosen_says_why(
    line: object, what: str, why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, line)

    assert main(["choose", "--lines", "-"]) == 1

    (answer,) = rule_and_place(capsys)
    assert answer["error"]["what"] == what
    assert answer["error"]["why"].startswith(why)


def test_the_same_seed_and_positions_choose_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, *[{"text": BEGUN}] * 3)
    assert main(["choose", "--lines", "--seed", "a", "--positions", "30", "--milliseconds", "60000", "-"]) == 0
    first = rule_and_place(capsys)

    feed(monkeypatch, *[{"text": BEGUN}] * 3)
    main(["choose", "--lines", "--seed", "a", "--positions", "30", "--milliseconds", "60000", "-"])

    assert rule_and_place(capsys) == first
