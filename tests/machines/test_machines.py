"""A site on several machines loses links and machines one after another: nothing is lost, and readers are served."""

import os
from pathlib import Path

import pytest

from tests.machines import network
from tests.machines.__main__ import missing
from tests.tiers import LONG


@pytest.mark.full
@pytest.mark.skipif(not LONG, reason="takes ten minutes: in the long tier")
def test_no_link_and_no_machine_is_needed_to_lose_nothing_and_serve_readers(tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    done = network.apart("tests.machines", ["--keep", str(tmp_path)], capture_output=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-4000:]


def test_drill_says_why_it_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert missing() == "only root can make network namespaces"
