"""Several files, or a folder, become one upload, whose report names each record's file."""

import gzip
import io
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.bundles import bundle, bundle_folder
from games.models import Upload
from games.uploads import splitting
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploads.unpacking.bombs import zipped, zstd_of

pytestmark = pytest.mark.django_db


def files(**data: bytes) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name.replace("_", "."), one) for name, one in data.items()]


def split_all() -> None:
    while splitter := splitting.claim():
        list(splitting.split(splitter, clock=timezone.now, pulse=lambda: None))


def found(upload: Upload) -> list[tuple[str | None, int, int]]:
    return list(upload.logs.order_by("number").values_list("entry__name", "number", "line"))


@pytest.mark.parametrize("road", ["/upload/", "/api/v1/uploads"])
@pytest.mark.parametrize("account", [True, False], ids=["signed in", "anonymous"])
def test_several_small_files_are_cut_at_once(client: Client, alice: User, road: str, account: bool) -> None:
    if account or road.startswith("/api"):
        client.force_login(alice)
    sent = files(march_agn=b"\n".join(duels(2)), april_agn=BROKEN, empty_agn=b"")
    assert client.post(road, {"file": sent}).status_code in (202, 303)
    upload = Upload.objects.get()
    assert (upload.filename, upload.split_logs) == ("march.agn + 2", 3)
    assert found(upload) == [("march.agn", 1, 1), ("march.agn", 2, 11), ("april.agn", 3, 1)]


def test_the_same_files_again_are_the_same_upload(client: Client, alice: User) -> None:
    client.force_login(alice)
    for _ in range(2):
        client.post("/upload/", {"file": files(march_agn=record(), april_agn=BROKEN)})
    assert Upload.objects.count() == 1


def test_packed_files_among_several_are_unpacked_each_at_its_place(client: Client, alice: User, now: datetime) -> None:
    client.force_login(alice)
    one, other = duels(2)
    inner = zipped([("may.agn", BROKEN), ("june.agn", other)])
    client.post(
        "/upload/", {"file": files(a_gz=gzip.compress(one), b_zip=inner, c_zst=zstd_of(record()), d_agn=BROKEN)}
    )
    split_all()
    judge_all(now)
    upload = Upload.objects.get()
    assert [name for name, _, _ in found(upload)] == ["a.gz", "b.zip/may.agn", "b.zip/june.agn", "c.zst", "d.agn"]
    assert list(upload.logs.order_by("number").values_list("verdict", flat=True)) == [
        "verified", "rejected", "verified", "verified", "rejected",
    ]  # fmt: skip


@pytest.mark.usefixtures("small_batches")
def test_splitting_a_bundle_resumes_within_an_archive_in_it(client: Client, alice: User) -> None:
    client.force_login(alice)
    inner = zipped([("x.agn", b"\n".join(duels(15))), ("y.agn", b"\n".join(duels(15)))])
    client.post("/upload/", {"file": files(a_agn=record(), b_zip=inner, c_agn=BROKEN)})
    splitter = splitting.claim()
    assert splitter
    next(splitting.split(splitter, clock=timezone.now, pulse=lambda: None))
    splitter.let_go()
    split_all()
    names = [name for name, _, _ in found(Upload.objects.get())]
    assert names == ["a.agn", *["b.zip/x.agn"] * 15, *["b.zip/y.agn"] * 15, "c.agn"]


def test_without_an_account_packed_files_among_several_are_refused(client: Client) -> None:
    answer = client.post("/upload/", {"file": files(a_agn=record(), b_gz=gzip.compress(record()))})
    assert answer.status_code == 422
    assert "Sign in to upload compressed files." in answer.content.decode()
    assert not Upload.objects.exists()


def test_bundles_keep_all_names_apart_and_are_the_same_each_time() -> None:
    made = []
    for _ in range(2):
        into = io.BytesIO()
        bundle([("a.agn", io.BytesIO(b"1")), ("a.agn", io.BytesIO(b"2")), ("é", io.BytesIO(b"3"))], into)
        made.append(into.getvalue())
    assert made[0] == made[1]
    assert zipfile.ZipFile(io.BytesIO(made[0])).namelist() == ["a.agn", "a (2).agn", "é"]


def test_a_folder_is_one_upload_of_the_files_that_may_hold_games(tmp_path: Path) -> None:
    folder = tmp_path / "2019"
    for name in ("march.agn", "more/april.json", ".hidden/x.agn", "notes.pdf"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(record())
    into = io.BytesIO()
    bundle_folder(folder, into)
    assert zipfile.ZipFile(into).namelist() == ["march.agn", "more/april.json"]

    call_command("import", str(folder))
    split_all()
    upload = Upload.objects.get()
    assert (upload.filename, [name for name, _, _ in found(upload)]) == ("2019.zip", ["march.agn", "more/april.json"])
