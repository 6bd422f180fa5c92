"""How Army Ants is shown, gathered for its rulesets."""

from engine.army_ants import scene
from engine.army_ants.insights import insights
from engine.army_ants.state import Action, State
from engine.army_ants.story import STORY
from engine.army_ants.touches import TOUCHING
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
