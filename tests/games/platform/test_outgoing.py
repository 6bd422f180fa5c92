"""Requests to URLs named by users reach only the public internet, and no second address."""

import re
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import BoundedSemaphore, Event, Thread
from threading import enumerate as threads
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from games.platform import outgoing
from games.platform.outgoing import AddressError, SendError, is_public, post, target_of
from tests.games.receiver import Receiver, receiving

NOT_PUBLIC = [
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:169.254.169.254", "::127.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1",
    "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:4136:e378::", "2001:db8::1", "100::1", "3fff::1",
    "localhost", "", "1.2.3",
]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_non_public_addresses_are_recognized(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_are_recognized(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]",
     "[::ffff:7f00:1]", "0177.0.0.1", "0x7f.1", "192.168.1.1", "169.254.169.254", "10.0.0.1", "[64:ff9b::7f00:1]",
     "[fe80::1]", "[fe80::1%25eth0]", "printer", "LOCALHOST",
     "localhost.", "hooks.localhost", "nas.local", "db.internal", "hooks.test", "hooks.example", "hooks.invalid",
     "x.onion", "router.home.arpa", "hooks.1234", "1.2.3.4.5", "300.1.2.3", "a.corp", "a.mail", "a.home", "a.alt",
     "1.0.0.10.in-addr.arpa", "a.b.ip6.arpa", "A.CORP.", "a.lan", "a.private", "a.workgroup"],
)  # fmt: skip
def test_requests_to_non_public_hosts_are_rejected_in_every_notation(host: str) -> None:
    with pytest.raises(AddressError, match=r"is not a public internet address"):
        target_of(f"https://{host}/")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://example.org/", "A webhook’s address must begin with https://."),
        ("ftp://example.org/", "A webhook’s address must begin with https://."),
        ("file:///etc/passwd", "Nothing can be sent to this address"),
        ("https://user:word@example.org/", "A webhook’s address must not contain a user name or password."),
        ("https://user@example.org/", "A webhook’s address must not contain a user name or password."),
        ("https://-x.example.org/", "-x.example.org is not a valid host name."),
        ("https://x..example.org/", "x..example.org is not a valid host name."),
        ("https://.example.org/", ".example.org is not a valid host name."),
        ("https://x%20y.example.org/", "x%20y.example.org is not a valid host name."),
        ("https://*.example.org/", "*.example.org is not a valid host name."),
        (f"https://{'x' * 64}.example.org/", f"{'x' * 64}.example.org is not a valid host name."),
        (f"https://{'x.' * 130}example.org/", f"{'x.' * 130}example.org is not a valid host name."),
        ("https://example.org\\@10.0.0.1/", "Nothing can be sent to this address"),
        ("ws://example.org/", "A webhook’s address must begin with https://."),
        ("https:/example.org/", "Nothing can be sent to this address"),
        ("https://example.org:22/", "A webhook’s port must be 443, or 1024 or higher."),
        ("https://example.org:0/", "Nothing can be sent to this address"),
        ("https://example.org:99999/", "Nothing can be sent to this address"),
        ("https://exa mple.org/", "Nothing can be sent to this address"),
        ("https://example.org/\r\nX: y", "Nothing can be sent to this address"),
        ("https://exämple.org/", "Nothing can be sent to this address"),
        ("https://[::1/", "Nothing can be sent to this address"),
        ("https://", "Nothing can be sent to this address"),
        ("example.org", "Nothing can be sent to this address"),
        ("https://example.org/" + "x" * 500, "Nothing can be sent to this address"),
    ],
)
def test_invalid_webhook_url_is_rejected_with_a_reason(url: str, sentence: str) -> None:
    with pytest.raises(AddressError, match=re.escape(sentence)):
        target_of(url)


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)

    with pytest.raises(SendError, match=r"hooks\.example\.org is not a public internet address"):
        post("https://hooks.example.org/", b"{}", {})


def test_host_name_is_resolved_once_and_the_checked_address_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, connected = list[str](), list[tuple[str, int]]()
    public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))]

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError

    def resolve(host: str, *_: object, **__: object) -> object:
        asked.append(host)
        return public

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)

    with pytest.raises(SendError, match="The connection failed: ConnectionRefusedError"):
        post("https://rebinding.example.org/", b"{}", {})
    assert (asked, connected) == (["rebinding.example.org"], [("93.184.216.34", 443)])


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Let no name server answer until the test is over."""
    over = Event()

    def resolve(*_: object, **__: object) -> object:
        over.wait()
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(outgoing, "CONNECT", 0.2)
    yield over
    over.set()


@pytest.mark.usefixtures("silence")
def test_a_name_server_that_never_answers_holds_nobody_beyond_their_time() -> None:
    with pytest.raises(SendError, match=r"The name server of hooks\.example\.org did not answer in time\."):
        post("https://hooks.example.org/", b"{}", {})


def test_names_that_are_never_answered_take_a_bounded_number_of_threads(
    silence: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "_resolving", BoundedSemaphore(2))
    for _ in range(4):
        with pytest.raises(SendError, match="did not answer in time"):
            post("https://silent.example.org/", b"{}", {})
    assert [one.name for one in threads()].count("resolve silent.example.org") == 2
    silence.set()
    with pytest.raises(SendError, match=r"silent\.example\.org was not found"):
        post("https://silent.example.org/", b"{}", {})


def test_only_the_very_port_that_is_allowed_is_exempt(receiver: Receiver) -> None:
    assert post(receiver.url, b"hello", {"X-One": "1"}) == 204
    with receiving() as other, pytest.raises(AddressError, match="must begin with https"):
        post(other.url, b"hello", {})
    ((path, headers, body),) = receiver.heard
    assert (path, headers["x-one"], headers["host"], body) == ("/done?by=atta", "1", receiver.place, b"hello")


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    with receiving() as inside:
        receiver.status, receiver.location = 307, inside.url
        assert post(receiver.url, b"{}", {}) == 307
        assert inside.heard == []


def test_long_response_is_not_read_completely(receiver: Receiver) -> None:
    receiver.status, receiver.body = 200, b"x" * 50_000_000
    assert post(receiver.url, b"{}", {}) == 200


def test_silent_receiver_times_out(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "CONNECT", 0.2)
    receiver.hang = Event()

    with pytest.raises(SendError, match="No answer came in time"):
        post(receiver.url, b"{}", {})
    receiver.hang.set()


def test_slowly_dripping_receiver_times_out(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "WHOLE", 0.5)
    over = Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"
        settings.WEBHOOK_ALLOWED = {place}

        def drip() -> None:
            channel, _ = server.accept()
            with channel:
                while not over.wait(0.05):
                    channel.sendall(b"x")

        thread = Thread(target=drip, daemon=True)
        thread.start()
        with pytest.raises(SendError, match="The connection failed"):
            post(f"http://{place}/", b"{}", {})
        over.set()
        thread.join()


def test_untrusted_certificate_is_rejected(settings: Any, tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as plain:
        place = f"127.0.0.1:{plain.getsockname()[1]}"
        settings.WEBHOOK_ALLOWED = {place}
        Thread(target=handshake, args=(plain, context), daemon=True).start()
        with pytest.raises(SendError, match="The connection could not be secured: CERTIFICATE_VERIFY_FAILED"):
            post(f"https://{place}/", b"{}", {})


def handshake(plain: socket.socket, context: ssl.SSLContext) -> None:
    channel, _ = plain.accept()
    try:
        context.wrap_socket(channel, server_side=True).close()
    except OSError:
        channel.close()


def certificate(folder: Path) -> Path:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")])
    now = datetime.now(UTC)
    day = timedelta(days=1)
    begun = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
    made = begun.sign(key, hashes.SHA256())
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "certificate.pem"
    path.write_bytes(key.private_bytes(*plain) + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.mark.parametrize(
    "url",
    ["https://example.org", "https://hooks.example.org:8443/a/b?c=d#e", "https://xn--exmple-cua.org./", "https://1.1.1.1/",
     "https://[2606:4700::1111]/", "https://a_b.example.org/"],
)  # fmt: skip
def test_valid_webhook_urls_are_accepted(url: str) -> None:
    assert target_of(url).secure
