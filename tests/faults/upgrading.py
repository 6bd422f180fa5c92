"""An upgrade without downtime: an older version and this one run over one database while clients upload and read.

The older version is the first commit with a given migration, taken from the repository's history. It uses the packages
of this one.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import psycopg

from atta_site import embedded, processes
from atta_site.supervision import Service
from tests.faults import checker
from tests.faults.clients import Clients
from tests.faults.parcels import Parcel
from tests.faults.planting import add_what_is_made
from tests.faults.site import CLUB, PATIENCE, environment_of

PAGES = (
    "/",
    "/games/",
    "/players/",
    f"/clubs/{CLUB}/",
    "/api/v1/games",
    f"/api/v1/clubs/{CLUB}",
    "/api/v1/leaderboards",
)
"""What is read of every version again and again."""
_LEASE = 10
_CLIENTS = 2


def commit_with(migration: str) -> str:
    """Return the first commit that has a migration, as its last; nothing where the history is not there."""
    folder = "games/migrations"
    found = _git("log", "--topo-order", "--diff-filter=A", "--format=%H", "--", f"{folder}/{migration}.py").split()
    if not found or _git("rev-parse", "--is-shallow-repository").strip() == "true":
        return ""
    files = _git("ls-tree", "--name-only", found[-1], f"{folder}/").split()
    last = max(Path(name).stem for name in files if Path(name).name[0].isdigit())
    return found[-1] if last == migration else ""


def _git(*arguments: str) -> str:
    with suppress(OSError):
        return subprocess.run(
            ["git", *arguments], cwd=processes.ROOT, capture_output=True, text=True, check=False
        ).stdout
    return ""


def take_out(commit: str, folder: Path) -> None:
    """Write the files of a commit to a folder, ready to run."""
    folder.mkdir(parents=True)
    packed = subprocess.run(["git", "archive", commit], cwd=processes.ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "--extract", "--directory", str(folder)], input=packed.stdout, check=True)
    add_what_is_made(folder)


@dataclass
class Version:
    """The processes of one version of the code."""

    name: str
    code: Path
    data: Path
    environment: Mapping[str, str]
    port: int = field(default_factory=processes.free_port)
    services: dict[str, Service] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Return where its web process answers."""
        return f"http://127.0.0.1:{self.port}"

    def manage(self, *arguments: str) -> str:
        """Run a command of its `manage.py`, and return what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, env=self.environment, cwd=self.code, capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def start(self) -> None:
        """Start a web process, a worker and beat, and wait until it answers and the worker has begun."""
        commands = {
            "web": processes.web("127.0.0.1", self.port, workers=1),
            "worker": processes.worker(self.name, concurrency=1),
            "beat": processes.beat(self.data),
        }
        for part, command in commands.items():
            inside = ["env", f"--chdir={self.code}", *command]
            self.services[part] = Service(f"{self.name} {part}", inside, self.data / f"{part}.log", self.environment)
            self.services[part].start()
        until(lambda: processes.is_healthy(self.address), self.logs)
        until(lambda: "ready" in (self.data / "worker.log").read_text(), self.logs)

    def stop(self) -> None:
        """Ask its processes to end, and wait for it."""
        for service in self.services.values():
            service.stop()

    def logs(self) -> str:
        """Return the ends of its logs."""
        return "\n".join(path.read_text(errors="replace")[-2000:] for path in sorted(self.data.glob("*.log*")))

    def troubles(self) -> list[str]:
        """Return what its processes logged as errors."""
        lines = (line for path in sorted(self.data.glob("*.log*")) for line in path.read_text().splitlines())
        bad = ('"level": "error"', '"level": "critical"', "Traceback")
        return [line[:600] for line in lines if any(mark in line for mark in bad)]


@dataclass
class Upgrade:
    """An old and a new version over one database, and what clients upload to them."""

    old: Version
    new: Version
    postgres: embedded.Postgres
    folder: Path
    parcels: list[Parcel]
    token: str = ""
    refused: list[str] = field(default_factory=list)
    """Pages that were answered with an error."""
    _sent: int = 0

    def begin(self) -> None:
        """Make the tables as the old version has them, start it, and found the club to which clients upload."""
        self.old.manage("prepare", "--verbosity=0")
        self.old.start()
        self.token = self.old.manage("make_token", "alice")
        self._ask(self.old, "/api/v1/clubs", {"slug": CLUB, "name": "Nest", "about": ""})

    def migrate(self) -> None:
        """Apply the new version's migrations, as `prepare` does, while clients upload."""
        command = [sys.executable, "manage.py", "prepare", "--verbosity=0"]
        output = self.folder / "prepare.log"
        with output.open("wb") as file:
            prepare = subprocess.Popen(
                command, env=self.new.environment, cwd=self.new.code, stdout=file, stderr=subprocess.STDOUT
            )
        while prepare.poll() is None:
            self.use(self.old, files=1)
        assert prepare.returncode == 0, output.read_text()

    def use(self, *versions: Version, files: int) -> None:
        """Upload so many files to each of these versions, use its pages, and wait until all is verified."""
        clients = [
            Clients(version.port, self.token, CLUB, self.folder / f"answers-{version.name}.jsonl")
            for version in versions
        ]
        for client in clients:
            client.start(_CLIENTS)
            client.send(self.parcels[self._sent : self._sent + files])
            self._sent += files
        for version in versions:
            self._ask(version, "/api/v1/account/collections", {"name": version.name})
            for page in (*PAGES, *self._games(version)):
                self._ask(version, page)
        assert all(client.finish(PATIENCE) for client in clients), "an upload was not accepted"
        until(lambda: not checker.unfinished(self.postgres.url), self.old.logs)

    def answers(self) -> list[dict[str, object]]:
        """Return every answer to an upload."""
        return [one for log in sorted(self.folder.glob("answers-*.jsonl")) for one in checker.answers_in(log)]

    def flaws(self, version: Version) -> list[str]:
        """Return what contradicts the answers to the files sent so far."""
        expected = {parcel.digest: parcel.counts for parcel in self.parcels[: self._sent]}
        return checker.flaws(self.answers(), expected, self.postgres.url, version.address, self.token)

    def migrations(self) -> list[str]:
        """Return the migrations that were applied."""
        with psycopg.connect(self.postgres.url) as database:
            query = "SELECT name FROM django_migrations WHERE app = 'games' ORDER BY name"
            return [name for (name,) in database.execute(query)]

    def _games(self, version: Version) -> Iterator[str]:
        """Yield the pages of the newest verified game; the other version may have verified it."""
        with urlopen(f"{version.address}/api/v1/games", timeout=60) as answer:
            for game in [one for one in json.load(answer)["games"] if one["verdict"] == "verified"][:1]:
                yield from (urlsplit(game["page"]).path, f"{urlsplit(game['url']).path}/record")

    def _ask(self, version: Version, page: str, body: Mapping[str, str] | None = None) -> None:
        """Request a page, or post this to the API; note what is refused."""
        request = Request(f"{version.address}{page}", json.dumps(body).encode() if body else None)
        if body:
            request.add_header("Authorization", f"Bearer {self.token}")
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=60) as answer:
                answer.read()
        except HTTPError as answer:
            self.refused.append(f"{version.name} {page}: {answer.code}")


@contextmanager
def prepared(folder: Path, commit: str, parcels: list[Parcel]) -> Iterator[Upgrade]:
    """Yield an old version from a commit and this one, of which nothing runs yet but PostgreSQL and the broker."""
    folder.mkdir(parents=True, exist_ok=True)
    take_out(commit, folder / "old-code")
    with embedded.servers(folder / "servers", durable=False) as pair:
        pair.start()
        given = environment_of(folder, pair.postgres.url, pair.valkey.url, _LEASE)
        old = Version(
            "old",
            folder / "old-code",
            folder / "old",
            given | {"STATIC_ROOT": f"{os.environ['STATIC_ROOT']}-{commit[:12]}"},
        )
        new = Version("new", processes.ROOT, folder / "new", given)
        for version in (old, new):
            version.data.mkdir()
        try:
            yield Upgrade(old, new, pair.postgres, folder, parcels)
        finally:
            for service in (*old.services.values(), *new.services.values()):
                if service.process:
                    processes.kill(service.process)


def until(condition: Callable[[], bool], said: Callable[[], str]) -> None:
    """Wait until something is so; where it takes too long, raise with what was said."""
    deadline = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError):
            if condition():
                return
        if time.monotonic() > deadline:
            raise TimeoutError(said())
        time.sleep(0.1)
