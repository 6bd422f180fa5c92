"""`python -m tests.fuzzing records|archives|parameters|tus`: try many inputs; what fails is kept in `corpus`.

With `--atheris` (pip install atheris) the changes are guided by which lines of the code they reach.
"""

import argparse
import gc
import importlib
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice, takewhile
from pathlib import Path
from random import Random
from resource import RLIMIT_AS, RUSAGE_SELF, getpagesize, getrusage, setrlimit
from types import FunctionType
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.offline_settings")
django.setup()

from tests.fuzzing import mutating, requests, targets  # noqa: E402 - the settings come first

KINDS: dict[str, tuple[Callable[[], list[bytes]], Callable[[bytes], None]]] = {
    "records": (mutating.records, targets.check_record),
    "archives": (mutating.archives, targets.check_archive),
    "parameters": (mutating.parameters, requests.check_parameters),
    "tus": (mutating.tus, requests.check_tus),
}
_READ = (
    "atta_site.gate",
    "engine.",
    "games.api.",
    "games.ladders.reads.",
    "games.platform.",
    "games.uploads.",
    "rest_framework.",
)
"""Where inputs are read."""
_SLOW = 1.0
"""Seconds of the processor that no input may take."""
_MEMORY = 256 << 20
"""Bytes of memory that no input may take."""


def main() -> int:
    """Try inputs; return 1 if any failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--inputs", type=int, default=100_000, help="how many (default: 100,000)")
    parser.add_argument("--seconds", type=int, default=0, help="try inputs for so long instead, however many these are")
    parser.add_argument("--seed", type=int, default=1, help="draws the inputs (default: 1)")
    parser.add_argument(
        "--atheris", action="store_true", help="let atheris choose the inputs, until --seconds are over or one fails"
    )
    asked = parser.parse_args()
    if asked.atheris:
        return _by_atheris(asked.kind, asked.seconds)
    drawn = inputs(asked.kind, asked.seed)
    some = _until(time.monotonic() + asked.seconds, drawn) if asked.seconds else islice(drawn, asked.inputs)
    limit_memory()
    done = tried(asked.kind, some)
    memory = getrusage(RUSAGE_SELF).ru_maxrss >> 10
    sys.stdout.write(f"{done.count:,} {asked.kind}: {len(done.failed)} failed, the slowest took {done.slowest:.2f} s; ")
    sys.stdout.write(f"{memory} MiB of memory at most.\n")
    return int(bool(done.failed))


def limit_memory() -> None:
    """Let this process take so much more memory than it has: an input that wants more fails."""
    has = int(Path("/proc/self/statm").read_text().split()[0]) * getpagesize()
    setrlimit(RLIMIT_AS, (has + _MEMORY, has + _MEMORY))


def inputs(kind: str, seed: int) -> Iterator[bytes]:
    """Yield what once failed, and then changed inputs without end."""
    yield from mutating.kept(kind)
    seeds, random = KINDS[kind][0](), Random(f"{kind} {seed}")
    while True:
        yield mutating.mutant(seeds, random)


def _until(end: float, some: Iterable[bytes]) -> Iterator[bytes]:
    return takewhile(lambda _: time.monotonic() < end, some)


@dataclass(frozen=True, slots=True)
class Tried:
    """How many inputs were tried, the files in which those that failed are kept, and the longest time that one took."""

    count: int
    failed: list[Path]
    slowest: float


def tried(kind: str, some: Iterable[bytes]) -> Tried:
    """Try inputs, and keep those that fail."""
    failed, slowest, count = [], 0.0, 0
    for data in some:
        count += 1
        begun, problem = time.process_time(), ""
        try:
            KINDS[kind][1](data)
        except Exception:  # noqa: BLE001 - whatever it is, it is found
            problem = traceback.format_exc()
        spent = time.process_time() - begun
        slowest = max(slowest, spent)
        if problem or spent > _SLOW:
            failed.append(_keep(kind, data))
            sys.stdout.write(f"{failed[-1]}: {problem or f'{spent:.1f} s'}\n")
    return Tried(count, failed, slowest)


def _keep(kind: str, data: bytes) -> Path:
    path = mutating.CORPUS / f"{kind}-{sha256(data).hexdigest()[:16]}"
    path.write_bytes(data)
    return path


def _ours() -> list[FunctionType]:
    """Return the functions of what is fuzzed; with those of all libraries it would take minutes to begin."""
    found = (one for one in gc.get_objects() if type(one) is FunctionType)
    return [one for one in found if (one.__module__ or "").startswith(_READ)]


def _quickly(check: Callable[[bytes], None], data: bytes) -> None:
    """Check an input. :raises RuntimeError: when it took much CPU time, which counts the same on a busy machine."""
    begun = time.process_time()
    check(data)
    if (spent := time.process_time() - begun) > _SLOW:
        raise RuntimeError(f"It took {spent:.1f} s.")


def _by_atheris(kind: str, seconds: int) -> int:
    atheris: Any = importlib.import_module("atheris")
    folder = mutating.CORPUS.parents[2] / "var" / "fuzzing" / kind
    folder.mkdir(parents=True, exist_ok=True)
    for seed in KINDS[kind][0]():
        (folder / sha256(seed).hexdigest()[:16]).write_bytes(seed)
    for function in _ours():
        atheris.instrument_func(function)
    limits = [f"-artifact_prefix={mutating.CORPUS}/{kind}-", "-timeout=120", "-rss_limit_mb=1024"]
    limits += [f"-max_total_time={seconds}"] if seconds else []
    atheris.Setup([sys.argv[0], str(folder), *limits], partial(_quickly, KINDS[kind][1]))
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
