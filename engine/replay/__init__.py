"""Plays a log by a ruleset: how far it is legal, its first fault, and its states if they are needed.

Five parts: `tokens` parses tokens, `playing` plays them, `values` holds the results; `bytewise` reads canonical
movetext faster, if compiled; `hidden` says what a comment hides.
"""

from engine.replay.bytewise import COMPILED
from engine.replay.hidden import hides_tokens, with_hidden
from engine.replay.playing import LEGAL_SHOWN, replay, replay_written
from engine.replay.values import Fault, Replay, fault_of

__all__ = [
    "COMPILED",
    "LEGAL_SHOWN",
    "Fault",
    "Replay",
    "fault_of",
    "hides_tokens",
    "replay",
    "replay_written",
    "with_hidden",
]
