"""Mails about an account itself: stored as rows, sent by the worker, removed once they are sent.

A request for one writes a row whether the address has an account or not, so that neither its duration nor a failing
mail server reveals which. An attempt is counted before it is made, as with notices.
"""

import json
from collections.abc import Callable
from datetime import datetime
from smtplib import SMTPException
from typing import Any

import structlog
from cryptography.fernet import InvalidToken
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import QuerySet

from games.models import AccountMail
from games.platform.backoff import Backoff
from games.platform.lookalikes import with_marks
from games.platform.sealing import seal, unseal

_log = structlog.get_logger()

BACKOFF = Backoff.of_minutes(1, 5, 30, 2 * 60, 6 * 60, 12 * 60)
"""How long an attempt that failed is followed by none; after one more the mail is given up, as its link ends."""
_PURPOSE = b"account mail"


def keep(mail: EmailMessage, *, now: datetime) -> None:
    """Keep a mail until the worker sends it."""
    said: dict[str, Any] = {"to": mail.to, "subject": with_marks(str(mail.subject)), "text": with_marks(str(mail.body))}
    said["request"] = structlog.contextvars.get_contextvars().get("request")
    AccountMail.objects.create(sealed=seal(json.dumps(said), _PURPOSE), next_at=now)


def due(now: datetime) -> "QuerySet[AccountMail]":
    """Return the mails to send now, oldest first."""
    return AccountMail.objects.filter(next_at__lte=now).order_by("next_at", "pk")


def put_off(until: datetime, *, now: datetime) -> None:
    """Postpone all mails to a moment, without counting an attempt."""
    due(now).update(next_at=until)


def send(server: BaseEmailBackend, *, now: datetime, has_time: Callable[[], bool]) -> int:
    """Send what is due. :returns: how many mails."""
    sent = 0
    while has_time() and (one := _take(now)):
        sent += _send(one, server)
    return sent


@transaction.atomic
def _take(now: datetime) -> AccountMail | None:
    one = due(now).select_for_update(skip_locked=True).first()
    if one:
        one.attempts += 1
        one.next_at = now + BACKOFF.after(one.attempts)
        one.save(update_fields=["attempts", "next_at"])
    return one


def _send(one: AccountMail, server: BaseEmailBackend) -> bool:
    request = None
    try:
        said = json.loads(unseal(bytes(one.sealed), _PURPOSE))
        request = said.get("request")
        server.send_messages([_opened(said)])
    except (OSError, SMTPException) as error:
        _log.warning("mail.unsent", account_mail=one.pk, attempt=one.attempts, request=request, error=str(error))
        if BACKOFF.is_over(one.attempts):
            one.delete()
        return False
    except InvalidToken:  # encrypted under a lost key, so its links are invalid, too
        _log.warning("mail.unreadable", account_mail=one.pk)
        one.delete()
        return False
    _log.info("mail.sent", account_mail=one.pk, request=request)
    one.delete()
    return True


def _opened(said: dict[str, Any]) -> EmailMessage:
    return EmailMessage(said["subject"], said["text"], None, said["to"], headers={"Auto-Submitted": "auto-generated"})
