"""Picnic: two or three players send ants along a row of plates to eat crumbs. A small game, made up for the tests.

It stands here as it would stand in the engine; `tests/fourth_game/test_adding_a_game.py` puts it there.
`RULES.md` holds the numbered rules that code, tests and messages cite.
"""
