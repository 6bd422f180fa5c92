"""Each rule that cannot be broken by a record is shown by a game that would continue differently without it."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest

from tests.engine.ant_trails import referee as ant_trails
from tests.engine.ant_trails import without as ant_trails_without
from tests.engine.army_ants import referee as army_ants
from tests.engine.army_ants import without as army_ants_without
from tests.engine.atta_ants import referee as atta_ants
from tests.engine.atta_ants import without as atta_ants_without
from tests.engine.shown import Referee, first_difference, replay_of, rule_of
from tests.golden import verdicts
from tests.strategies import FIXTURES

REFEREES: dict[str, Callable[[Mapping[str, str]], Referee]] = {
    "ant_trails": ant_trails.Referee,
    "army_ants": army_ants.Referee,
    "atta_ants": atta_ants.Referee,
}
WITHOUT: dict[str, tuple[Callable[[Mapping[str, str]], Referee], AbstractSet[str]]] = {
    **ant_trails_without.WITHOUT,
    **army_ants_without.WITHOUT,
    **atta_ants_without.WITHOUT,
}
"""For each rule a referee without it, and the part of the state that differs first."""
SHOWN = [path for game in REFEREES for path in sorted((FIXTURES / game / "shown").glob("*.agn"))]

every_game = pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)


@every_game
def test_engine_and_referee_agree_on_every_example_game(path: Path) -> None:
    for verdict in verdicts(path):
        replay = replay_of(verdict)
        assert first_difference(replay, REFEREES[path.parts[-3]](replay.tags)) == set()


@every_game
def test_example_game_differs_when_its_rule_is_ignored(path: Path) -> None:
    without, otherwise = WITHOUT[rule_of(path)]
    replay = replay_of(verdicts(path)[0])

    assert first_difference(replay, without(replay.tags)) >= otherwise


def test_every_ignored_rule_has_an_example_game() -> None:
    assert {rule_of(path) for path in SHOWN} == WITHOUT.keys()
