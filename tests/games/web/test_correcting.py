"""A rejected record is corrected on its verdict page and uploaded with the original options."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape

from engine.browser import Engine
from games.models import Club, Game, MoveLog, Upload
from games.uploads.corrected import corrected_origin
from games.uploads.origin import Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import submit
from games.web.rate_limits import SuggestionThrottle
from tests.factories import BROKEN, record
from tests.games.judging import judge_all
from tests.games.web.conftest import Read, words_of
from tests.strategies import FIXTURES

pytestmark = pytest.mark.django_db
SAMPLES = (Path(__file__).parents[3] / "games" / "samples" / "with-mistakes.agn").read_bytes()
REJECTED = SAMPLES.split(b"\n\n[")[0] + b"\n"
ALL = [one.strip() + b"\n" for one in re.split(rb"(?m)^(?=\[Game )", SAMPLES)[1:]]
PATIENCE = 20
"""Seconds to look for suggestions, so that both look for as many on a busy machine, too."""
FIRST = "Of 12 legal actions, only O1:S makes the whole game legal."


def uploaded(now: datetime, data: bytes = REJECTED, by: User | None = None, **options: Any) -> Upload:
    origin = Origin(Upload.Via.WEB, by, UploadOptions(**options))
    upload = submit(Source.of(data, "evening.agn"), origin, now=now).upload
    judge_all(now)
    return upload


def text_of(upload: Upload, number: int = 1) -> str:
    return bytes(MoveLog.objects.get(upload=upload, number=number).data).decode()


def test_the_verdict_shows_the_fault_and_a_suggested_correction(read: Read, now: datetime) -> None:
    words = read(f"/uploads/{uploaded(now).pk}/")

    assert "Rejected at line 15, column 15" in words
    assert f"Replace R6:N with O1:S ? {FIRST} Use O1:S" in words
    assert "The ant belongs to the colony whose turn it is" in words


@pytest.mark.parametrize("data", ALL[:2])
def test_a_check_in_the_browser_shows_the_verdict_board_and_suggestions_of_an_upload(
    client: Client, now: datetime, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("engine.browser._SUGGESTING", "games.records.reads.suggestions.SECONDS"):
        monkeypatch.setattr(limit, PATIENCE)
    html = client.get(f"/uploads/{uploaded(now, data).pk}/").content.decode()
    found = json.loads(Engine("en").record(data.decode(), "", str(now.date())))
    fixes = found["fixes"]
    offered = [fixes["best"], *(one for row in fixes["rows"] for one in row["changes"]), *fixes["others"]]
    assert re.findall(r'name="use" value="([^"]*)"', html) == [escape(one["name"]) for one in offered if one]
    assert [escape(found["message"]) in html, escape(fixes["sentence"]) in html] == [True, True]
    assert found["board"].replace("checked-", "record-1-") in html


def test_a_verified_game_shows_the_winner_and_the_next_steps(read: Read, now: datetime) -> None:
    upload = uploaded(now, record("NS@0,2 resign:R 2-1"))

    words = read(f"/uploads/{upload.pk}/")

    assert "Bruno wins Verified: all 2 actions are legal" in words
    assert "Make it count 0 of 2 confirmed" in words
    assert "Share the game http://testserver/games/" in words


LONE_COLONY = FIXTURES / "atta_ants" / "broken" / "AGN-RESULT-2-a-single-colony-of-2003.agn"


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "by the rules of 2003 a single colony plays on"),
        ("de", "Nach den Regeln von 2003 spielt eine einzelne Kolonie weiter"),
    ],
)
def test_page_and_report_say_in_both_languages_why_a_result_does_not_follow(
    client: Client, now: datetime, language: str, why: str
) -> None:
    upload = uploaded(now, LONE_COLONY.read_bytes())
    asked = {"accept-language": language}

    assert why in client.get(f"/uploads/{upload.pk}/", headers=asked).content.decode()
    report = client.get(f"/api/v1/uploads/{upload.pk}/report", headers=asked).content
    assert why in json.loads(report.splitlines()[0])["message"]


def test_writing_damaged_by_a_program_for_texts_is_named_and_repaired_in_tags_and_moves(
    client: Client, read: Read, now: datetime
) -> None:
    good = record("NS@0,2 resign:R 2-1").decode()
    damaged = re.sub('"(.*)"', "\u201c\\1\u201d", good).replace("@0,2", "@0\uff0c2").replace("2-1", "2\u20131")
    upload = uploaded(now, damaged.encode())

    words = read(f"/uploads/{upload.pk}/")
    assert "It has the quotation mark \u201c (U+201C)." in words
    assert "With its writing repaired the whole game is legal. Repair the writing" in words
    page = client.post(f"/uploads/{upload.pk}/records/1/", {"text": damaged, "use": "repair:"})
    assert escape(good.strip()) in page.content.decode()


def test_a_suggestion_is_applied_to_the_text_as_edited(client: Client, now: datetime) -> None:
    upload = uploaded(now)
    text = text_of(upload).replace("Flora", "Fiona").replace("\n", "\r\n")

    html = client.post(f"/uploads/{upload.pk}/records/1/", {"text": text, "use": "replace:O1:S"}).content.decode()

    assert "Gustav wins" in words_of(html)
    assert "Fiona" in html
    assert "NESW@-1,-2 O1:S O3:EN" in html
    assert Upload.objects.count() == 1


def test_a_correction_keeps_all_options(browse: Callable[..., Client], alice: User, now: datetime) -> None:

    upload = uploaded(now, by=alice, private=True, scored=False)
    text = text_of(upload).replace("R6:N", "O1:S")

    answer = browse(alice).post(f"/uploads/{upload.pk}/records/1/", {"text": text, "upload": "same"})

    judge_all(now)
    corrected = Upload.objects.exclude(pk=upload.pk).get()
    assert answer["Location"] == corrected.get_absolute_url()
    assert (corrected.uploader, corrected.private, corrected.scored) == (alice, True, False)
    assert (corrected.filename, corrected.via) == ("evening.agn", "web")
    assert Game.objects.get(logs__upload=corrected).verdict == "verified"


def test_a_corrected_check_only_record_is_published_on_request(client: Client, now: datetime) -> None:
    upload = uploaded(now, dry_run=True)
    text = text_of(upload).replace("R6:N", "O1:S")

    page = client.post(f"/uploads/{upload.pk}/records/1/", {"text": text}).content.decode()
    client.post(f"/uploads/{upload.pk}/records/1/", {"text": text, "upload": "publish"})

    assert "Upload and publish Check only" in words_of(page)
    assert not Upload.objects.exclude(pk=upload.pk).get().dry_run


def test_other_visitors_cannot_view_or_correct_a_private_record(
    client: Client, browse: Callable[..., Client], alice: User, bob: User, now: datetime
) -> None:
    upload = uploaded(now, by=alice, private=True)

    for other in (client, browse(bob)):
        assert other.get(f"/uploads/{upload.pk}/records/1/").status_code == 404
        assert other.post(f"/uploads/{upload.pk}/records/1/", {"text": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "There is no game in this text."), (REJECTED.decode() + "\n" + REJECTED.decode(), "one at a time")],
)
def test_a_text_without_exactly_one_game_is_refused(client: Client, now: datetime, text: str, said: str) -> None:
    upload = uploaded(now)

    answer = client.post(f"/uploads/{upload.pk}/records/1/", {"text": text})

    assert answer.status_code == 422
    assert said in words_of(answer.content.decode())


def test_each_rejected_record_of_an_upload_opens_in_its_own_row(client: Client, now: datetime) -> None:
    upload = uploaded(now, record() + b"\n" + BROKEN)

    page = client.get(f"/uploads/{upload.pk}/").content.decode()
    row = client.get(f"/uploads/{upload.pk}/records/2/", headers={"HX-Request": "true", "HX-Target": "fix-2"})

    assert f'hx-get="/uploads/{upload.pk}/records/2/" hx-target="#fix-2"' in page
    assert '<h2 id="record-2-title"' in row.content.decode()
    assert "line 19" in words_of(row.content.decode())
    assert "<html" not in row.content.decode()


def test_a_waiting_record_has_no_verdict_page(client: Client, now: datetime) -> None:
    upload = submit(Source.of(REJECTED), Origin(Upload.Via.WEB), now=now).upload

    assert client.get(f"/uploads/{upload.pk}/records/1/").status_code == 404


def test_a_fault_in_the_tags_is_shown_without_legal_actions(read: Read, now: datetime) -> None:
    words = read(f"/uploads/{uploaded(now, REJECTED.replace(b'[Seats', b'[Beats')).pk}/")

    assert "Tag Seats is missing." in words
    assert "Check again" in words
    assert "legal actions" not in words


@pytest.mark.usefixtures("uncounted")
def test_looking_at_an_upload_again_and_again_shows_it_without_suggestions(
    client: Client, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SuggestionThrottle, "THROTTLE_RATES", {"suggestions": "2/hour"})
    path = uploaded(now).get_absolute_url()
    pages = [words_of(client.get(path).content.decode()) for _ in range(3)]
    assert [FIRST in page for page in pages] == [True, True, False]
    assert "Rejected at line 15, column 15" in pages[2]
    assert client.get(f"{path}records/1/").status_code == 429


def test_a_corrected_record_of_a_deleted_account_does_not_keep_its_club(now: datetime) -> None:
    upload = uploaded(now)
    upload.club = Club(slug="wood", name="Wood")
    assert corrected_origin(upload, None).options.club is None
