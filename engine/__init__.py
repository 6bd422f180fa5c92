"""Rules, records and ratings of ant games, as values and pure functions.

Nothing in here knows Django, a clock, a network or chance. The parts depend on each other in one direction:
``verify -> registry -> (one folder a game) -> replay -> (agn | rating | scene) -> ruleset``.
"""
