"""What to select next, in every game: the tree spells exactly the legal actions."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import engine.touching
from engine.registry import RULESETS
from engine.scene import film, last_scene
from engine.touching import Reader, position
from tests.strategies import AnyRuleset, positions, recorded
from tests.tiers import by_tier

POSITIONS = by_tier(quick=30, long=3_000)
SIZE = 32_000
"""Bytes of a compressed response."""
SCHEMA = Draft202012Validator(json.loads((Path(engine.touching.__file__).parent / "position.schema.json").read_text()))

Json = dict[str, Any]

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)


@cache
def answers(ruleset: AnyRuleset) -> tuple[tuple[Any, Json], ...]:
    """Return some positions with their responses."""
    some = islice(positions(ruleset, Random(f"touches of {ruleset.slug}")), 5 * POSITIONS)
    return tuple((found.state, position(ruleset, [found.state], ())) for found in islice(some, 0, None, 5))


def walk(nodes: list[Json], spelled: str = "") -> Iterator[tuple[str, Json]]:
    """Yield every node with the joined parts on the way to it."""
    for node in nodes:
        yield spelled + node["p"], node
        yield from walk(node.get("k", []), spelled + node["p"])


@every_ruleset
def test_tree_leads_to_exactly_the_legal_actions(ruleset: AnyRuleset) -> None:
    for state, answer in answers(ruleset):
        legal = {ruleset.format_action(action) for action in ruleset.legal_actions(state)}

        assert {node["a"] for _, node in walk(answer["tree"]) if "a" in node} == legal, ruleset.shown.picture(state)
        assert answer["count"] == len(legal)


@every_ruleset
def test_parts_along_a_path_spell_the_token(ruleset: AnyRuleset) -> None:
    """If a game writes two cells in a fixed order, they may be selected in the other order, too."""
    for _, answer in answers(ruleset):
        spellings = [(spelled, node["a"]) for spelled, node in walk(answer["tree"]) if "a" in node]
        assert {token for _, token in spellings} == {token for spelled, token in spellings if spelled == token}
        assert all(sorted(spelled) == sorted(token) for spelled, token in spellings)


@every_ruleset
def test_every_target_exists_and_is_unique_among_its_siblings(ruleset: AnyRuleset) -> None:
    for _, answer in answers(ruleset):
        there = {piece["id"] for piece in answer["frame"]["put"]} | set(answer["places"])
        for nodes in (answer["tree"], *(node.get("k", []) for _, node in walk(answer["tree"]))):
            targets = [node["t"] for node in nodes]
            assert len(set(targets)) == len(targets)
            assert {target for target in targets if not target.startswith("choice:")} <= there


@every_ruleset
def test_position_matches_its_schema_and_stays_small(ruleset: AnyRuleset) -> None:
    for _, answer in answers(ruleset):
        SCHEMA.validate(answer)
        assert len(gzip.compress(json.dumps(answer).encode())) < SIZE


@every_ruleset
def test_known_symbols_are_not_sent_again(ruleset: AnyRuleset) -> None:
    state, answer = answers(ruleset)[0]
    shown = {piece["symbol"] for piece in answer["frame"]["put"]}
    ghosts = {node["g"]["symbol"] for _, node in walk(answer["tree"]) if "symbol" in node.get("g", {})}

    assert shown | ghosts <= set(answer["symbols"])
    assert position(ruleset, [state], (), Reader(known=answer["symbols"].keys()))["symbols"] == {}


@every_ruleset
def test_viewer_who_may_not_act_gets_the_position_without_the_tree(ruleset: AnyRuleset) -> None:
    for state, answer in answers(ruleset)[::10]:
        seen = position(ruleset, [state], (), Reader(acting=False))

        assert (seen["tree"], seen["places"], seen["picker"], seen["must"], seen["count"]) == ([], {}, None, [], 0)
        assert seen["frame"] == answer["frame"]


@every_ruleset
def test_position_is_drawn_like_the_last_scene_of_its_replay(ruleset: AnyRuleset) -> None:
    replay = max(recorded(ruleset), key=lambda replay: len(replay.actions))
    scenes = film(ruleset, replay.states, replay.actions)

    for ply in range(0, len(scenes), 7):
        assert last_scene(ruleset, replay.states[: ply + 1], replay.actions[:ply]) == scenes[ply]


@every_ruleset
def test_board_shows_all_that_a_turn_did_once_it_is_another_seats(ruleset: AnyRuleset) -> None:
    """While a turn goes on, and on a board that shows single actions, there are only the traces of the last action."""
    replay = next(iter(recorded(ruleset)))
    scenes, actors = film(ruleset, replay.states, replay.actions), [*map(ruleset.to_act, replay.states)]
    for ply in range(1, min(40, len(replay.actions))):
        history = replay.states[: ply + 1], replay.actions[:ply]
        run = next((at for at in range(ply - 1, 0, -1) if actors[at - 1] != actors[ply - 1]), 0)
        first = run if actors[ply] != actors[ply - 1] else ply - 1
        traces = [trace for scene in scenes[first + 1 : ply + 1] for trace in scene.traces]
        assert len(position(ruleset, *history, Reader(turn=True))["frame"]["traces"]) == len(traces), ply
        assert len(position(ruleset, *history)["frame"]["traces"]) == len(scenes[ply].traces), ply
