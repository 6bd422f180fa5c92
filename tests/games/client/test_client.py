"""The client for Python programs: against a real site, and installed without the service."""

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from games.client import Client, ClientError
from games.client.bots import Bot
from games.models import Game, Player
from games.models import Upload as StoredUpload
from tests.conftest import Worker
from tests.factories import BROKEN, duels, record
from tests.games.uploads.unpacking.bombs import zipped
from tests.tiers import LONG

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs/guide/client.md").read_text()
EVENING = b"\n".join([*duels(2), BROKEN])


@pytest.fixture
def token(alice: User) -> str:
    return str(AuthToken.objects.create(alice)[1])


def test_client_uploads_waits_and_reads_the_report(live: str, worker: Worker, token: str) -> None:
    with Client(live, token) as client:
        upload = client.wait(client.upload(EVENING, private=True))
        rejected = [(one.index, one.code, one.fault_line) for one in client.report(upload, "rejected")]
        assert (upload.state, upload.progress.verified, upload.progress.rejected) == ("done", 2, 1)
        assert rejected == [(3, "ATTA-MOVE-1", 29)]
        assert [one.verdict for one in client.report(upload.id)] == ["verified", "verified", "rejected"]
        assert [(one.id, one.page) for one in client.uploads()] == [(upload.id, upload.page)]
    assert StoredUpload.objects.get().private


def test_client_reads_the_report_in_the_order_of_the_files(live: str, worker: Worker, token: str) -> None:
    one, other = duels(2)
    with Client(live, token) as client:
        upload = client.wait(client.upload(zipped([("march.agn", one), ("april.agn", other)])))
        assert [one.file for one in client.report(upload)] == ["march.agn", "april.agn"]
        assert [one.file for one in client.report(upload, sort="file")] == ["april.agn", "march.agn"]


def test_client_corrects_a_rejected_record(live: str, worker: Worker, token: str) -> None:
    with Client(live, token) as client:
        upload = client.wait(client.upload(EVENING))
        with pytest.raises(ClientError, match="has already moved this turn"):
            client.correct(upload, 3, BROKEN)
        correction = client.wait(client.correct(upload, 3, record()))
        assert client.get(upload).progress.corrected == 1
        (rejected,) = client.report(upload, "rejected")
        (corrected,) = client.report(correction)
        assert rejected.correction == f"{live}/api/v1/uploads/{correction.id}/logs/1"
        assert corrected.correction_of == f"{live}/api/v1/uploads/{upload.id}/logs/3"


def test_client_removes_rejected_records(live: str, worker: Worker, token: str) -> None:
    with Client(live, token) as client:
        upload = client.wait(client.upload(EVENING))
        assert client.remove_rejected(upload) == 1
        progress = client.get(upload).progress
        assert (progress.total, progress.rejected, progress.removed) == (2, 0, 1)
        assert client.restore_removed(upload) == 1
        assert client.get(upload).progress.rejected == 1


def test_client_sends_one_player_in_two_forms(live: str, worker: Worker, token: str) -> None:
    one, other = duels(2)
    typed = (one.replace(b"Ada", "Jos\u00e9".encode()), other.replace(b"Ada", "Jose\u0301".encode()))
    with Client(live, token) as client:
        upload = client.wait(client.upload(b"\n".join(typed)))
        assert upload.progress.verified == 2
    assert Player.objects.get(name="Jos\u00e9").seatings.count() == 2
    assert Player.objects.count() == 2


def test_client_imports_a_study_and_reads_it_back(live: str, token: str) -> None:
    with Client(live, token) as client:
        page = client.import_study(next(duels(1)), title="A duel", visibility="unlisted")
        study = client.study(page.rstrip("/").rpartition("/")[2], "agn")
        with pytest.raises(ClientError, match="is not an action of Atta Ants"):
            client.import_study(next(duels(1)).replace(b"R1:N", b"R9:N"))
    assert b'[Study "A duel"]' in study


@pytest.mark.full
def test_client_checks_a_file_without_publishing_it(live: str, worker: Worker, token: str, tmp_path: Path) -> None:
    path = tmp_path / "evening.agn"
    path.write_bytes(EVENING)
    with Client(live, token) as client:
        upload = client.wait(client.upload(path, check_only=True))
    assert (upload.filename, upload.progress.rejected) == ("evening.agn", 1)
    assert not Game.objects.exists()


def test_client_says_why_the_site_refuses_a_file(live: str, token: str) -> None:
    with Client(live, "wrong") as client, pytest.raises(ClientError, match="Invalid token"):
        client.upload(EVENING)
    with Client(live, token) as client, pytest.raises(ClientError, match="There is nothing at this address"):
        client.get("00000000-0000-0000-0000-000000000000")
    with Client(live, token) as client, pytest.raises(ClientError, match="There is nothing at this address"):
        client.get("no such/upload…")


@pytest.mark.parametrize("of", [Client, Bot])
@pytest.mark.parametrize(
    ("server", "token", "message"),
    [
        ("https://[", "abc", "'https://[' is no address of a site."),
        ("https://atta.example:99999", "abc", "'https://atta.example:99999' is no address of a site."),
        ("https://atta example", "abc", "'https://atta example' is no address of a site."),
        (f"{'a' * 64}.example", "abc", f"'{'a' * 64}.example' is no address of a site."),
        ("http://atta.example", "abc", "The token is sent only over https://, unless the site is on this machine."),
        ("https://atta.example", "", "The token is empty, or has characters that no token has."),
        ("https://atta.example", "abc\r\nX: y", "The token is empty, or has characters that no token has."),
        ("https://atta.example", "abc…", "The token is empty, or has characters that no token has."),
    ],
)
def test_clients_refuse_addresses_and_tokens_to_which_no_request_can_be_sent(
    of: type[Client] | type[Bot], server: str, token: str, message: str
) -> None:
    with pytest.raises(ClientError) as refused:
        of(server, token)
    assert str(refused.value) == message


def test_package_without_extras_needs_no_framework() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == ["tqdm>=4.67"]
    names = "{'django', 'rest_framework', 'psycopg', 'celery', 'tqdm'}"
    program = f"import sys, games.client, games.client.bots, engine.verify; sys.exit(bool({names} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


@pytest.mark.skipif(not LONG, reason="builds and installs a wheel")
def test_wheel_in_a_fresh_environment_runs_the_program_of_the_guide(
    live: str, worker: Worker, token: str, tmp_path: Path
) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, f"--wheel-dir={tmp_path}", str(ROOT)], check=True)
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env/bin/python")
    [wheel] = tmp_path.glob("*.whl")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", str(wheel)], check=True)
    (tmp_path / "evening.agn").write_bytes(EVENING)
    program = GUIDE.split("```python\n")[1].split("```")[0]
    program = program.replace("https://atta.example", live).replace('os.environ["ATTA_TOKEN"]', repr(token))
    done = subprocess.run([python, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "3 ATTA-MOVE-1 Ant R1 has already moved this turn.\n"
    assert subprocess.run([python, "-c", "import django"], capture_output=True, check=False).returncode == 1
