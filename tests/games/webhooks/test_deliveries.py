"""Webhooks: somebody is told when an upload is done, by a message that he can check."""

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Event
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from games.accounts.deletion import delete_account
from games.models import Delivery, DeliveryAttempt, Upload, WebhookKey
from games.platform import outgoing
from games.platform.outgoing import AddressError
from games.uploads.origin import IntakeError, Origin, UploadOptions, new_upload
from games.uploads.reads.event import event_of
from games.webhooks import deliveries
from games.webhooks.deliveries import WebhookError, deliver_due, make_secret, send_again
from games.webhooks.reads import anything_to_deliver
from tests.factories import BROKEN, duels
from tests.games.judging import judge_all
from tests.games.receiver import Receiver, receiving
from tests.games.uploading import take_in
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    with receiving() as one:
        settings.WEBHOOK_ALLOWED = {one.place}
        yield one


@pytest.fixture
def secret(alice: User, now: datetime) -> str:
    return make_secret(alice, now=now)


@pytest.fixture
def upload(receiver: Receiver, secret: str, alice: User, now: datetime) -> Upload:
    """Three games, one of them broken, not judged yet."""
    data = b"\n".join([*duels(2), BROKEN])
    return take_in(
        data, via=Upload.Via.API, now=now, uploader=alice, filename="a.agn", options=UploadOptions(webhook=receiver.url)
    )


def later(**moved: float) -> None:
    """Time goes by, as far as the deliveries know."""
    for delivery in Delivery.objects.filter(next_at__isnull=False):
        Delivery.objects.filter(pk=delivery.pk).update(next_at=delivery.next_at - timedelta(**moved))  # type: ignore[operator]


def test_nobody_is_told_before_the_last_verdict(upload: Upload, receiver: Receiver, now: datetime) -> None:
    assert (anything_to_deliver(timezone.now()), deliver_due(event_of)) == (False, 0)

    judge_all(now)

    assert (anything_to_deliver(timezone.now()), deliver_due(event_of), deliver_due(event_of)) == (True, 1, 0)
    assert len(receiver.heard) == 1


def test_the_message_tells_the_upload_and_what_became_of_it(
    upload: Upload, receiver: Receiver, now: datetime, settings: Any
) -> None:
    judge_all(now)
    deliver_due(event_of)

    ((path, headers, body),) = receiver.heard
    told = json.loads(body)
    assert (path, headers["content-type"]) == ("/done?by=atta", "application/json")
    assert (told["type"], told["data"]["upload"], told["data"]["filename"]) == ("upload.done", str(upload.pk), "a.agn")
    assert told["data"]["records"] == {"total": 3, "verified": 2, "unfinished": 0, "rejected": 1, "quarantined": 0,
                                       "cancelled": 0}  # fmt: skip
    assert told["data"]["state"] == "done"
    assert told["data"]["url"] == f"{settings.SITE_URL}/api/v1/uploads/{upload.pk}"
    assert told["data"]["duplicate_of"] is None


def test_of_a_file_that_was_handed_in_before_it_tells_which_upload_has_its_records(
    upload: Upload, receiver: Receiver, alice: User, now: datetime, settings: Any
) -> None:
    origin = Origin(Upload.Via.API, alice, UploadOptions(webhook=receiver.url))
    again = new_upload(origin, "a.agn", now=now)
    Upload.objects.filter(pk=again.pk).update(repeats=upload, done_at=now)

    deliver_due(event_of)

    told = json.loads(receiver.heard[0][2])["data"]
    assert (told["upload"], told["records"]["total"]) == (str(again.pk), 0)
    assert told["duplicate_of"] == f"{settings.SITE_URL}/api/v1/uploads/{upload.pk}"


def test_the_signature_is_that_of_standard_webhooks(
    upload: Upload, receiver: Receiver, secret: str, now: datetime
) -> None:
    judge_all(now)
    deliver_due(event_of)

    ((_, headers, body),) = receiver.heard
    key = b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    assert secret.startswith("whsec_")
    assert headers["webhook-signature"] == "v1," + b64encode(hmac.digest(key, signed, sha256)).decode()
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60


def test_a_new_secret_takes_the_place_of_the_old_one(alice: User, secret: str, now: datetime) -> None:
    assert make_secret(alice, now=now) != secret


def test_what_is_not_heard_is_tried_again_for_a_day_and_then_given_up(
    upload: Upload, receiver: Receiver, now: datetime
) -> None:
    judge_all(now)
    receiver.status = 500
    for wait in deliveries.BACKOFF.waits:
        assert deliver_due(event_of) == 0
        later(seconds=wait.total_seconds() - 30)
        assert wait < timedelta(minutes=1) or not anything_to_deliver(timezone.now())
        later(seconds=31)
    deliver_due(event_of)
    later(days=9)

    assert (deliver_due(event_of), len(receiver.heard)) == (0, len(deliveries.BACKOFF.waits) + 1)
    assert {one[1]["webhook-id"] for one in receiver.heard} == {f"upload-{upload.pk}"}
    assert set(DeliveryAttempt.objects.values_list("status", flat=True)) == {500}
    assert timedelta(hours=23) < sum(deliveries.BACKOFF.waits, timedelta()) < timedelta(hours=26)


@pytest.mark.parametrize("status", [301, 400, 404, 503])
def test_only_an_answer_of_success_ends_it(upload: Upload, receiver: Receiver, now: datetime, status: int) -> None:
    judge_all(now)
    receiver.status = status
    deliver_due(event_of)
    receiver.status = 200
    later(hours=1)

    assert deliver_due(event_of) == 1
    assert list(DeliveryAttempt.objects.order_by("pk").values_list("status", flat=True)) == [status, 200]


def test_who_is_gone_is_told_no_more(upload: Upload, receiver: Receiver, now: datetime) -> None:
    judge_all(now)
    receiver.status = 410
    deliver_due(event_of)
    later(days=9)

    assert (deliver_due(event_of), len(receiver.heard)) == (0, 1)


def test_it_can_be_told_again(upload: Upload, receiver: Receiver, now: datetime) -> None:
    assert not send_again(upload, now=now)
    judge_all(now)
    deliver_due(event_of)

    assert send_again(upload, now=now)
    assert (deliver_due(event_of), len(receiver.heard)) == (1, 2)


def test_one_is_told_at_a_time_and_what_a_dead_worker_held_is_tried_later(
    upload: Upload, receiver: Receiver, now: datetime
) -> None:
    judge_all(now)
    deliveries._take(timezone.now())
    later(hours=1)
    assert (anything_to_deliver(timezone.now()), deliver_due(event_of)) == (False, 0)

    Delivery.objects.update(leased_until=timezone.now())
    assert deliver_due(event_of) == 1


def due(account: User, url: str, count: int) -> None:
    """Uploads that are done and of which somebody is to be told."""
    now = timezone.now() - timedelta(minutes=1)
    if not WebhookKey.objects.filter(account=account).exists():
        make_secret(account, now=now)
    for _ in range(count):
        origin = Origin(Upload.Via.API, account, UploadOptions(webhook=url))
        upload = new_upload(origin, account.username, now=now)
        Upload.objects.filter(pk=upload.pk).update(done_at=now)


def told_to(receiver: Receiver) -> list[str]:
    return [json.loads(body)["data"]["filename"] for _, _, body in receiver.heard]


def test_accounts_take_turns_however_much_is_due_to_one_of_them(receiver: Receiver, alice: User, bob: User) -> None:
    due(alice, receiver.url, 40)
    due(bob, receiver.url, 2)

    assert deliver_due(event_of) == 42
    assert told_to(receiver)[:8].count("bob") == 2


def test_who_does_not_answer_delays_nobody_else(
    receiver: Receiver, alice: User, bob: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "WHOLE", 30.0)
    monkeypatch.setattr(outgoing, "CONNECT", 30.0)
    with receiving() as hanging:
        hanging.hang = Event()
        settings.WEBHOOK_ALLOWED = {receiver.place, hanging.place}
        due(alice, hanging.url, 3)
        due(bob, receiver.url, 5)

        def let_go() -> None:
            if len(receiver.heard) == 5:
                hanging.hang.set()  # type: ignore[union-attr]

        assert deliver_due(event_of, meanwhile=let_go) == 8
        assert len(hanging.heard) == 3


def test_who_is_slow_gets_half_of_the_slots(receiver: Receiver, alice: User, bob: User) -> None:
    due(alice, receiver.url, 1)
    due(bob, receiver.url, 1)
    WebhookKey.objects.filter(account=alice).update(slow=True)
    waited_for = Delivery.objects.select_related("account__webhook_key").filter(account=alice)

    chosen = deliveries._next([waited_for.get()] * (deliveries.SLOTS // 2))

    assert chosen is not None
    assert chosen.account == bob
    assert deliveries._next([waited_for.get()] * (deliveries.SLOTS // 2)) is None
    slow = deliveries._next([])
    assert slow is not None
    assert slow.account == alice


def test_an_address_to_which_nothing_can_be_sent_is_given_up_at_once(alice: User) -> None:
    due(alice, "https://10.0.0.1/", 1)
    deliver_due(event_of)
    assert (Delivery.objects.get().next_at, DeliveryAttempt.objects.get().status) == (None, None)


def test_a_late_worker_does_not_undo_what_another_did(upload: Upload, receiver: Receiver, now: datetime) -> None:
    judge_all(now)
    late = deliveries._take(timezone.now())
    assert late
    Delivery.objects.update(leased_until=None, next_at=timezone.now())
    deliver_due(event_of)
    receiver.status = 500

    deliveries._note(late, deliveries._send(late.url, b"{}", {}, now))

    assert Delivery.objects.get().sent_at


def test_a_webhook_needs_an_account_a_secret_and_an_address(alice: User, now: datetime, settings: Any) -> None:
    options = UploadOptions(webhook="https://hooks.example.org/")
    with pytest.raises(WebhookError, match="Webhooks need an account"):
        take_in(BROKEN, via=Upload.Via.API, now=now, options=options)
    with pytest.raises(WebhookError, match="Create a secret for webhooks first"):
        take_in(BROKEN, via=Upload.Via.API, now=now, uploader=alice, options=options)
    make_secret(alice, now=now)
    with pytest.raises(AddressError, match="must begin with https"):
        take_in(
            BROKEN,
            via=Upload.Via.API,
            now=now,
            uploader=alice,
            options=UploadOptions(webhook="http://hooks.example.org/"),
        )
    assert not Upload.objects.exists()
    assert not issubclass(WebhookError, IntakeError)


def test_an_upload_by_interface_names_its_webhook(
    call: Callable[..., APIClient], alice: User, secret: str, receiver: Receiver, now: datetime
) -> None:
    client = call(alice)
    address = "/api/v1/uploads"
    sent = client.post(f"{address}?webhook={receiver.url}", BROKEN, content_type="text/plain")
    refused = client.post(f"{address}?webhook=gopher://x", BROKEN, content_type="text/plain")
    judge_all(now)

    assert (sent.status_code, deliver_due(event_of)) == (202, 1)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "webhook_address")
    private = client.post(f"{address}?webhook=https://10.0.0.1/", BROKEN, content_type="text/plain").json()["error"]
    assert private["message"] == "10.0.0.1 is not a public internet address."
    assert private["place"] == {"parameter": "webhook"}


def test_the_uploader_alone_sees_what_came_of_it_and_has_it_told_again(
    upload: Upload, receiver: Receiver, browse: Callable[..., Client], alice: User, bob: User, now: datetime
) -> None:
    def page(user: User) -> str:
        return words_of(browse(user).get(f"/uploads/{upload.pk}/").content.decode())

    assert f"{receiver.url} will be notified when the upload is done." in page(alice)
    judge_all(now)
    receiver.status = 500
    deliver_due(event_of)
    assert "UTC: answered 500 Notify again" in page(alice)
    assert receiver.url not in page(bob)

    receiver.status = 200
    assert browse(bob).post(f"/uploads/{upload.pk}/webhook/").status_code == 404
    assert browse(alice).post(f"/uploads/{upload.pk}/webhook/").status_code == 303
    assert deliver_due(event_of) == 1
    assert "was notified at" in page(alice)


def test_why_nobody_could_be_told_is_said_in_the_readers_language(
    upload: Upload, browse: Callable[..., Client], alice: User, now: datetime, settings: Any
) -> None:
    judge_all(now)
    settings.WEBHOOK_ALLOWED = set()
    Delivery.objects.update(url="https://127.0.0.1:9000/")
    deliver_due(event_of)

    page = browse(alice).get(f"/uploads/{upload.pk}/", headers={"accept-language": "de"}).content.decode()
    assert "127.0.0.1 ist keine Adresse des öffentlichen Internets." in words_of(page)


def test_the_secret_is_shown_once(browse: Callable[..., Client], alice: User) -> None:
    client = browse(alice)
    assert "You have no secret yet" in words_of(client.get("/account/webhooks/").content.decode())

    made = client.post("/account/webhooks/").content.decode()

    assert made.count("whsec_") == 2
    again = client.get("/account/webhooks/").content.decode()
    assert "whsec_" not in again
    assert "Your secret is from" in again


def test_who_leaves_is_told_of_nothing(upload: Upload, receiver: Receiver, alice: User, now: datetime) -> None:
    delete_account(alice, now=now)
    judge_all(now)

    assert (deliver_due(event_of), receiver.heard, Delivery.objects.count()) == (0, [], 0)
