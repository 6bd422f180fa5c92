"""How Atta Ants is shown, gathered for its rulesets."""

from engine.atta_ants import scene
from engine.atta_ants.insights import insights
from engine.atta_ants.state import Action, State
from engine.atta_ants.story import STORY
from engine.atta_ants.touches import TOUCHING
from engine.shown import Shown

SHOWN: Shown[State, Action] = Shown(
    picture=scene.picture,
    scene=scene.scene,
    headings=scene.ant_headings,
    caption=scene.caption,
    touching=TOUCHING,
    counts=scene.COUNTS,
    sheets=scene.sheets,
    story=STORY,
    insights=insights,
)
