"""A response about an upload shows one consistent moment, even if verdicts are stored between its queries."""

import json
from collections.abc import Callable
from datetime import datetime
from itertools import count
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from games.models import Upload
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of
from tests.tiers import first_quick

Shown = tuple[bool, bool, bool]
"""Whether a response has a verdict, everything that belongs to it, and its count."""


class Between:
    """Run something on a separate connection before a given query, counted from 0."""

    def __init__(self, at: int, work: Callable[[], object]) -> None:
        self.at, self.asked, self._work = at, 0, work

    def __call__(self, execute: Callable[..., Any], *asked: Any) -> Any:
        if self.asked == self.at:
            thread = Thread(target=self._apart)
            thread.start()
            thread.join()
        self.asked += 1
        return execute(*asked)

    def _apart(self) -> None:
        self._work()
        connection.close()


def by_api(client: Client, upload: Upload) -> Shown:
    body = client.get(f"/api/v1/uploads/{upload.pk}").json()
    (one,) = body["results"]
    whole = bool(one["digest"] and one["record_digest"] and one["url"])
    counted = body["progress"]["verified"] == 1 and body["state"] == "done"
    return one["verdict"] is not None, whole, counted


def by_report(client: Client, upload: Upload) -> Shown:
    one, end = map(json.loads, client.get(f"/api/v1/uploads/{upload.pk}/report").content.decode().splitlines())
    whole = bool(one["game_digest"] and one["record_digest"] and one["game"] and one["state"] == "judged")
    return one["verdict"] is not None, whole, end["end"]["done"] and end["end"]["upload"]["verified"] == 1


def by_progress(client: Client, upload: Upload) -> Shown:
    progress = client.get(f"/api/v1/uploads/{upload.pk}/progress").json()
    return progress["state"] == "done", progress["records"]["waiting"] == 0, progress["records"]["verified"] == 1


def by_stream(client: Client, upload: Upload) -> Shown:
    answer: Any = client.get(f"/api/v1/uploads/{upload.pk}/progress", headers={"accept": "text/event-stream"})
    first = next(iter(answer.streaming_content)).decode()
    answer.close()
    progress = json.loads(first.split("data: ")[1])
    return "event: done" in first, progress["records"]["waiting"] == 0, progress["records"]["verified"] == 1


def by_page(client: Client, upload: Upload) -> Shown:
    page = client.get(f"/uploads/{upload.pk}/").content.decode()
    words = words_of(page)
    return "verified" in words.lower(), 'href="/games/' in page.replace('href="/games/"', ""), "hx-trigger" not in page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ask", first_quick([by_api, by_report, by_progress, by_stream, by_page]))
def test_each_response_shows_one_consistent_moment_of_an_upload(
    ask: Callable[[Client, Upload], Shown], client: Client, now: datetime
) -> None:
    before, after = None, None
    for at, data in zip(count(), duels(60), strict=False):
        upload = upload_file(data, via=Upload.Via.API, now=now)
        between = Between(at, lambda: judge_all(now))
        before = before or ask(client, upload)
        with connection.execute_wrapper(between):
            shown = ask(client, upload)
        judge_all(now)
        after = after or ask(client, upload)
        assert shown in (before, after), f"stored before question {at}"
        if between.asked <= at:
            break
    assert before != after
    assert at > 2
