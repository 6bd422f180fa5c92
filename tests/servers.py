"""Pytest plugin: a private PostgreSQL and broker for this run, set before Django reads its settings.

Loaded by `-p tests.servers`, because a conftest comes too late. The servers are started when a test first asks for the
database; TEST_DATABASE_URL and TEST_CELERY_BROKER_URL name others to use instead. DATABASE_URL is never
used: it may point to real data.
"""

import os
import secrets
import sys
import tempfile
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from atta_site import embedded
from tests import chance, migrated

OPENED = pytest.StashKey[ExitStack]()
FOLDER = pytest.StashKey[Path]()
PAIR = pytest.StashKey[embedded.Pair | None]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Set the environment before pytest-django reads the settings."""
    _keep_what_is_compiled()
    os.environ[migrated.KEPT] = str(_kept(early_config) / "postgres")
    opened = early_config.stash[OPENED] = ExitStack()
    folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="atta-tests-", ignore_cleanup_errors=True)))
    early_config.stash[FOLDER] = folder
    early_config.stash[PAIR] = None
    if addresses := _external():
        database, broker = addresses
    else:
        migrated.share_password(folder / "servers" / "postgres")
        pair = opened.enter_context(embedded.servers(folder / "servers", durable=False))
        early_config.stash[PAIR] = pair
        database, broker = pair.postgres.url, pair.valkey.url
    for name in (
        "SECRET_KEY_FILE",
        "DATABASE_URL_FILE",
        "CELERY_BROKER_URL_FILE",
        "EMAIL_URL_FILE",
        "VAPID_KEY_FILE",
        "DEBUG",
        "CSRF_TRUSTED_ORIGINS",
    ):
        os.environ.pop(name, None)
    os.environ |= {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
        "PLAIN_HTTP": "1",
        "DATABASE_URL": database,
        "CELERY_BROKER_URL": broker,
        "VAPID_KEY": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
        "EMAIL_URL": (folder / "mail").as_uri(),
        "STATIC_ROOT": str(_kept(early_config) / "static"),
        "DUMPS_DIR": str(folder / "dumps"),
        "SPOOL_DIR": str(folder / "spool"),
        "LOG_FORMAT": "json",
        "HEARTBEAT_EVERY": "0",
        chance.NAME_FILE: str(folder / "name"),
    }
    chance.fix()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Record the name of the test that begins, before its fixtures draw anything."""
    chance.begin(item.nodeid)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop only what was started here."""
    if opened := config.stash.get(OPENED, None):
        opened.close()


def _kept(config: pytest.Config) -> Path:
    """Return the folder for data kept between runs, in pytest's cache."""
    return config.rootpath / str(config.getini("cache_dir")) / "d"


def _keep_what_is_compiled() -> None:
    """Let Python keep its bytecode: a run starts about two hundred processes that would each recompile it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def _external() -> tuple[str, str] | None:
    names = ("TEST_DATABASE_URL", "TEST_CELERY_BROKER_URL")
    given = [os.environ.get(name) for name in names]
    if any(given) and not all(given):
        raise pytest.UsageError(f"set both of {' and '.join(names)}, or none")
    return None if not all(given) else (str(given[0]), str(given[1]))


@pytest.fixture(scope="session")
def scratch(pytestconfig: pytest.Config) -> Path:
    """A folder of this run, deleted at its end."""
    return pytestconfig.stash[FOLDER]


@pytest.fixture(scope="session")
def private_servers(pytestconfig: pytest.Config) -> None:
    """Start the servers of this run, if it has its own, with a migrated and an empty database."""
    if pair := pytestconfig.stash[PAIR]:
        migrated.lay_down(pair.postgres)
        pair.start()
