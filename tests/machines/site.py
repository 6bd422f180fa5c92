"""A site on eight machines: two for the web, three for workers, two for the database, one for the broker."""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from atta_site import embedded, processes
from atta_site.supervision import Service
from tests import migrated
from tests.machines.network import Machine, Network
from tests.machines.servers import Postgres, RabbitMQ

PORT = 8000
WEBS, WORKERS = ("web-one", "web-two"), ("worker-one", "worker-two", "worker-three")
BASES, BROKER = ("base-one", "base-two"), "broker"
LINKS = (
    *((web, server) for web in WEBS for server in (*BASES, BROKER)),
    *((worker, server) for worker in WORKERS for server in (BASES[0], BROKER)),
    BASES,
    *(("people", web) for web in WEBS),
)
"""Every link that the site uses; workers do not use the replica."""
_RATES = ("ANON", "USER", "UPLOAD", "EXPORT", "CLUB", "BOARD")
_AGAIN = 1.0
"""Seconds after which a dead process is started again, as systemd does."""


@dataclass
class Site:
    """What runs where."""

    folder: Path
    network: Network
    bases: dict[str, Postgres]
    broker: RabbitMQ
    environment: dict[str, str]
    services: dict[str, list[Service]]
    """By machine."""
    primary: str = BASES[0]
    lost: set[str] = field(default_factory=set)
    off: set[str] = field(default_factory=set)
    """Machines whose services are not wanted to run."""

    @property
    def database(self) -> Postgres:
        """Return the primary."""
        return self.bases[self.primary]

    @property
    def replica(self) -> str:
        """Return the machine of the replica."""
        return next(name for name in BASES if name != self.primary)

    def machine(self, name: str) -> Machine:
        """Return a machine, or where the people are."""
        return self.network.people if name == "people" else self.network.machines[name]

    def addresses(self) -> list[str]:
        """Return where the site answers."""
        return [self.network.machines[name].address for name in WEBS]

    def start(self) -> None:
        """Start all processes of the site; the servers run."""
        for name in self.services:
            self.run(name)

    def run(self, name: str) -> None:
        """Start what does not run on a machine."""
        self.off.discard(name)
        for service in self.services.get(name, []):
            if not service.is_alive():
                service.start()

    def end(self, name: str) -> None:
        """Stop what runs on a machine."""
        self.off.add(name)
        for service in self.services.get(name, []):
            service.stop()

    def let_pass(self, seconds: float) -> None:
        """Wait; meanwhile start again what died on machines that are there."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _AGAIN))
            for name in self.services:
                if name not in self.lost and name not in self.off:
                    self.run(name)

    def lose(self, name: str) -> None:
        """Lose a machine without warning, with everything that runs on it."""
        self.lost.add(name)
        self.network.unplug(self.machine(name))
        self.network.kill_all_on(self.machine(name))

    def bring_back(self, name: str) -> None:
        """Bring a lost machine back with its disk, as its operator would."""
        self.network.plug(self.machine(name))
        if name == BROKER:
            self.broker.start()
        elif name == self.primary:
            self.database.start()
        elif name in self.bases:
            self.bases[name].follow(self.database)
            self.database.wait_for_replica(yes=True)
        self.lost.discard(name)
        self.run(name)
        self.wait_until_all_answer()

    def wait_until_all_answer(self) -> None:
        """Wait for both web machines, as a proxy does before it sends them readers."""
        deadline = time.monotonic() + 120
        for address in self.addresses():
            while not _answers(address):
                if time.monotonic() > deadline:
                    raise RuntimeError((self.folder / f"{WEBS[0]}-web.log").read_text()[-4000:])
                self.let_pass(0.2)

    def give_up(self, name: str) -> None:
        """Do what the guide says when a database's machine is lost: promote the replica, or no longer wait for it."""
        if name == self.primary:
            self.primary = self.replica
            self.database.promote()
        self.database.wait_for_replica(yes=False)

    def manage(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of `manage.py` on a machine that is there."""
        command = [*self.machine(WORKERS[0]).prefix, sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, env=self.environment, cwd=processes.ROOT, capture_output=True, text=True, check=False
        )

    def stop(self) -> None:
        """End everything."""
        for service in (one for some in self.services.values() for one in some):
            if service.process:
                processes.kill(service.process)
        self.broker.stop()
        for base in self.bases.values():
            with suppress(embedded.EmbeddedError):
                base.stop()


@contextmanager
def running(folder: Path, *, lease: int) -> Iterator[Site]:
    """Yield a running site with its data in a folder."""
    folder.mkdir(parents=True)
    for above in (folder, *folder.parents[:3]):
        above.chmod(above.stat().st_mode | 0o111)  # PostgreSQL runs as another user
    network = Network()
    machines = {name: network.add(name) for name in (*WEBS, *WORKERS, *BASES, BROKER)}
    migrated.share_password(folder / "shared")
    password = (folder / "shared" / "password").read_text()
    bases = {name: Postgres(machines[name], folder / name, password) for name in BASES}
    primary, replica = (bases[name] for name in BASES)
    migrated.lay_down(primary)
    primary.open_to_all()
    broker = RabbitMQ(machines[BROKER], folder / BROKER)
    environment = _environment(folder, password, machines, broker.url, lease)
    site = Site(folder, network, bases, broker, environment, _services(folder, machines, environment))
    try:
        primary.start()
        replica.follow(primary)
        primary.wait_for_replica(yes=True)
        broker.start()
        site.start()
        site.wait_until_all_answer()
        yield site
    finally:
        site.stop()


def _services(folder: Path, machines: dict[str, Machine], environment: dict[str, str]) -> dict[str, list[Service]]:
    def service(name: str, machine: str, command: list[str]) -> Service:
        own = {"SPOOL_DIR": str(folder / machine / "spool"), "METRICS_DIR": str(folder / machine / "metrics")}
        (folder / machine).mkdir(exist_ok=True)
        log = folder / f"{machine}-{name}.log"
        return Service(name, [*machines[machine].prefix, *command], log, environment | own)

    webs = {name: [service("web", name, processes.web(machines[name].address, PORT, workers=1))] for name in WEBS}
    workers = {name: [service("worker", name, processes.worker(name, concurrency=1))] for name in WORKERS}
    workers[WORKERS[0]].append(service("beat", WORKERS[0], processes.beat(folder)))
    return webs | workers


def _environment(folder: Path, password: str, machines: dict[str, Machine], broker: str, lease: int) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "STATIC_ROOT") if name in os.environ}
    one, two = (machines[name].address for name in BASES)
    return kept | {f"THROTTLE_{name}": "1000000/minute" for name in _RATES} | {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": ",".join(["localhost", *(machines[name].address for name in WEBS)]),
        "PLAIN_HTTP": "1",
        "DATABASE_URL": f"postgresql://atta:{password}@{one},{two}:5432/atta?target_session_attrs=read-write",
        "DATABASE_REPLICA_URL": f"postgresql://atta:{password}@{two},{one}:5432/atta?target_session_attrs=prefer-standby",
        "CELERY_BROKER_URL": broker,
        "DUMPS_DIR": str(folder / "dumps"),
        "EMAIL_URL": (folder / "mail").as_uri(),
        "LOG_FORMAT": "json",
        "SWEEP_EVERY": "1",
        "VERIFICATION_LEASE": str(lease),
        "UPLOAD_MAX_OPEN": "1000",
        "HEARTBEAT_EVERY": "2",
    }  # fmt: skip


def _answers(address: str) -> bool:
    with suppress(OSError), urlopen(f"http://{address}:{PORT}/health/ready", timeout=5) as answer:
        return bool(answer.status == 200)
    return False
