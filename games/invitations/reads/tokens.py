"""The tokens in links: the database stores their digests, and they can be made again only with the site's key."""

import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

from django.conf import settings
from django.utils.crypto import salted_hmac

_BYTES = 18
"""Of a token: 144 bits, 24 characters."""


def new_nonce() -> str:
    """Return what a new link is made from."""
    return secrets.token_hex(16)


def token_from(nonce: str, key: str | bytes | None = None) -> str:
    """Return the token made from a nonce, with the site's key or another one."""
    made = salted_hmac("games.invitations", nonce, secret=key, algorithm="sha256").digest()
    return urlsafe_b64encode(made[:_BYTES]).decode()


def digest_of(token: str) -> str:
    """Return what is stored of a token."""
    return sha256(token.encode()).hexdigest()


def token_of(nonce: str, digest: str) -> str | None:
    """Return the token of a link again; none if the key with which it was made is gone."""
    made = (token_from(nonce, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return next((token for token in made if digest_of(token) == digest), None)
