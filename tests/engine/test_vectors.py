"""The engine agrees with test vectors from an independent implementation of the specification."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import by_tier

PROJECT = Path(__file__).parents[2]
VECTORS = PROJECT.parent / "shared" / "vectors"

pytestmark = pytest.mark.skipif(not VECTORS.is_dir(), reason=f"there are no vectors beside the project, in {VECTORS}")


CASES = [("cases", 290), ("files", 100)]
ALL = [("atta-", 600), ("trails-", 140), ("army-", 200), ("files", 100)]


@pytest.mark.one_in(1)
@pytest.mark.parametrize(("files", "at_least"), by_tier(quick=CASES, long=ALL))
def test_the_engine_agrees_with_all_vectors(files: str, at_least: int) -> None:
    check = [sys.executable, str(VECTORS / "check.py"), "--only", files]
    done = subprocess.run(check, cwd=PROJECT, capture_output=True, text=True, check=False)

    agree, of = map(int, re.findall(r"(\d+) of (\d+) agree", done.stdout)[0])
    assert done.returncode == 0, done.stdout + done.stderr
    assert agree == of >= at_least


def test_the_engine_agrees_with_all_vectors_of_deals() -> None:
    check = [sys.executable, str(VECTORS / "check_dealing.py")]
    done = subprocess.run(check, cwd=PROJECT, capture_output=True, text=True, check=False)

    agree, of = map(int, re.findall(r"(\d+) of (\d+) agree", done.stdout)[0])
    assert done.returncode == 0, done.stdout + done.stderr
    assert agree == of >= 124
