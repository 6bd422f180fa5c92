"""The second factor's secrets, encrypted: reading the database is not enough to sign in."""

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.utils.translation import gettext_lazy

from games.platform.sealing import seal, unseal

_PURPOSE = b"second factor"


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc] # it brings no types
    """Stores secrets encrypted under the site's key; earlier keys can still decrypt."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "unverified_email": gettext_lazy("Confirm your e-mail address before you add a second factor."),
    }

    def encrypt(self, text: str) -> str:
        """Return a secret encrypted for storage."""
        return seal(text, _PURPOSE).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a decrypted secret."""
        return unseal(encrypted_text, _PURPOSE)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the site for which passkeys are valid, whatever host the request names."""
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return entity | {"name": settings.MFA_TOTP_ISSUER}
