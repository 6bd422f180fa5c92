"""What is legal in Atta Ants, what an action does, and who has won. Every refusal names its rule.

Six parts: `setup` is how a game begins, `position` knows what is legal and what becomes of it, `actions` plays,
`refusals` says why something is not legal, `candidates` is what could be tried, `steps` is what of an action can be
worked out before there is a position.
"""

from engine.atta_ants.rules.actions import agree_draw, apply, leave, legal_actions, play
from engine.atta_ants.rules.setup import start
from engine.atta_ants.rules.steps import step

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "play", "start", "step"]
