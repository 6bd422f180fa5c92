"""Bots choose legal actions, the same from the same random stream, within their limits."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.army_ants.ruleset import ARMY_ANTS
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.chance import Stream
from engine.registry import RULESETS
from engine.ruleset import WON
from engine.searching import Search, Strength, choose
from engine.searching.ahead import best_line, value
from tests.strategies import AnyRuleset, recorded

RING = "NS* ES* NEW NESW ESW NEW* NESW NW#"

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
every_strength = pytest.mark.parametrize("strength", Strength)


def search_of(ruleset: AnyRuleset, seed: str = "a", nodes: int = 60, seats: int = 2) -> Search[Any, Any]:
    return Search(ruleset, Stream("test", seed), seats, nodes)


def some_states(ruleset: AnyRuleset, count: int = 4) -> Iterator[Any]:
    """Yield states of recorded games, from start to end, with something to do."""
    for replay in recorded(ruleset)[:2]:
        states = [state for state in replay.states if ruleset.to_act(state)]
        yield from states[:: len(states) // count + 1]


@every_strength
@every_ruleset
def test_chosen_action_is_always_legal(ruleset: AnyRuleset, strength: Strength) -> None:
    for state in some_states(ruleset):
        action = choose(search_of(ruleset), state, strength)

        assert action in list(ruleset.legal_actions(state))


@every_strength
@every_ruleset
def test_same_random_stream_chooses_the_same_action(ruleset: AnyRuleset, strength: Strength) -> None:
    for state in some_states(ruleset, count=2):
        chosen = {ruleset.format_action(choose(search_of(ruleset, "b"), state, strength)) for _ in range(3)}

        assert len(chosen) == 1


@every_ruleset
def test_search_stays_within_its_node_limit(ruleset: AnyRuleset) -> None:
    for state in some_states(ruleset, count=2):
        search = search_of(ruleset, nodes=40)
        choose(search, state, Strength.SEARCHING)

        assert search.nodes >= 0


@every_ruleset
def test_a_search_that_is_stopped_at_once_still_chooses(ruleset: AnyRuleset) -> None:
    for state in some_states(ruleset, count=2):
        search = Search(ruleset, Stream("test", "a"), enough=lambda: True)

        assert choose(search, state, Strength.SEARCHING) in list(ruleset.legal_actions(state))


@pytest.mark.parametrize("strength", [Strength.GREEDY, Strength.SEARCHING])
def test_bot_captures_the_queen_when_it_can(strength: Strength) -> None:
    ended = [(replay, ARMY_ANTS.outcome(replay.last)) for replay in recorded(ARMY_ANTS)]
    before = [replay.states[-2] for replay, outcome in ended if outcome and outcome.rule == "ARMY-END-1"]

    for state in before:
        action = choose(search_of(ARMY_ANTS, nodes=2_000), state, strength)
        outcome = ARMY_ANTS.outcome(ARMY_ANTS.apply(state, action))
        assert outcome is not None
        assert outcome.rule == "ARMY-END-1"
    assert before


def test_bot_plays_the_drawn_card() -> None:
    (online, _) = ATTA_ANTS
    state = online.initial({"Seats": "R Y", "Deck": "reconstruction-1", "Setup": RING})

    for card in ("N*", ".#", "NES"):
        for strength in Strength:
            played = online.format_action(choose(search_of(online), state, strength, drawn=card))
            assert {online.dealer.kind(code) for code in online.dealer.played((played,))} == {online.dealer.kind(card)}


def test_bot_plays_one_of_the_remaining_cards_when_the_draw_is_unknown() -> None:
    (online, _) = ATTA_ANTS
    state = online.initial({"Seats": "R Y", "Deck": "reconstruction-1", "Setup": RING})

    played = {online.format_action(choose(search_of(online, str(seed)), state, Strength.RANDOM)) for seed in range(20)}

    coming = set(online.dealer.coming(state))
    assert {online.dealer.kind(card) for card in online.dealer.played(tuple(played))} <= coming
    assert len(played) > 9


def test_look_ahead_ends_where_a_card_is_drawn() -> None:
    (online, _) = ATTA_ANTS
    state = online.initial({"Seats": "R Y", "Deck": "reconstruction-1", "Setup": RING})
    search = search_of(online)

    assert value(search, state, "R", depth=3) == online.evaluate(state, "R")
    assert search.nodes == search_of(online).nodes


@every_ruleset
def test_evaluations_of_all_seats_sum_to_zero_and_mark_the_winner(ruleset: AnyRuleset) -> None:
    for replay in recorded(ruleset):
        seats, outcome = replay.tags["Seats"].split(), ruleset.outcome(replay.last)
        for state in replay.states[::9]:
            assert sum(ruleset.evaluate(state, seat) for seat in seats) == pytest.approx(0, abs=1e-6)
        if outcome and sorted(outcome.placements) == [1, 2]:
            assert ruleset.evaluate(replay.last, seats[outcome.placements.index(1)]) == WON


@pytest.mark.parametrize("ruleset", [ARMY_ANTS, ANT_TRAILS], ids=lambda ruleset: ruleset.slug)
def test_a_turn_that_was_refuted_is_not_taken_for_as_good_as_the_best(ruleset: AnyRuleset) -> None:
    for state in some_states(ruleset):
        lines = best_line(search_of(ruleset, nodes=1_000), state, None)
        worths = [line.worth for line in lines]

        assert worths.count(max(worths)) == 1


@every_ruleset
def test_a_look_ahead_changes_nothing(ruleset: AnyRuleset) -> None:
    for state in some_states(ruleset, count=1):
        before = ruleset.describe(state)
        choose(search_of(ruleset), state, Strength.SEARCHING)

        assert ruleset.describe(state) == before


def test_choosing_fails_when_the_game_is_over() -> None:
    over = next(replay.last for replay in recorded(ARMY_ANTS) if ARMY_ANTS.outcome(replay.last))

    with pytest.raises(ValueError, match="the game is over"):
        choose(search_of(ARMY_ANTS), over, Strength.RANDOM)
