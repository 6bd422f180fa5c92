"""`make run`: the whole site on this machine until Ctrl-C, with its own servers unless others are configured."""

import os
import secrets
import shlex
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TypeAlias

from django.core.exceptions import ImproperlyConfigured

from atta_site import embedded, env, forking, processes
from atta_site.serve import KINDS
from atta_site.serve import command as command_of
from atta_site.supervision import Errands, Part, Service, Watch, last_lines, stop_together, took
from games.push.vapid import new_key

Handler: TypeAlias = Callable[[int, FrameType | None], object] | signal.Handlers

ROOT = processes.ROOT
PATIENCE = 60.0
"""Seconds without an answer of the site after which that is said."""
PATIENCE_AT_THE_END = 2.4
"""Seconds that what is under way may take after Ctrl-C. Accepted work is in the database, and goes on later."""
LOOK_EVERY = 0.5
SERVERS = ("DATABASE_URL", "CELERY_BROKER_URL")
WILDCARDS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on
LOCAL = WILDCARDS | {"127.0.0.1", "::1"}


class CannotRunError(RuntimeError):
    """The site cannot start; the text says why and what to do."""


def main(var: Path = ROOT / "var") -> int:
    """Run the site with its data in `var` until Ctrl-C, SIGTERM or the end of the terminal; return the exit status."""
    _on_signals(signal.default_int_handler)
    try:
        with ExitStack() as opened:
            try:
                _run(opened, var)
            finally:
                _on_signals(signal.SIG_IGN)  # it now stops in order
    except KeyboardInterrupt:
        _say("Stopped.")
        return 0
    except (CannotRunError, embedded.EmbeddedError, ImproperlyConfigured) as problem:
        sys.stderr.write(f"\n  {problem}\n\n")
        return 1
    return 0


def _on_signals(handler: Handler) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)


def _run(opened: ExitStack, var: Path) -> None:
    begin = time.monotonic()
    given = read_dotenv(ROOT / ".env")
    os.environ |= given
    host, port = env.text("HOST", "127.0.0.1"), env.number("PORT", 8000, at_least=1)
    _refuse_taken(host, port)
    (var / "log").mkdir(parents=True, exist_ok=True)
    opened.enter_context(embedded.only_us(var / "lock"))
    _say("Atta")
    parts: list[Part] = list(_servers(opened, var))
    address = _address(host, port)
    given |= _settings(host, address, var)
    os.environ |= given
    opened.enter_context(_written_down(given, var / "environment"))
    started: list[Service] = []
    opened.callback(_stop, started, parts, var)
    if forking.IS_POSSIBLE:
        with _step("the site's code"):
            forking.load()
    with _step("tables and static files"):
        _prepare(started, var)
    services = _services(host, port, var)
    with _step("web server and workers"):
        for service in services:
            _start(service, started)
        _await_health(address, [*parts, *services])
    _say(f"\n  {_bold(address)}  after {time.monotonic() - begin:.1f} s")
    _say(f"  Ctrl-C stops it; logs are in {_short(var / 'log')}; `make token` gives a token for the API.")
    _say(f"  {_mail(given.get('EMAIL_URL', ''), var)}\n")
    later = [_manage("sample games", var / "log" / "samples.log", "load_samples"), *_compiling(var)]
    started += later
    _watch([*parts, *services], [*_writing(parts, var), *later])


def _address(host: str, port: int) -> str:
    """Return where a browser on this machine finds the site: by name, because passkeys need a name."""
    name = "localhost" if host in LOCAL else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


# --- the environment --------------------------------------------------------------------------------------------------


def read_dotenv(path: Path) -> dict[str, str]:
    """Return what `.env` sets and the environment does not."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
    pairs = dict(_pair(line) for line in lines)
    return {name: value for name, value in pairs.items() if name not in os.environ}


def _pair(line: str) -> tuple[str, str]:
    name, equals, value = line.partition("=")
    if not equals or not name.isidentifier():
        raise CannotRunError(f".env: expected NAME=value, got {line!r}")
    return name, " ".join(shlex.split(value))


def _settings(host: str, address: str, var: Path) -> dict[str, str]:
    """Return all settings for this machine: those that are set, and defaults for localhost."""
    names = ["localhost", "127.0.0.1", "[::1]", *([] if host in WILDCARDS else [host])]
    wanted = {"ALLOWED_HOSTS": ",".join(dict.fromkeys(names)), "PLAIN_HTTP": "1", "LOG_FORMAT": "json"}
    wanted["SITE_URL"] = address
    wanted["BOT_EXHIBITIONS"] = "1"
    wanted["DUMPS_DIR"] = str((var / "dumps").absolute())
    wanted["SPOOL_DIR"] = str((var / "spool").absolute())
    if not _is_set("EMAIL_URL"):
        wanted["EMAIL_URL"] = (var.absolute() / "mail").as_uri()
    if not _is_set("SECRET_KEY"):
        wanted["SECRET_KEY_FILE"] = str(_kept_secret(var / "secret-key", _secret_key))
    if not _is_set("VAPID_KEY"):
        wanted["VAPID_KEY_FILE"] = str(_kept_secret(var / "vapid-key", new_key))
    secret = [f"{name}{end}" for name in ("SECRET_KEY", "VAPID_KEY", "EMAIL_URL", *SERVERS) for end in ("", "_FILE")]
    given = {name: os.environ[name] for name in (*wanted, *secret) if os.environ.get(name)}
    return wanted | given


def _is_set(name: str) -> bool:
    """Say whether a secret is given, by itself or in a file."""
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))


def _kept_secret(path: Path, made: Callable[[], str]) -> Path:
    """Return the file of a secret, which is made at the first start."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(made(), encoding="ascii")
    return path


def _secret_key() -> str:
    return secrets.token_urlsafe(50)


@contextmanager
def _written_down(settings: dict[str, str], path: Path) -> Iterator[None]:
    """Store the settings for `make token` and `make manage`, readable only by this user, while the site runs."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text("".join(f"{name}={shlex.quote(value)}\n" for name, value in settings.items()))
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


# --- the parts --------------------------------------------------------------------------------------------------------


def _servers(opened: ExitStack, var: Path) -> list[embedded.Server]:
    """Start the servers that the environment does not name, and add them to it."""
    missing = [name for name in SERVERS if not _is_set(name)]
    if not missing:
        return []
    pair = opened.enter_context(embedded.servers(var / "servers", logs=var / "log"))
    servers: dict[str, embedded.Server] = dict(zip(SERVERS, (pair.postgres, pair.valkey), strict=True))
    for name in missing:
        servers[name].say = _say
        with _step(f"{servers[name].name} of our own"):
            servers[name].start()
        os.environ[name] = servers[name].url
    return [servers[name] for name in missing]


def _services(host: str, port: int, var: Path) -> list[Service]:
    """Return the processes of the site, not yet started: first those that answer."""
    cores = min(4, len(os.sched_getaffinity(0)))
    sizes = {"worker": cores, "web": min(2, cores)}
    services: list[Service] = []
    for name in reversed(KINDS):
        command = command_of(name, host=host, port=port, size=sizes.get(name, 1), folder=var)
        services.append(_service(name, command, var / "log" / f"{name}.log"))
    return services


def _manage(name: str, log: Path, *arguments: str) -> Service:
    """Return a command of `manage.py`, not yet started."""
    return _service(name, [sys.executable, "manage.py", *arguments], log)


def _service(name: str, command: Sequence[str], log: Path) -> Service:
    return Service(name, command, log, os.environ, forked=forking.IS_POSSIBLE)


def _start(service: Service, started: list[Service]) -> None:
    started.append(service)
    service.start()


def _prepare(started: list[Service], var: Path) -> None:
    """Bring tables and static files up to date."""
    preparing = _manage("prepare", var / "log" / "prepare.log", "prepare", "--verbosity=0")
    _start(preparing, started)
    if preparing.process and preparing.process.wait():
        raise CannotRunError("\n    ".join(["manage.py prepare failed:", *last_lines(preparing.log, 40)]))


def _writing(parts: list[Part], var: Path) -> list[Service]:
    """Return what has our own database write its memory to the disk: if its tables are new, a thousand files.

    It would do that when it ends, and Ctrl-C would wait for it.
    """
    log = var / "log" / "writing.log"
    ours = (part.psql("CHECKPOINT") for part in parts if isinstance(part, embedded.Postgres))
    return [Service("writing to the disk", command, log, environment) for command, environment in ours]


def _compiling(var: Path) -> list[Service]:
    """Return what compiles the engine for the next start, unless it is compiled, or this is the site of a test."""
    if any((ROOT / "engine").glob("native__mypyc.*")) or var != ROOT / "var":
        return []
    command = [sys.executable, ".ci/compile.py", "ahead"]
    return [Service("compiling for the next start", command, var / "log" / "compiling.log", os.environ)]


def _stop(started: list[Service], parts: list[Part], var: Path) -> None:
    """End the processes of the site, while the database writes to the disk what it can."""
    for writing in _writing(parts, var):
        writing.start()
    stop_together(started, patience=PATIENCE_AT_THE_END)


def _refuse_taken(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as problem:
            raise CannotRunError(
                f"{host}:{port} cannot be had ({problem.strerror}). Another one: make run PORT={port + 1}"
            ) from problem


def _await_health(address: str, parts: list[Part]) -> None:
    """Wait until the site answers, as long as all its parts live: a busy machine can take minutes to start them."""
    due = time.monotonic() + PATIENCE
    while not processes.is_healthy(address):
        if dead := next((part for part in parts if not part.is_alive()), None):
            raise CannotRunError("\n    ".join([f"{dead.name} does not run:", *last_lines(dead.log, 30)]))
        if time.monotonic() > due:
            _say(f"  {address}/health does not say yet that all is well; logs are in {_short(parts[-1].log.parent)}")
            due = time.monotonic() + PATIENCE
        time.sleep(0.1)


def _watch(parts: list[Part], errands: list[Service]) -> None:
    watches = [Watch(part, _say) for part in parts]
    doing = Errands(errands, _say)
    while True:
        doing.look()
        for watch in watches:
            watch.look()
        time.sleep(LOOK_EVERY)


# --- what is shown ----------------------------------------------------------------------------------------------------


@contextmanager
def _step(name: str) -> Iterator[None]:
    begin = time.monotonic()
    yield
    _say(took(name, time.monotonic() - begin))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _mail(address: str, var: Path) -> str:
    """Say where the site's mails go."""
    own = address == (var.absolute() / "mail").as_uri()
    return f"Mails are not sent but saved in {_short(var / 'mail')}." if own else "Mails are sent as EMAIL_URL says."


def _short(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def _bold(text: str) -> str:
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR")
    return text if plain else f"\033[1m{text}\033[0m"


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
