"""The servers that a site needs, each on a machine: PostgreSQL with a replica, and RabbitMQ."""

import os
import secrets
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psycopg

from atta_site import embedded, processes
from tests.machines.network import Machine

RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
PATIENCE = 600.0
"""Seconds in which RabbitMQ starts, even on a busy machine."""
_PORT = 5432
_TRUSTED = "host all all 10.77.0.0/16 scram-sha-256\nhost replication all 10.77.0.0/16 scram-sha-256\n"


class Postgres(embedded.Postgres):
    """PostgreSQL on a machine, which all machines may use."""

    def __init__(self, machine: Machine, home: Path, password: str) -> None:
        """Keep its data in a folder; nothing is started."""
        home.mkdir(parents=True, exist_ok=True)
        (home / "password").write_text(password)
        super().__init__(home, home / "postgres.log", durable=True)
        self.machine, self.port, self.buffers = machine, _PORT, 128

    def _url(self, database: str) -> str:
        return f"postgresql://atta:{self.password}@{self.machine.address}:{self.port}/{database}"

    def settings(self) -> dict[str, object]:
        """Return settings with which all machines may connect, and lost ones are soon noticed."""
        return {
            "listen_addresses": "*",
            "port": self.port,
            "unix_socket_directories": "",
            "shared_buffers": f"{self.buffers}MB",
            "hot_standby_feedback": "on",
            "wal_sender_timeout": "5s",
            "wal_receiver_timeout": "5s",
            "wal_retrieve_retry_interval": "500ms",
            "wal_keep_size": "1GB",
            "tcp_keepalives_idle": 5,
            "tcp_keepalives_interval": 2,
            "tcp_keepalives_count": 3,
        }

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        options = [part for name, value in self.settings().items() for part in ("-c", f"{name}={value}")]
        command = [str(embedded.binaries() / "postgres"), "-D", str(self.data), *options]
        prefix = [*self.machine.prefix, *embedded.as_nobody()]
        return processes.spawn(command, log, tied=self.quit_signal, prefix=prefix)

    def open_to_all(self) -> None:
        """Let the other machines connect."""
        with (self.data / "pg_hba.conf").open("a") as file:
            file.write(_TRUSTED)

    def follow(self, primary: "Postgres") -> None:
        """Become a replica of another server, with nothing of one's own left, and start."""
        shutil.rmtree(self.data, ignore_errors=True)
        copy = [
            *self.machine.prefix, *embedded.as_nobody(), str(embedded.binaries() / "pg_basebackup"), "--pgdata",
            str(self.data), "--dbname", primary.url, "--write-recovery-conf", "--checkpoint=fast",
        ]  # fmt: skip
        subprocess.run(copy, cwd=self.home, capture_output=True, check=True)
        self.start()

    def wait_for_replica(self, *, yes: bool) -> None:
        """Let a commit wait until the replica has it, or not."""
        self.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{'*' if yes else ''}'")
        self.ask("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Make the primary of a replica."""
        self.ask("SELECT pg_promote()")

    def ask(self, question: str) -> list[tuple[object, ...]]:
        """Return the rows of an answer."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(question)
            return cursor.fetchall() if cursor.description else []


class RabbitMQ:
    """RabbitMQ on a machine."""

    name = "RabbitMQ"

    def __init__(self, machine: Machine, home: Path) -> None:
        """Keep its data in a folder; nothing is started."""
        home.mkdir(parents=True)
        self.machine, self.home, self.log = machine, home, home / "rabbitmq.log"
        self.password = secrets.token_urlsafe(24)
        self.process: subprocess.Popen[bytes] | None = None
        (home / "rabbitmq.conf").write_text(
            f"listeners.tcp.default = 0.0.0.0:5672\nloopback_users = none\ndefault_user = atta\n"
            f"default_pass = {self.password}\ndisk_free_limit.absolute = 50MB\nlog.console = true\nlog.file = false\n"
        )

    @property
    def url(self) -> str:
        """Return its address."""
        return f"amqp://atta:{self.password}@{self.machine.address}:5672//"

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        environment = os.environ | {
            "HOME": str(self.home),
            "RABBITMQ_NODENAME": "atta@localhost",
            "RABBITMQ_CONFIG_FILE": str(self.home / "rabbitmq"),
            "RABBITMQ_MNESIA_BASE": str(self.home / "data"),
            "RABBITMQ_LOG_BASE": str(self.home),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.home / "plugins"),
            "RABBITMQ_PID_FILE": str(self.home / "pid"),
            # Without the busy waiting by which it answers a little sooner.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+sbwt none +sbwtdcpu none +sbwtdio none +S 1:1",
        }
        with self.log.open("ab") as log:
            self.process = processes.spawn([str(RABBITMQ)], log.fileno(), prefix=self.machine.prefix, env=environment)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError(f"RabbitMQ did not start:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.2)

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """Kill it."""
        if self.process:
            processes.kill(self.process)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection((self.machine.address, 5672), timeout=1) as line:
            line.sendall(b"AMQP\x00\x00\x09\x01")
            line.settimeout(2)
            return line.recv(1) == b"\x01"
        return False


def missing() -> str:
    """Return which server is not installed; empty if all are."""
    return "" if RABBITMQ.exists() else "RabbitMQ is not installed (Debian's rabbitmq-server)"
