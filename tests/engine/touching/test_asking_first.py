"""Where a card is asked for first, the tree of each card comes when it is named, and says the same."""

from random import Random
from typing import Any

import pytest

from engine.registry import RULESETS
from engine.touching import Reader, position
from tests.engine.touching.test_position import walk
from tests.strategies import AnyRuleset, positions
from tests.tiers import by_tier

POSITIONS = by_tier(quick=40, long=2_000)
CLOSED = Reader(whole=False)


def tokens(answer: dict[str, Any]) -> set[str]:
    return {node["a"] for _, node in walk(answer["tree"]) if "a" in node}


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_the_cards_that_may_come_have_all_legal_actions_together(ruleset: AnyRuleset) -> None:
    some = positions(ruleset, Random(f"cards of {ruleset.slug}"))
    for _, found in zip(range(POSITIONS), some, strict=False):
        whole, closed = (position(ruleset, [found.state], (), reader) for reader in (Reader(), CLOSED))
        if not whole["picker"]:
            assert closed == whole
            continue
        cards = [card["part"] for group in whole["picker"]["groups"] for card in group["cards"] if card["left"]]
        opened = [position(ruleset, [found.state], (), CLOSED, drawn=card) for card in cards]
        assert (closed["tree"], closed["picker"], closed["frame"]) == ([], whole["picker"], whole["frame"])
        assert set().union(*map(tokens, opened)) == tokens(whole)
        assert all(one["tree"] and one["picker"] is None for one in opened)
