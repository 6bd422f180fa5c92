"""`python -m tests.faults.planting`: plant known bugs one at a time, and see that the tests named for them fail.

Each file in `planted` is a patch: a sentence that says what is wrong with it, the tests that must fail, and the change.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from atta_site.processes import ROOT

PLANTED = Path(__file__).parent / "planted"
_MADE = ("**/LC_MESSAGES/django.mo", "static/games/engine/engine.zip")
"""What `make setup` made and git does not know."""
_FAILED = 1
"""Pytest's status when tests failed; others mean that it could not run them."""


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug, and the tests that must fail with it."""

    patch: Path

    @property
    def text(self) -> str:
        """Return what is wrong."""
        return self.patch.read_text().partition("\n")[0]

    @property
    def tests(self) -> list[str]:
        """Return the ids of the tests."""
        return re.findall(r"^Test: (\S+)$", self.patch.read_text(), re.MULTILINE)

    def apply(self, folder: Path, *options: str) -> None:
        """Change the code in a folder. :raises CalledProcessError: when the patch does not fit any more."""
        command = ["git", "apply", *options, str(self.patch)]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)


def bugs(names: Iterable[str] = ()) -> list[Bug]:
    """Return all bugs, or those with these names."""
    wanted = set(names)
    found = [Bug(path) for path in sorted(PLANTED.glob("*.patch")) if not wanted or path.stem in wanted]
    if unknown := wanted - {bug.patch.stem for bug in found}:
        raise SystemExit(f"There is no planted bug {', '.join(sorted(unknown))}.")
    return found


def main(names: Iterable[str]) -> int:
    """Run the tests without any bug, then with one at a time; return 1 if a bug is not noticed."""
    planted = bugs(names)
    with _scratch() as folder:
        if _status(folder, [test for bug in planted for test in bug.tests]):
            _say("Without any bug, the tests fail already:")
            _say(_output(folder))
            return 1
        _say(f"Without any bug, the tests of {len(planted)} bugs pass.")
        missed = [bug for bug in planted if not _is_noticed(folder, bug)]
    _say(f"{len(planted) - len(missed)} of {len(planted)} bugs were noticed.")
    return int(bool(missed))


def _is_noticed(folder: Path, bug: Bug) -> bool:
    begun = time.monotonic()
    bug.apply(folder)
    is_noticed = _status(folder, bug.tests) == _FAILED
    bug.apply(folder, "--reverse")
    said = "noticed" if is_noticed else "MISSED"
    _say(f"{said:8} {time.monotonic() - begun:4.0f} s  {bug.patch.stem}: {bug.text}")
    if not is_noticed:
        _say(_output(folder))
    return is_noticed


@contextmanager
def _scratch() -> Iterator[Path]:
    """Yield a copy of what is committed."""
    with tempfile.TemporaryDirectory(prefix="atta-planted-", ignore_cleanup_errors=True) as name:
        folder = Path(name) / "atta"
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], check=True)
        for part in ("atta_site", "engine", "games", "tests"):
            for made in (path for pattern in _MADE for path in (ROOT / part).glob(pattern)):
                _copy(made, folder)
        yield folder


def _copy(made: Path, folder: Path) -> None:
    there = folder / made.relative_to(ROOT)
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(made, there)


def _status(folder: Path, tests: list[str]) -> int:
    """Return the status of pytest, which keeps its database beside that of other runs."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-x", "-o", f"cache_dir={ROOT / '.pytest_cache'}", *tests]
    with (folder.parent / "output").open("wb") as output:
        return subprocess.run(command, cwd=folder, stdout=output, stderr=output, check=False).returncode


def _output(folder: Path) -> str:
    return (folder.parent / "output").read_text(errors="replace")[-3000:]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
