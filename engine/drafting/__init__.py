"""A record in the making: it is read as far as it goes, changed, completed, and written in canonical form.

Five parts: `reading` finds the legal prefix and the first fault of an unfinished text, `writing` adds and takes back
actions, `completing` guesses which actions were meant, `answering` builds the JSON answer, `asking` handles a whole
request.
"""

from engine.drafting.answering import MOST_TOKENS, answer
from engine.drafting.asking import IllegalError, answer_position, answer_setup
from engine.drafting.completing import completions
from engine.drafting.reading import Draft, UnreadableError, read
from engine.drafting.writing import Change, change, compose

__all__ = [
    "MOST_TOKENS",
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
