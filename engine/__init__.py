"""Rules, records and ratings of ant games, as values and pure functions.

Nothing here uses Django, a clock, a network or randomness of its own. The parts depend on each other in one direction:
``verify -> registry -> (one folder a game) -> replay -> (agn | rating | scene) -> ruleset``.
"""
