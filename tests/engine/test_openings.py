"""An opening is read from a record's tags and tokens, step by step, and each step is said in words."""

import re
from collections.abc import Sequence

import pytest

from engine.agn.log import Record
from engine.openings import SEPARATOR, OpeningParts, opening_number, opening_numbers
from engine.registry import RULESETS, ruleset_by_slug
from engine.replay.openings import opening_of, opening_steps, record_steps
from engine.verify import verify_bytes
from tests.engine.test_positions import every_ruleset, replays
from tests.factories import record
from tests.strategies import AnyRuleset

DEAL = {"Setup": "23.32/45654/78987/A6Q9A/A6Q9A/78987/45654/32.32"}


def parts(slug: str) -> OpeningParts:
    found = ruleset_by_slug(slug).openings
    assert found
    return found


def names(slug: str, tags: dict[str, str], tokens: str) -> list[str]:
    return [name for name, _ in parts(slug).steps(tags, tokens.split())]


def said(slug: str, opening: str) -> str:
    return str(parts(slug).sentence(opening.split(SEPARATOR)))


@every_ruleset
def test_every_step_of_a_played_opening_is_said_and_complete_at_a_ply(ruleset: AnyRuleset) -> None:
    for replay in replays(ruleset):
        steps = opening_steps(replay)
        plies = [ply for _, ply in steps]
        for end in range(1, len(steps) + 1):
            assert str(parts(ruleset.slug).sentence([name for name, _ in steps[:end]]))
        assert plies == sorted(plies)
        assert max(plies, default=0) <= len(replay.actions)
        assert record_steps(ruleset, Record(1, 1, "text", replay.text().encode())) == steps


@every_ruleset
def test_an_opening_has_a_number_for_each_of_its_beginnings(ruleset: AnyRuleset) -> None:
    for replay in replays(ruleset):
        steps = [name for name, _ in opening_steps(replay)]
        beginnings = [SEPARATOR.join(steps[:end]) for end in range(1, len(steps) + 1)]

        numbers = opening_numbers(ruleset.slug, opening_of(replay))

        assert numbers == [opening_number(ruleset.slug, beginning) for beginning in beginnings]


def test_editions_do_not_share_the_numbers_of_openings() -> None:
    assert len({opening_number(ruleset.slug, "seats-2") for ruleset in RULESETS}) == len(RULESETS)


def test_an_opening_of_army_ants_is_both_front_rows_and_the_kinds_of_actions() -> None:
    tokens = "a1~b1 a8-b8N1 b2N1 QG pass a4>a5 c4xc5 resign:B"

    assert names("army-ants", DEAL, tokens) == [
        "front-1-queen", "front-1-queen", "swap", "march-several", "march", "gambit", "pass", "out", "attack"
    ]  # fmt: skip


def test_a_colony_that_played_the_gambit_is_skipped_until_the_battle() -> None:
    opening = "front-0,front-0,gambit,swap,swap,swap,swap,march,out"

    assert said("army-ants", opening.removesuffix(",out")) == "Black marches one card"
    assert said("army-ants", opening) == "Red moves a card out"
    assert said("army-ants", "front-1,front-2-queen") == "Black’s front row: 2 cards from 7 to 9 and the queen"


def test_an_opening_of_ant_trails_is_the_same_from_every_side_and_in_every_order_within_a_turn() -> None:
    plain = names("ant-trails-2020", {}, "a1 a2 / k11 k10 b5>b4 / pass f1 /")

    assert plain == ["a1-a2", "k10-k11", "pass", "f1"]
    assert names("ant-trails-2020", {}, "k11 k10 / a2 a1 / pass f11 /") == plain
    assert said("ant-trails-2020", "a1-a2,k10-k11") == "Red places ants on k10 and k11"


def test_an_unfinished_turn_of_ant_trails_is_no_step() -> None:
    assert names("ant-trails-2020", {}, "a1 a2 / k11") == ["a1-a2"]


def test_an_opening_of_atta_ants_is_what_each_colony_does_in_the_first_round() -> None:
    (verdict,) = verify_bytes(record("NS@0,2 R1:N R2:EN / Y1:N Y2:N / *"))
    assert verdict.replay

    assert opening_of(verdict.replay) == "seats-2,plain,21,11"
    assert said("atta-ants-online", "seats-2,plain,21") == "Colony 1: 1 ant goes two steps, 1 ant goes one step"
    assert names("atta-ants-online", {"Seats": "R Y"}, "NS*@2,0 R1:N+ R2:NxY1 / /") == ["seats-2", "leaf", "ps", "stay"]


def test_a_game_left_at_once_has_a_short_opening() -> None:
    assert names("atta-ants-online", {"Seats": "R Y"}, "resign:R") == ["seats-2"]
    assert names("army-ants", DEAL, "resign:R") == ["front-1-queen", "front-1-queen"]
    assert names("ant-trails-2020", {}, "resign:B") == []


@pytest.mark.parametrize(
    ("slug", "opening"),
    [
        ("army-ants", ["front-6"]),
        ("army-ants", ["swap"]),
        ("army-ants", ["front-1", "front-1", "front-1"]),
        ("army-ants", ["front-1", "front-1", *["swap"] * 13]),
        ("ant-trails-2020", ["a2-a1"]),
        ("ant-trails-2020", ["k10-k11"]),
        ("ant-trails-2020", ["z9"]),
        ("ant-trails-2020", ["a1-a2-a3"]),
        ("atta-ants-online", ["seats-5"]),
        ("atta-ants-online", ["seats-2", "nest"]),
        ("atta-ants-online", ["seats-2", "leaf", "12"]),
        ("atta-ants-online", ["seats-2", "leaf", "11", "11", "11"]),
        ("atta-ants-online", [""]),
    ],
)
def test_an_opening_that_there_cannot_be_is_refused(slug: str, opening: Sequence[str]) -> None:
    openings = parts(slug)

    with pytest.raises(ValueError, match=re.escape(repr(opening[-1]))):
        openings.sentence(opening)
