"""Which code a report is about."""

import subprocess
from datetime import UTC, datetime

from atta_site.processes import ROOT


def commit() -> str:
    """Return the commit that is checked out, and whether something was changed since."""
    changes = " with changes" if _git("status", "--porcelain", "--untracked-files=no") else ""
    return _git("rev-parse", "--short=12", "HEAD") + changes


def today() -> str:
    """Return the day and the commit, for the head of a report."""
    return f"{datetime.now(UTC):%Y-%m-%d} at commit {commit()}"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
