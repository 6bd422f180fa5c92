"""`manage.py prepare` reports what is missing before it changes anything."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from atta_site import processes
from tests.sites import own_database


def test_missing_compiled_translations_stop_prepare_early(tmp_path: Path) -> None:
    with override_settings(LOCALE_PATHS=[tmp_path]), pytest.raises(CommandError, match=r"de/LC_MESSAGES/django\.mo is"):
        call_command("prepare", verbosity=0)


@pytest.mark.full
def test_readers_of_a_table_do_not_wait_behind_a_migration_that_waits_for_it(tmp_path: Path) -> None:
    with own_database(tmp_path) as database:
        database.manage("migrate", "games", "0065", "--verbosity=0")
        with psycopg.connect(database.postgres.url) as long, psycopg.connect(database.postgres.url) as reader:
            long.execute("SELECT FROM games_collection")  # the transaction stays open, and with it its lock
            with _preparing(database.environment) as prepare:
                assert prepare.stdout is not None
                assert "is tried again" in next(prepare.stdout)
                assert reader.execute("SELECT count(*) FROM games_collection").fetchone() == (0,)
                reader.commit()
                long.commit()
            assert prepare.returncode == 0
        assert "[ ]" not in database.manage("showmigrations", "games")


def _preparing(environment: dict[str, str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "manage.py", "prepare", "--verbosity=0"]
    return subprocess.Popen(command, env=environment, cwd=processes.ROOT, stdout=subprocess.PIPE, text=True)
