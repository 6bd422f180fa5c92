"""How mails are sent: by a server, as files, or not at all, depending on EMAIL_URL."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

SCHEMES = ("smtp", "smtps", "smtp+plain", "file")
_BACKENDS = "django.core.mail.backends"
_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}


@dataclass(frozen=True, slots=True)
class Mail:
    """Django's mail settings."""

    backend: str
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False
    folder: str = ""


def mail_of(address: str) -> Mail:
    """Read `smtp://user:password@host:port` (STARTTLS), `smtps://` (TLS), `smtp+plain://`, `file:///folder` or nothing.

    :raises ValueError: when the host, the port or the folder is missing or none.
    """
    if not address:
        return Mail(f"{_BACKENDS}.dummy.EmailBackend")
    parts = urlsplit(address)
    if parts.scheme == "file":
        return _files(unquote(parts.path), parts.netloc)
    if not parts.hostname:
        raise ValueError("no host")
    return Mail(
        f"{_BACKENDS}.smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp",
        tls=parts.scheme == "smtps",
    )


def _files(folder: str, host: str) -> Mail:
    if host or not folder.startswith("/"):
        raise ValueError("no folder: write an absolute path after three slashes")
    return Mail(f"{_BACKENDS}.filebased.EmailBackend", folder=folder)
