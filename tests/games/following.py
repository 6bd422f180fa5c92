"""Trace one request or task through the app: the files and functions it passes."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
_APP = f"{ROOT / 'games'}/"
_BESIDE = tuple(f"{_APP}{name}" for name in ("models/", "packing.py", "zstd.py", "platform/counted.py"))
"""The schema, and what counts each request on its way in: not on the way of a page or an upload."""


@dataclass(frozen=True, slots=True)
class Way:
    """The calls in the app, in order, each function with its file."""

    stops: tuple[tuple[str, str], ...]
    calls: frozenset[tuple[str, str]]
    """The functions called from another file."""

    @property
    def files(self) -> frozenset[str]:
        """Return the files that were used."""
        return frozenset(file for file, _ in self.stops)

    @property
    def turns(self) -> int:
        """Return how often a reader has to switch files."""
        return sum(one[0] != other[0] for one, other in zip(self.stops, self.stops[1:], strict=False))

    def __add__(self, onward: "Way") -> "Way":
        return Way(self.stops + onward.stops, self.calls | onward.calls)

    def __str__(self) -> str:
        return f"{len(self.files)} files, {len(self.calls)} functions called from another file, {self.turns} turns"


def follow(work: Callable[[], object]) -> Way:
    """Do some work and return its trace."""
    stops, calls = list[tuple[str, str]](), set[tuple[str, str]]()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (stop := _stop(frame)):
            stops.append(stop)
            if _file_before(frame) != stop[0]:
                calls.add(stop)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return Way(tuple(stops), frozenset(calls))


def _stop(frame: FrameType) -> tuple[str, str] | None:
    file, name = frame.f_code.co_filename, frame.f_code.co_qualname
    if not file.startswith(_APP) or name.endswith(">") or file.startswith(_BESIDE):
        return None
    return file.removeprefix(_APP), name


def _file_before(frame: FrameType) -> str:
    """Return the app file from which a function was called, possibly through a library."""
    caller = frame.f_back
    while caller and not caller.f_code.co_filename.startswith(_APP):
        caller = caller.f_back
    return caller.f_code.co_filename.removeprefix(_APP) if caller else ""
