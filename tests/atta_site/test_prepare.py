"""`manage.py prepare` reports what is missing before it changes anything."""

import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models, transaction
from django.test import override_settings

from atta_site import processes
from atta_site.database.schema import SchemaEditor
from games.models import RunningProcess
from tests.atta_site.test_settings import GOOD
from tests.sites import OwnDatabase, own_database

PATIENCE = 120.0


def test_missing_compiled_translations_stop_prepare_early(tmp_path: Path) -> None:
    with override_settings(LOCALE_PATHS=[tmp_path]), pytest.raises(CommandError, match=r"de/LC_MESSAGES/django\.mo is"):
        call_command("prepare", verbosity=0)


def test_prepare_again_waits_for_no_backup_that_reads_the_cache(transactional_db: None) -> None:
    call_command("prepare", verbosity=0)
    with psycopg.connect(**connection.get_connection_params()) as backup, transaction.atomic():
        backup.execute("LOCK TABLE cache IN ACCESS SHARE MODE")  # as pg_dump does with every table
        connection.cursor().execute("SET LOCAL lock_timeout = 500")
        call_command("prepare", verbosity=0)
        assert backup.execute("SELECT relpersistence FROM pg_class WHERE relname = 'cache'").fetchone() == ("u",)


def test_an_index_whose_building_was_interrupted_is_built_again(transactional_db: None) -> None:
    index = models.Index(fields=["kind"], name="process_by_kind")
    with connection.schema_editor(atomic=False) as opened:
        editor = cast("SchemaEditor", opened)
        try:
            editor.add_index(RunningProcess, index, concurrently=True)  # and then the migration was not recorded
            editor.add_index(RunningProcess, index, concurrently=True)
            constraints = connection.introspection.get_constraints(connection.cursor(), RunningProcess._meta.db_table)
            assert constraints["process_by_kind"]["columns"] == ["kind"]
        finally:
            editor.remove_index(RunningProcess, index, concurrently=True)


@pytest.mark.full
def test_readers_of_a_table_do_not_wait_behind_a_migration_that_waits_for_it(tmp_path: Path) -> None:
    with own_database(tmp_path) as database:
        database.manage("migrate", "games", "0065", "--verbosity=0")
        with _session(database) as long, _session(database) as reader:
            long.execute("SELECT FROM games_collection")  # the transaction stays open, and with it its lock
            with _preparing(database) as prepare:
                assert _says(prepare, "is tried again")
                assert reader.execute("SELECT count(*) FROM games_collection").fetchone() == (0,)
                reader.commit()
                long.commit()
                assert prepare.wait(PATIENCE) == 0
        assert "[ ]" not in database.manage("showmigrations", "games")


def _session(database: OwnDatabase) -> "psycopg.Connection[tuple[int, ...]]":
    return psycopg.connect(database.postgres.url, options=f"-c statement_timeout={PATIENCE:.0f}s")


@contextmanager
def _preparing(database: OwnDatabase) -> "Iterator[subprocess.Popen[str]]":
    """Run `prepare`, and end it in any case."""
    command = [sys.executable, "manage.py", "prepare", "--verbosity=0"]
    prepare = subprocess.Popen(command, env=database.environment, cwd=processes.ROOT, stdout=subprocess.PIPE, text=True)
    with prepare:
        try:
            yield prepare
        finally:
            prepare.kill()


def _says(process: "subprocess.Popen[str]", words: str) -> bool:
    """Return whether its next line has these words."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
    return bool(ready) and words in process.stdout.readline()


def test_a_command_whose_database_cannot_be_reached_says_so_in_a_line() -> None:
    command = [sys.executable, "manage.py", "showmigrations"]
    done = subprocess.run(command, env=GOOD, cwd=processes.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert said.startswith("A database cannot be reached: connection failed")
