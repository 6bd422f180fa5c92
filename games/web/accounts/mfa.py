"""The second factor's secrets: whoever reads the database alone cannot sign in with them."""

from base64 import urlsafe_b64encode
from hashlib import sha256

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc] # it brings no types
    """Keeps secrets encrypted under the site's key; the keys before it can still read."""

    def encrypt(self, text: str) -> str:
        """Return a secret as it is kept."""
        return _keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a secret as it was."""
        return _keys().decrypt(encrypted_text.encode()).decode()


def _keys() -> MultiFernet:
    return MultiFernet([_key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str | bytes) -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(b"second factor" + force_bytes(secret)).digest()))
