"""A log played through a ruleset: how far it is legal, its first fault, and its states where somebody asks for them.

Four parts: `tokens` is what a log's words say, `playing` plays them, `values` is what comes of it; `bytewise` reads
what is written canonically, more quickly where it is compiled.
"""

from engine.replay.bytewise import COMPILED
from engine.replay.playing import LEGAL_SHOWN, replay, replay_written
from engine.replay.values import Fault, Replay, fault_of

__all__ = ["COMPILED", "LEGAL_SHOWN", "Fault", "Replay", "fault_of", "replay", "replay_written"]
