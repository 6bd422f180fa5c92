"""Atta Ants: two to four colonies of leafcutter ants carry leaves to one nest, and spiders hunt them.

Each round a card is laid, the colonies move their ants, and the spiders move. A leaf brought home is a new
ant; six ants in play end the game. `RULES.md` holds the numbered rules that code, tests and messages cite.
"""
