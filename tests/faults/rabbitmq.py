"""A private RabbitMQ: Debian's programs with a node name, ports and folders of their own, only on loopback."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import amqp

from atta_site import embedded, processes

PROGRAM = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
"""Not the one of the same name in /usr/sbin, which becomes the user `rabbitmq` and takes that one's folders."""
_PATIENCE = 600.0
"""Seconds within which a node starts: beside twenty other programs two minutes were too few."""
_STARTED = "Server startup complete"


class RabbitMQ(embedded.Server):
    """RabbitMQ on loopback, with a password; at its second, fourth, … start it has forgotten everything."""

    name = "RabbitMQ"
    quit_signal = signal.SIGTERM

    def __init__(self, home: Path, log: Path) -> None:
        """Keep everything in `home`."""
        super().__init__(home, log, durable=True)
        self._ports = {name: processes.free_port() for name in ("dist", "epmd")}
        self._names: subprocess.Popen[bytes] | None = None
        self._starts = 0

    @property
    def url(self) -> str:
        """Return the address of the broker."""
        return f"amqp://atta:{self.password}@{embedded.HOST}:{self.port}//"

    def stop(self) -> None:
        """Kill the node, which may hang, and the process that knows its name."""
        for process in (self.process, self._names):
            if process:
                processes.kill(process)
        self.process = self._names = None

    def _prepare(self) -> None:
        if self._starts % 2:
            shutil.rmtree(self.home / "data", ignore_errors=True)
        self._starts += 1
        (self.home / "enabled_plugins").write_text("[].\n")
        (self.home / "rabbitmq-env.conf").touch()
        configuration = self.home / "rabbitmq.conf"
        configuration.touch(mode=0o600)
        configuration.write_text(
            f"listeners.tcp.1 = {embedded.HOST}:{self.port}\ndefault_user = atta\ndefault_pass = {self.password}\n"
            "log.console = true\nlog.file = false\ndisk_free_limit.absolute = 50MB\n"
        )

    def _spawn(self, log: int) -> "subprocess.Popen[bytes]":
        if self._names is None or self._names.poll() is not None:
            self._names = processes.spawn(["epmd"], log, env=self._environment())
        return processes.spawn([str(PROGRAM)], log, tied=self.quit_signal, env=self._environment())

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),  # the nodes' shared secret is there
            "LANG": "C.UTF-8",
            "RUNNING_UNDER_SYSTEMD": "1",  # the script becomes the node instead of starting it
            "ERL_EPMD_PORT": str(self._ports["epmd"]),
            "ERL_EPMD_ADDRESS": embedded.HOST,
            "RABBITMQ_NODENAME": f"atta-{self.port}@localhost",
            "RABBITMQ_DIST_PORT": str(self._ports["dist"]),
            "RABBITMQ_CONF_ENV_FILE": str(self.home / "rabbitmq-env.conf"),
            "RABBITMQ_CONFIG_FILE": str(self.home / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.home / "enabled_plugins"),
            "RABBITMQ_MNESIA_BASE": str(self.home / "data"),
            "RABBITMQ_LOG_BASE": str(self.home / "logs"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}",
        }

    def _watched(self) -> Callable[[], bool]:
        """Return whether the node is still starting; it says when it has."""
        before = self.log.stat().st_size if self.log.exists() else 0
        until = time.monotonic() + _PATIENCE

        def is_under_way() -> bool:
            with self.log.open("rb") as log:
                log.seek(before)
                return _STARTED.encode() not in log.read() and time.monotonic() < until

        return is_under_way

    def _answers(self) -> bool:
        address = f"{embedded.HOST}:{self.port}"
        try:
            with amqp.Connection(address, "atta", self.password, connect_timeout=2, read_timeout=2):
                return True
        except (OSError, amqp.AMQPError):
            return False


def is_installed() -> bool:
    """Return whether RabbitMQ can be started here."""
    return PROGRAM.exists() and bool(shutil.which("epmd"))
