"""Idempotency: a request sent again with the same key gets the same answer, and does nothing more.

What is done and what is answered are stored in one transaction: either both are there or neither.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.models import Answer
from games.platform.errors import RefusedError
from games.platform.locks import is_free

KEPT = timedelta(hours=24)
LONGEST = 255
"""Characters of a key."""


class OnceError(RefusedError):
    """A key that cannot be used, or not for this."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer, and whether it was given before."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)
    again: bool = False


def once(
    account: AbstractBaseUser | None,
    key: str,
    fingerprint: Callable[[], str],
    act: Callable[[], Kept],
    *,
    now: datetime,
) -> Kept:
    """Do something unless it was done with this key before.

    :param account: who asks; all who have none share their keys, so that theirs must be ones that nobody guesses.
    :param fingerprint: of what is asked for; asked once, after it was done, when a long body has been read anyway.
    :raises OnceError: when the key is none, or was used for something else, or is being used just now.
    """
    if not 0 < len(key) <= LONGEST or not key.isprintable():
        raise OnceError("bad_key", "An Idempotency-Key must have 1 to {most} printable characters.", most=LONGEST)
    if account is None and not _is_uuid(key):
        raise OnceError("bad_key", "Without an account, an Idempotency-Key must be a random UUID.")
    number = account.pk if account else None
    with transaction.atomic():
        if not is_free(f"answer/{number}/{key}"):
            raise OnceError(
                "under_way", "A request with this Idempotency-Key is still being answered. Try again in a moment."
            )
        if known := Answer.objects.filter(account=number, key=key, made_at__gt=now - KEPT).first():
            return _answered(known, fingerprint())
        kept = act()
        answer = {"fingerprint": fingerprint(), "status": kept.status, "headers": kept.headers, "body": kept.body}
        Answer.objects.update_or_create(account_id=number, key=key, defaults=answer | {"made_at": now})
    return kept


def _is_uuid(key: str) -> bool:
    try:
        return str(UUID(key)) == key.lower()
    except ValueError:
        return False


def _answered(known: Answer, fingerprint: str) -> Kept:
    if known.fingerprint != fingerprint:
        raise OnceError("key_used", "This Idempotency-Key was used for another request.")
    return Kept(known.status, known.body, known.headers, again=True)


def forget_old(*, now: datetime) -> int:
    """Remove answers that are too old to be asked for. :returns: how many."""
    return Answer.objects.filter(made_at__lte=now - KEPT).delete()[0]
