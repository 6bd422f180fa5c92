"""Sends notices by mail: the worker gathers all notices of an account into one mail.

A notice is claimed by counting the attempt and postponing the notice before any work: if a process is killed, it is
tried again, and a mail server that is down only costs time. So a mail may come twice, with the same Message-ID, but it
is never lost, unless it was refused for two days.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTPException
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils.translation import override

from games.mail import account_mails
from games.mail.texts import write
from games.models import Notice
from games.notices.preferences import stop_address
from games.notices.reads import address_of, notices_due, preferences_of, wants
from games.platform.backoff import Backoff
from games.platform.lookalikes import with_marks
from games.platform.pauses import Part, is_paused

_log = structlog.get_logger()

BACKOFF = Backoff.of_minutes(1, 5, 30, 2 * 60, 6 * 60, 12 * 60, 24 * 60)
"""How long an attempt that failed is followed by none; after one more it is given up."""
AWAY = timedelta(minutes=1)
"""How long to wait after the mail server did not answer; that does not count as an attempt."""
_MOST = 50
"""Notices in one mail."""


@dataclass(frozen=True, slots=True)
class Post:
    """The notices of one account, and the right to send them while no other attempt has begun."""

    account: int
    notices: tuple[Notice, ...]

    @property
    def attempts(self) -> int:
        """The number of attempts, including this one."""
        return max(notice.attempts for notice in self.notices)


def send_due(*, now: datetime, has_time: Callable[[], bool] = lambda: True) -> int:
    """Send what is due: mails about accounts, then one mail of notices for each account. :returns: how many."""
    if not (account_mails.due(now).exists() or notices_due(now).exists()):
        return 0
    if is_paused(Part.MAIL):
        return 0
    try:
        server: BaseEmailBackend = get_connection()
        server.open()
    except (OSError, SMTPException) as error:
        _put_off(now, error)
        return 0
    sent = account_mails.send(server, now=now, has_time=has_time)
    while has_time() and (post := _take(now)):
        sent += _send(post, server, now)
    with suppress(OSError, SMTPException):
        server.close()
    return sent


def _put_off(now: datetime, error: Exception) -> None:
    _log.warning("mail.server_unavailable", error=str(error))
    Notice.objects.filter(next_at__lte=now).update(next_at=now + AWAY)
    account_mails.put_off(now + AWAY, now=now)


@transaction.atomic
def _take(now: datetime) -> Post | None:
    """Claim everything that waits for one account, due or not, unless another worker has it."""
    free = User.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    account = free.filter(pk__in=notices_due(now).values("account")).order_by("pk").first()
    waiting = Notice.objects.filter(account=account, next_at__isnull=False).order_by("pk") if account else ()
    notices = list(waiting[:_MOST])
    if account is None or not any(notice.next_at and notice.next_at <= now for notice in notices):
        return None
    for notice in notices:
        notice.attempts += 1
        notice.next_at = now + BACKOFF.after(notice.attempts)
    Notice.objects.bulk_update(notices, ["attempts", "next_at"])
    return Post(account.pk, tuple(notices))


def _send(post: Post, server: BaseEmailBackend, now: datetime) -> bool:
    mail = _mail(post, now)
    if mail is None:
        _finish(post, next_at=None)
        return False
    try:
        server.send_messages([mail])
    except (OSError, SMTPException) as error:
        _log.warning("mail.unsent", account=post.account, attempt=post.attempts, error=str(error))
        if BACKOFF.is_over(post.attempts):
            _finish(post, next_at=None)
        return False
    _finish(post, next_at=None, sent_at=now)
    return True


def _finish(post: Post, **what: datetime | None) -> None:
    for notice in post.notices:
        Notice.objects.filter(pk=notice.pk, attempts=notice.attempts).update(**what)


def _mail(post: Post, now: datetime) -> EmailMessage | None:
    """Return the mail; None if nothing is left to say, or there is no address."""
    preferences, address = preferences_of(post.account), address_of(post.account)
    wanted = [notice for notice in post.notices if wants(preferences, notice.kind)]
    with override(preferences.language or settings.LANGUAGE_CODE):
        letter = write(post.account, wanted, now=now) if wanted and address else None
    if letter is None:
        return None
    stop = stop_address(post.account)
    headers = {
        "Message-ID": _message_id(post),
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(with_marks(letter.subject), with_marks(letter.text), None, [address], headers=headers)


def _message_id(post: Post) -> str:
    """Return the id of a mail, which stays the same when it is sent again.

    It names the time of the latest event: a row stands for several, one by one, and mail servers drop a second mail
    with an id that they know.
    """
    first, last = post.notices[0].pk, post.notices[-1].pk
    latest = max(notice.noted_at for notice in post.notices)
    return f"<notices-{first}-{last}-{latest:%Y%m%d%H%M%S%f}@{urlsplit(settings.SITE_URL).hostname}>"
