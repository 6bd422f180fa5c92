"""The same play of Atta Ants has the same likeness in every notation; another play has another one."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from random import Random

import pytest

from engine.agn.canonical import format_tags
from engine.atta_ants.notation import RECONSTRUCTION_1
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.openings import opening_numbers
from engine.replay.openings import opening_of
from engine.replay.positions import position_numbers
from engine.verify import VERIFIED, Verdict, verify_bytes
from tests.engine.atta_ants.bots import game, ruleset_of
from tests.engine.atta_ants.otherwise import SYMMETRIES, cut_off, is_choice, recoloured, seen
from tests.strategies import cut_short, play, recorded
from tests.tiers import by_tier

TABLES = [
    ("online", "RY", "forager,random", "reconstruction-1"),
    ("online", "BORY", "thief,home,reckless,forager", "own"),
    ("2003", "ROB", "random", "printed"),
    ("2003", "YR", "reckless,forager", "own"),
    ("online", "OYB", "reckless,thief", "printed"),
]
RECORDED = [
    pytest.param(replay.tags, replay.actions, id=f"{ruleset.edition}-{number}")
    for ruleset in ATTA_ANTS
    for number, replay in enumerate(recorded(ruleset))
]


def verified(tags: Mapping[str, str], tokens: Sequence[str], result: str) -> Verdict:
    head = format_tags({**tags, "Result": result})
    (verdict,) = verify_bytes(f"{head}\n{' '.join(tokens)} {result}\n".encode())
    return verdict


def result_of(tags: Mapping[str, str], tokens: Sequence[str]) -> str:
    verdict = verified(tags, tokens, "*")
    return verdict.fault.params["due"] if verdict.fault else "*"  # type: ignore[return-value]


def colours(count: int) -> Iterator[str]:
    return map("".join, permutations("RYOB", count))


@cache
def played() -> list[tuple[Mapping[str, str], Sequence[str]]]:
    games = [game(*table, seed) for table in TABLES for seed in range(60, by_tier(quick=62, long=66))]
    halves = [cut_short(one, len(one.tokens) // 2) for one in games]
    return [(one.tags, one.tokens) for one in (*games, *halves)]


def numbers(verdict: Verdict) -> list[int]:
    """Return the numbers of the opening and of all positions but those between two choices, whose order may change."""
    assert verdict.replay
    found = position_numbers(verdict.replay)[1:]
    plies = [number for number, token in zip(found, verdict.replay.actions, strict=True) if not is_choice(token)]
    return plies + opening_numbers("", opening_of(verdict.replay))


def _of(verdict: Verdict) -> tuple[object, ...]:
    """Return what verdicts on the same play share; the reason names colours."""
    outcome = verdict.outcome
    return verdict.verdict, outcome and (outcome.placements, outcome.rule, outcome.termination), verdict.likeness


def check(tags: Mapping[str, str], tokens: Sequence[str]) -> None:
    """Assert that a game and its symmetric images are legal, end alike and share likeness, positions and opening."""
    result, random = result_of(tags, tokens), Random(0)
    plain = verified(tags, tokens, result)
    assert plain.likeness
    for how in SYMMETRIES:
        letters = random.choice(list(colours(len(tags["Seats"].split(" ")))))
        found = verified(*recoloured(*seen(tags, tokens, how), letters), result)
        if not (cut_off(tokens) and found.fault):
            assert _of(found) == _of(plain), how
            assert numbers(found) == numbers(plain), how


@pytest.mark.parametrize(("tags", "tokens"), RECORDED)
def test_a_recorded_game_is_the_same_on_a_turned_board_in_other_colours(
    tags: Mapping[str, str], tokens: Sequence[str]
) -> None:
    check(tags, tokens)


def test_games_of_two_to_four_are_the_same_on_a_turned_board_in_other_colours() -> None:
    for tags, tokens in played():
        check(tags, tokens)


def test_choices_for_spiders_change_their_order_with_the_board() -> None:
    """The games above prove it: spiders are renumbered and choices reordered."""
    changed = 0
    for tags, tokens in played():
        for how in SYMMETRIES:
            choices = [token for token in tokens if is_choice(token)]
            turned = [token for token in seen(tags, tokens, how)[1] if is_choice(token)]
            changed += [choice[:2] for choice in choices] != [choice[:2] for choice in turned]

    assert changed > by_tier(quick=5, long=20)


@pytest.mark.parametrize("seats", ["RY", "YOB", "BYOR"])
def test_every_assignment_of_colours_has_the_same_likeness(seats: str) -> None:
    one = game("online", seats, "forager", "reconstruction-1", 3)

    found = {verified(*recoloured(one.tags, one.tokens, to), one.result).likeness for to in colours(len(seats))}

    assert len(found) == 1


def test_likeness_does_not_depend_on_the_deck_tag() -> None:
    one = game("online", "RY", "forager", "reconstruction-1", 3)
    other_way = " ".join(reversed(RECONSTRUCTION_1.split(" ")))
    without = {name: value for name, value in one.tags.items() if name != "Deck"}
    decks = [
        without,
        *[{**without, "Deck": deck} for deck in ("printed", "reconstruction-1", RECONSTRUCTION_1, other_way)],
    ]

    verdicts = [verified(tags, one.tokens, one.result) for tags in decks]

    assert {verdict.verdict for verdict in verdicts} == {VERIFIED}
    assert len({verdict.likeness for verdict in verdicts}) == 1
    assert len({verdict.digest for verdict in verdicts}) == 5


def test_symmetric_ring_has_the_same_likeness_in_every_view() -> None:
    tags = {"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Red": "Ada", "Yellow": "Bo"}
    for ring in ("NESW " * 8, "NES NESW NSW NESW NESW NES NESW NSW", "NESW NESW# NESW NESW# NESW# NESW NESW# NESW"):
        for seed in range(by_tier(quick=1, long=4)):
            one = play(ruleset_of("online"), {**tags, "Setup": ring.strip(), "Result": "*"}, Random(seed))
            check(one.tags, one.tokens)


def test_rotation_of_a_set_aside_card_does_not_change_the_likeness() -> None:
    tags = {"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Red": "Ada", "Yellow": "Bo"}
    tags["Setup"] = ". S . E W . N ."

    one, turned, other = (verified(tags, [token], "*") for token in ("NE|SW@-", "NW|ES@-", "NS|EW@-"))

    assert one.digest != turned.digest
    assert one.likeness == turned.likeness != other.likeness


def test_same_moves_with_two_and_with_three_seats_have_different_likenesses() -> None:
    one = game("online", "RYO", "forager", "reconstruction-1", 3)
    two = {name: value for name, value in one.tags.items() if name != "Orange"} | {"Seats": "R Y"}
    assert verified(one.tags, one.tokens[:3], "*").likeness != verified(two, one.tokens[:3], "*").likeness
