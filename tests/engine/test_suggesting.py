"""Suggestions for rejected records: a slip is corrected, in every game and by every kind of change."""

import json
from random import Random

import pytest

from engine.agn.administrative import parse_administrative
from engine.agn.log import Record
from engine.agn.reading import parse
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


def repaired(verdict: Verdict, name: str) -> Verdict:
    """Return the verdict after one of the suggested changes."""
    edit = next(one.edit for one in suggested(verdict).found if one.edit.name == name)
    return verify(verdict.record._replace(data=edited(verdict.record, edit)))


def with_tokens(replay: Replay[object, object], tokens: list[str]) -> bytes:
    """Return the text of a recorded game with other tokens, without move numbers."""
    tags = "".join(f'[{name} "{value}"]\n' for name, value in replay.tags.items())
    return f"{tags}\n{' '.join([*tokens, replay.result])}\n".encode()


def slips(ruleset: AnyRuleset) -> list[tuple[Verdict, str]]:
    """Return records with one token replaced so that it is the first fault, each with the original token."""
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
def test_replaced_token_is_among_the_suggestions_that_make_the_game_legal(ruleset: AnyRuleset) -> None:
    for verdict, token in slips(ruleset):
        found = suggested(verdict)
        whole = {one.edit.name for one in found.whole}
        assert f"replace:{token}" in whole or not found.complete, verdict.fault
        assert list(found.found[: len(whole)]) == list(found.whole)


@every_ruleset
def test_suggested_repair_really_makes_the_game_legal(ruleset: AnyRuleset) -> None:
    verdict, _ = slips(ruleset)[0]
    for one in suggested(verdict).whole[:3]:
        assert repaired(verdict, one.edit.name).verdict != REJECTED, one.edit.name


def sample(number: int) -> Verdict:
    path = FIXTURES.parent / "games" / "samples" / "with-mistakes.agn"
    return verify_bytes(path.read_bytes())[number - 1]


def test_the_only_action_that_makes_a_game_legal_is_named() -> None:
    found = suggested(sample(1))

    assert str(found.sentence) == "Of 12 legal actions, only O1:S makes the whole game legal."
    assert found.best
    assert (found.best.edit.name, str(found.best.sentence)) == ("replace:O1:S", "O1 walks south.")
    assert [(one.ply, one.line) for one in found.found[:2]] == [(104, 23), (48, 17)]


@pytest.mark.parametrize(
    ("number", "name", "sentence"),
    [
        (2, "result:1-3-2", "With 1-3-2 the whole game is legal."),
        (4, "insert:/", "With / inserted before Y1:ExR2N the whole game is legal."),
        (6, "delete:", "Without Y1:S+ the whole game is legal."),
        (7, "replace:5.", "With 5. the whole game is legal."),
    ],
)
def test_missing_extra_and_wrong_tokens_get_a_suggestion(number: int, name: str, sentence: str) -> None:
    verdict = sample(number)

    assert str(suggested(verdict).sentence) == sentence
    assert repaired(verdict, name).verdict != REJECTED


def test_two_tokens_that_were_exchanged_are_put_right() -> None:
    verdict = verdict_on(written("1. R1:N NESW@0,2 R2:E / Y1:N Y2:E /"))

    assert str(suggested(verdict).sentence) == "With the tokens in the order NESW@0,2 R1:N, the whole game is legal."
    assert b"1. NESW@0,2 R1:N R2:E /" in repaired(verdict, "swap:NESW@0,2 R1:N").record.data


def test_corrected_result_is_changed_in_the_tag_as_well() -> None:
    verdict = verdict_on(written("1. NESW@0,2 resign:R", "1-2"))

    after = repaired(verdict, "result:2-1")

    assert after.fault is None
    assert b'[Result "2-1"]' in after.record.data


def test_json_record_is_repaired_as_json() -> None:
    actions = [*ACTIONS[:2], "R1:X", *ACTIONS[2:]]
    verdict = verdict_on(json.dumps(as_json(actions=actions, comments={"1": "well", "2": "oh", "3": "yes"})))

    after = json.loads(repaired(verdict, "delete:").record.data)

    assert after["actions"] == ACTIONS
    assert after["comments"] == {"1": "well oh", "2": "yes"}


def test_suggested_edit_changes_only_its_token() -> None:
    text = written("1.  NESW@0,2 {why\tnot}\r\nR1:NX / ; said").replace("\n\n", "\r\n\r\n")
    verdict = verify(Record(1, 7, "text", text.encode()))

    assert repaired(verdict, "replace:R1:N").record.data == text.replace("R1:NX", "R1:N").encode()


def test_faults_beyond_repair_get_no_suggestion() -> None:
    assert suggest(verdict_on(written("1. NESW@0,2 {"))) is None
    assert suggest(verdict_on(written().replace("[Seats", "[Beats"))) is None
    assert suggest(verdict_on(written())) is None


def test_suggestions_are_bounded_and_say_what_was_omitted() -> None:
    found = suggested(sample(1), Bounds(candidates=3))

    assert [one.edit.tokens for one in found.found] == [("O1:S",), ("O2:N",), ("O3:N",)]
    assert str(found.sentence).endswith("Only the 3 most similar of them were tried.")
    assert not found.as_json()["complete"]


def test_every_try_counts_the_tokens_that_follow_its_change() -> None:
    each = len(parse(sample(1).record).tokens) - suggested(sample(1)).found[0].edit.at

    def tried(most: int) -> int:
        return suggested(sample(1), Bounds(tokens=most)).tried

    assert [tried(3 * each), tried(3 * each - 1), tried(each), tried(each - 1)] == [3, 2, 1, 0]


def test_search_for_suggestions_can_be_stopped() -> None:
    assert suggest(sample(1), enough=lambda: True) == Suggestions("R6:N", 12, False, 0, (), stopped=True)


def test_suggestion_kinds_match_the_documented_ones() -> None:
    assert [str(kind) for kind in Kind] == ["replace", "delete", "swap", "insert", "result", "repair"]


ARMY = """[Game "Army Ants"]
[Rules "standard"]
[Seats "R B"]
[Red "Ada"]
[Black "Bruno"]
[Setup "27.9A/35448/36689/AQ572/39Q45/66778/A2A98/24.35"]
[Result "1-2"]

1. a4~b4 a6~a7 2. {played} 3. d1~d2 resign:B
1-2
"""


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        ("a2~b2\u00a0b6~b7", "a2~b2 b6~b7"),
        ("a2~b2\u202fb6~b7", "a2~b2 b6~b7"),
        ("b2~a2 b6~b7", "a2~b2"),
        ("a2\u223cb2 b6~b7", "a2~b2"),
        ("\uff41\uff12~b2 b6~b7", "a2~b2"),
        ("\u201ca2~b2\u201d b6~b7", "a2~b2"),
        ("A2~B2 b6~b7", "a2~b2"),
    ],
)
def test_damage_by_copying_is_repaired_before_anything_else_is_suggested(damaged: str, repaired: str) -> None:
    found = suggested(verify_bytes(ARMY.format(played=damaged).encode())[0])

    assert found.found[0].edit.name == f"replace:{repaired}"
    assert found.best == found.found[0]


@pytest.mark.parametrize("result", ["1\u20132", "1\u20142", "1\u22122", "\uff11-\uff12"])
def test_damaged_result_is_repaired(result: str) -> None:
    text = ARMY.format(played="a2~b2 b6~b7").removesuffix("1-2\n") + f"{result}\n"
    found = suggested(verify_bytes(text.encode())[0])

    assert found.found[0].edit.name == "replace:1-2"
    assert found.found[0].whole


def test_step_of_a_spider_that_moved_by_itself_is_left_out_first() -> None:
    (verdict,) = verify_bytes((FIXTURES / "atta_ants/broken/ATTA-SPIDER-5-a-forced-step-is-written.agn").read_bytes())

    assert suggested(verdict).found[0].edit.name == "delete:"


def test_change_that_loses_moves_is_never_the_best() -> None:
    text = ARMY.format(played="a2~b2b6~b7")
    found = suggested(verify_bytes(text.encode())[0])

    assert found.best is None or found.best.edit.kind != Kind.DELETE
