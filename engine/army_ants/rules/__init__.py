"""What is legal in Army Ants, what an action does, and who has won. Every refusal names its rule.

Four parts: `actions` decides what is legal and plays it, `refusals` says why something is not legal, `candidates` lists
what to try, `steps` holds what can be computed from an action alone.
"""

from engine.army_ants.rules.actions import agree_draw, apply, attacks, leave, legal_actions, play, queen_attacks, start
from engine.army_ants.rules.steps import step

__all__ = ["agree_draw", "apply", "attacks", "leave", "legal_actions", "play", "queen_attacks", "start", "step"]
