"""Every machine collects its own static files, and one that cannot reports it."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from atta_site import statics
from tests.conftest import of_this_run
from tests.sites import web


@pytest.mark.full
def test_second_machine_with_an_empty_folder_serves_complete_pages(transactional_db: None, tmp_path: Path) -> None:
    environment = of_this_run() | {"STATIC_ROOT": str(tmp_path / "other" / "static")}
    with web(tmp_path, environment) as second:
        page = second.ask("/")
        assert page.status == 200
        styles = re.findall(r'href="(/static/[^"]*\.css)"', page.body.decode())
        assert [second.ask(style).status for style in styles] == [200] * len(styles)
        assert styles
        assert json.loads(second.ask("/health/ready").body) == {"database": "reachable", "static_files": "ready"}


@pytest.mark.full
def test_machine_without_static_files_reports_not_ready_and_shows_an_error_page(
    transactional_db: None, tmp_path: Path
) -> None:
    with web(tmp_path, of_this_run() | {"STATIC_ROOT": "/dev/null/static"}) as broken:
        ready = broken.ask("/health/ready")
        assert ready.status == broken.ask("/health").status == 503
        assert "no manifest: run `manage.py prepare`" in json.loads(ready.body)["static_files"]
        assert b"/dev/null" not in ready.body + broken.ask("/health").body
        assert '"folder": "/dev/null/static"' in next(tmp_path.glob("*.log")).read_text()
        page = broken.ask("/", Accept_Language="de")
        assert page.status == 500
        assert "Auf unserer Seite ist ein Fehler aufgetreten" in page.body.decode()
        assert broken.ask("/health/live").status == broken.ask("/api/v1/games").status == 200


@pytest.mark.full
def test_current_static_files_are_kept_and_outdated_ones_collected_again(
    static_files: None, settings: Any, tmp_path: Path
) -> None:
    root = shutil.copytree(settings.STATIC_ROOT, tmp_path / "static")
    made = (root / "staticfiles.json").stat().st_mtime_ns
    settings.STATIC_ROOT = root
    statics.ensure()
    assert (root / "staticfiles.json").stat().st_mtime_ns == made
    (root / "sources.sha256").write_text("of an older version")
    statics.ensure()
    assert (root / "staticfiles.json").stat().st_mtime_ns > made
