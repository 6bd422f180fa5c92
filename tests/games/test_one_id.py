"""One id leads from a request to the tasks and mails that come of it."""

import json
import logging
from datetime import datetime
from typing import Any

import pytest
import structlog
from celery.app.task import Task
from celery.signals import before_task_publish, task_prerun
from django.core.mail import EmailMessage

from games import tasks
from games.mail import account_mails
from games.mail.delivery import send_due
from games.platform import waking


@pytest.fixture(autouse=True)
def _nothing_bound() -> Any:
    structlog.contextvars.clear_contextvars()
    yield
    structlog.contextvars.clear_contextvars()


def test_message_to_the_workers_names_the_request_that_woke_them() -> None:
    sent: list[object] = []
    waker = waking._Waker(lambda: sent.append(structlog.contextvars.get_contextvars().get("request")))
    with structlog.contextvars.bound_contextvars(request="request-0001"):
        waking._wakers["test"] = waker
        waker.start()
        waking.wake("test", lambda: None, wait=20)
    del waking._wakers["test"]
    assert sent == ["request-0001"]


def test_published_message_carries_the_id_and_its_task_logs_it() -> None:
    headers: dict[str, object] = {}
    with structlog.contextvars.bound_contextvars(request="request-0002"):
        before_task_publish.send(sender="games.tasks.sweep", headers=headers)
    assert headers == {"request_id": "request-0002"}
    task: Task[..., object] = tasks.sweep
    task.push_request(headers=headers)
    try:
        task_prerun.send(sender=task, task=task, task_id="7")
        bound = structlog.contextvars.get_contextvars()
    finally:
        task.pop_request()
    assert bound == {"task": "sweep", "task_id": "7", "request": "request-0002"}


def test_mail_about_an_account_is_logged_with_the_request_that_asked_for_it(
    db: None, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    with structlog.contextvars.bound_contextvars(request="request-0003"):
        account_mails.keep(EmailMessage("Subject", "Text", None, ["ada@example.org"]), now=now)
    with caplog.at_level(logging.INFO):
        assert send_due(now=now) == 1
    said = [json.dumps(one.msg, default=str) for one in caplog.records if one.name == "games.mail.account_mails"]
    assert any("mail.sent" in line and "request-0003" in line for line in said)
