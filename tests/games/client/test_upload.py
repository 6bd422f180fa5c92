"""`atta upload`, with a real site and a real worker."""

import gzip
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from games.client import sending
from games.client.site import ClientError, Site
from games.clubs import running
from games.command_line import main
from games.models import Archive, Game, Upload
from games.uploads.origin import UploadOptions
from tests.conftest import Worker
from tests.factories import BROKEN, duels, record
from tests.games.test_days_of_play import file_of
from tests.games.test_upload_options import CHOSEN, WORDS, let_choose, wished

pytestmark = pytest.mark.django_db(transaction=True)
PROGRAM = [sys.executable, "-c", "import sys; from games.command_line import main; sys.exit(main())"]


@dataclass
class Atta:
    """The program, run with a token."""

    home: Path
    env: dict[str, str] = field(default_factory=dict)

    def __call__(self, *words: str, stdin: bytes = b"", **env: str) -> "subprocess.CompletedProcess[str]":
        """Call it in this process, which takes no second to start."""
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name, value in ({"HOME": str(self.home)} | self.env | env).items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["atta", *words])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            status = main()
        return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())

    def process(self, *words: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[str]":
        """Run it as a separate program."""
        inherited = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        done = subprocess.run(
            [*PROGRAM, *words],
            env=inherited | {"HOME": str(self.home)} | self.env,
            cwd=Path(__file__).parents[3],
            input=stdin,
            capture_output=True,
            timeout=90,
            check=False,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def token(alice: User) -> str:
    return str(AuthToken.objects.create(alice)[1])


@pytest.fixture
def atta(live: str, token: str, tmp_path: Path) -> Atta:
    return Atta(tmp_path, {"ATTA_SERVER": live, "ATTA_TOKEN": token})


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Two duels and a broken game."""
    path = tmp_path / "evening.agn"
    path.write_bytes(b"\n".join([*duels(2), BROKEN]))
    return path


def test_upload_prints_the_url_of_the_results(atta: Atta, evening: Path, alice: User) -> None:
    done = atta.process("upload", str(evening), "--training")

    upload = Upload.objects.get()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{evening}: uploaded  {atta.env['ATTA_SERVER']}/uploads/{upload.pk}/\n"
    assert (upload.uploader, upload.filename, upload.scored, upload.via) == (alice, "evening.agn", False, "api")


@pytest.mark.full
def test_upload_waits_for_verdicts_and_writes_the_report(
    atta: Atta, evening: Path, worker: Worker, tmp_path: Path
) -> None:
    report = tmp_path / "report.ndjson"

    done = atta("upload", str(evening), "--private", "--report", str(report))

    assert done.returncode == 1, done.stderr
    assert f"{evening}: 3 games: 2 verified, 1 rejected  {atta.env['ATTA_SERVER']}/uploads/" in done.stdout
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert [line["verdict"] for line in lines] == ["verified", "verified", "rejected"]
    assert lines[2]["code"] == "ATTA-MOVE-1"
    assert Upload.objects.get().private


def test_upload_says_which_facts_it_corrected_and_warns_of_dates_that_run_backwards(
    atta: Atta, worker: Worker, alice: User, now: datetime, tmp_path: Path
) -> None:
    running.found(slug="hall", name="Hall", meets="", main_ruleset="", by=alice, now=now)
    first, second = (tmp_path / name for name in ("first.agn", "second.agn"))
    first.write_bytes(file_of("2025.05.09", "2025.05.16"))
    second.write_bytes(file_of("2026.05.09", "2025.05.16"))
    assert atta("upload", str(first), "--club", "hall", "--wait").stdout.count("\n") == 1
    said = atta("upload", str(second), "--club", "hall", "--wait").stdout
    assert f"{second}:1: Date corrected: 2025-05-09 → 2026-05-09\n" in said
    assert f"{second}: warning: The dates run backwards: game 2 (2025-05-16) comes after game 1 (2026-05-09).\n" in said


@pytest.mark.parametrize("name", CHOSEN)
def test_every_option_of_an_upload_can_be_given(
    atta: Atta, worker: Worker, alice: User, now: datetime, name: str, tmp_path: Path
) -> None:
    let_choose(alice, now)
    (tmp_path / "duel.agn").write_bytes(record())
    assert atta("upload", str(tmp_path / "duel.agn"), *WORDS[name]).returncode == 0
    assert UploadOptions.of(Upload.objects.get()) == wished(name)


def test_dry_run_prints_faults_and_publishes_nothing(atta: Atta, evening: Path, worker: Worker, tmp_path: Path) -> None:
    packed = tmp_path / "evening.agn.gz"
    packed.write_bytes(gzip.compress(evening.read_bytes()))
    for file in (evening, packed):
        done = atta("upload", str(file), "--check", "--suggest")
        first, mending, last = done.stdout.splitlines()
        assert (done.returncode, done.stderr) == (1, "")
        assert first == f"{file}:29:18: ATTA-MOVE-1: Ant R1 has already moved this turn."
        assert mending == "    Without R1:E the whole game is legal."
        assert last.startswith(f"{file}: checked only: 3 games: 2 verified, 1 rejected  ")
    assert not Game.objects.exists()


@pytest.mark.full
def test_repeated_file_reports_the_results_of_the_first_upload(
    atta: Atta, evening: Path, worker: Worker, tmp_path: Path
) -> None:
    first = atta("upload", str(evening), "--wait")
    again = atta("upload", str(evening), "--report", str(tmp_path / "report"))

    assert (again.returncode, again.stdout) == (first.returncode, first.stdout)
    assert len((tmp_path / "report").read_text().splitlines()) == 3
    assert sorted(Upload.objects.values_list("split_logs", flat=True)) == [0, 3]


@pytest.mark.full
def test_compressed_standard_input_can_be_uploaded(atta: Atta, worker: Worker) -> None:
    done = atta.process("upload", "--wait", "-", stdin=gzip.compress(record()))

    assert (done.returncode, done.stdout.split("  ")[0]) == (0, "-: 1 game: 1 verified")


def test_token_can_be_read_from_a_file(atta: Atta, evening: Path, token: str, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text(f"{token}\n")
    config = tmp_path / ".config" / "atta"
    config.mkdir(parents=True)
    (config / "token").write_text(token)

    assert atta("upload", str(evening), "--token-file", str(tmp_path / "mine"), ATTA_TOKEN="").returncode == 0
    assert atta("upload", str(evening), ATTA_TOKEN="").returncode == 0


@pytest.mark.parametrize(
    ("words", "env", "status", "sentence"),
    [
        ([], {"ATTA_TOKEN": ""}, 2, "No token in ATTA_TOKEN or in "),
        ([], {"ATTA_SERVER": ""}, 2, "Which site? Give --server URL or set ATTA_SERVER."),
        ([], {"ATTA_TOKEN": "atta_wrong"}, 3, "Invalid token."),
        (["--server", "http://atta.example"], {}, 3, "The token is sent only over https://"),
        (["--server", "gopher://x"], {}, 3, "'gopher://x' is no address of a site."),
        (["--club", "nowhere"], {}, 3, "There is no club at this address."),
        (["--webhook", "https://hooks.example/"], {}, 3, "Create a secret for webhooks first"),
    ],
)
def test_errors_are_explained_in_a_sentence(
    atta: Atta, evening: Path, words: list[str], env: dict[str, str], status: int, sentence: str
) -> None:
    done = atta("upload", str(evening), *words, stdin=b"", **env)

    assert (done.returncode, sentence in done.stderr) == (status, True), done.stderr
    assert done.stderr.startswith("atta: ")


def test_missing_and_empty_files_are_reported(atta: Atta, tmp_path: Path) -> None:
    (tmp_path / "empty.agn").touch()

    missing, empty = atta("upload", "nowhere.agn"), atta("upload", str(tmp_path / "empty.agn"))

    assert (missing.returncode, missing.stderr) == (2, "atta: nowhere.agn: No such file or directory\n")
    assert (empty.returncode, empty.stderr) == (3, "atta: This file contains no game.\n")


@pytest.mark.full
def test_file_rejected_after_upload_is_reported_when_waiting(atta: Atta, worker: Worker, tmp_path: Path) -> None:
    torn = tmp_path / "torn.gz"
    torn.write_bytes(gzip.compress(b"\n".join(duels(50)))[:-20])

    done = atta("upload", "--wait", str(torn))

    assert done.returncode == 3
    assert f"atta: {torn}: " in done.stderr


class Cutting:
    """A proxy that cuts each of the first connections after some bytes of a piece."""

    def __init__(self, site: str, cuts: int, after: int) -> None:
        self.target = site.removeprefix("http://").split(":")
        self.cuts, self.after = cuts, after
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return
            far = socket.create_connection((self.target[0], int(self.target[1])))
            Thread(target=self._pump, args=(far, near, None), daemon=True).start()
            Thread(target=self._pump, args=(near, far, self), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, cutting: "Cutting | None") -> None:
        passed = 0
        with source, suppress(OSError):
            while data := source.recv(65536):
                passed += len(data)
                if cutting and cutting.cuts and passed > cutting.after:
                    cutting.cuts -= 1
                    break
                sink.sendall(data)
            source.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """About ten megabytes that cannot be compressed."""
    path = tmp_path / "large.bin"
    path.write_bytes(os.urandom(10_000_000))
    return path


@pytest.fixture
def cutting(live: str) -> Iterator[Cutting]:
    one = Cutting(live, cuts=3, after=1_500_000)
    yield one
    one.server.close()


@pytest.mark.full
def test_broken_connection_loses_no_received_bytes(atta: Atta, large: Path, cutting: Cutting) -> None:
    done = atta("upload", str(large), "--server", cutting.address)

    assert (done.returncode, cutting.cuts) == (0, 0), done.stderr
    archive = Archive.objects.get()
    assert archive.received == archive.length == 10_000_000


def test_interrupted_client_resumes_where_it_stopped(live: str, token: str, large: Path, tmp_path: Path) -> None:
    options = {"filename": "large.bin"}

    def end(done: int) -> None:
        if done:
            raise KeyboardInterrupt

    with large.open("rb") as file, closing(Site(live, token)) as site:
        notes = sending.Notes(tmp_path / "notes", live, large, file, options)
        with pytest.raises(KeyboardInterrupt):
            sending.send(site, file, options, notes, end)
        reached = list[int]()
        sending.send(site, file, options, notes, reached.append)

    assert reached == [sending.PIECE, 2 * sending.PIECE, 10_000_000]
    assert (Upload.objects.count(), notes.path) == (1, None)


def test_upload_forgotten_by_the_site_is_started_again(live: str, token: str, evening: Path, tmp_path: Path) -> None:
    with evening.open("rb") as file, closing(Site(live, token)) as site:
        notes = sending.Notes(tmp_path / "notes", live, evening, file, {})
        notes.keep("/api/v1/files/00000000-0000-0000-0000-000000000000")
        upload = sending.send(site, file, {}, notes, lambda _: None)

    assert str(Upload.objects.get().pk) == upload


def test_unreachable_site_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.client.site.time.sleep", lambda _: None)
    with pytest.raises(ClientError, match=r"http://127\.0\.0\.1:9 does not answer: .*refused"):
        Site("http://127.0.0.1:9", "x").ask("GET", "/")


@pytest.mark.full
def test_program_help_describes_the_upload_command(atta: Atta) -> None:
    assert "upload files to a site, which checks every move" in atta.process("--help").stdout
    assert "exit status: 0 nothing was rejected" in atta.process("upload", "--help").stdout
    assert atta.process("verify", "games/samples/army-ants.agn", "--quiet").returncode == 0


def test_corrected_game_takes_the_place_of_a_rejected_one(atta: Atta, worker: Worker, tmp_path: Path) -> None:
    evening, corrected = tmp_path / "evening.agn", tmp_path / "corrected.agn"
    evening.write_bytes(b"\n".join([*duels(2), BROKEN]))
    corrected.write_bytes(record())
    page = atta("upload", str(evening), "--wait").stdout.split()[-1]

    done = atta("upload", "--corrects", f"{page}3", str(corrected), "--wait")

    assert (done.returncode, done.stderr) == (0, "")
    assert f"{corrected}: 1 game: 1 verified" in done.stdout
    assert "1 rejected, 1 corrected" in atta("upload", str(evening), "--wait").stdout


def test_folder_is_one_upload(atta: Atta, worker: Worker, tmp_path: Path) -> None:
    folder = tmp_path / "2019"
    folder.mkdir()
    (folder / "march.agn").write_bytes(record())
    (folder / "april.agn.gz").write_bytes(gzip.compress(BROKEN))

    done = atta("upload", str(folder), "--check")

    assert f"{folder}/april.agn.gz:9:18: ATTA-MOVE-1:" in done.stdout
    assert "2 games: 1 verified, 1 rejected" in done.stdout
    assert Upload.objects.get().filename == "2019.zip"


@pytest.mark.parametrize("is_folder", [True, False], ids=["folder", "standard input"])
def test_folder_and_standard_input_resume_until_they_change(
    atta: Atta, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_folder: bool
) -> None:
    folder = tmp_path / "2019"
    folder.mkdir()
    (folder / "march.agn").write_bytes(record())
    append, offered = sending._append, list[str]()

    def upload(*, stops: bool) -> int:
        def end(site: Site, path: str, *rest: Any) -> None:
            offered.append(path)
            if stops:
                raise KeyboardInterrupt
            append(site, path, *rest)

        monkeypatch.setattr(sending, "_append", end)
        name, stdin = (str(folder), b"") if is_folder else ("-", (folder / "march.agn").read_bytes())
        return atta("upload", name, stdin=stdin).returncode

    assert [upload(stops=True), upload(stops=False)] == [130, 0]
    assert offered[0] == offered[1]
    upload(stops=True)
    (folder / "march.agn").write_bytes(BROKEN)
    assert upload(stops=False) == 0
    assert offered[2] != offered[3]
