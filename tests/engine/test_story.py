"""Every game's story and insights agree with its positions."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.events import SHAPES, Event
from engine.registry import RULESETS
from engine.scene import Scene, film
from engine.story import Story, story_json, story_of, summary
from engine.story.following import Lead, Moment
from engine.words import words
from tests.strategies import AnyRuleset, Playout, package, play, recorded

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)


@cache
def stories(ruleset: AnyRuleset) -> tuple[tuple[Playout, list[Scene], Story], ...]:
    """Return three games played at random, with their pictures and stories."""
    random = Random(f"stories of {ruleset.slug}")
    games = [play(ruleset, random.choice(recorded(ruleset)).tags, random) for _ in range(3)]
    return tuple((game, found := film(ruleset, game.states, game.tokens), followed(game, found)) for game in games)


def followed(game: Playout, scenes: list[Scene]) -> Story:
    return story_of(game.ruleset, game.states, game.tokens, scenes)


def names(scenes: list[Scene]) -> dict[str, Any]:
    return {tray.seat: tray.name for tray in scenes[0].trays}


@every_ruleset
def test_events_are_of_known_kinds_and_concern_a_seat(ruleset: AnyRuleset) -> None:
    kinds = {kind.key: kind.shape for kind in ruleset.shown.story.kinds}
    assert set(kinds.values()) <= set(SHAPES)
    for game, _, story in stories(ruleset):
        assert {moment.event.kind for moment in story.moments} <= set(kinds)
        assert {moment.event.seat for moment in story.moments} <= set(story.seats)
        assert all(0 < moment.ply < len(game.states) and str(moment.event.sentence) for moment in story.moments)


@every_ruleset
def test_figures_of_a_story_are_the_score_sheets_of_its_positions(ruleset: AnyRuleset) -> None:
    for game, scenes, story in stories(ruleset):
        figures = story_json(story, names(scenes))["figures"]
        for at, letter in enumerate(story.seats):
            for column, key in enumerate(story.keys):
                shown = held(figures[letter][key], len(game.states))
                assert shown == [ruleset.shown.sheets(state)[at][column].value for state in game.states]


def held(changes: list[list[int]], plies: int) -> list[int]:
    """Return for every ply the value that holds since the last change."""
    known = {ply: value for ply, value in changes}  # noqa: C416 (typed as a pair)
    values = [known[0]]
    for ply in range(1, plies):
        values.append(known.get(ply, values[-1]))
    return values


@every_ruleset
def test_leads_change_when_somebody_else_has_the_most_merit(ruleset: AnyRuleset) -> None:
    for game, _, story in stories(ruleset):
        leads = {lead.ply: lead.seats for lead in story.leads}
        leading: tuple[str, ...] = ()
        for ply, state in enumerate(game.states):
            leading = leads.get(ply, leading)
            merits = ruleset.shown.story.merits(state)
            best = tuple(letter for letter, merit in zip(story.seats, merits, strict=True) if merit == max(merits))
            assert leading == (best if len(best) < len(merits) else ())


@every_ruleset
def test_a_quiet_ply_changes_nothing_on_the_board(ruleset: AnyRuleset) -> None:
    for _, scenes, story in stories(ruleset):
        assert all(scenes[ply].pieces == scenes[ply - 1].pieces for ply in story.quiet)


@every_ruleset
def test_turns_end_where_another_seat_is_to_act(ruleset: AnyRuleset) -> None:
    for game, _, story in stories(ruleset):
        ends = set(story.turn_ends)
        assert len(game.states) - 1 in ends
        for ply in set(range(1, len(game.states))) - ends:
            assert ruleset.to_act(game.states[ply]) == ruleset.to_act(game.states[ply - 1])


@every_ruleset
def test_a_story_is_summed_up_with_the_names_given(ruleset: AnyRuleset) -> None:
    for _, scenes, story in stories(ruleset):
        said = str(summary(story, {tray.seat: f"<{tray.seat}>" for tray in scenes[0].trays}))
        assert said.endswith(".") or not said
        assert "{" not in said


@every_ruleset
def test_the_latest_of_equal_turning_points_is_told(ruleset: AnyRuleset) -> None:
    _, _, story = stories(ruleset)[0]
    parts = ruleset.shown.story
    rounds = sorted(set(story.numbers[1:]))[:3]
    equal = [Moment(1, number, Event(parts.turning.kind, seat, words("!"), 9)) for number in rounds for seat in "xy"]

    for moments in (equal, equal[::-1]):
        equals = replace(story, leads=(Lead(0, 1, ()),), winners=(), moments=tuple(moments))
        said = str(summary(equals, {"x": "X", "y": "Y"}))
        assert str(parts.when(rounds[-1])) in said
        assert not any(str(parts.when(number)) in said for number in rounds[:-1])


@every_ruleset
def test_insights_point_at_pieces_and_ways_on_the_board(ruleset: AnyRuleset) -> None:
    for game, scenes, _ in stories(ruleset):
        for state, scene in list(zip(game.states, scenes, strict=True))[::9]:
            box, pieces = scene.box, {piece.id for piece in scene.pieces}
            for insight in ruleset.shown.insights(state):
                points = [point for arrow in insight.arrows for point in arrow.points]
                assert set(insight.pieces) <= pieces, (insight, package(ruleset))
                assert all(box.x <= x <= box.x + box.width for x, _ in points)
                assert all(box.y <= y <= box.y + box.height for _, y in points)
