"""Measures the CPU time and the memory of processes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu(process: int) -> float:
    """Return the CPU time of a process and all its children, in seconds."""
    try:
        whole = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):  # it has just ended: its time is now part of its parent's
        return 0.0
    return sum(map(int, whole[11:15])) / _TICKS + sum(map(cpu, _children(process)))


def peak(process: int) -> float:
    """Return the peak memory of a process or any of its children since `forget_peak`, in MiB."""
    return max((_peak(one) for one in family(process)), default=0.0)


def forget_peak(process: int) -> None:
    """Reset the peak."""
    for one in family(process):
        with suppress(OSError):
            Path(f"/proc/{one}/clear_refs").write_text("5")


def family(process: int) -> Iterator[int]:
    """Yield a process and all below it."""
    yield process
    for child in _children(process):
        yield from family(child)


def _children(process: int) -> list[int]:
    with suppress(FileNotFoundError, ProcessLookupError):
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return []


def _peak(process: int) -> float:
    with suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0
