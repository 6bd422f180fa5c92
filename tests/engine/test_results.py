"""Every result that does not follow says why: how the game ended, what decided the places, or why it goes on."""

import pytest

from engine.registry import RULESETS
from engine.replay.results import explained
from engine.verify import REJECTED, Verdict, verify_bytes
from tests.engine.agn.records import verdict_on, written
from tests.engine.ant_trails.table import TAGS as TRAILS
from tests.engine.army_ants.table import DEAL
from tests.strategies import FIXTURES, AnyRuleset, recorded

LONE = "NESW# NESW NESW NESW NESW NESW NESW NESW"
"""A ring with a spider in the north-west."""
EATEN = "1. NESW@0,2 R1:N R2:N / Y1:E Y2:E /"
"""A round in which the spider eats both red ants."""
ROUND = "1. NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E"
BATTLE = "a1~b1 a8~b8 " * 5


def of(game: str, rules: str, seats: str, setup: str, moves: str, result: str) -> Verdict:
    names = {"R": "Red", "Y": "Yellow", "O": "Orange", "B": "Brown" if game == "Atta Ants" else "Black"}
    tags = {"Game": game, "Rules": rules, "Seats": seats}
    tags |= {names[letter]: f"Player {letter}" for letter in seats.split()} | {"Setup": setup, "Result": result}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    (verdict,) = verify_bytes(f"{head}\n{moves}\n{result}\n".encode())
    return verdict


def atta(moves: str, result: str, rules: str = "online", setup: str = LONE, seats: str = "R Y") -> str:
    return message(of("Atta Ants", rules, seats, setup, moves, result))


def trails(moves: str, result: str) -> str:
    return message(of("Ant Trails", "2020", "B R", TRAILS["Setup"], moves, result))


def army(moves: str, result: str, rules: str = "standard") -> str:
    return message(of("Army Ants", rules, "R B", DEAL, moves, result))


def message(verdict: Verdict) -> str:
    """Return the sentence of a record whose result is at fault."""
    assert verdict.fault
    assert verdict.fault.rule in {"AGN-RESULT-1", "AGN-RESULT-2", "AGN-TAG-7"}, verdict.fault.message
    return verdict.fault.message


def test_a_single_colony_plays_on_by_the_rules_of_2003() -> None:
    said = atta(EATEN, "2-1", "2003")

    assert said.startswith(
        "Expected result *, found 2-1. The game is not over: by the rules of 2003 a single colony plays on,"
        " until it has all six ants in play or the deck is empty (ATTA-END-2)."
    )
    assert verdict_of_lone("online").fault is None


def verdict_of_lone(rules: str) -> Verdict:
    return of("Atta Ants", rules, "R Y", LONE, EATEN, "2-1")


@pytest.mark.parametrize(
    ("moves", "result", "why"),
    [
        (
            EATEN,
            "*",
            "The game ended by ATTA-END-2: Only Yellow is left. Ants in play: Red 0 and Yellow 2 (ATTA-RANK-1).",
        ),
        (EATEN, "1-2", "The places stand in the order of Seats: Red and Yellow (AGN-RESULT-1). The game ended by"),
        (EATEN, "0-1", "A result has places, not points: 1 for who is first;"),
        (EATEN, "2-1-3", "It gives 3 places, but Red and Yellow play (AGN-RESULT-1). The game ended by ATTA-END-2:"),
        ("1. NESW@0,2 R1:N", "2-1", "it can end only at the end of a round, and round 1 goes on"),
        ("1. NESW@0,2 R1:N", "2-1", "If Red gave up, the action before the result is resign:R (AGN-ADMIN-1)."),
        ("1. NESW@0,2 R1:N", "1-1", "If both agreed to a draw, the action before the result is draw (AGN-ADMIN-2)."),
        ("", "1-2", "no colony has all six ants in play (ATTA-END-3), and the deck still has 15 cards (ATTA-END-4)."),
        ("timeout:R", "1-2", "The game ended by ATTA-LEAVE-1: Red ran out of time."),
        ("draw", "1-2", "The game ended by AGN-ADMIN-2: The players agreed to a draw."),
    ],
)
def test_result_of_atta_ants_that_does_not_follow_says_why(moves: str, result: str, why: str) -> None:
    assert why in atta(moves, result)


def test_places_of_those_who_left_are_explained() -> None:
    assert atta("resign:R resign:Y", "1-1-1", seats="R Y O").endswith(
        "ATTA-LEAVE-1: Yellow resigned, and only Orange is left. Behind are those who left, the last to leave first:"
        " Yellow and Red (ATTA-RANK-2)."
    )
    assert atta("1. NESW@0,2 resign:R Y1:E Y2:E / O1:N O2:N /", "1-1-1", seats="R Y O").endswith(
        "ATTA-END-2: Only Yellow is left. Ants in play: Yellow 2 and Orange 0 (ATTA-RANK-1). Behind are those who left,"
        " the last to leave first: Red (ATTA-RANK-2)."
    )


def test_last_colony_that_resigns_by_the_rules_of_2003_is_named() -> None:
    assert "Yellow resigned, and no colony is left." in atta(f"{EATEN} 2. resign:Y", "2-1", "2003")


@pytest.mark.parametrize(
    ("moves", "result", "why"),
    [
        ("d1 d2 /", "1-2", "it ends when both players pass, one after the other (TRAILS-END-1)."),
        ("d1 d2 / resign:R", "2-1", "The game ended by AGN-ADMIN-1: Red resigned."),
        ("d1 d2 / resign:R", "*", "Expected result 1-2, found *. The game ended by AGN-ADMIN-1: Red resigned."),
        ("d1 d2 / timeout:R", "1-1", "Red ran out of time."),
    ],
)
def test_result_of_ant_trails_that_does_not_follow_says_why(moves: str, result: str, why: str) -> None:
    assert why in trails(moves, result)


@pytest.mark.parametrize("rules", ["standard", "free"])
@pytest.mark.parametrize(
    ("moves", "result", "why"),
    [
        ("a1~b1", "1-2", "the battle, in which a queen can be taken, has not begun (ARMY-TURN-2)."),
        (BATTLE, "2-1", "both queens are on the board (ARMY-END-1) with other cards beside them (ARMY-END-2), and"),
        ("resign:R", "1-2", "The game ended by AGN-ADMIN-1: Red resigned."),
        (BATTLE + "a1~b1 a8~b8 " * 4, "*", "ARMY-END-3: The same series of actions was made four times in succession."),
    ],
)
def test_result_of_army_ants_that_does_not_follow_says_why(moves: str, result: str, why: str, rules: str) -> None:
    assert why in army(moves, result, rules)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_every_finished_game_explains_its_result_with_a_rule(ruleset: AnyRuleset) -> None:
    for replay in recorded(ruleset):
        if replay.finished:
            outcome = replay.ruleset.outcome(replay.last)
            assert outcome
            said = " ".join(map(str, explained(ruleset, replay.last)))
            assert said.startswith(f"The game ended by {outcome.rule}: {outcome.reason}")
            before = replay.states[-2]
            assert str(next(explained(ruleset, before))).startswith("The game is not over: ")


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_a_shared_first_place_of_two_says_what_was_equal(ruleset: AnyRuleset) -> None:
    draws = [
        outcome
        for replay in recorded(ruleset)
        if (outcome := replay.ruleset.outcome(replay.last)) and outcome.placements == (1, 1)
    ]
    equal = ("the same number", "the same score", "agreed", "Only the two queens", "four times")
    assert all(any(word in str(outcome.reason) for word in equal) for outcome in draws)


def test_scores_of_ant_trails_are_told() -> None:
    (ruleset,) = [one for one in RULESETS if one.game == "Ant Trails"]
    ended = [one for one in recorded(ruleset) if (over := ruleset.outcome(one.last)) and over.rule == "TRAILS-END-1"]

    assert ended
    for replay in ended:
        said = " ".join(map(str, explained(ruleset, replay.last)))
        assert "Scores: Black " in said
        assert said.endswith("(TRAILS-SCORE-1).")


def test_a_result_tag_of_another_form_is_named() -> None:
    verdict = verdict_on(written(ROUND, "*").replace('[Result "*"]', '[Result "1–2"]'))

    assert verdict.verdict == REJECTED
    assert "A result is written as in 1-2, with a hyphen and no spaces, or as * (AGN-RESULT-1)." in message(verdict)


def test_fixture_of_a_single_colony_of_2003_is_rejected_with_its_reason() -> None:
    data = (FIXTURES / "atta_ants/broken/AGN-RESULT-2-a-single-colony-of-2003.agn").read_bytes()

    assert "(ATTA-END-2)" in message(verify_bytes(data)[0])
