"""What is legal in Atta Ants, what an action does, and who has won. Every refusal names its rule.

Seven parts: `setup` begins a game, `position` decides what is legal and what it does, `ending` ranks the seats,
`actions` plays, `refusals` says why something is not legal, `candidates` lists what to try, `steps` holds what can be
computed from an action alone.
"""

from engine.atta_ants.rules.actions import (
    Hunt,
    agree_draw,
    apply,
    hunts,
    leave,
    legal_actions,
    play,
    stayed,
    targets,
)
from engine.atta_ants.rules.setup import start
from engine.atta_ants.rules.steps import step

__all__ = [
    "Hunt",
    "agree_draw",
    "apply",
    "hunts",
    "leave",
    "legal_actions",
    "play",
    "start",
    "stayed",
    "step",
    "targets",
]
