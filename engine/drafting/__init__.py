"""A record that somebody is writing: read as far as it goes, changed, completed, and written again in canonical form.

Four parts: `reading` finds the legal prefix and the first fault of an unfinished text, `writing` adds and takes back
actions, `completing` says which actions may have been meant, `answering` returns all of it.
"""

from engine.drafting.answering import answer
from engine.drafting.completing import completions
from engine.drafting.reading import Draft, UnreadableError, read
from engine.drafting.writing import Change, change, compose

__all__ = ["Change", "Draft", "UnreadableError", "answer", "change", "completions", "compose", "read"]
