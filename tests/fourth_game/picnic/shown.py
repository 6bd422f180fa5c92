"""How Picnic is shown."""

from engine.shown import Shown

from . import scene
from .state import Action, State
from .story import STORY
from .touches import TOUCHING

SHOWN: Shown[State, Action] = Shown(
    picture=scene.picture,
    scene=scene.scene,
    headings=scene.headings,
    caption=scene.caption,
    touching=TOUCHING,
    counts=scene.COUNTS,
    sheets=scene.sheets,
    story=STORY,
)
