"""`python -m tests.faults.planting`: plant known bugs one at a time, and see that the tests named for them fail.

Each file in `planted` is a patch: a sentence that says what is wrong with it, the tests that must fail, and the change.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from atta_site.processes import ROOT
from tests.revision import today

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


def main(arguments: Sequence[str]) -> int:
    """Run the tests without any bug, then with one at a time; return 1 if a bug is not noticed."""
    asked = _asked(arguments)
    planted = bugs(asked.names)
    with _scratch() as folder:
        if _status(folder, [test for bug in planted for test in bug.tests]):
            _say("Without any bug, the tests fail already:")
            _say(_output(folder))
            return 1
        _say(f"Without any bug, the tests of {len(planted)} bugs pass.")
        failed = {bug: _failing_test(folder, bug) for bug in planted}
    missed = [bug for bug, test in failed.items() if not test]
    _say(f"{len(planted) - len(missed)} of {len(planted)} bugs were noticed.")
    if asked.report:
        asked.report.write_text(_report(failed))
    return int(bool(missed))


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.planting", description=main.__doc__)
    parser.add_argument("names", nargs="*", help="some bugs (default: all)")
    parser.add_argument("--report", type=Path, help="the file to write the report to")
    return parser.parse_args(arguments)


def _failing_test(folder: Path, bug: Bug) -> str:
    """Return the test that fails with a bug; nothing if none does."""
    begun = time.monotonic()
    bug.apply(folder)
    is_noticed = _status(folder, bug.tests) == _FAILED
    bug.apply(folder, "--reverse")
    (test, *_) = re.findall(r"^FAILED (.+?)(?: - .*)?$", _output(folder), re.MULTILINE) if is_noticed else [""]
    said = "noticed" if is_noticed else "MISSED"
    _say(f"{said:8} {time.monotonic() - begun:4.0f} s  {bug.patch.stem}: {bug.text} {test}")
    if not is_noticed:
        _say(_output(folder))
    return test


def _report(failed: Mapping[Bug, str]) -> str:
    rows = [f"| {bug.text} | {f'`{test}`' if test else '**none**'} |" for bug, test in failed.items()]
    noticed = sum(map(bool, failed.values()))
    head = [
        "# Planted bugs",
        "",
        f"Written by `make planted` on {today()}. [Tests](../../docs/contributing/tests.md) says what it does.",
        "",
        f"Without any bug, all tests passed. With one bug at a time, {noticed} of {len(failed)} were noticed.",
        "",
        "| bug | the test that failed |",
        "| --- | --- |",
    ]
    return "\n".join([*head, *rows]) + "\n"


@contextmanager
def _scratch() -> Iterator[Path]:
    """Yield a copy of what is committed."""
    with tempfile.TemporaryDirectory(prefix="atta-planted-", ignore_cleanup_errors=True) as name:
        folder = Path(name) / "atta"
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], check=True)
        add_what_is_made(folder)
        yield folder


def add_what_is_made(folder: Path) -> None:
    """Copy to another checkout what `make setup` made in this one."""
    for part in ("atta_site", "engine", "games", "tests"):
        for made in (path for pattern in _MADE for path in (ROOT / part).glob(pattern)):
            _copy(made, folder)


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
