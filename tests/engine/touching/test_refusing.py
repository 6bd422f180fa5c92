"""A touch that is not legal is answered by the rules: in every game, for what a beginner tries first."""

from random import Random
from typing import Any

import pytest

from engine.registry import RULESETS, ruleset_by_slug
from engine.ruleset import Ruleset
from engine.touching import Reader, position, refusal
from tests.engine.ant_trails import table as ant_trails
from tests.engine.army_ants import table as army_ants
from tests.engine.atta_ants import table as atta_ants
from tests.strategies import positions

AnyRuleset = Ruleset[Any, Any]


def said(ruleset: AnyRuleset, state: Any, *touched: str) -> str:
    """Return why the last of some touches is refused, with the rule's id."""
    found = refusal(ruleset, state, touched)
    return f"{found} {found.rule}" if found else ""


@pytest.mark.parametrize(
    ("actions", "touched", "sentence"),
    [
        ("", ("R1",), "The first player must lay a card before anything else in the round. ATTA-PHASE-1"),
        ("", ("card:0,1",), "There is already a card at 0,1. ATTA-PLACE-2"),
        ("NESW@0,2", ("Y1",), "It is Red’s turn; Y1 is a yellow ant. ATTA-MOVE-1"),
        ("NESW@0,2", ("R5",), "Ant R5 is not in play. ATTA-MOVE-1"),
        ("NESW@0,2 R1:N", ("R1",), "Ant R1 has already moved this turn. ATTA-MOVE-1"),
        ("NESW@0,2", ("S1",), "Spiders move only after all colonies have ended their turns. ATTA-PHASE-1"),
        (
            "NESW@0,2",
            ("card:1,0",),
            "A card can be laid only at the start of a round; now the colonies move their ants. ATTA-PLACE-3",
        ),
        ("NESW@0,2", ("R1", "card:-1,1"), "Ant R1 cannot take a second step: no trail leads west. ATTA-MOVE-3"),
        ("NESW@0,2 R1:N", ("R2", "card:0,4"), "Ant R2 takes at most two steps; 0,4 is farther away. ATTA-MOVE-3"),
    ],
)
def test_touches_in_atta_ants_that_the_rules_refuse(actions: str, touched: tuple[str, ...], sentence: str) -> None:
    assert said(ruleset_by_slug("atta-ants-online"), atta_ants.after(actions), *touched) == sentence


@pytest.mark.parametrize(
    ("actions", "touched", "sentence"),
    [
        ("", ("cell:c5",), "c5 is neither on the border nor next to an ant of the same colour. TRAILS-PLACE-2"),
        ("a1", ("ant:a1",), "There is already an ant on a1. TRAILS-PLACE-1"),
        ("a1", ("tile:02",), "Tiles cannot move before all ants of the turn are placed. TRAILS-TURN-2"),
        ("a1 b2", ("cell:a2",), "All ants of this turn are already placed. TRAILS-TURN-2"),
        (
            "a1 b2",
            ("tile:12",),
            "The tile on j9 cannot move: no ant of the player to move is next to it. TRAILS-TILE-1",
        ),
        ("a1 b2", ("tile:02", "cell:c4"), "Only an ant of the player to move can pick up a tile; there is none on c4."),
        ("a1 b2 c3>b2", ("tile:02",), "The tile on b2 has already moved this turn. TRAILS-TILE-3"),
    ],
)
def test_touches_in_ant_trails_that_the_rules_refuse(actions: str, touched: tuple[str, ...], sentence: str) -> None:
    assert said(ruleset_by_slug("ant-trails-2020"), ant_trails.after(actions), *touched).startswith(sentence)


@pytest.mark.parametrize(
    ("actions", "touched", "sentence"),
    [
        ("", ("BQ",), "It is Red’s turn; the card on "),
        ("", ("cell:c1",), "There is no card to march on c1. ARMY-MARCH-1"),
        ("", ("R2a", "cell:c8"), "Cards cannot move out in the setup phase. ARMY-SETUP-2"),
        ("", ("R2a", "BQ"), "Cards cannot attack in the setup phase. ARMY-SETUP-2"),
        ("", ("R2a", "RQ"), "Only neighbouring cards can swap; "),
        (army_ants.BATTLE, ("RQ", "BQ"), "The card on "),
        (army_ants.BATTLE, ("R2a", "RAa", "BQ"), "Cards march together, but only a single card attacks. ARMY-ATTACK-1"),
    ],
)
def test_touches_in_army_ants_that_the_rules_refuse(actions: str, touched: tuple[str, ...], sentence: str) -> None:
    assert said(ruleset_by_slug("army-ants"), army_ants.after(actions), *touched).startswith(sentence)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_nothing_that_can_be_sent_as_touches_is_an_error(ruleset: AnyRuleset) -> None:
    random, names = (
        Random(4),
        ["card:0,1", "card:x,1", "leaf:0", "S²", "S0", "S9", "Z1", "tile:0", "tile:99", "cell:z9"],
    )
    names += ["", ":", "choice:", "choice:N", "choice:card:", "nest", "R1", "Y6", "ant:a1", "RQ", "B2a", "place:99,-99"]
    for _, found in zip(range(30), positions(ruleset, random), strict=False):
        for _ in range(20):
            touched = random.choices(names, k=random.randint(1, 4))
            refused = refusal(ruleset, found.state, touched, random.choice([None, "NS", "no card"]))
            assert refused is None or refused.rule


def test_a_position_says_why_only_where_it_is_asked() -> None:
    ruleset, state = ruleset_by_slug("atta-ants-online"), atta_ants.after("NESW@0,2")
    asked = position(ruleset, [state], (), Reader(touched=("Y1",)))

    assert asked["refusal"] == {"message": "It is Red’s turn; Y1 is a yellow ant.", "rule": "ATTA-MOVE-1"}
    assert "refusal" not in position(ruleset, [state], ())
    assert "refusal" not in position(ruleset, [state], (), Reader(acting=False, touched=("Y1",)))
