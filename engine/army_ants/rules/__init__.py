"""What is legal in Army Ants, what an action does, and who has won. Every refusal names its rule.

Three parts: `actions` does what is legal, `refusals` says why something is not, `candidates` is what could be tried.
"""

from engine.army_ants.rules.actions import agree_draw, apply, leave, legal_actions, start

__all__ = ["agree_draw", "apply", "leave", "legal_actions", "start"]
