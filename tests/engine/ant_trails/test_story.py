"""The story of Ant Trails: its events add up to what the score sheets count."""

from engine.ant_trails.insights import insights
from engine.ant_trails.ruleset import ANT_TRAILS
from engine.ant_trails.state import TILES, TileMove
from tests.engine.atta_ants.test_story import tally
from tests.engine.test_story import stories


def test_points_of_collected_tiles_are_those_of_the_score_sheets() -> None:
    for game, _, story in stories(ANT_TRAILS):
        tiles = [sheet[1].value for sheet in ANT_TRAILS.shown.sheets(game.states[-1])]
        assert [tally(story)[letter, "tile"] for letter in story.seats] == tiles


def test_a_tile_can_move_when_looking_closer_says_so() -> None:
    game, _, _ = stories(ANT_TRAILS)[0]
    for state in (state for state in game.states if state.phase == TILES):
        legal = [action for action in ANT_TRAILS.legal_actions(state) if isinstance(action, TileMove)]
        assert len(insights(state)[0].arrows) == len(legal)
