"""Upload reports, one line per record."""

import gzip
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils.translation import get_language, override
from rest_framework.test import APIClient

from games.models import MoveLog, Upload
from games.platform import long_answers
from games.platform.long_answers import LongAnswer
from games.uploads.origin import SCORED, UploadOptions
from games.uploads.reads import report
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]
HOST = "http://testserver"


def uploaded(*records: bytes, now: datetime, by: User | None = None, options: UploadOptions = SCORED) -> Upload:
    return upload_file(b"\n".join(records), via=Upload.Via.API, now=now, uploader=by, options=options)


def report_response(client: APIClient, upload: Upload, **query: Any) -> Any:
    return client.get(f"/api/v1/uploads/{upload.pk}/report", query)


def lines(client: APIClient, upload: Upload, **query: Any) -> list[dict[str, Any]]:
    answer = report_response(client, upload, **query)
    assert answer.status_code == 200, answer.content
    return [json.loads(line) for line in answer.content.splitlines()]


def test_every_record_has_a_line_and_the_last_line_sums_up(call: Call, now: datetime) -> None:
    upload = uploaded(record(), BROKEN, record("NS@0,2 *"), now=now)
    judge_all(now)
    *records, end = lines(call(), upload)
    assert [(line["index"], line["line"], line["verdict"], line["code"]) for line in records] == [
        (1, 1, "verified", None),
        (2, 11, "rejected", "ATTA-MOVE-1"),
        (3, 21, "unfinished", None),
    ]
    counts = {"total": 3, "done": 3, "waiting": 0, "verified": 1, "unfinished": 1, "rejected": 1, "quarantined": 0}
    assert end["end"].pop("upload").items() >= counts.items()
    assert end == {"end": {"records": 3, "next": None, "done": True, "duplicate_of": None, "warnings": []}}


def test_report_can_be_one_object_with_the_same_lines(call: Call, now: datetime) -> None:
    upload = uploaded(record(), BROKEN, now=now)
    judge_all(now)
    *records, end = lines(call(), upload)
    answer = report_response(call(), upload, form="json")
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == {"records": records, "end": end["end"]}
    part = report_response(call(), upload, form="json", verdict="unfinished").json()
    assert (part["records"], part["end"]["records"]) == ([], 0)


def test_rejected_record_reports_position_reason_and_rule_url(call: Call, now: datetime) -> None:
    upload = uploaded(record(), BROKEN, now=now)
    judge_all(now)
    line = lines(call(), upload)[1]
    assert (line["fault_line"], line["column"], line["ply"], line["token"]) == (19, 18, 3, "R1:E")
    assert line["message"] == "Ant R1 has already moved this turn."
    assert line["message"] == line["template"].format(**line["params"])
    assert line["rule"] == f"{HOST}/rules/atta-ants/#ATTA-MOVE-1"
    assert (line["record_digest"], line["game_digest"], line["duplicate_of"]) == (None, None, None)


def test_report_gives_the_byte_offset_of_each_record(call: Call, now: datetime) -> None:
    file = b"\n".join(duels(3))
    upload = uploaded(file, now=now)
    offsets = [line["byte_offset"] for line in lines(call(), upload)[:-1]]
    assert [file[offset:].startswith(b"[Game ") for offset in offsets] == [True] * 3
    assert [file[:offset].count(b"\n") + 1 for offset in offsets] == [1, 11, 21]


def test_the_message_is_in_the_language_that_was_asked_for(call: Call, now: datetime) -> None:
    upload = uploaded(BROKEN, now=now)
    judge_all(now)
    answer = call().get(f"/api/v1/uploads/{upload.pk}/report", headers={"accept-language": "de"})
    line = json.loads(answer.content.splitlines()[0])
    assert line["message"] == "Die Ameise R1 hat sich in diesem Zug schon bewegt."
    assert line["template"] == "Ant {ant} has already moved this turn."


def test_report_links_to_game_page_and_record(call: Call, now: datetime) -> None:
    upload = uploaded(record(), now=now)
    judge_all(now)
    client = call()
    line = lines(client, upload)[0]
    assert [client.get(line[name]).status_code for name in ("game", "page", "log")] == [200, 200, 200]
    assert client.get(line["log"]).content == record().rstrip(b"\n")


def test_duplicate_record_links_to_its_first_upload(call: Call, now: datetime) -> None:
    first = uploaded(record(), now=now)
    judge_all(now)
    again = uploaded(*duels(1), record(names=("Eve", "Bruno")), record(), now=now + timedelta(days=1))
    judge_all(now)
    originals = [line["duplicate_of"] for line in lines(call(), again)[:-1]]
    address = f"{HOST}/api/v1/uploads/{first.pk}/logs/1"
    assert originals == [None, address, address]
    assert lines(call(), first)[0]["duplicate_of"] is None


def test_report_names_the_record_whose_players_are_shown_whichever_came_first(call: Call, now: datetime) -> None:
    names = (("Ada", "Bea"), ("Cy", "Di"), ("Eva", "Flo"))
    upload = uploaded(*(record(names=pair) for pair in names), now=now)
    for number in (3, 2, 1):
        MoveLog.objects.filter(upload=upload).exclude(number=number).filter(state="waiting").update(state="held")
        judge_all(now)
        MoveLog.objects.filter(upload=upload, state="held").update(state="waiting")
    page = call().get(f"/uploads/{upload.pk}/").text
    shown = f"{HOST}/api/v1/uploads/{upload.pk}/logs/3"
    assert [line["duplicate_of"] for line in lines(call(), upload)[:-1]] == [shown, shown, None]
    assert page.count("Duplicate with other players") == 2


@pytest.mark.parametrize("dry_run", [False, True])
def test_page_and_report_agree_which_records_are_duplicates(
    call: Call, alice: User, now: datetime, *, dry_run: bool
) -> None:
    names = (("Ada", "Bea"), ("Cy", "Di"), ("Eva", "Flo"))
    same = [record(names=pair) for pair in names]
    uploaded(*duels(1), now=now - timedelta(days=1))
    judge_all(now)
    options = UploadOptions(dry_run=dry_run)
    upload = uploaded(*same, *duels(2), same[0], now=now, by=alice, options=options)
    judge_all(now)
    client = call(alice)
    client.force_login(alice)
    reported = [line["duplicate_of"] is not None for line in lines(client, upload)[:-1]]
    as_object = json.loads(report_response(client, upload, format="json").content)["records"]
    page = client.get(f"/uploads/{upload.pk}/").text
    rows = re.split(r'id="record-[0-9]+"', page)[1:]
    assert [line["duplicate_of"] is not None for line in as_object] == reported
    assert ["Duplicate" in row for row in rows] == reported
    assert sum(reported) == 4, "of three pairs of names one is shown; a game of yesterday; and the first record again"


def test_report_does_not_reveal_private_duplicates(call: Call, alice: User, bob: User, now: datetime) -> None:
    uploaded(record(), now=now, by=alice, options=UploadOptions(private=True))
    judge_all(now)
    public = uploaded(record(), now=now, by=bob)
    judge_all(now)
    for account in (alice, bob):
        assert lines(call(account), public)[0]["duplicate_of"] is None


def test_waiting_records_are_reported_as_waiting(call: Call, now: datetime) -> None:
    upload = uploaded(record(), now=now)
    line, end = lines(call(), upload)
    assert (line["state"], line["verdict"], line["game"]) == ("waiting", None, None)
    assert (end["end"]["done"], end["end"]["upload"]["waiting"]) == (False, 1)


def test_following_links_through_report_parts_lists_every_record(call: Call, now: datetime) -> None:
    upload, client = uploaded(*duels(5), now=now), call()
    first = report_response(client, upload, most=2)
    address = f"{HOST}/api/v1/uploads/{upload.pk}/report?most=2&after=2"
    assert json.loads(first.content.splitlines()[-1])["end"]["next"] == address
    found, following = list[int](), address
    while following:
        *records, end = [json.loads(line) for line in client.get(following).content.splitlines()]
        found, following = found + [line["index"] for line in records], end["end"]["next"]
    assert found == [3, 4, 5]


def test_report_is_complete_across_database_batches(call: Call, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "_BATCH", 2)
    upload = uploaded(*duels(5), now=now)
    judge_all(now)
    assert [line["index"] for line in lines(call(), upload, most=4)[:-1]] == [1, 2, 3, 4]


@pytest.mark.parametrize("form", ["ndjson", "json"])
def test_a_report_of_any_size_is_one_download(
    call: Call, now: datetime, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    upload = uploaded(*duels(5), record(), record(), now=now)
    judge_all(now)
    whole = report_response(call(), upload, form=form).content
    monkeypatch.setattr(report, "_BATCH", 2)
    monkeypatch.setattr(long_answers, "IN_MEMORY", 0)

    answer = report_response(call(), upload, form=form)
    packed = report_response(call(), upload, form=form, compress="gzip")

    assert isinstance(answer, LongAnswer)
    assert b"".join(answer) == gzip.decompress(b"".join(packed)) == whole


def test_a_long_report_is_in_one_language_whoever_is_answered_meanwhile(
    call: Call, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = uploaded(*duels(2), BROKEN, now=now)
    judge_all(now)
    monkeypatch.setattr(report, "_BATCH", 1)
    monkeypatch.setattr(long_answers, "IN_MEMORY", 0)
    monkeypatch.setattr(long_answers, "_PIECE", 1)
    answer: Any = call().get(f"/api/v1/uploads/{upload.pk}/report", headers={"accept-language": "de"})
    with override("en"):
        *_, line, _ = [json.loads(line) for line in answer.streaming_content if get_language() == "en"]
    assert line["message"] == "Die Ameise R1 hat sich in diesem Zug schon bewegt."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"verdict": "verified"}, [1, 3, 6]),
        ({"verdict": "rejected"}, [2, 4, 5]),
        ({"verdict": "unfinished"}, [7]),
        ({"verdict": "quarantined"}, []),
        ({"rule": "ATTA-MOVE-1"}, [2, 5]),
        ({"verdict": "rejected", "rule": "AGN-RESULT-1"}, [4]),
        ({"rule": "ATTA-MOVE-2"}, []),
    ],
)
def test_report_can_be_filtered_by_verdict_or_rule(
    call: Call, now: datetime, query: dict[str, str], found: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.uploads.reads.results.REACH", 2)
    one, two, three = duels(3)
    upload = uploaded(one, BROKEN, two, record("resign:R 1-2"), BROKEN, three, record("NS@0,2 *"), now=now)
    judge_all(now)
    assert [line["index"] for line in lines(call(), upload, **query)[:-1]] == found
    listed, after = list[int](), 0
    for _ in found:
        line, end = lines(call(), upload, **query, most=1, after=after)
        listed, after = [*listed, line["index"]], line["index"]
        assert end["end"]["next"] is None or all(
            f"{name}={value}" in end["end"]["next"] for name, value in query.items()
        )
    assert listed == found


def test_rule_filter_cannot_be_combined_with_another_verdict(call: Call, now: datetime) -> None:
    answer = report_response(call(), uploaded(record(), now=now), verdict="verified", rule="ATTA-MOVE-1")
    error = answer.json()["error"]
    assert (answer.status_code, error["place"]) == (400, {"parameter": "rule"})
    assert error["message"] == "Only rejected records break a rule."


def test_report_can_be_downloaded_as_a_compressed_file(call: Call, now: datetime) -> None:
    upload = uploaded(record(), now=now)
    answer = report_response(call(), upload, compress="gzip")
    name = f'attachment; filename="atta-report-{upload.pk}.ndjson.gz"'
    assert (answer.headers["Content-Type"], answer.headers["Content-Disposition"]) == ("application/gzip", name)
    assert gzip.decompress(answer.content) == report_response(call(), upload).content


def test_report_of_a_private_upload_is_hidden_from_others(call: Call, alice: User, bob: User, now: datetime) -> None:
    upload = uploaded(record(), now=now, by=alice, options=UploadOptions(private=True))
    assert [report_response(call(who), upload).status_code for who in (alice, bob)] == [200, 404]
    assert call().get(f"/api/v1/uploads/{uuid4()}/report").status_code == 404


def test_a_rejected_record_links_to_suggested_corrections(call: Call, now: datetime) -> None:
    path = Path(__file__).parents[3] / "games" / "samples" / "with-mistakes.agn"
    upload = uploaded(record(), path.read_bytes().split(b"\n\n[")[0] + b"\n", now=now)
    judge_all(now)

    fine, rejected, _ = lines(call(), upload)
    answer = call().get(rejected["suggestions"], headers={"Accept-Language": "de"}).json()

    assert fine["suggestions"] is None
    assert (answer["best"], answer["legal"], answer["complete"]) == ("replace:O1:S", 12, True)
    assert answer["message"] == "Von 12 zulässigen Aktionen macht nur O1:S die ganze Partie zulässig."
    assert answer["suggestions"][0]["whole"]
    assert call().get(f"/api/v1/uploads/{upload.pk}/logs/1/suggestions").json()["suggestions"] == []
