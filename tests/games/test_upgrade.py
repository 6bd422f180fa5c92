"""A database from before the first release is migrated to this version with all its contents."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connections
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.loader import MigrationLoader
from psycopg import sql
from pytest_django import DjangoDbBlocker

from engine.registry import RULESETS
from games.packing import pack

ALIAS = "upgraded"
LEAGUE = """
INSERT INTO games_league (id, slug, name, about, created_at) VALUES (7, 'nest', 'The nest', 'Thursdays.', '2026-01-02');
INSERT INTO games_league_organisers (league_id, user_id) SELECT 7, id FROM auth_user WHERE username = 'bob';
INSERT INTO games_ladder (ruleset, league_id, players, games) VALUES ('ant-trails-2020', 7, 2, 3);
INSERT INTO games_act (kind, at, reason, params)
VALUES ('league-founded', '2026-01-02', '', '{"league": 7, "organiser": 2}');
"""
ROWS_OF_0063 = """
INSERT INTO games_archive (upload_id, length, received, mark, touched_at, entry, entry_logs, read, attempts, fence,
                           code, trouble, params)
SELECT id, 9, 9, '', '2026-11-22', 0, 0, 9, 1, 1, 'too_deep', 'An archive in {name} in an archive.', '{"name": "a.zip"}'
FROM games_upload ORDER BY id LIMIT 1;
UPDATE games_movelog SET trouble = 'The worker was killed.' WHERE id = (SELECT min(id) FROM games_movelog);
INSERT INTO games_evening (id, club_id, day, place) VALUES (5, 7, '2026-11-26', 'At home');
INSERT INTO games_attendance (evening_id, member_id, says) SELECT 5, id, 'maybe' FROM games_clubmember;
INSERT INTO games_positionrun (id, games) VALUES (4, 2);
INSERT INTO games_positionblock (run_id, first, pairs) VALUES (4, 17, '\\x0101');
UPDATE games_gameevents SET codes = '{3, 5}';
INSERT INTO games_collection (id, key, account_id, name, favourites, public, made_at)
SELECT 6, 'kept0001', id, 'Loops', false, true, '2026-11-22' FROM auth_user WHERE username = 'bob';
INSERT INTO games_player (source, name, is_bot, is_pseudonym, created_at) VALUES
(E'Cafe\\u0301', E'Zoe\\u0308', false, false, '2026-11-22'), (E'Caf\\u00e9', E'Zo\\u00eb', false, false, '2026-11-22');
"""
"""What an installation of `0063_games_of_the_day` may hold and later migrations rename or add to."""
BEFORE = Path(__file__).parent / "upgrade/0040.sql"
PLAYED = [each.slug for each in RULESETS if f"'{each.slug}'" in BEFORE.read_text()]
"""The rulesets that there were."""


@pytest.fixture
def before(db: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A separate database in its old state."""
    with database_of("before", django_db_blocker) as name, django_db_blocker.unblock(), known_as(name):
        execute(BEFORE.read_text())
        yield


@pytest.fixture(scope="module")
def _upgraded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    with database_of("after", django_db_blocker) as name:
        with django_db_blocker.unblock(), known_as(name):
            execute(BEFORE.read_text())
            execute(LEAGUE)
            call_command("migrate", "games", "0063", database=ALIAS, verbosity=0)
            execute(ROWS_OF_0063)
            execute("UPDATE games_game SET played_on = '2026-02-09' WHERE id = (SELECT max(id) FROM games_game)")
            partly = pack(b'[Game "Army Ants"]\n[Date "2026.02.??"]\n\n1. draw\n')
            execute("UPDATE games_movelog SET text = %s WHERE game_id = (SELECT min(id) FROM games_game)", partly)
            call_command("migrate", database=ALIAS, verbosity=0)
        yield name


@pytest.fixture
def upgraded(db: None, _upgraded: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A separate database, as it is after the upgrade."""
    with django_db_blocker.unblock(), known_as(_upgraded):
        yield


@contextmanager
def database_of(suffix: str, blocker: DjangoDbBlocker) -> Iterator[str]:
    """Create a temporary database and yield its name."""
    with blocker.unblock():
        name = f"{connections['default'].settings_dict['NAME']}_{suffix}"
        for word in ("DROP DATABASE IF EXISTS {}", "CREATE DATABASE {}"):
            _ask_server(word, name)
    yield name
    with blocker.unblock():
        _ask_server("DROP DATABASE IF EXISTS {}", name)


@contextmanager
def known_as(name: str) -> Iterator[None]:
    """Register a database with Django under the alias."""
    connections.databases[ALIAS] = dict(connections["default"].settings_dict) | {"NAME": name}
    try:
        yield
    finally:
        connections[ALIAS].close()
        del connections[ALIAS], connections.databases[ALIAS]


def _ask_server(word: str, name: str) -> None:
    connection = connections["default"]
    params = {**connection.get_connection_params(), "autocommit": True}
    params.pop("cursor_factory", None)
    params.pop("context", None)
    with closing(psycopg.connect(**params)) as server:
        server.execute(sql.SQL(word).format(sql.Identifier(name)))


def execute(statements: str, *params: bytes) -> None:
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(statements, params or None)


def query(statement: str, alias: str = ALIAS) -> list[tuple[Any, ...]]:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement)
        return [tuple(row) for row in cursor.fetchall()]


@pytest.mark.full
def test_an_upgrade_keeps_games_ranks_and_accounts(upgraded: None) -> None:
    seats = "SELECT string_agg(name, ' ' ORDER BY seat) FROM games_seating JOIN games_player p ON p.id = player_id"
    found = f"SELECT ruleset, upheld, length(seating), ({seats} WHERE game_id = game.id) FROM games_game AS game"
    assert query(f"{found} ORDER BY 1, 2") == sorted(
        row for slug in PLAYED for row in ((slug, False, 32, "Xenia Bruno"), *[(slug, True, 32, "Ada Bruno")] * 2)
    )
    challenges = "SELECT ruleset, holds FROM games_challenge c JOIN games_game g ON g.id = c.game_id ORDER BY 1"
    assert query(challenges) == sorted((slug, False) for slug in PLAYED)
    ranks = "SELECT name, rank, count(*) FROM games_bestrank JOIN games_player p ON p.id = player_id"
    many = len(PLAYED)
    assert query(f"{ranks} GROUP BY 1, 2 ORDER BY 1, 2") == [("Ada", 1, many), ("Bruno", 1, many), ("Bruno", 2, many)]
    kept = (
        "SELECT username, skeleton IS NULL FROM games_accountname JOIN auth_user u ON u.id = account_id ORDER BY u.id"
    )
    assert query(kept) == [("alice", False), ("\u0430lice", True), ("bob", False)]


@pytest.mark.full
def test_leagues_become_listed_clubs_whose_organisers_own_them(upgraded: None) -> None:
    found = "SELECT slug, name, about, listed_at = created_at, meets FROM games_club"
    assert query(found) == [("nest", "The nest", "Thursdays.", True, "")]
    assert query("SELECT club_id, name, role FROM games_clubmember") == [(7, "bob", "owner")]
    assert query("SELECT club_id, username FROM games_club_organisers JOIN auth_user u ON u.id = user_id") == [
        (7, "bob")
    ]
    assert query("SELECT ruleset, games FROM games_ladder WHERE club_id = 7") == [("ant-trails-2020", 3)]
    acts = "SELECT kind, params ->> 'club', params ->> 'league' FROM games_act WHERE kind LIKE '%-founded'"
    assert query(acts) == [("club-founded", "7", None)]


@pytest.mark.full
def test_columns_with_plain_names_keep_what_they_held(upgraded: None) -> None:
    archive = ("too_deep", "An archive in {name} in an archive.", "a.zip")
    assert query("SELECT code, template, params ->> 'name' FROM games_archive WHERE code <> ''") == [archive]
    assert query("SELECT failure FROM games_movelog WHERE failure <> ''") == [("The worker was killed.",)]
    assert query("SELECT evening_id, answer FROM games_attendance") == [(5, "maybe")]


@pytest.mark.full
def test_what_games_are_found_by_stays_and_is_numbered_anew_later(upgraded: None) -> None:
    assert query("SELECT DISTINCT codes, opening FROM games_gameevents") == [([3, 5], None)]
    assert query("SELECT games, old, numbering, first, pairs FROM games_positionrun r JOIN games_positionblock b "
                 "ON r.id = run_id") == [(2, False, 1, 17, b"\x01\x01")]  # fmt: skip
    assert query("SELECT name, version, hidden_at, hidden_for FROM games_collection") == [("Loops", 1, None, "")]


@pytest.mark.full
def test_players_of_one_name_in_two_forms_are_one(upgraded: None) -> None:
    assert query("SELECT name, source FROM games_player WHERE source LIKE 'Caf%'") == [("Zo\u00eb", "Caf\u00e9")]


@pytest.mark.full
def test_games_get_the_days_that_their_records_say(upgraded: None) -> None:
    found = query("SELECT played_from, played_until FROM games_game ORDER BY id")
    assert (found[0], found[-1]) == ((date(2026, 2, 1), date(2026, 2, 28)), (date(2026, 2, 9), date(2026, 2, 9)))


COLUMNS = """
SELECT relname, relpersistence, attname, format_type(atttypid, atttypmod), attnotnull, attstorage, attidentity,
       attcollation, pg_get_expr(adbin, adrelid)
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'cache'
"""
# A dump writes some casts differently.
CONSTRAINTS = r"""
SELECT conname, conrelid::regclass::text, regexp_replace(pg_get_constraintdef(oid), '::[a-z ]+(\[\])?|[()]', '', 'g')
FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid::regclass::text <> 'cache'
"""
INDEXES = r"""
SELECT indexname, tablename, regexp_replace(substring(indexdef FROM ' USING .*'), '::[a-z ]+(\[\])?|[()]', '', 'g')
FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'cache'
"""
TRIGGERS = "SELECT tgname, tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
MODERATORS = """
SELECT groups.name, codename FROM auth_group AS groups JOIN auth_group_permissions ON group_id = groups.id
JOIN auth_permission AS permission ON permission.id = permission_id
"""


@pytest.mark.full
def test_an_upgraded_database_has_what_a_new_one_has(upgraded: None) -> None:
    for wanted in (COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS, MODERATORS):
        old, new = without_generated_names(query(wanted)), without_generated_names(query(wanted, "default"))
        assert (old - new, new - old) == (Counter(), Counter())


def without_generated_names(rows: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    """Return rows without generated names, which reflect the original name of a table."""
    models = [model._meta for model in apps.get_models()]
    chosen = {each.name for model in models for each in (*model.constraints, *model.indexes)}
    return Counter(row if row[0] in chosen or len(row) != 3 else row[1:] for row in rows)


@pytest.mark.full
def test_too_old_database_is_rejected(before: None) -> None:
    execute("DELETE FROM django_migrations WHERE app = 'games' AND name >= '0027'")
    why = r"its last one is 0026_packed_alone\. Migrate it to games\.0040_"
    with pytest.raises(InconsistentMigrationHistory, match=why):
        call_command("migrate", database=ALIAS, verbosity=0)


def test_migrations_do_not_depend_on_current_application_code() -> None:
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if app == "games":
            used = vars(__import__(type(migration).__module__, fromlist=["Migration"])).values()
            homes = {getattr(value, "__module__", "") or "" for value in used}
            live = {home for home in homes if home.startswith(("games.", "engine"))}
            assert all(home.startswith(("games.migrations", "games.models")) for home in live), name
