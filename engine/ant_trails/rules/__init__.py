"""What is legal in Ant Trails, what an action does, and who has won. Every refusal names its rule.

Three parts: `setup` is how a game begins, `actions` does what is legal, `refusals` says why something is not.
"""

from engine.ant_trails.rules.actions import agree_draw, apply, leave, legal_actions, play, step
from engine.ant_trails.rules.setup import start

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play", "start", "step"]
