"""Print the part of requirements.lock that the service needs, without developers' tools, for the Docker image.

Its arguments are further extras, such as `video`. Run it in an environment with the whole lock installed; hashes and
versions are those of the lock.
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"


def needed(name: str, extras: frozenset[str] = frozenset()) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the requirements of a package on this machine, with the extras of each."""
    for line in requires(name) or ():
        one = Requirement(line)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            yield canonicalize_name(one.name), frozenset(one.extras)


def closure(name: str, extras: frozenset[str]) -> set[str]:
    """Return the names of all packages that a package needs, directly or indirectly."""
    seen, waiting = set[tuple[str, frozenset[str]]](), [(name, extras)]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += needed(*one)
    return {found for found, _ in seen} - {name}


def blocks(lock: str) -> dict[str, str]:
    """Return the lines of each package, with its hashes, by name."""
    found = re.split(r"^(?=\S)", lock, flags=re.MULTILINE)
    return {canonicalize_name(re.split(r"[=\[ ]", one, maxsplit=1)[0]): one for one in found if "==" in one}


if __name__ == "__main__":
    lines = blocks(LOCK.read_text())
    sys.stdout.write("".join(lines[name] for name in sorted(closure("atta", frozenset({"server", *sys.argv[1:]})))))
