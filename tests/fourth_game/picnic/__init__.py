"""Picnic: two or three players send ants along a row of plates to eat crumbs. A small game, made up for the tests.

It is written as it would be in the engine; `tests/fourth_game/test_adding_a_game.py` copies it there.
`RULES.md` holds the numbered rules that code, tests and messages cite.
"""
