"""How connections are configured in the operating system."""

import resource
import socket

from atta_site.serving import sockets


def test_connection_is_dropped_when_the_client_stops_reading() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        sockets.give_up_on_silence.cache_clear()
        sockets.give_up_on_silence()

        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            kept = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)

    assert kept == sockets.SILENCE * 1000


def test_open_file_limit_is_raised_as_far_as_needed_or_allowed() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1024), hard))
    try:
        sockets.allow_many()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, 4 * sockets.CONNECTIONS)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
