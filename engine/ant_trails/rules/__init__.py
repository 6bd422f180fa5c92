"""What is legal in Ant Trails, what an action does, and who has won. Every refusal names its rule.

Five parts: `setup` is how a game begins, `position` knows what is legal and what becomes of it, `actions` plays,
`refusals` says why something is not legal, `steps` is what of an action can be worked out before there is a position.
"""

from engine.ant_trails.rules.actions import agree_draw, apply, leave, legal_actions, play
from engine.ant_trails.rules.setup import start
from engine.ant_trails.rules.steps import step

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play", "start", "step"]
