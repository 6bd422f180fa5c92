"""What the system is asked to do about connections."""

import resource
import socket

from atta_site.front import sockets


def test_connections_are_given_up_whose_client_reads_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        sockets.give_up_on_silence.cache_clear()
        sockets.give_up_on_silence()

        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            kept = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)

    assert kept == sockets.SILENCE * 1000


def test_a_process_may_open_as_many_files_as_the_system_lets_it() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1024), hard))
    try:
        sockets.allow_many()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, 4 * sockets.CONNECTIONS)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
