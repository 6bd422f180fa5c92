"""Each record of a packed upload names its file, and the records are sorted by file."""

import json
from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.accounts.deletion import delete_account
from games.models import Upload
from games.records.reads.visibility import NOBODY
from games.uploads import splitting
from games.uploads.reads import results
from games.uploads.reads.results import Choice, slice_of
from games.web.uploads import correcting
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.uploads.unpacking.bombs import zipped
from tests.games.web.conftest import Read

pytestmark = pytest.mark.django_db


@pytest.fixture
def packed(alice: User, now: datetime) -> Upload:
    """An archive of sixteen games whose files are not in the order of their names."""
    some = list(duels(13))
    march, april = b"\n".join([*some[:6], BROKEN, BROKEN]), b"\n".join([BROKEN, *some[6:]])
    files = zipped([("2019/march.agn", march), ("2019/april.agn", april)])
    upload = upload_file(files, via=Upload.Via.WEB, now=now, uploader=alice, filename="archive.zip")
    while splitter := splitting.claim():
        list(splitting.split(splitter, clock=timezone.now, pulse=lambda: None))
    judge_all(now)
    return upload


def numbers(upload: Upload, choice: Choice, *, after: int = 0, size: int = 100) -> list[int]:
    return [log.number for log in slice_of(upload, NOBODY, choice, after=after, size=size).logs]


def test_list_and_record_page_say_from_which_file_a_record_came(read: Read, packed: Upload) -> None:
    assert "rejected 2019/march.agn R Ada" in read(f"/uploads/{packed.pk}/")
    assert "archive.zip · 2019/april.agn, game 9 uploaded" in read(f"/uploads/{packed.pk}/records/9/")


def test_record_of_a_plain_file_names_the_file_alone_and_pasted_text_nothing(read: Read, now: datetime) -> None:
    for filename, said in (("evening.agn", "evening.agn uploaded 20"), ("", "uploaded 20")):
        upload = upload_file(BROKEN, via=Upload.Via.WEB, now=now, filename=filename)
        judge_all(now)
        assert said in (words := read(f"/uploads/{upload.pk}/records/1/"))
        assert "game 1" not in words


def test_records_are_sorted_by_file_then_by_number(packed: Upload, client: Client) -> None:
    by_file = [*range(9, 17), *range(1, 9)]
    assert numbers(packed, Choice(sort="file")) == by_file
    assert numbers(packed, Choice("rejected", sort="file")) == [9, 7, 8]
    html = client.get(f"/uploads/{packed.pk}/?show=rejected&sort=file").content.decode()
    assert [number for number in (7, 8, 9) if f'id="record-{number}"' in html] == [7, 8, 9]
    assert html.index('id="record-9"') < html.index('id="record-7"')
    assert f'<a href="/uploads/{packed.pk}/?show=rejected">number</a>' in html


def test_sorted_records_are_paged_forwards_and_backwards(packed: Upload) -> None:
    choice = Choice(sort="file")
    first = slice_of(packed, NOBODY, choice, size=6)
    second = slice_of(packed, NOBODY, choice, after=first.next or 0, size=6)
    last = slice_of(packed, NOBODY, choice, after=second.next or 0, size=6)
    assert [[log.number for log in one.logs] for one in (first, second, last)] == [
        [9, 10, 11, 12, 13, 14], [15, 16, 1, 2, 3, 4], [5, 6, 7, 8],
    ]  # fmt: skip
    assert (first.previous, second.previous, last.previous, last.next) == (None, 0, first.next, None)


def test_report_is_sorted_by_file_in_parts(packed: Upload, client: Client) -> None:
    found, at = [], f"/api/v1/uploads/{packed.pk}/report?sort=file&most=7"
    while at:
        *lines, end = map(json.loads, client.get(at).content.splitlines())
        found += [(line["file"], line["index"]) for line in lines]
        at = end["end"]["next"]
    assert found == sorted(found)
    assert len(found) == 16


def test_only_some_records_of_several_files_are_sorted(
    packed: Upload, client: Client, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = upload_file(BROKEN, via=Upload.Via.WEB, now=now)
    said = "Up to 20000 records from several files can be sorted by file."
    assert said in client.get(f"/api/v1/uploads/{plain.pk}/report?sort=file").content.decode()
    monkeypatch.setattr(results, "MOST_SORTED", 15)
    assert "Sorted by" not in client.get(f"/uploads/{packed.pk}/?sort=file").content.decode()
    assert "Sorted by" in client.get(f"/uploads/{packed.pk}/?show=rejected&sort=file").content.decode()


def test_names_of_files_are_forgotten_with_their_account(
    packed: Upload, alice: User, now: datetime, read: Read
) -> None:
    delete_account(alice, now=now)
    assert "march" not in read(f"/uploads/{packed.pk}/")


@pytest.mark.parametrize("most", [100, 3], ids=["one page", "several pages"])
def test_who_goes_through_rejected_records_by_file_stays_in_that_order(
    packed: Upload, alice: User, browse: Callable[..., Client], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(correcting, "SIZE", most)
    client, report = browse(alice), f"/uploads/{packed.pk}/"
    listed = client.get(f"{report}?show=rejected&sort=file").content.decode()
    first, second = (f"{report}records/{number}/?sort=file" for number in (9, 7))
    assert f'href="{first}" data-next-rejected' in listed
    shown = client.get(first).content.decode()
    assert f'href="{second}" data-next-rejected' in shown
    assert f'action="{first}"' in shown

    checked = client.post(second, {"text": record().decode(), "check": ""}).content.decode()
    assert f'action="{second}"' in checked
    back = client.post(second, {"text": record().decode(), "upload": "same"})["Location"]

    kept = "&show=rejected&after=9" if most == 3 else ""
    assert back == f"{report}?corrected=7{kept}&sort=file#corrected"
    html = client.get(back.partition("#")[0]).content.decode()
    assert f'href="{report}records/8/?sort=file" data-next-rejected' in html[html.index('id="corrected"') :]
    correction = Upload.objects.exclude(pk=packed.pk).get().get_absolute_url()
    assert f'href="{correction}?sort=file"' in html
    judge_all(packed.received_at)
    assert f'href="{report}records/8/?sort=file"' in client.get(f"{correction}?sort=file").content.decode()
    assert f'href="{first}" data-next-rejected' in client.get(f"{report}records/8/?sort=file").content.decode()
    assert f'href="{report}records/9/" data-next-rejected' in client.get(f"{report}records/8/").content.decode()
