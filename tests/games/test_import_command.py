"""`manage.py import`."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from games.clubs import organising
from games.models import Game, Upload
from tests.conftest import Worker
from tests.factories import BROKEN, duels, record
from tests.games.uploads.unpacking.bombs import zstd_of

pytestmark = pytest.mark.django_db


def output_of(*arguments: str) -> str:
    out = io.StringIO()
    call_command("import", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "evening.agn"
    file.write_bytes(record())
    return file


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_compressed_file_is_imported_and_awaited(worker: Worker, tmp_path: Path) -> None:
    file = tmp_path / "archive.agn.zst"
    file.write_bytes(zstd_of(b"\n".join(duels(30))))
    assert "archive.agn.zst: 30 games: 30 verified, 0 unfinished, 0 rejected, 0 waiting  /uploads/" in output_of(
        str(file), "--wait", "60"
    )


def test_import_without_waiting_reports_the_current_counts(small: Path) -> None:
    assert "evening.agn: 1 game: 0 verified, 0 unfinished, 0 rejected, 1 waiting" in output_of(str(small))


def test_import_can_be_made_in_the_name_of_an_account(small: Path, alice: User) -> None:
    output_of(str(small), "--user", "alice", "--private")
    upload = Upload.objects.get()
    assert (upload.uploader, upload.private, upload.via) == (alice, True, "command")


def test_standard_input_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(zstd_of(record()))))
    assert "-: 0 games, being split" in output_of("-")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pack", [bytes, zstd_of], ids=["plain", "packed"])
def test_dry_run_prints_faults_and_publishes_nothing(
    worker: Worker, tmp_path: Path, pack: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.agn"
    file.write_bytes(pack(b"\n".join([*duels(2), BROKEN])))
    with pytest.raises(SystemExit) as ended:
        call_command("import", str(file), "--check")
    first, last = capsys.readouterr().out.splitlines()
    assert ended.value.code == 1
    assert first == "evening.agn:29:18: ATTA-MOVE-1: Ant R1 has already moved this turn."
    assert last.startswith("evening.agn: checked only: 3 games: 2 verified, 0 unfinished, 1 rejected, 0 waiting")
    assert not Game.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_dry_run_exit_status_distinguishes_valid_from_unreadable_files(
    worker: Worker, small: Path, tmp_path: Path
) -> None:
    assert "evening.agn: checked only: 1 game: 1 verified" in output_of(str(small), "--check")
    torn = tmp_path / "torn.gz"
    torn.write_bytes(b"\x1f\x8b nothing")
    with pytest.raises(SystemExit) as ended:
        output_of(str(torn), "--check")
    assert ended.value.code == 3


def test_repeated_import_stores_nothing_and_names_the_first_upload(small: Path, alice: User) -> None:
    output_of(str(small), "--user", "alice")
    again = small.rename(small.with_name("copy.agn"))
    first = Upload.objects.get()
    assert output_of(str(again), "--user", "alice") == f"copy.agn: uploaded before, as {first.get_absolute_url()}\n"
    assert "copy.agn: 1 game" in output_of(str(again), "--user", "alice", "--training")
    assert Upload.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_repeated_dry_run_reports_faults_under_the_given_file_name(
    worker: Worker, tmp_path: Path, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("evening.agn", "copy.agn"):
        (tmp_path / name).write_bytes(BROKEN)
        with pytest.raises(SystemExit) as ended:
            call_command("import", str(tmp_path / name), "--check", "--user", "alice")
        assert ended.value.code == 1
    _, _, fault, line = capsys.readouterr().out.splitlines()
    assert fault.startswith("copy.agn:")
    assert "ATTA-MOVE-1: Ant R1 has already moved" in fault
    assert line.startswith("copy.agn: checked only: uploaded before, as /uploads/")


def test_invalid_import_is_explained(small: Path, alice: User, tmp_path: Path) -> None:
    organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=alice.date_joined)
    for arguments, why in (
        ((str(small), "--user", "nobody"), "No account has the name nobody"),
        ((str(small), "--club", "hill"), "There is no club at the address hill"),
        ((str(small), "--club", "nest"), "Only organisers of The Nest can upload its games"),
        ((str(small), "--webhook", "https://example.org"), "Webhooks need an account. Sign in first."),
        ((str(tmp_path / "none.agn"),), "none.agn: .* No such file"),
    ):
        with pytest.raises(CommandError, match=why):
            output_of(*arguments)
    assert not Upload.objects.exists()
