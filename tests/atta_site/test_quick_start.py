"""The quick start of the guide to the API works as it is pasted."""

import os
import re
import subprocess
from html import unescape
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from tests.conftest import Worker


@pytest.mark.full
def test_what_is_pasted_into_a_shell_prints_a_report(worker: Worker, live: str, alice: User, tmp_path: Path) -> None:
    page = urlopen(f"{live}/api/").read().decode()
    found = re.search(r"data-quick-start><code>(.*?)</code>", page, re.DOTALL)
    assert found
    _, token = AuthToken.objects.create(alice)
    shell = unescape(found[1]).replace("TOKEN=…", f"TOKEN={token}").replace("http://testserver", live)

    done = subprocess.run(
        ["bash", "-c", shell],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )

    assert '"code": "AGN-TAG-2"' in done.stdout, done
    assert '"end"' in done.stdout.splitlines()[-1]
