"""Encrypts messages that a push service passes on to a browser (RFC 8291, in the coding aes128gcm of RFC 8188)."""

import hmac
import os
import struct

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
POINT = 65
"""Bytes of a public key."""
AUTH = 16
"""Bytes of the secret that a browser adds."""
_RECORD = 4096
_LAST = b"\x02"
_SALT, _KEY, _NONCE = 16, 16, 12


def encrypt(text: bytes, point: bytes, auth: bytes, own: ec.EllipticCurvePrivateKey, salt: bytes = b"") -> bytes:
    """Return the body of a push message that only one browser can read.

    :param point: the browser's public key; `auth` the secret that it added.
    :param own: a key that is made for this message alone; `salt` 16 random bytes, if none are given.
    :raises ValueError: when the browser's key is invalid.
    """
    salt = salt or os.urandom(_SALT)
    ours = point_of(own)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point))
    keyed = _derive(auth, shared, b"WebPush: info\0" + point + ours, 32)
    key = _derive(salt, keyed, b"Content-Encoding: aes128gcm\0", _KEY)
    nonce = _derive(salt, keyed, b"Content-Encoding: nonce\0", _NONCE)
    head = salt + struct.pack("!IB", _RECORD, len(ours)) + ours
    return head + AESGCM(key).encrypt(nonce, text + _LAST, None)


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a key's public part as an uncompressed point."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """Return up to 32 bytes derived by HKDF with SHA-256."""
    return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\x01", "sha256")[:length]
