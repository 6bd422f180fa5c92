"""Requests to addresses that users name: only to the public internet, and only to the address that was checked.

A name is resolved once, every address it has must be public, and the connection goes to one of those, so that a name
which leads elsewhere a moment later gains nothing. Redirects are not followed; of an answer, only the status is read.
One deadline covers all of it: the name, the connection and the answer.
"""

import http.client
import ipaddress
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import BoundedSemaphore, Thread, Timer
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from engine.words import marked
from games.platform.errors import RefusedError

CONNECT = 5.0
"""Seconds for one step: resolving the name, a connection, a line of the answer."""
WHOLE = 10.0
"""Seconds for all of it."""
RESOLVING = 128
"""Names that may be resolved at the same time; more wait for one of these within their own time."""
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
    target, deadline = target_of(url), monotonic() + WHOLE
    addresses = _resolved(target)
    try:
        with _connected(target, addresses, deadline) as connection:
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
    """Return the addresses of a name. :raises SendError: when there is none in time, or any of them is not public."""
    deadline = monotonic() + CONNECT
    try:
        addresses = _asked_for(target).result(_left(deadline))
    except TimeoutError:
        raise SendError(marked("The name server of {host} did not answer in time."), host=target.host) from None
    except (OSError, UnicodeError):
        raise SendError(marked("{host} was not found."), host=target.host) from None
    if not target.allowed and not all(map(is_public, addresses)):
        raise SendError(_NOT_PUBLIC, host=target.host)
    return addresses


_resolving = BoundedSemaphore(RESOLVING)


def _asked_for(target: Target) -> "Future[list[str]]":
    """Resolve a name in a thread of its own: the system's resolver takes no deadline, and may need minutes.

    The caller leaves it behind when its time is over. The thread ends when the resolver gives up.

    :raises TimeoutError: when too many names are being resolved.
    """
    found, places = Future[list[str]](), _resolving
    if not places.acquire(timeout=CONNECT):
        raise TimeoutError
    Thread(target=_resolve, args=(target, found, places), daemon=True, name=f"resolve {target.host}").start()
    return found


def _resolve(target: Target, found: "Future[list[str]]", places: BoundedSemaphore) -> None:
    try:
        infos = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        found.set_result(list(dict.fromkeys(str(one[4][0]) for one in infos)))
    except Exception as error:  # noqa: BLE001 - the caller raises it
        found.set_exception(error)
    finally:
        places.release()


@contextmanager
def _connected(target: Target, addresses: list[str], deadline: float) -> Iterator[http.client.HTTPConnection]:
    """Return a connection to one of the addresses; it is closed at the deadline, whatever the other side does."""
    channel = _open(target, addresses, deadline)
    watch = Timer(_left(deadline), _end, [channel])
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


def _open(target: Target, addresses: list[str], deadline: float) -> socket.socket:
    failure: OSError = OSError()
    for address in addresses[:2]:
        try:
            channel = socket.create_connection((address, target.port), timeout=min(CONNECT, _left(deadline)))
        except OSError as error:
            failure = error
        else:
            channel.settimeout(CONNECT)
            return channel
    raise failure


def _left(deadline: float) -> float:
    """Return the seconds until a deadline, at least a tenth: without any, a socket would not wait at all."""
    return max(0.1, deadline - monotonic())


def _end(channel: socket.socket) -> None:
    with suppress(OSError):
        channel.shutdown(socket.SHUT_RDWR)
