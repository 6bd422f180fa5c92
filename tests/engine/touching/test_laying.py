"""A start position is laid out in any order, and only valid placements are offered."""

from random import Random
from typing import Any

import pytest

from engine.registry import RULESETS, ruleset_by_slug
from engine.ruleset import TagError
from engine.touching import LayingError, Reader, laying
from tests.strategies import AnyRuleset

Json = dict[str, Any]

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)


def layout_of(slug: str, laid: dict[str, str] | None = None, deck: str | None = None) -> Json:
    return laying(ruleset_by_slug(slug), laid or {}, deck, Reader())


def parts(answer: Json, key: str) -> list[str]:
    (found,) = [place["parts"] for place in answer["places"] if place["key"] == key]
    return list(found)


@every_ruleset
def test_every_offered_part_can_be_placed_until_the_setup_is_complete(ruleset: AnyRuleset) -> None:
    random, laid = Random(ruleset.slug), dict[str, str]()
    answer = laying(ruleset, laid, None, Reader())

    while open_places := [place for place in answer["places"] if place["parts"] and not place["laid"]]:
        place = random.choice(open_places) if answer["next"] is None else open_places[0]
        laid[place["key"]] = random.choice(place["parts"])
        answer = laying(ruleset, laid, None, Reader())

    assert {place["key"]: place["laid"] for place in answer["places"] if place["laid"]} == laid
    assert answer["complete"] == (answer["setup"] is not None)


@every_ruleset
def test_symbols_of_all_pieces_and_cards_are_included(ruleset: AnyRuleset) -> None:
    answer = laying(ruleset, {}, None, Reader())
    kinds = {card["symbol"] for group in answer["groups"] for card in group["cards"]}

    assert kinds | {piece["symbol"] for piece in answer["frame"]["put"]} <= set(answer["symbols"])


def test_ring_card_must_match_its_neighbours_and_be_left_in_the_deck() -> None:
    before = layout_of("atta-ants-online")
    answer = layout_of("atta-ants-online", {"NW": "N", "N": "NS*"})

    assert before["next"] == "NW"
    assert answer["next"] == "NE"
    assert all("W" not in part for part in parts(answer, "NE"))
    assert {card["card"]: card["left"] for card in answer["groups"][2]["cards"]}["N"] == 0


def test_complete_ring_gives_the_setup_tag() -> None:
    ring = dict(zip(["NW", "N", "NE", "W", "E", "SW", "S", "SE"],
                    ["N", "NS*", "ES", "ESW", "NSW*", "NS#", "NE*", "NW"], strict=True))  # fmt: skip

    assert layout_of("atta-ants-online", ring)["setup"] == "N NS* ES ESW NSW* NS# NE* NW"


def test_tiles_may_not_be_placed_next_to_each_other() -> None:
    answer = layout_of("ant-trails-2020", {"d6": "3"})

    assert parts(answer, "d7") == []
    assert parts(answer, "d6") == parts(answer, "d8") == ["3", "2", "1"]


def test_cards_are_offered_only_on_their_own_side_while_any_are_left() -> None:
    answer = layout_of("army-ants", {"a8": "BQ"})

    assert "BQ" not in parts(answer, "b8")
    assert {part[0] for part in parts(answer, "a1")} == {"R"}


@pytest.mark.parametrize(
    ("laid", "says"),
    [({"9,9": "NS"}, "There is no place '9,9'."), ({"N": "E"}, "'E' cannot go at 'N'."),
     ({"N": "?"}, "'?' cannot go at 'N'."), ({"NW": "NE|SW*"}, "'NE|SW*' cannot go at 'NW'.")],
)  # fmt: skip
def test_invalid_placement_is_rejected_with_a_reason(laid: dict[str, str], says: str) -> None:
    with pytest.raises(LayingError) as error:
        layout_of("atta-ants-online", laid)
    assert str(error.value) == says


def test_invalid_deck_is_rejected_when_laying() -> None:
    with pytest.raises(TagError):
        layout_of("atta-ants-online", deck="NS")


@pytest.mark.parametrize("slug", ["atta-ants-online", "atta-ants-2003", "army-ants"])
@pytest.mark.parametrize("card", ["", "?", "ants", "\U000a0aa2"])
def test_a_hand_with_what_is_no_card_is_refused(slug: str, card: str) -> None:
    with pytest.raises(LayingError) as error:
        laying(ruleset_by_slug(slug), {}, None, Reader(), [card])
    assert str(error.value) == f"There is no card {card!r} in this game."


def test_of_a_hand_only_its_cards_are_laid_in_any_rotation() -> None:
    hand = ["NES*", "NS", "NS"]
    answer = laying(ruleset_by_slug("atta-ants-2003"), {"NW": "EW"}, None, Reader(), hand)
    cards = {card["card"]: (card["left"], card["of"]) for group in answer["groups"] for card in group["cards"]}
    assert cards == {"NES*": (1, 1), "NS": (1, 2)}
    with pytest.raises(LayingError, match="'N' cannot go at 'NW'"):
        laying(ruleset_by_slug("atta-ants-2003"), {"NW": "N"}, None, Reader(), hand)


def test_what_lies_can_be_turned_where_it_lies() -> None:
    answer = laying(ruleset_by_slug("atta-ants-2003"), {"NW": "NS"}, None, Reader(), ["NS"])
    assert parts(answer, "NW") == ["NS", "EW"]


def test_cards_of_one_stock_are_counted_once() -> None:
    assert [group["left"] for group in layout_of("atta-ants-online", deck="printed")["groups"]] == [8, 4, 11]
    assert [group["left"] for group in layout_of("atta-ants-online")["groups"]] == [8, 4, 11]
