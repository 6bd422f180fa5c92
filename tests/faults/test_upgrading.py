"""An upgrade without downtime: old code and new code work over one database, and going back needs no backup."""

from pathlib import Path

import pytest

from tests.faults.parcels import parcels
from tests.faults.upgrading import Upgrade, commit_with, prepared
from tests.games import old_code
from tests.tiers import by_tier

FILES = by_tier(quick=1, long=5)
"""Uploaded to each version in each step."""


@pytest.mark.full
def test_old_and_new_code_run_side_by_side_through_every_migration(tmp_path: Path) -> None:
    commit = commit_with(old_code.oldest())
    if not commit:
        pytest.skip("the repository's history is not here: the old code cannot be taken from it")
    with prepared(tmp_path / "upgrade", commit, parcels(5, 400, most=20)) as upgrade:
        _go_through(upgrade)
        assert {one["status"] for one in upgrade.answers()} == {202}
        assert upgrade.refused == []
        assert upgrade.old.troubles() + upgrade.new.troubles() == []


def _go_through(upgrade: Upgrade) -> None:
    """Take the old version to the new one and back, while clients upload to what runs."""
    old, new = upgrade.old, upgrade.new
    upgrade.begin()
    before = upgrade.migrations()
    upgrade.use(old, files=FILES)
    upgrade.migrate()
    assert before[-1] == old_code.oldest()
    assert upgrade.migrations() == list(old_code.broken_by())
    upgrade.use(old, files=FILES)
    new.start()
    upgrade.use(old, new, files=FILES)
    old.stop()
    upgrade.use(new, files=FILES)
    assert upgrade.flaws(new) == []
    _go_back(upgrade)


def _go_back(upgrade: Upgrade) -> None:
    upgrade.old.start()
    upgrade.use(upgrade.old, upgrade.new, files=FILES)
    upgrade.new.stop()
    upgrade.use(upgrade.old, files=FILES)
    assert upgrade.flaws(upgrade.old) == []
    upgrade.new.manage("fsck")
