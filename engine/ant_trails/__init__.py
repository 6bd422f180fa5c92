"""Ant Trails: two players lay trails of ants on a hexagon of cells and carry golden leaves along them to its border.

A turn is two ants and any tiles; trails never branch. The longest trail and the leaves collected make the score.
`RULES.md` holds the numbered rules that code, tests and messages cite.
"""
