"""Deals and their explanations."""

import json
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.atta_ants.dealing import _SHAPES, _can_be_laid
from engine.chance import hashed
from engine.dealing import deal, explain_deal
from engine.registry import RULESETS, find_ruleset, ruleset_by_slug
from engine.ruleset import TagError
from tests.engine.dealing import slow
from tests.engine.dealing.made import FOLDER, TWO_TRIES, words_of
from tests.engine.dealing.played import ENTROPIES, SECRET
from tests.strategies import AnyRuleset

ROWS = [json.loads(line) for line in (FOLDER / "deals.ndjson").read_text().splitlines()]
NEVER = " ".join([".*"] * 8 + [".#"] * 4 + ["."] * 11)
"""A deck without trails: none of its cards fits beside the nest."""

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['in']['game']} {row['in']['secret'][:8]}")
secrets = st.integers(0, 2**256 - 1).map(lambda number: f"{number:064x}")


def fewest(ruleset: AnyRuleset) -> tuple[str, ...]:
    return ENTROPIES[: min(len(line) for line in ruleset.seatings)]


@each_row
def test_engine_and_independent_implementation_deal_the_listed_examples(row: dict[str, Any]) -> None:
    given = row["in"]
    ruleset = find_ruleset({"Game": given["game"], "Rules": given["rules"]})

    assert deal(ruleset, given["secret"], given["entropies"], given["deck"]).as_json() == row["out"]
    assert slow.deal(**given) == row["out"]


@given(secrets)
@settings(max_examples=15)
def test_engine_and_independent_implementation_deal_alike_from_any_secret(secret: str) -> None:
    for slug in ("atta-ants-2003", "ant-trails-2020", "army-ants"):
        ruleset, entropies = ruleset_by_slug(slug), list(ENTROPIES[:2])
        second = slow.deal(ruleset.game, ruleset.edition, secret, entropies, None)
        assert deal(ruleset, secret, entropies).as_json() == second


@each_ruleset
@given(st.data())
@settings(max_examples=10)
def test_any_other_secret_or_entropy_gives_another_seed(ruleset: AnyRuleset, data: st.DataObject) -> None:
    entropies = list(fewest(ruleset))
    at = data.draw(st.integers(0, len(entropies)))
    other = data.draw(secrets.filter(lambda secret: secret != SECRET))
    seed = deal(ruleset, SECRET, entropies).seed

    if at < len(entropies):
        entropies[at] = data.draw(st.text("abc!~", min_size=1, max_size=64).filter(lambda text: text != entropies[at]))
        assert deal(ruleset, SECRET, entropies).seed != seed
    else:
        assert deal(ruleset, other, entropies).seed != seed
    assert deal(ruleset, SECRET, fewest(ruleset)[::-1]).seed != seed


@each_ruleset
def test_cards_are_neither_lost_nor_doubled(ruleset: AnyRuleset) -> None:
    dealt = deal(ruleset, SECRET, fewest(ruleset))

    if dealt.deck is None:
        assert not ruleset.dealer.has_deck
    else:
        all_cards = [*dealt.setup.split(" "), *dealt.deck]
        assert sorted(map(ruleset.dealer.kind, all_cards)) == sorted(map(ruleset.dealer.kind, slow.USUAL.split(" ")))


def test_ring_check_is_right_for_all_combinations_of_shapes() -> None:
    shapes = {_SHAPES[code]: code for code in (".", "N", "NE", "NS", "NES", "NESW")}
    assert set(shapes) == set(_SHAPES.values())
    found = {
        line: (_can_be_laid(line, 0, None), next(slow.rings([shapes[shape] for shape in line]), None) is not None)
        for line in list(combinations_with_replacement(sorted(shapes), 8))[::9]
    }

    assert {line: answers for line, answers in found.items() if len(set(answers)) > 1} == {}
    assert {fits for fits, _ in found.values()} == {True, False}


# Explanations


@each_ruleset
def test_every_step_of_an_explanation_can_be_recomputed(ruleset: AnyRuleset) -> None:
    explained = explain_deal(ruleset, SECRET, fewest(ruleset))

    assert explained.deal == deal(ruleset, SECRET, fewest(ruleset))
    assert (explained.commitment.digest, explained.seed.digest) == (explained.deal.commitment, explained.deal.seed)
    assert explained.seed.lines[4:] == (explained.commitment.digest, SECRET, *fewest(ruleset))
    for drawing, purpose in ((explained.first, "first"), (explained.setup, "setup")):
        assert all(step == hashed("atta-deal/1", purpose, explained.seed.digest, str(number))
                   for number, step in enumerate(drawing.blocks))  # fmt: skip
        words = [word for step in drawing.blocks for word in words_of(step.digest)]
        taken = [word for stage in drawing.stages for draw in stage.draws for word in draw.words]
        assert taken == words[: len(taken)]
        assert len(words) - len(taken) < 8
        assert all(draw.words[-1] % draw.bound == draw.number for stage in drawing.stages for draw in stage.draws)


@pytest.mark.parametrize(
    ("slug", "secret", "tried", "last"),
    [
        ("atta-ants-online", SECRET, "ring", "deck"),
        ("atta-ants-2003", SECRET, "deck", "deck"),
        ("ant-trails-2020", TWO_TRIES, "cells", "points"),
        ("army-ants", SECRET, "black", "red"),
    ],
)
def test_explanation_lists_every_attempt(slug: str, secret: str, tried: str, last: str) -> None:
    stages = explain_deal(ruleset_by_slug(slug), secret, ENTROPIES[:2]).setup.stages

    assert [stage.name for stage in stages] == [tried] * (len(stages) - 1) + [last]
    assert slug != "ant-trails-2020" or len(stages) == 3
    if slug == "atta-ants-online":
        assert len(stages) > 20
        assert [len(stages[-2].draws), len(stages[-1].draws)] == [16, 14]
        assert max(len(stage.draws) for stage in stages[:-2]) <= 16


# Malformed input

ATTA, ARMY = ruleset_by_slug("atta-ants-online"), ruleset_by_slug("army-ants")


@pytest.mark.parametrize(
    ("ruleset", "secret", "entropies", "deck", "tag", "said"),
    [
        (ARMY, "5" * 63, ["a", "b"], None, "secret", "secret must be 64 hexadecimal digits in lower case."),
        (ARMY, "A" * 64, ["a", "b"], None, "secret", "secret must be 64 hexadecimal digits in lower case."),
        (ARMY, "5" * 64 + "\n", ["a", "b"], None, "secret", "secret must be 64 hexadecimal digits in lower case."),
        (ARMY, SECRET, ["a"], None, "entropies", "Army Ants needs one entropy for each seat, 2 in all, not 1."),
        (ATTA, SECRET, ["a"] * 5, None, "entropies", "Atta Ants needs one entropy for each seat, 2/3/4 in all, not 5."),
        (ARMY, SECRET, ["a", ""], None, "entropies", "Entropy 2 must be 1 to 64 characters from ! to ~."),
        (ARMY, SECRET, ["a" * 65, "b"], None, "entropies", "Entropy 1 must be 1 to 64 characters from ! to ~."),
        (ARMY, SECRET, ["a b", "b"], None, "entropies", "Entropy 1 must be 1 to 64 characters from ! to ~."),
        (ARMY, SECRET, ["a", "b\x7f"], None, "entropies", "Entropy 2 must be 1 to 64 characters from ! to ~."),
        (ARMY, SECRET, ["a", "b"], "NESW", "deck", "This game has no deck."),
        (ATTA, SECRET, ["a", "b"], "printed", "deck",
         "Deck 'printed' does not list its cards, so no cards can be dealt from it."),
        (ATTA, SECRET, ["a", "b"], "N", "deck",
         "Deck must be `printed`, `reconstruction-1` or a list of 23 cards."),
    ],
)  # fmt: skip
def test_malformed_deal_input_is_rejected_with_a_reason(
    ruleset: AnyRuleset, secret: str, entropies: list[str], deck: str | None, tag: str, said: str
) -> None:
    for make in (deal, explain_deal):
        with pytest.raises(TagError) as refused:
            make(ruleset, secret, entropies, deck)
        assert (refused.value.tag, str(refused.value)) == (tag, said)


@pytest.mark.parametrize("edition", ["online", "2003"])
def test_a_deck_that_never_fits_around_the_nest_is_refused_after_many_tries(edition: str) -> None:
    with pytest.raises(TagError, match=r"^No valid setup can be dealt from this deck\.$") as refused:
        deal(ruleset_by_slug(f"atta-ants-{edition}"), SECRET, ["a", "b"], NEVER)

    assert (refused.value.tag, refused.value.rule) == ("deck", "DEAL-SETUP-1")
