"""The story of Army Ants: its events add up to what the score sheets count."""

from engine.army_ants.insights import insights
from engine.army_ants.ruleset import ARMY_ANTS
from engine.army_ants.state import Attack
from tests.engine.atta_ants.test_story import tally
from tests.engine.test_story import stories


def test_cards_taken_are_those_of_the_score_sheets() -> None:
    for game, _, story in stories(ARMY_ANTS):
        taken = [sheet[1].value for sheet in ARMY_ANTS.shown.sheets(game.states[-1])]
        found = [tally(story)[letter, "taken"] + tally(story)[letter, "queen"] for letter in story.seats]
        assert found == taken


def test_a_chance_is_missed_exactly_where_the_queen_could_be_taken() -> None:
    for game, _, story in stories(ARMY_ANTS):
        missed = {moment.ply for moment in story.moments if moment.event.kind == "missed"}
        for ply, (state, token) in enumerate(zip(game.states, game.tokens, strict=False), 1):
            takes = [token for token in map(ARMY_ANTS.format_action, attacks(state)) if wins(state, token)]
            assert (ply in missed) == (bool(takes) and token not in takes and ":" not in token and token != "draw")


def attacks(state: object) -> list[Attack]:
    return [action for action in ARMY_ANTS.legal_actions(state) if isinstance(action, Attack)]  # type: ignore[arg-type]


def wins(state: object, token: str) -> bool:
    outcome = ARMY_ANTS.outcome(ARMY_ANTS.apply(state, ARMY_ANTS.parse_action(token)))  # type: ignore[arg-type]
    return outcome is not None and outcome.rule == "ARMY-END-1"


def test_attacks_of_the_colony_to_act_are_its_legal_attacks() -> None:
    game, _, _ = stories(ARMY_ANTS)[0]
    for state in game.states[::3]:
        for insight in insights(state)[:1]:
            assert len(insight.arrows) == len(attacks(state))
