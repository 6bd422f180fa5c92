"""`atta upload` against a real site with a real worker, as a program of its own."""

import gzip
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Thread

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from games.client import sending
from games.client.talk import Site, TroubleError
from games.models import Archive, Game, Upload
from games.uploads.origin import UploadOptions
from tests.conftest import Worker
from tests.factories import BROKEN, duels, record
from tests.games.test_upload_options import CHOSEN, WORDS, let_choose, wished

pytestmark = pytest.mark.django_db(transaction=True)
PROGRAM = [sys.executable, "-c", "import sys; from games.command_line import main; sys.exit(main())"]


@dataclass
class Atta:
    """The program, for somebody with a token."""

    home: Path
    env: dict[str, str] = field(default_factory=dict)

    def __call__(self, *words: str, stdin: bytes = b"", **env: str) -> "subprocess.CompletedProcess[str]":
        inherited = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        done = subprocess.run(
            [*PROGRAM, *words],
            env=inherited | {"HOME": str(self.home)} | self.env | env,
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


def test_it_hands_a_file_in_and_says_where_its_results_will_be(atta: Atta, evening: Path, alice: User) -> None:
    done = atta("upload", str(evening), "--training")

    upload = Upload.objects.get()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{evening}: uploaded  {atta.env['ATTA_SERVER']}/uploads/{upload.pk}/\n"
    assert (upload.uploader, upload.filename, upload.scored, upload.via) == (alice, "evening.agn", False, "api")


def test_it_waits_for_the_verdicts_and_writes_the_report(
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


@pytest.mark.parametrize("name", CHOSEN)
def test_every_option_of_an_upload_can_be_given(
    atta: Atta, worker: Worker, alice: User, now: datetime, name: str, tmp_path: Path
) -> None:
    let_choose(alice, now)
    (tmp_path / "duel.agn").write_bytes(record())
    assert atta("upload", str(tmp_path / "duel.agn"), *WORDS[name]).returncode == 0
    assert UploadOptions.of(Upload.objects.get()) == wished(name)


def test_what_is_checked_only_is_not_published_and_each_fault_has_its_line(
    atta: Atta, evening: Path, worker: Worker, tmp_path: Path
) -> None:
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


def test_of_a_file_that_was_handed_in_before_it_tells_what_became_of_it_then(
    atta: Atta, evening: Path, worker: Worker, tmp_path: Path
) -> None:
    first = atta("upload", str(evening), "--wait")
    again = atta("upload", str(evening), "--report", str(tmp_path / "report"))

    assert (again.returncode, again.stdout) == (first.returncode, first.stdout)
    assert len((tmp_path / "report").read_text().splitlines()) == 3
    assert sorted(Upload.objects.values_list("split_logs", flat=True)) == [0, 3]


def test_standard_input_and_packed_files_are_taken_too(atta: Atta, worker: Worker) -> None:
    done = atta("upload", "--wait", "-", stdin=gzip.compress(record()))

    assert (done.returncode, done.stdout.split("  ")[0]) == (0, "-: 1 game: 1 verified")


def test_the_token_can_stand_in_a_file(atta: Atta, evening: Path, token: str, tmp_path: Path) -> None:
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
        (["--league", "nowhere"], {}, 3, "There is no league at this address."),
        (["--webhook", "https://hooks.example/"], {}, 3, "Create a secret for webhooks first"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    atta: Atta, evening: Path, words: list[str], env: dict[str, str], status: int, sentence: str
) -> None:
    done = atta("upload", str(evening), *words, stdin=b"", **env)

    assert (done.returncode, sentence in done.stderr) == (status, True), done.stderr
    assert done.stderr.startswith("atta: ")


def test_files_that_cannot_be_read_or_hold_nothing_are_told(atta: Atta, tmp_path: Path) -> None:
    (tmp_path / "empty.agn").touch()

    missing, empty = atta("upload", "nowhere.agn"), atta("upload", str(tmp_path / "empty.agn"))

    assert (missing.returncode, missing.stderr) == (2, "atta: nowhere.agn: No such file or directory\n")
    assert (empty.returncode, empty.stderr) == (3, "atta: This file contains no game.\n")


def test_a_file_that_is_refused_later_is_told_when_waiting(atta: Atta, worker: Worker, tmp_path: Path) -> None:
    torn = tmp_path / "torn.gz"
    torn.write_bytes(gzip.compress(b"\n".join(duels(50)))[:-20])

    done = atta("upload", "--wait", str(torn))

    assert done.returncode == 3
    assert f"atta: {torn}: " in done.stderr


class Cutting:
    """Stands before the site and ends each of the first connections after so many bytes of a piece."""

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
    """Some ten megabytes that cannot be packed."""
    path = tmp_path / "large.bin"
    path.write_bytes(os.urandom(10_000_000))
    return path


@pytest.fixture
def cutting(live: str) -> Iterator[Cutting]:
    one = Cutting(live, cuts=3, after=1_500_000)
    yield one
    one.server.close()


def test_a_connection_that_breaks_costs_no_byte_that_has_come(atta: Atta, large: Path, cutting: Cutting) -> None:
    done = atta("upload", str(large), "--server", cutting.address)

    assert (done.returncode, cutting.cuts) == (0, 0), done.stderr
    archive = Archive.objects.get()
    assert archive.received == archive.length == 10_000_000


def test_a_program_that_was_ended_goes_on_where_it_ended(live: str, token: str, large: Path, tmp_path: Path) -> None:
    options = {"filename": "large.bin"}
    notes = sending.Notes(tmp_path / "notes", live, large, options)

    def end(done: int) -> None:
        if done:
            raise KeyboardInterrupt

    with large.open("rb") as file, closing(Site(live, token)) as site:
        with pytest.raises(KeyboardInterrupt):
            sending.send(site, file, options, notes, end)
        reached = list[int]()
        sending.send(site, file, options, notes, reached.append)

    assert reached == [sending.PIECE, 2 * sending.PIECE, 10_000_000]
    assert (Upload.objects.count(), notes.path) == (1, None)


def test_an_upload_that_the_site_has_forgotten_is_begun_anew(
    live: str, token: str, evening: Path, tmp_path: Path
) -> None:
    notes = sending.Notes(tmp_path / "notes", live, evening, {})
    notes.keep("/api/v1/files/00000000-0000-0000-0000-000000000000")

    with evening.open("rb") as file, closing(Site(live, token)) as site:
        upload = sending.send(site, file, {}, notes, lambda _: None)

    assert str(Upload.objects.get().pk) == upload


def test_a_site_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.client.talk.time.sleep", lambda _: None)
    with pytest.raises(TroubleError, match=r"http://127\.0\.0\.1:9 does not answer: .*refused"):
        Site("http://127.0.0.1:9", "x").ask("GET", "/")


def test_the_help_of_the_program_names_it(atta: Atta) -> None:
    assert "upload    upload files to a site" in atta("--help").stdout
    assert "exit status: 0 nothing was rejected" in atta("upload", "--help").stdout
    assert atta("verify", "games/samples/army-ants.agn", "--quiet").returncode == 0
