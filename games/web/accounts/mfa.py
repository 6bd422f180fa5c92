"""The second factor's secrets, encrypted: reading the database is not enough to sign in."""

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from games.platform.sealing import seal, unseal

_PURPOSE = b"second factor"


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc] # it brings no types
    """Keeps secrets encrypted under the site's key; the keys before it can still read."""

    def encrypt(self, text: str) -> str:
        """Return a secret as it is kept."""
        return seal(text, _PURPOSE).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a secret as it was."""
        return unseal(encrypted_text, _PURPOSE)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return what a passkey is for; its name is the site's, whatever host the request names."""
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return entity | {"name": settings.MFA_TOTP_ISSUER}
