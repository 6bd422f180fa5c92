"""Compares the engine with that of another commit, such as the last release, and names what became slower.

`make bench OF=against REF=v1.0` measures both in turn, each in a process of its own, on the same games: verifying them,
verifying only illegal ones, and making every position. The other commit is kept in var/bench/against, compiled if this
tree is. The exit status is 1 if something takes more than a tenth longer.
"""

import argparse
import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, Self

from bench.__main__ import machine, show
from bench.distinct import PLAYED, records
from bench.played import KEPT, SOURCES, play

HERE = Path(__file__).resolve().parents[1]
_READER = Path(__file__).with_name("tree_reader.py")
SLOWER = 1.1
"""How many times as long something may take as before."""
_PART = 5
"""Every position of one game in so many is made."""


class Task(NamedTuple):
    """Something that both trees do."""

    name: str
    what: str
    """What `tree_reader` is asked for."""
    path: Path
    games: int


class Tree:
    """The engine of a folder, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, str(_READER), str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, *words: object) -> Any:  # noqa: ANN401 (whatever is asked for)
        """Return the answer to a request. :raises SystemExit: when the engine fails."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the process has no pipes")
        print(*words, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"the engine failed at: {' '.join(map(str, words))}")
        return json.loads(answer)


def main() -> None:
    """Measure both, print the figures, and exit with 1 if something became slower."""
    chosen = _options().parse_args()
    before = checkout(chosen.ref or last_release())
    work = list(tasks(tuple(chosen.only or SOURCES), chosen.distinct))
    show(machine())
    with Tree(before) as old, Tree(HERE) as new:
        show(f"compiled modules: before {old.ask('modules')}, now {new.ask('modules')}")
        differ = [task.name for task in work if task.what == "verify" and len(_verdicts(task, old, new)) > 1]
        times = compare(work, old, new, chosen.rounds)
    show(f"{'':<28}{'before':>10}{'now':>10}   µs of CPU a game")
    for task in work:
        show(row(task, times[task.name]))
    if differ:
        show(f"The verdicts differ: {', '.join(differ)}")
    if slow := slower(times):
        raise SystemExit(f"Slower by more than {SLOWER - 1:.0%}: {', '.join(slow)}")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="python -m bench.against", description=__doc__)
    options.add_argument("--ref", help="the commit to compare with; without it the last release")
    options.add_argument("--only", choices=tuple(SOURCES), action="append", help="rulesets")
    options.add_argument("--rounds", type=int, default=9, help="how often each is measured")
    options.add_argument("--distinct", type=int, default=400, help="games of each kind")
    return options


def last_release() -> str:
    """Return the name of the last release. :raises SystemExit: when there is none."""
    found = _git("describe", "--tags", "--abbrev=0")
    if found.returncode:
        raise SystemExit("No release has a tag here: name a commit, as in `make bench OF=against REF=HEAD~10`.")
    return found.stdout.decode().strip()


def checkout(ref: str) -> Path:
    """Return a folder with the engine of a commit, compiled if that of this tree is. :raises SystemExit:"""
    found = _git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    if found.returncode:
        raise SystemExit(f"There is no commit {ref!r} here.")
    commit = found.stdout.decode().strip()
    compiled = any((HERE / "engine").rglob("*.so"))
    folder = KEPT / "against" / f"{commit}{'-compiled' if compiled else ''}"
    if not folder.exists():
        beside = folder.with_suffix(".part")
        archive = io.BytesIO(_git("archive", commit, "engine", ".ci").stdout)
        with tarfile.open(fileobj=archive) as files:
            files.extractall(beside, filter="data")
        if compiled:
            subprocess.run([sys.executable, ".ci/compile.py"], cwd=beside, check=True)
        beside.replace(folder)
    return folder


def _git(*words: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(["git", *words], cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)


def tasks(slugs: Sequence[str], games: int) -> Iterator[Task]:
    """Yield what both do, with the files that it needs: the same games every time."""
    folder = KEPT / "against"
    folder.mkdir(parents=True, exist_ok=True)
    for slug in slugs:
        made = records(slug, play({slug: PLAYED})[slug])
        mixed = list(islice(made, games))
        broken = list(islice((one for one in made if one.broken), games // _PART))
        legal = [one for one in mixed if not one.broken][::_PART]
        for name, what, some in (
            ("", "verify", mixed),
            (" illegal", "verify", broken),
            (" positions", "states", legal),
        ):
            path = folder / f"{slug}{name.replace(' ', '-')}.agn"
            path.write_bytes(b"\n".join([one.data for one in some]))
            yield Task(f"{slug}{name}", what, path, len(some))


def _verdicts(task: Task, *trees: Tree) -> set[str]:
    """Return the digests of the verdicts: a single one if all trees judge alike. It also warms caches."""
    return {tree.ask("verdicts", task.path) for tree in trees}


Times = Mapping[str, Sequence[tuple[float, float]]]
"""For each task, by its name, the CPU seconds before and now, a pair for each round."""


def compare(work: Sequence[Task], old: Tree, new: Tree, rounds: int) -> Times:
    """Measure both in turn, so that a busy minute slows both alike."""
    times: dict[str, list[tuple[float, float]]] = {task.name: [] for task in work}
    for number in range(rounds):
        for task in work:
            asked = (old, new) if number % 2 else (new, old)
            spent = {tree: tree.ask(task.what, task.path) for tree in asked}
            times[task.name].append((spent[old], spent[new]))
    return times


def ratio(pairs: Sequence[tuple[float, float]]) -> float:
    """Return how many times as long as before something takes: the median of all rounds."""
    return median([now / before for before, now in pairs])


def slower(times: Times) -> list[str]:
    """Return the names of what became slower."""
    return [name for name, pairs in times.items() if ratio(pairs) > SLOWER]


def row(task: Task, pairs: Sequence[tuple[float, float]]) -> str:
    """Return the figures of a task as a line."""
    before, now = (median(column) / task.games * 1e6 for column in zip(*pairs, strict=True))
    return f"{task.name:<28}{before:>10.1f}{now:>10.1f}   {1 / ratio(pairs):.2f} times as fast"


if __name__ == "__main__":
    main()
