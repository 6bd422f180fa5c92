"""How Ant Trails is shown, gathered for its rulesets."""

from engine.ant_trails import scene
from engine.ant_trails.insights import insights
from engine.ant_trails.state import Action, State
from engine.ant_trails.story import STORY
from engine.ant_trails.touches import TOUCHING
from engine.shown import Shown

SHOWN: Shown[State, Action] = Shown(
    picture=scene.picture,
    scene=scene.scene,
    caption=scene.caption,
    touching=TOUCHING,
    counts=scene.COUNTS,
    sheets=scene.sheets,
    story=STORY,
    insights=insights,
)
