"""Secrets that are stored encrypted, so that reading the database alone does not reveal them."""

from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes


def seal(text: str, purpose: bytes) -> bytes:
    """Return a text encrypted under the site's key."""
    return _keys(purpose).encrypt(text.encode())


def unseal(sealed: bytes | str, purpose: bytes) -> str:
    """Return a text as it was; the keys before the site's key can still read. :raises InvalidToken: when none can."""
    return _keys(purpose).decrypt(sealed).decode()


def _keys(purpose: bytes) -> MultiFernet:
    return MultiFernet([_key(purpose, secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(purpose: bytes, secret: str | bytes) -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(purpose + force_bytes(secret)).digest()))
