"""What is kept how long: every table is listed, and every job that is named removes something."""

import inspect
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from knox.models import AuthToken

from games import tasks
from games.accounts import cleaning
from games.models import Delivery, DeliveryAttempt, Upload
from games.webhooks import deliveries
from tests.factories import record
from tests.games.uploading import upload_file

PAGE = (Path(__file__).parents[2] / "docs/reference/retention.md").read_text()

pytestmark = pytest.mark.django_db


def test_every_table_of_the_database_is_listed_once() -> None:
    listed = re.findall(r"^\| `([a-z_]+)` \|", PAGE.partition("## Folders")[0], re.MULTILINE)
    assert sorted(listed) == sorted({*connection.introspection.table_names(), "cache"})


def test_every_job_that_is_named_is_called_by_the_hourly_one() -> None:
    named = set(re.findall(r"`(\w+\.forget_\w+)`", PAGE))
    called = set(re.findall(r"(\w+\.forget_\w+)\(", inspect.getsource(tasks.tidy)))
    assert named == called


def test_webhooks_are_forgotten_ninety_days_after_they_were_sent(alice: User, now: datetime) -> None:
    for days, name in ((89, "young"), (91, "old")):
        upload = upload_file(record(Event=name), via=Upload.Via.API, now=now, uploader=alice)
        made = now - timedelta(days=days)
        sent = Delivery.objects.create(
            upload=upload, account=alice, url="https://a.example", made_at=made, sent_at=made
        )
        DeliveryAttempt.objects.create(delivery=sent, at=made, milliseconds=1, status=200)
    assert deliveries.forget_old(now=now) == 1
    assert (Delivery.objects.count(), DeliveryAttempt.objects.count()) == (1, 1)


def test_tokens_are_forgotten_thirty_days_after_they_expired(alice: User, now: datetime) -> None:
    for days in (29, 31):
        token, _ = AuthToken.objects.create(alice)
        AuthToken.objects.filter(pk=token.pk).update(expiry=now - timedelta(days=days))
    AuthToken.objects.create(alice)
    assert cleaning.forget_expired_tokens(now=now) == 1
    assert AuthToken.objects.count() == 2


def test_browsers_are_forgotten_when_their_session_has_ended(alice: User, client: Client) -> None:
    client.force_login(alice)
    for key in (client.session.session_key, "gone"):
        UserSession.objects.create(user=alice, ip="127.0.0.1", session_key=key, user_agent="x")
    assert cleaning.forget_ended_sessions() == 1
    assert UserSession.objects.get().session_key == client.session.session_key
