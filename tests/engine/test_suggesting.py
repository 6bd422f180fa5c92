"""What is suggested for rejected records: a slip is undone, in every game and by every kind of change."""

import json
from random import Random

import pytest

from engine.agn.administrative import parse_administrative
from engine.agn.log import Record
from engine.replay import Replay
from engine.suggesting import Bounds, Kind, Suggestions, edited, suggest
from engine.verify import REJECTED, Verdict, verify, verify_bytes
from tests.engine.agn.records import ACTIONS, as_json, verdict_on, written
from tests.engine.test_every_game import every_ruleset
from tests.strategies import FIXTURES, AnyRuleset, recorded
from tests.tiers import by_tier

SLIPS = by_tier(quick=6, long=60)
"""For each ruleset."""


def suggested(verdict: Verdict, bounds: Bounds | None = None) -> Suggestions:
    found = suggest(verdict, bounds) if bounds else suggest(verdict)
    assert found
    return found


def mended(verdict: Verdict, name: str) -> Verdict:
    """The verdict after one of the changes that were found."""
    edit = next(one.edit for one in suggested(verdict).found if one.edit.name == name)
    return verify(verdict.record._replace(data=edited(verdict.record, edit)))


def with_tokens(replay: Replay[object, object], tokens: list[str]) -> bytes:
    """The text of a recorded game with other tokens, without numbers."""
    tags = "".join(f'[{name} "{value}"]\n' for name, value in replay.tags.items())
    return f"{tags}\n{' '.join([*tokens, replay.result])}\n".encode()


def slips(ruleset: AnyRuleset) -> list[tuple[Verdict, str]]:
    """Records with one token replaced so that it is the first fault, each with the token that stood there."""
    random, found = Random(f"slips of {ruleset.slug}"), list[tuple[Verdict, str]]()
    seen = sorted({token for replay in recorded(ruleset) for token in replay.actions})
    while len(found) < SLIPS:
        replay = random.choice([one for one in recorded(ruleset) if one.actions])
        at, tokens = random.randrange(len(replay.actions)), list(replay.actions)
        tokens[at] = random.choice(seen)
        verdict = verify_bytes(with_tokens(replay, tokens))[0]
        if verdict.fault and verdict.fault.ply == at and not parse_administrative(replay.actions[at]):
            found.append((verdict, replay.actions[at]))
    return found


@every_ruleset
def test_a_token_that_was_replaced_is_among_those_that_make_the_game_legal(ruleset: AnyRuleset) -> None:
    for verdict, token in slips(ruleset):
        found = suggested(verdict)
        whole = {one.edit.name for one in found.whole}
        assert f"replace:{token}" in whole, verdict.fault
        assert list(found.found[: len(whole)]) == list(found.whole)


@every_ruleset
def test_a_change_that_is_said_to_mend_a_game_does(ruleset: AnyRuleset) -> None:
    verdict, _ = slips(ruleset)[0]
    for one in suggested(verdict).whole[:3]:
        assert mended(verdict, one.edit.name).verdict != REJECTED, one.edit.name


def sample(number: int) -> Verdict:
    path = FIXTURES.parent / "games" / "samples" / "with-mistakes.agn"
    return verify_bytes(path.read_bytes())[number - 1]


def test_the_only_action_that_makes_a_game_legal_is_named() -> None:
    found = suggested(sample(1))

    assert str(found.says) == "Of 12 legal actions, only O1:S makes the whole game legal."
    assert found.best
    assert (found.best.edit.name, str(found.best.says)) == ("replace:O1:S", "O1 walks south.")
    assert [(one.ply, one.line) for one in found.found[:2]] == [(104, 23), (48, 17)]


@pytest.mark.parametrize(
    ("number", "name", "says"),
    [
        (2, "result:1-3-2", "With 1-3-2 the whole game is legal."),
        (4, "insert:/", "With / inserted before Y1:ExR2N the whole game is legal."),
        (6, "delete:", "Without Y1:S+ the whole game is legal."),
        (7, "replace:5.", "With 5. the whole game is legal."),
    ],
)
def test_what_else_may_have_gone_wrong_is_found(number: int, name: str, says: str) -> None:
    verdict = sample(number)

    assert str(suggested(verdict).says) == says
    assert mended(verdict, name).verdict != REJECTED


def test_two_tokens_that_were_exchanged_are_put_right() -> None:
    verdict = verdict_on(written("1. R1:N NESW@0,2 R2:E / Y1:N Y2:E /"))

    assert str(suggested(verdict).says) == "In the order NESW@0,2 R1:N the whole game is legal."
    assert b"1. NESW@0,2 R1:N R2:E /" in mended(verdict, "swap:NESW@0,2 R1:N").record.data


def test_a_result_that_the_tags_repeat_is_corrected_in_both() -> None:
    verdict = verdict_on(written("1. NESW@0,2 resign:R", "1-2"))

    after = mended(verdict, "result:2-1")

    assert after.fault is None
    assert b'[Result "2-1"]' in after.record.data


def test_a_record_in_json_is_mended_in_json() -> None:
    actions = [*ACTIONS[:2], "R1:X", *ACTIONS[2:]]
    verdict = verdict_on(json.dumps(as_json(actions=actions, comments={"1": "well", "2": "oh", "3": "yes"})))

    after = json.loads(mended(verdict, "delete:").record.data)

    assert after["actions"] == ACTIONS
    assert after["comments"] == {"1": "well oh", "2": "yes"}


def test_all_but_the_change_stays_as_it_was_written() -> None:
    text = written("1.  NESW@0,2 {why\tnot}\r\nR1:NX / ; said").replace("\n\n", "\r\n\r\n")
    verdict = verify(Record(1, 7, "text", text.encode()))

    assert mended(verdict, "replace:R1:N").record.data == text.replace("R1:NX", "R1:N").encode()


def test_faults_that_no_token_mends_get_no_suggestion() -> None:
    assert suggest(verdict_on(written("1. NESW@0,2 {"))) is None
    assert suggest(verdict_on(written().replace("[Seats", "[Beats"))) is None
    assert suggest(verdict_on(written())) is None


def test_work_is_bounded_and_what_was_left_out_is_said() -> None:
    found = suggested(sample(1), Bounds(candidates=3))

    assert [one.edit.tokens for one in found.found] == [("O1:S",), ("O2:N",), ("O3:N",)]
    assert str(found.says).endswith("Only the 3 most similar of them were tried.")
    assert not found.as_json()["complete"]


def test_nothing_is_tried_once_somebody_has_enough() -> None:
    assert suggest(sample(1), enough=lambda: True) == Suggestions("R6:N", 12, False, 0, (), stopped=True)


def test_kinds_are_those_that_programs_are_promised() -> None:
    assert [str(kind) for kind in Kind] == ["replace", "delete", "swap", "insert", "result"]
