"""Webhooks: a receiver is notified when an upload is done, with a message it can verify."""

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Callable
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
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def secret(alice: User, now: datetime) -> str:
    return make_secret(alice, now=now)


@pytest.fixture
def upload(receiver: Receiver, secret: str, alice: User, now: datetime) -> Upload:
    """Three games, one of them broken, not judged yet."""
    data = b"\n".join([*duels(2), BROKEN])
    return upload_file(
        data, via=Upload.Via.API, now=now, uploader=alice, filename="a.agn", options=UploadOptions(webhook=receiver.url)
    )


def let_time_pass(**moved: float) -> None:
    """Let time pass for the deliveries."""
    for delivery in Delivery.objects.filter(next_at__isnull=False):
        Delivery.objects.filter(pk=delivery.pk).update(next_at=delivery.next_at - timedelta(**moved))  # type: ignore[operator]


def test_webhook_is_sent_only_after_the_last_verdict(upload: Upload, receiver: Receiver, now: datetime) -> None:
    assert (anything_to_deliver(timezone.now()), deliver_due(event_of)) == (False, 0)

    judge_all(now)

    assert (anything_to_deliver(timezone.now()), deliver_due(event_of), deliver_due(event_of)) == (True, 1, 0)
    assert len(receiver.heard) == 1


def test_webhook_message_describes_the_upload_and_its_results(
    upload: Upload, receiver: Receiver, now: datetime, settings: Any
) -> None:
    judge_all(now)
    deliver_due(event_of)

    ((path, headers, body),) = receiver.heard
    message = json.loads(body)
    assert (path, headers["content-type"]) == ("/done?by=atta", "application/json")
    assert (message["type"], message["data"]["upload"], message["data"]["filename"]) == (
        "upload.done",
        str(upload.pk),
        "a.agn",
    )
    assert message["data"]["records"] == {"total": 3, "verified": 2, "unfinished": 0, "rejected": 1, "quarantined": 0,
                                       "cancelled": 0}  # fmt: skip
    assert message["data"]["state"] == "done"
    assert message["data"]["url"] == f"{settings.SITE_URL}/api/v1/uploads/{upload.pk}"
    assert message["data"]["duplicate_of"] is None


def test_webhook_for_a_duplicate_names_the_original_upload(
    upload: Upload, receiver: Receiver, alice: User, now: datetime, settings: Any
) -> None:
    origin = Origin(Upload.Via.API, alice, UploadOptions(webhook=receiver.url))
    again = new_upload(origin, "a.agn", now=now)
    Upload.objects.filter(pk=again.pk).update(repeats=upload, done_at=now)

    deliver_due(event_of)

    message = json.loads(receiver.heard[0][2])["data"]
    assert (message["upload"], message["records"]["total"]) == (str(again.pk), 0)
    assert message["duplicate_of"] == f"{settings.SITE_URL}/api/v1/uploads/{upload.pk}"


def test_signature_follows_standard_webhooks(upload: Upload, receiver: Receiver, secret: str, now: datetime) -> None:
    judge_all(now)
    deliver_due(event_of)

    ((_, headers, body),) = receiver.heard
    key = b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    assert secret.startswith("whsec_")
    assert headers["webhook-signature"] == "v1," + b64encode(hmac.digest(key, signed, sha256)).decode()
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60


def test_new_secret_replaces_the_old_one(alice: User, secret: str, now: datetime) -> None:
    assert make_secret(alice, now=now) != secret


@pytest.mark.full
def test_failed_delivery_is_retried_with_backoff_and_then_given_up(
    upload: Upload, receiver: Receiver, now: datetime
) -> None:
    judge_all(now)
    receiver.status = 500
    for wait in deliveries.BACKOFF.waits:
        assert deliver_due(event_of) == 0
        let_time_pass(seconds=wait.total_seconds() - 30)
        assert wait < timedelta(minutes=1) or not anything_to_deliver(timezone.now())
        let_time_pass(seconds=31)
    deliver_due(event_of)
    let_time_pass(days=9)

    assert (deliver_due(event_of), len(receiver.heard)) == (0, len(deliveries.BACKOFF.waits) + 1)
    assert {one[1]["webhook-id"] for one in receiver.heard} == {f"upload-{upload.pk}"}
    assert set(DeliveryAttempt.objects.values_list("status", flat=True)) == {500}
    assert timedelta(hours=23) < sum(deliveries.BACKOFF.waits, timedelta()) < timedelta(hours=26)


@pytest.mark.parametrize("status", [301, 400, 404, 503])
def test_delivery_ends_only_with_a_success_status(
    upload: Upload, receiver: Receiver, now: datetime, status: int
) -> None:
    judge_all(now)
    receiver.status = status
    deliver_due(event_of)
    receiver.status = 200
    let_time_pass(hours=1)

    assert deliver_due(event_of) == 1
    assert list(DeliveryAttempt.objects.order_by("pk").values_list("status", flat=True)) == [status, 200]


def test_status_410_ends_the_deliveries(upload: Upload, receiver: Receiver, now: datetime) -> None:
    judge_all(now)
    receiver.status = 410
    deliver_due(event_of)
    let_time_pass(days=9)

    assert (deliver_due(event_of), len(receiver.heard)) == (0, 1)


def test_webhook_can_be_sent_again(upload: Upload, receiver: Receiver, now: datetime) -> None:
    assert not send_again(upload, now=now)
    judge_all(now)
    deliver_due(event_of)

    assert send_again(upload, now=now)
    assert (deliver_due(event_of), len(receiver.heard)) == (1, 2)


def test_leased_delivery_is_retried_only_after_its_lease_expires(
    upload: Upload, receiver: Receiver, now: datetime
) -> None:
    judge_all(now)
    deliveries._take(timezone.now())
    let_time_pass(hours=1)
    assert (anything_to_deliver(timezone.now()), deliver_due(event_of)) == (False, 0)

    Delivery.objects.update(leased_until=timezone.now())
    assert deliver_due(event_of) == 1


def add_due_deliveries(account: User, url: str, count: int) -> None:
    """Add finished uploads whose notifications are due."""
    now = timezone.now() - timedelta(minutes=1)
    if not WebhookKey.objects.filter(account=account).exists():
        make_secret(account, now=now)
    for _ in range(count):
        origin = Origin(Upload.Via.API, account, UploadOptions(webhook=url))
        upload = new_upload(origin, account.username, now=now)
        Upload.objects.filter(pk=upload.pk).update(done_at=now)


def received_by(receiver: Receiver) -> list[str]:
    return [json.loads(body)["data"]["filename"] for _, _, body in receiver.heard]


@pytest.mark.full
def test_accounts_take_turns_regardless_of_their_number_of_deliveries(
    receiver: Receiver, alice: User, bob: User
) -> None:
    add_due_deliveries(alice, receiver.url, 40)
    add_due_deliveries(bob, receiver.url, 2)

    assert deliver_due(event_of) == 42
    assert received_by(receiver)[:8].count("bob") == 2


def test_hanging_receiver_does_not_delay_others(
    receiver: Receiver, alice: User, bob: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "WHOLE", 30.0)
    monkeypatch.setattr(outgoing, "CONNECT", 30.0)
    with receiving() as hanging:
        hanging.hang = Event()
        settings.WEBHOOK_ALLOWED = {receiver.place, hanging.place}
        add_due_deliveries(alice, hanging.url, 3)
        add_due_deliveries(bob, receiver.url, 5)

        def let_go() -> None:
            if len(receiver.heard) == 5:
                hanging.hang.set()  # type: ignore[union-attr]

        assert deliver_due(event_of, meanwhile=let_go) == 8
        assert len(hanging.heard) == 3


def test_slow_receivers_get_at_most_half_of_the_slots(receiver: Receiver, alice: User, bob: User) -> None:
    add_due_deliveries(alice, receiver.url, 1)
    add_due_deliveries(bob, receiver.url, 1)
    WebhookKey.objects.filter(account=alice).update(slow=True)
    waited_for = Delivery.objects.select_related("account__webhook_key").filter(account=alice)

    chosen = deliveries._next([waited_for.get()] * (deliveries.SLOTS // 2))

    assert chosen is not None
    assert chosen.account == bob
    assert deliveries._next([waited_for.get()] * (deliveries.SLOTS // 2)) is None
    slow = deliveries._next([])
    assert slow is not None
    assert slow.account == alice


def test_delivery_to_a_private_address_is_given_up_at_once(alice: User) -> None:
    add_due_deliveries(alice, "https://10.0.0.1/", 1)
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


def test_a_late_worker_does_not_end_the_lease_of_another_attempt(
    upload: Upload, receiver: Receiver, now: datetime
) -> None:
    judge_all(now)
    late = deliveries._take(timezone.now())
    Delivery.objects.update(leased_until=None, next_at=timezone.now())
    other = deliveries._take(timezone.now())
    assert late
    assert other
    receiver.status = 500

    deliveries._note(late, deliveries._send(late.url, b"{}", {}, now))

    assert Delivery.objects.get().leased_until == other.leased_until


def test_a_webhook_needs_an_account_a_secret_and_an_address(alice: User, now: datetime, settings: Any) -> None:
    options = UploadOptions(webhook="https://hooks.example.org/")
    with pytest.raises(WebhookError, match="Webhooks need an account"):
        upload_file(BROKEN, via=Upload.Via.API, now=now, options=options)
    with pytest.raises(WebhookError, match="Create a secret for webhooks first"):
        upload_file(BROKEN, via=Upload.Via.API, now=now, uploader=alice, options=options)
    make_secret(alice, now=now)
    with pytest.raises(AddressError, match="must begin with https"):
        upload_file(
            BROKEN,
            via=Upload.Via.API,
            now=now,
            uploader=alice,
            options=UploadOptions(webhook="http://hooks.example.org/"),
        )
    assert not Upload.objects.exists()
    assert not issubclass(WebhookError, IntakeError)


def test_webhook_can_be_named_in_an_api_upload(
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


@pytest.mark.full
def test_only_the_uploader_sees_deliveries_and_can_resend_them(
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


def test_delivery_errors_are_translated_into_german(
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


def test_deleted_account_gets_no_webhooks(upload: Upload, receiver: Receiver, alice: User, now: datetime) -> None:
    delete_account(alice, now=now)
    judge_all(now)

    assert (deliver_due(event_of), receiver.heard, Delivery.objects.count()) == (0, [], 0)
