"""The score sheet: a game that is played around a table, written down as it goes."""
