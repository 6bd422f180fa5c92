"""The site's own key, by which push services identify it (RFC 8292): a P-256 key in base64url."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from games.push.encryption import CURVE, point_of

VALID_FOR = timedelta(hours=12)
_BYTES = 32


def new_key() -> str:
    """Return a new key, which is a secret of the site."""
    return encoded(ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(_BYTES, "big"))


@cache
def key_of(written: str) -> ec.EllipticCurvePrivateKey:
    """Return the key that `new_key` wrote. :raises ValueError: when it is invalid."""
    number = decoded(written)
    if len(number) != _BYTES:
        raise ValueError("a key has 32 bytes")
    return ec.derive_private_key(int.from_bytes(number, "big"), CURVE)


def public_key(written: str) -> str:
    """Return the public part of a key, as browsers want it when they subscribe."""
    return encoded(point_of(key_of(written)))


def authorization(written: str, endpoint: str, contact: str, *, now: datetime) -> str:
    """Return the header that identifies the site to a push service.

    :param contact: an address at which the push service's operator can reach the site's.
    """
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + VALID_FOR).timestamp()), "sub": contact}
    signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    first, second = decode_dss_signature(key_of(written).sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = encoded(first.to_bytes(_BYTES, "big") + second.to_bytes(_BYTES, "big"))
    return f"vapid t={signed}.{signature}, k={public_key(written)}"


def _json(value: dict[str, object] | dict[str, str]) -> str:
    return encoded(json.dumps(value, separators=(",", ":")).encode())


def encoded(data: bytes) -> str:
    """Return base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64url, padded or not. :raises ValueError: when it is invalid."""
    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except (Error, UnicodeEncodeError):
        raise ValueError("not base64url") from None
