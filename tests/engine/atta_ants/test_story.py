"""The story of Atta Ants: events add up to what the score sheets count, and spiders are looked at as the rules say."""

from collections import Counter

import pytest

from engine.atta_ants.rules import hunts
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.atta_ants.state import State, in_play
from engine.story import Story
from tests.engine.test_story import stories
from tests.strategies import AnyRuleset


def tally(story: Story) -> Counter[tuple[str, str]]:
    """Return how much there was of each kind of event for each seat."""
    found = Counter[tuple[str, str]]()
    for moment in story.moments:
        found[moment.event.seat, moment.event.kind] += moment.event.amount
    return found


@pytest.mark.parametrize("ruleset", ATTA_ANTS, ids=lambda ruleset: ruleset.slug)
def test_ants_born_less_ants_eaten_are_in_play(ruleset: AnyRuleset) -> None:
    for game, _, story in stories(ruleset):
        first, last, events = game.states[0], game.states[-1], tally(story)
        for seat, letter in enumerate(story.seats):
            assert events[letter, "eaten"] == last.eaten[seat]
            if seat not in last.left:
                grown = in_play(first, seat) + events[letter, "born"] - events[letter, "eaten"]
                assert grown == in_play(last, seat)


@pytest.mark.parametrize("ruleset", ATTA_ANTS, ids=lambda ruleset: ruleset.slug)
def test_spiders_go_where_looking_closer_says(ruleset: AnyRuleset) -> None:
    checked = 0
    for game, _, _ in stories(ruleset):
        for before, after in zip(game.states, game.states[1:], strict=False):
            if after.round == before.round + 1 and after.left == before.left and before.phase == "ants":
                checked += moves_as_said(before, after)
    assert checked > 5


def moves_as_said(before: State, after: State) -> bool:
    """Check the moves of a round that ended with a turn; in such a round no spider had a choice."""
    for hunt, slot in zip(hunts(before), after.spiders, strict=True):
        assert slot in (hunt.steps or (hunt.slot,))
    return bool(before.spiders)
