"""Packages are installed with uv, from where pip is set up to look for them."""

import os
import re
import runpy
from pathlib import Path

import pytest

INSTALL = Path(__file__).parents[1] / ".ci/install.py"


def test_uv_is_told_what_pip_is_told_by_files_and_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = tmp_path / "pip.conf"
    pip.write_text(
        "[global]\nindex-url = https://one.example\nfind-links = /leaves\n    /ants\n[install]\ntimeout = 9\n"
    )
    for name in filter(re.compile("PIP_").match, list(os.environ)):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(pip))
    monkeypatch.setenv("PIP_INDEX_URL", "https://two.example")
    monkeypatch.setenv("PIP_CERT", "/cert.pem")
    told = runpy.run_path(str(INSTALL))["settings"]()
    assert told["UV_DEFAULT_INDEX"] == "https://two.example"
    assert told["UV_FIND_LINKS"] == "/leaves,/ants"
    assert told["UV_HTTP_TIMEOUT"] == "9"
    assert told["SSL_CERT_FILE"] == "/cert.pem"
