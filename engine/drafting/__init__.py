"""A record that somebody is writing: read as far as it goes, changed, completed, and written again in canonical form.

Five parts: `reading` finds the legal prefix and the first fault of an unfinished text, `writing` adds and takes back
actions, `completing` says which actions may have been meant, `answering` returns all of it,
`asking` does all of that for one request.
"""

from engine.drafting.answering import answer
from engine.drafting.asking import IllegalError, answer_position, answer_setup
from engine.drafting.completing import completions
from engine.drafting.reading import Draft, UnreadableError, read
from engine.drafting.writing import Change, change, compose

__all__ = [
    "Change",
    "Draft",
    "IllegalError",
    "UnreadableError",
    "answer",
    "answer_position",
    "answer_setup",
    "change",
    "completions",
    "compose",
    "read",
]
