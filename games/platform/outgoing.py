"""Requests to addresses that users name: only to the public internet, and only to the address that was checked.

A name is resolved once, every address it has must be public, and the connection goes to one of those, so that a name
which leads elsewhere a moment later gains nothing. Redirects are not followed; of an answer, only the status is read.
"""

import http.client
import ipaddress
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from engine.words import marked
from games.platform.errors import RefusedError

CONNECT = 5.0
"""Seconds for one step: a connection, a line of the answer."""
WHOLE = 10.0
"""Seconds for all of it, without resolving the name."""
_READ = 1024
_LONGEST, _LONGEST_HOST = 500, 253
_NEVER_IN_ADDRESSES = frozenset(' "<>\\^`{|}')
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NEVER_PUBLIC = frozenset(
    ("alt", "arpa", "belkin", "corp", "domain", "example", "home", "internal", "intranet", "invalid", "lan",
     "local", "localdomain", "localhost", "mail", "onion", "private", "test", "workgroup")
)  # fmt: skip
"""Last parts of names that are kept out of the public internet: by RFC 6761, 6762, 7686, 8375 and 9476, by ICANN as
they collide with names of private networks, or by custom. Nobody has a host of the web below arpa."""
_NOT_PUBLIC = marked("{host} is not a public internet address.")
_PORTS = {"https": 443, "http": 80}
_RESERVED = 1024
"""Ports below this belong to other kinds of services, except the web's."""
_IPV4_LEFT_OUT = tuple(map(ipaddress.IPv4Network, ("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24")))
_IPV6_PUBLIC = ipaddress.IPv6Network("2000::/3")
_IPV6_LEFT_OUT = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Among them tunnels, behind which is an address of another kind."""


class AddressError(RefusedError):
    """An address to which nothing may be sent."""

    parameter = "webhook"


class SendError(Exception):
    """Nothing was sent, or no answer came; `template` and `params` say why."""

    def __init__(self, template: str, /, **params: str) -> None:
        self.template, self.params = template, params
        super().__init__(template.format(**params))


@dataclass(frozen=True, slots=True)
class Target:
    """An address, taken apart."""

    secure: bool
    host: str
    port: int
    path: str
    allowed: bool
    """Whether the settings allow this one, though it is not public."""


def target_of(url: str) -> Target:
    """Parse an address. :raises AddressError: when nothing may be sent there, whatever it resolves to."""
    parts = _parts(url)
    host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    allowed = f"{host}:{port}" in settings.WEBHOOK_ALLOWED
    if parts.scheme != "https" and not (allowed and parts.scheme == "http"):
        raise AddressError("webhook_address", "A webhook’s address must begin with https://.")
    if port < _RESERVED and port not in _PORTS.values():
        raise AddressError("webhook_address", "A webhook’s port must be 443, or {least} or higher.", least=_RESERVED)
    if not allowed:
        _check_host(host)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    return Target(parts.scheme == "https", host, port, path, allowed)


def _parts(url: str) -> SplitResult:
    parts = _split(url)
    if parts is None or not parts.hostname:
        raise AddressError("webhook_address", "Nothing can be sent to this address.")
    if parts.username is not None:
        raise AddressError("webhook_address", "A webhook’s address must not contain a user name or password.")
    return parts


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address; None if it is not one."""
    if not url.isascii() or not url.isprintable() or set(url) & _NEVER_IN_ADDRESSES or len(url) > _LONGEST:
        return None
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.port != 0:
            return parts
    return None


def _check_host(host: str) -> None:
    """Refuse a host that cannot be reached from outside, as far as that is clear without resolving its name."""
    number = _number_of(host)
    if number and not is_public(number):
        raise AddressError("webhook_address", _NOT_PUBLIC, host=host)
    if number:
        return
    labels = host.lower().removesuffix(".").split(".")
    if len(host) > _LONGEST_HOST or not all(map(_LABEL.fullmatch, labels)):
        raise AddressError("webhook_address", "{host} is not a valid host name.", host=host)
    if len(labels) == 1 or labels[-1] in _NEVER_PUBLIC or labels[-1].isdigit():
        raise AddressError("webhook_address", _NOT_PUBLIC, host=host)


def _number_of(host: str) -> str:
    """Return the IP address that a host is written as, in any form that systems accept; empty if it is a name."""
    if ":" in host:
        return host
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return ""


def is_public(address: str) -> bool:
    """Return whether an address belongs to the public internet and to a single machine."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        return found in _IPV6_PUBLIC and not any(found in network for network in _IPV6_LEFT_OUT)
    return found.is_global and not found.is_multicast and not any(found in network for network in _IPV4_LEFT_OUT)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a request to an outside address.

    :returns: the status of the answer.
    :raises AddressError: when it is no address to which anything is sent.
    :raises SendError: when no answer came.
    """
    target = target_of(url)
    addresses = _resolved(target)
    try:
        with _connected(target, addresses) as connection:
            connection.request("POST", target.path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(_READ)
            return answer.status
    except ssl.SSLError as error:
        raise SendError(
            marked("The connection could not be secured: {reason}."), reason=error.reason or "TLS"
        ) from None
    except TimeoutError:
        raise SendError(marked("No answer came in time.")) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SendError(marked("The connection failed: {reason}."), reason=type(error).__name__) from None


def _resolved(target: Target) -> list[str]:
    """Return the addresses of a name. :raises SendError: when there is none, or any of them is not public."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SendError(marked("{host} was not found."), host=target.host) from None
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not target.allowed and not all(map(is_public, addresses)):
        raise SendError(_NOT_PUBLIC, host=target.host)
    return addresses


@contextmanager
def _connected(target: Target, addresses: list[str]) -> Iterator[http.client.HTTPConnection]:
    """Return a connection to one of the addresses; it is closed when its time is over, whatever the other side does."""
    channel = _open(target, addresses)
    watch = Timer(WHOLE, _end, [channel])
    watch.daemon = True
    watch.start()
    connection = http.client.HTTPConnection(target.host, target.port)
    try:
        if target.secure:
            channel = ssl.create_default_context().wrap_socket(channel, server_hostname=target.host)
            watch.args[0] = channel  # type: ignore[index] # the plain one is spent
        connection.sock = channel
        yield connection
    finally:
        watch.cancel()
        connection.close()
        channel.close()


def _open(target: Target, addresses: list[str]) -> socket.socket:
    failure: OSError = OSError()
    for address in addresses[:2]:
        try:
            return socket.create_connection((address, target.port), timeout=CONNECT)
        except OSError as error:
            failure = error
    raise failure


def _end(channel: socket.socket) -> None:
    with suppress(OSError):
        channel.shutdown(socket.SHUT_RDWR)
