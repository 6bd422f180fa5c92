"""What is legal in Army Ants, what an action does, and who has won. Every refusal names its rule.

Four parts: `actions` does what is legal, `refusals` says why something is not, `candidates` is what could be tried,
`steps` is what of an action can be worked out before there is a position.
"""

from engine.army_ants.rules.actions import agree_draw, apply, attacks, leave, legal_actions, play, queen_attacks, start
from engine.army_ants.rules.steps import step

__all__ = ["agree_draw", "apply", "attacks", "leave", "legal_actions", "play", "queen_attacks", "start", "step"]
