"""What is legal in Ant Trails, what an action does, and who has won. Every refusal names its rule.

Five parts: `setup` begins a game, `position` decides what is legal and what it does, `actions` plays, `refusals` says
why something is not legal, `steps` holds what can be computed from an action alone.
"""

from engine.ant_trails.rules.actions import agree_draw, apply, leave, legal_actions, play
from engine.ant_trails.rules.setup import start
from engine.ant_trails.rules.steps import step

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play", "start", "step"]
