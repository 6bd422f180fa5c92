"""The description serves generated clients: upload, follow, report. In the long tier such clients do that."""

import json
import shutil
import subprocess
import venv
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken

from games.models import Upload
from tests.conftest import Worker
from tests.factories import BROKEN, duels
from tests.tiers import LONG

pytestmark = pytest.mark.django_db(transaction=True)
HERE = Path(__file__).parent / "generated"
EVENING = b"\n".join([*duels(2), BROKEN])
MAIN_JOB = {
    "post_uploads": "multipart/form-data",
    "get_upload": "application/json",
    "get_upload_report": "application/json",
    "get_account_uploads": "application/json",
    "put_player_following": "application/json",
    "get_account_following": "application/json",
}
"""Operations, and a media type that generators understand: of the body of the first, of the answers of the others."""
long = pytest.mark.skipif(not LONG, reason="installs a generator")


@pytest.fixture
def described(client: Client) -> dict[str, Any]:
    schema: dict[str, Any] = client.get("/api/v1/schema/?format=json").json()
    return schema


def operations(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["operationId"]: one for path in described["paths"].values() for one in path.values()}


def test_main_job_is_described_with_bodies_that_generators_understand(described: dict[str, Any]) -> None:
    by_name = operations(described)
    upload = by_name.pop("post_uploads")["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert upload["properties"]["file"] == {"type": "string", "format": "binary"}
    answers = {name: by_name[name]["responses"]["200"]["content"] for name in MAIN_JOB if name in by_name}
    assert {name: MAIN_JOB[name] in content for name, content in answers.items()} == dict.fromkeys(answers, True)
    assert [name for name, content in answers.items() if "$ref" not in content["application/json"]["schema"]] == []


def test_an_option_with_a_default_is_described_in_one_place_only(described: dict[str, Any]) -> None:
    """Generated clients send defaults; an option in the address and in the form would be refused."""
    upload = operations(described)["post_uploads"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert [name for name, option in upload["properties"].items() if "default" in option] == []


@long
def test_python_client_made_by_openapi_python_client_does_the_main_job(
    live: str, worker: Worker, alice: User, described: dict[str, Any], tmp_path: Path
) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env/bin/python")
    subprocess.run([python, "-m", "pip", "install", "-q", "openapi-python-client==0.29.1"], check=True)
    (tmp_path / "schema.json").write_text(json.dumps(described))
    make = [str(tmp_path / "env/bin/openapi-python-client"), "generate", "--path", "schema.json", "--meta", "none"]
    subprocess.run([*make, "--output-path", "atta_api"], cwd=tmp_path, check=True, capture_output=True)
    shutil.copy(HERE / "main_job.py", tmp_path)
    assert run([python, "main_job.py"], live, alice, tmp_path) == "done 2 verified 1 rejected ATTA-MOVE-1 1 upload"
    assert Upload.objects.get().uploader == alice


@long
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_typescript_types_by_openapi_typescript_and_tus_js_client_do_the_main_job(
    live: str, worker: Worker, alice: User, described: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(described))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    packages = ("openapi-typescript@7", "openapi-fetch@0.17", "tus-js-client@4", "typescript@5", "@types/node@20")
    subprocess.run(["npm", "install", "--silent", *packages], cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(["npx", "openapi-typescript", "schema.json", "-o", "api.d.ts"], cwd=tmp_path, check=True)
    shutil.copy(HERE / "main_job.ts", tmp_path)
    compile_it = ["npx", "tsc", "main_job.ts", "--strict", "--skipLibCheck", "--target", "es2022"]
    subprocess.run([*compile_it, "--module", "nodenext", "--moduleResolution", "nodenext"], cwd=tmp_path, check=True)
    assert run(["node", "main_job.js"], live, alice, tmp_path) == "done 2 verified 1 rejected ATTA-MOVE-1 1 upload"


@long
def test_tuspy_uploads_in_pieces(live: str, worker: Worker, alice: User, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env/bin/python")
    subprocess.run([python, "-m", "pip", "install", "-q", "tuspy==1.1.0"], check=True)
    shutil.copy(HERE / "by_tuspy.py", tmp_path)
    assert run([python, "by_tuspy.py"], live, alice, tmp_path) == "all bytes sent"
    assert Upload.objects.get().filename == "evening.agn"


def run(command: list[str], live: str, account: User, folder: Path) -> str:
    """Run a program beside a file of three games, with the site and a token; return what it prints."""
    (folder / "evening.agn").write_bytes(EVENING)
    given = {"ATTA_SERVER": live, "ATTA_TOKEN": str(AuthToken.objects.create(account)[1]), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
