"""`manage.py import`."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from games.leagues import organising
from games.models import Game, Upload
from tests.conftest import Worker
from tests.factories import BROKEN, duels, record
from tests.games.uploads.unpacking.bombs import zstd_of

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command("import", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "evening.agn"
    file.write_bytes(record())
    return file


@pytest.mark.django_db(transaction=True)
def test_a_packed_file_is_taken_in_and_followed_to_its_verdicts(worker: Worker, tmp_path: Path) -> None:
    file = tmp_path / "archive.agn.zst"
    file.write_bytes(zstd_of(b"\n".join(duels(30))))
    assert "archive.agn.zst: 30 games: 30 verified, 0 unfinished, 0 rejected, 0 waiting  /uploads/" in said(
        str(file), "--wait", "60"
    )


def test_without_waiting_it_says_what_is_known(small: Path) -> None:
    assert "evening.agn: 1 game: 0 verified, 0 unfinished, 0 rejected, 1 waiting" in said(str(small))


def test_it_is_handed_in_in_somebodys_name(small: Path, alice: User) -> None:
    said(str(small), "--user", "alice", "--private")
    upload = Upload.objects.get()
    assert (upload.uploader, upload.private, upload.via) == (alice, True, "command")


def test_standard_input_is_taken_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(zstd_of(record()))))
    assert "-: 0 games, being split" in said("-")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pack", [bytes, zstd_of], ids=["plain", "packed"])
def test_what_is_checked_only_is_not_published_and_each_fault_has_its_line(
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
def test_checking_ends_well_when_nothing_is_wrong_and_says_when_nothing_could_be_checked(
    worker: Worker, small: Path, tmp_path: Path
) -> None:
    assert "evening.agn: checked only: 1 game: 1 verified" in said(str(small), "--check")
    torn = tmp_path / "torn.gz"
    torn.write_bytes(b"\x1f\x8b nothing")
    with pytest.raises(SystemExit) as ended:
        said(str(torn), "--check")
    assert ended.value.code == 3


def test_a_plain_file_imported_again_is_stored_once_and_the_earlier_upload_is_named(small: Path, alice: User) -> None:
    said(str(small), "--user", "alice")
    again = small.rename(small.with_name("copy.agn"))
    first = Upload.objects.get()
    assert said(str(again), "--user", "alice") == f"copy.agn: uploaded before, as {first.get_absolute_url()}\n"
    assert "copy.agn: 1 game" in said(str(again), "--user", "alice", "--training")
    assert Upload.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_what_was_checked_before_is_told_again_under_the_name_that_was_given(
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


def test_what_cannot_be_is_told(small: Path, alice: User, tmp_path: Path) -> None:
    organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=alice.date_joined)
    for arguments, why in (
        ((str(small), "--user", "nobody"), "No account has the name nobody"),
        ((str(small), "--league", "hill"), "There is no league at the address hill"),
        ((str(small), "--league", "nest"), "Only organisers of The Nest can upload its games"),
        ((str(small), "--webhook", "https://example.org"), "Webhooks need an account. Sign in first."),
        ((str(tmp_path / "none.agn"),), "none.agn: .* No such file"),
    ):
        with pytest.raises(CommandError, match=why):
            said(*arguments)
    assert not Upload.objects.exists()
