"""The same play of Ant Trails has the same likeness in every notation; another play has another one."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

import pytest

from engine.agn.canonical import format_tags
from engine.ant_trails.ruleset import ANT_TRAILS
from engine.openings import opening_numbers
from engine.replay.openings import opening_of
from engine.replay.positions import position_numbers
from engine.verify import Verdict, verify_bytes
from tests.engine.ant_trails.bots import game
from tests.strategies import cut_short, play, recorded

Cube = tuple[int, int, int]
"""Return a cell as three coordinates whose sum is 0, with the centre of the board at 0, 0, 0."""


def symmetry(sixths: int, *, mirrored: bool) -> Callable[[Cube], Cube]:
    def move(cell: Cube) -> Cube:
        x, y, z = cell
        if mirrored:
            x, y = y, x
        for _ in range(sixths):
            x, y, z = -z, -x, -y
        return x, y, z

    return move


SYMMETRIES = [symmetry(sixths, mirrored=mirrored) for mirrored in (False, True) for sixths in range(6)]


def moved(name: str, how: Callable[[Cube], Cube]) -> str:
    row, number = "abcdefghijk".index(name[0]) + 1, int(name[1:])
    x, y, _ = how((row - 6, 6 - number, number - row))
    return f"{'abcdefghijk'[x + 5]}{6 - y}"


def order(tile: str) -> tuple[str, int]:
    return tile[0], int(tile[1:].partition("=")[0])


def seen(
    tags: Mapping[str, str], tokens: Sequence[str], how: Callable[[Cube], Cube]
) -> tuple[dict[str, str], list[str]]:
    """Return the same game on a rotated or mirrored board."""
    tiles = [tile.split("=") for tile in tags["Setup"].split(" ")]
    setup = " ".join(sorted((f"{moved(cell, how)}={points}" for cell, points in tiles), key=order))
    said = ("/", "pass", "draw")
    return {**tags, "Setup": setup}, [
        token if token in said or ":" in token else ">".join(moved(cell, how) for cell in token.split(">"))
        for token in tokens
    ]


def verified(tags: Mapping[str, str], tokens: Sequence[str], result: str) -> Verdict:
    (verdict,) = verify_bytes(f"{format_tags({**tags, 'Result': result})}\n{' '.join(tokens)} {result}\n".encode())
    return verdict


def numbers(verdict: Verdict) -> list[int]:
    assert verdict.replay
    return [*position_numbers(verdict.replay), *opening_numbers("", opening_of(verdict.replay))]


def check(tags: Mapping[str, str], tokens: Sequence[str], result: str) -> None:
    """Assert that a game and its symmetric images are legal, end alike and share likeness, positions and opening."""
    plain = verified(tags, tokens, result)
    assert plain.likeness
    for how in SYMMETRIES:
        found = verified(*seen(tags, tokens, how), result)
        assert (found.verdict, found.outcome, found.likeness) == (plain.verdict, plain.outcome, plain.likeness)
        assert numbers(found) == numbers(plain)


def test_there_are_twelve_ways_to_see_a_board() -> None:
    corner = {(moved("b3", how), moved("c5", how)) for how in SYMMETRIES}

    assert len(corner) == 12
    assert moved("f6", SYMMETRIES[7]) == "f6"


@pytest.mark.parametrize("number", range(len(recorded(ANT_TRAILS))))
def test_a_recorded_game_is_the_same_on_a_turned_or_mirrored_board(number: int) -> None:
    replay = recorded(ANT_TRAILS)[number]

    check(replay.tags, replay.actions, replay.result)


@pytest.mark.parametrize("styles", ["random", "builder,collector", "looper,hermit"])
def test_any_game_is_the_same_on_a_turned_or_mirrored_board(styles: str) -> None:
    for seed in range(70, 75):
        one = game(styles, seed)
        check(one.tags, one.tokens, one.result)
        half = cut_short(one, len(one.tokens) // 2)
        check(half.tags, half.tokens, half.result)


def test_symmetric_tile_setup_has_the_same_likeness_in_every_view() -> None:
    point = "b2=3 b6=1 d3=2 d7=3 f2=1 f4=2 f8=2 f10=1 h5=3 h9=2 j6=1 j10=3"
    tags = {"Game": "Ant Trails", "Rules": "2020", "Seats": "B R", "Black": "Ada", "Red": "Bo", "Setup": point}
    alike = [how for how in SYMMETRIES if seen(tags, (), how)[0] == tags]

    assert len(alike) > 1
    for seed in range(4):
        one = play(ANT_TRAILS, {**tags, "Result": "*"}, Random(seed))
        check(one.tags, one.tokens, one.result)
