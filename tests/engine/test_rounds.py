"""How far a round has come: what a board's heading shows."""

from typing import Any

from engine.registry import ruleset_by_slug
from tests.engine.atta_ants.table import after, start


def shown(slug: str, state: Any) -> tuple[str, str]:
    """Return the round and its parts: `+` done, `*` now."""
    found = ruleset_by_slug(slug).round(state)
    marks = {"done": "+", "now": "*", "later": ""}
    return str(found.label), " ".join(f"{part.seat or part.label}{marks[part.at]}" for part in found.parts)


def test_a_round_of_atta_ants_is_a_card_the_colonies_and_the_spiders() -> None:
    assert shown("atta-ants-online", start()) == ("Round 1", "Card* R Y Spiders")
    assert shown("atta-ants-online", after("NESW@0,2")) == ("Round 1", "Card+ R* Y Spiders")
    assert shown("atta-ants-online", after("NESW@0,2 R1:N R2:E /")) == ("Round 1", "Card+ R+ Y* Spiders")


def test_the_first_player_comes_first_in_each_round() -> None:
    state = after("NESW@0,2 R1:N R2:E / Y1:S Y2:W /")
    while ruleset_by_slug("atta-ants-online").number(state) == 1:
        token = next(iter(ruleset_by_slug("atta-ants-online").legal_actions(state)))
        state = ruleset_by_slug("atta-ants-online").apply(state, token)
    assert shown("atta-ants-online", state) == ("Round 2", "Card* Y R Spiders")


def test_a_pair_of_turns_is_a_move() -> None:
    ruleset = ruleset_by_slug("army-ants")
    state = ruleset.initial({"Setup": "27.48/A6395/849A6/7Q352/74Q52/6A836/93A87/54.29"})
    assert shown("army-ants", state) == ("Move 1", "R* B")
