"""Uploading games with the form."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from games.clubs import organising
from games.models import MoveLog, Upload
from games.run import rate_waiting
from games.uploads.cutting import MAX_GAMES
from games.uploads.source import MAX_BYTES
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.web.conftest import Read, words_of

pytestmark = pytest.mark.django_db


def file(data: bytes, name: str = "evening.agn") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def test_the_form_states_its_limits(read: Read) -> None:
    assert "At most 8.0 MB and 2,000 games" in read("/upload/")


def test_pasted_text_is_stored_and_redirects_to_its_results(client: Client) -> None:
    answer = client.post("/upload/", {"text": record().decode()})
    upload = Upload.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/uploads/{upload.pk}/")
    assert (upload.via, upload.filename, upload.uploader) == ("web", "", None)
    assert MoveLog.objects.get().state == "waiting"


def test_file_is_stored_byte_for_byte_with_its_name(client: Client) -> None:
    sent = record().replace(b"\n", b"\r\n")
    client.post("/upload/", {"file": file(sent, "C:\\games\\evening.agn"), "text": ""})
    assert bytes(MoveLog.objects.get().data) == sent.removesuffix(b"\r\n")
    assert Upload.objects.get().filename == "evening.agn"


def test_line_ends_added_by_the_browser_are_reverted(client: Client) -> None:
    client.post("/upload/", {"text": record().decode().replace("\n", "\r\n")})
    assert bytes(MoveLog.objects.get().data) == record().removesuffix(b"\n")


def test_a_file_of_many_games_becomes_many_logs(client: Client) -> None:
    client.post("/upload/", {"file": file(b"\n".join(duels(5)))})
    assert list(MoveLog.objects.order_by("number").values_list("number", "line"))[:2] == [(1, 1), (2, 11)]
    assert MoveLog.objects.count() == 5


def test_upload_stores_the_signed_in_account(browse: Callable[..., Client], alice: User) -> None:
    browse(alice).post("/upload/", {"text": record().decode()})
    assert Upload.objects.get().uploader == alice


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"text": " \n "}, "Choose a file or paste a game first."),
        ({"text": "\n[\n", "file": ""}, ""),
    ],
)
def test_empty_upload_is_reported_at_its_field(client: Client, sent: dict[str, str], sentence: str) -> None:
    answer = client.post("/upload/", sent)
    assert sentence in words_of(answer.content.decode())
    assert answer.status_code == (422 if sentence else 303)


def test_file_of_blank_lines_contains_no_games(client: Client) -> None:
    answer = client.post("/upload/", {"file": file(b" \n\n")})
    assert answer.status_code == 422
    assert "This upload contains no game." in words_of(answer.content.decode())


def test_pasted_text_is_kept_when_rejected(client: Client) -> None:
    games = "\n".join("[A]\n" for _ in range(MAX_GAMES + 1))
    answer = client.post("/upload/", {"text": games})
    html = answer.content.decode()
    assert "An upload may have at most 2000 games." in html
    assert html.count("[A]") == MAX_GAMES + 1
    assert 'aria-invalid="true"' in html
    assert Upload.objects.count() == 0


def test_a_file_and_a_text_together_are_refused(client: Client) -> None:
    answer = client.post("/upload/", {"file": file(record()), "text": "[A]"})
    assert "Choose a file or paste a text, not both." in words_of(answer.content.decode())


def test_a_body_that_says_it_is_too_large_is_not_read(client: Client) -> None:
    answer = client.generic("POST", "/upload/", b"", "multipart/form-data; boundary=x", CONTENT_LENGTH="9000000")
    assert answer.status_code == 413
    assert "This is more than an upload may hold: 8.0 MB." in words_of(answer.content.decode())


def test_file_one_byte_over_the_limit_is_rejected(client: Client) -> None:
    answer = client.post("/upload/", {"file": file(b"x" * (MAX_BYTES + 1))})
    assert answer.status_code == 422
    assert "Without an account an upload may have at most 8388608 bytes" in words_of(answer.content.decode())


@pytest.mark.usefixtures("uncounted")
def test_form_and_api_uploads_share_a_rate_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"upload": "2/minute"})
    statuses = [client.post("/upload/", {"text": "[A]"}).status_code for _ in range(3)]
    assert statuses == [303, 303, 429]
    refused = client.post("/upload/", {"text": "[A]"})
    assert 0 < int(refused["Retry-After"]) <= 61
    assert "Too many requests" in words_of(refused.content.decode())
    assert client.get("/upload/").status_code == 200


def test_a_form_from_another_site_is_not_accepted() -> None:
    answer = Client(enforce_csrf_checks=True).post("/upload/", {"text": "[A]"})
    assert answer.status_code == 403
    assert "The form was not accepted" in words_of(answer.content.decode())
    assert Upload.objects.count() == 0


def test_a_form_of_this_site_is_accepted() -> None:
    client = Client(enforce_csrf_checks=True)
    token = client.get("/upload/").context["csrf_token"]
    assert client.post("/upload/", {"text": "[A]", "csrfmiddlewaretoken": token}).status_code == 303


def test_samples_fill_the_form(client: Client) -> None:
    html = client.get("/upload/?sample=with-mistakes").content.decode()
    assert "[Game &quot;Atta Ants&quot;]" in html


@pytest.mark.parametrize("name", ["nothing", "../settings", "with-mistakes.agn"])
def test_unknown_sample_leaves_the_form_empty(client: Client, name: str) -> None:
    assert "[Game" not in client.get("/upload/", {"sample": name}).content.decode()


# Upload options


def test_anonymous_user_can_only_choose_training_and_dry_run(read: Read) -> None:
    words = read("/upload/")
    assert "Rating Rated once every player has confirmed Training games: never rated" in words
    assert "Your upload is public, with the names in it, unless you choose check only" in words
    assert "Private" not in words
    assert "For a club" not in words


def test_games_can_be_uploaded_for_training(client: Client) -> None:
    client.post("/upload/", {"text": record().decode(), "scored": "false"})
    upload = Upload.objects.get()
    assert (upload.scored, upload.private) == (False, False)
    assert "Training games: never rated." in words_of(client.get(upload.get_absolute_url()).content.decode())


def test_an_account_can_keep_games_private(browse: Callable[..., Client], alice: User) -> None:
    client = browse(alice)
    assert "Your upload is public, with the names in it, unless you choose private" in words_of(
        client.get("/upload/").content.decode()
    )
    client.post("/upload/", {"text": record().decode(), "private": "on"})
    upload = Upload.objects.get()
    assert upload.private
    assert "Private: only you, and players whose claim you approved" in words_of(
        client.get(upload.get_absolute_url()).content.decode()
    )


@pytest.mark.full
def test_organiser_uploads_for_a_club_and_sees_how_many_are_rated(
    browse: Callable[..., Client], alice: User, now: datetime
) -> None:
    organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    client = browse(alice)
    assert '<option value="nest" selected>The Nest</option>' in client.get("/upload/?club=nest").content.decode()

    where = client.post("/upload/", {"file": file(b"\n".join([*duels(3), record("*")])), "club": "nest"})["Location"]

    html = client.get(where).content.decode()
    assert "Its verified games will count for The Nest in the order of the file, as they are checked." in words_of(html)
    judge_all(now)
    assert "hx-get" in client.get(where).content.decode()
    rate_waiting(now=now)
    html = client.get(where).content.decode()
    assert "3 games of this upload count for The Nest." in words_of(html)
    assert "hx-get" not in html


def test_club_is_offered_only_to_its_organisers(
    browse: Callable[..., Client], alice: User, bob: User, now: datetime
) -> None:
    organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    organising.found(slug="hill", name="The Hill", about="", organiser=bob, now=now)
    assert "The Nest" not in browse(bob).get("/upload/?club=nest").content.decode()
    answer = browse(bob).post("/upload/", {"text": record().decode(), "club": "nest"})
    assert answer.status_code == 422
    assert not Upload.objects.exists()


def test_a_clubs_games_are_not_private(browse: Callable[..., Client], alice: User, now: datetime) -> None:
    organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    answer = browse(alice).post("/upload/", {"text": record().decode(), "club": "nest", "private": "on"})
    assert answer.status_code == 422
    assert "Games for a club cannot be private or training games." in words_of(answer.content.decode())
