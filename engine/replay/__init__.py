"""A log played through a ruleset: how far it is legal, its first fault, and its states where somebody asks for them.

Three parts: `tokens` is what a log's words say, `playing` plays them, `values` is what comes of it.
"""

from engine.replay.playing import LEGAL_SHOWN, replay
from engine.replay.values import Fault, Replay, fault_of

__all__ = ["LEGAL_SHOWN", "Fault", "Replay", "fault_of", "replay"]
