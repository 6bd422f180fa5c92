"""Army Ants: two colonies of army ants, cards on a grid, hunt each other's queen.

Each colony first puts its cards in order on its own side, then they fight: cards swap, march, move out and
attack, and a higher card takes a lower one. `RULES.md` holds the numbered rules that code, tests and messages cite.
"""
