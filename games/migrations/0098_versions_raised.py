"""The database raises the version of a game whenever something that its public page shows is written.

Each table has its triggers from a transaction of its own, so that none deadlocks with a worker; an interrupted migration
is begun again, and replaces what is there.
"""

from collections.abc import Sequence

from django.conf import settings
from django.db import migrations

# Rows that this transaction has written have their new version already, or no reader yet. The others are locked in the
# order of their ids, so that no two transactions wait for each other.
_RAISE = """
CREATE OR REPLACE FUNCTION games_raise_versions(games bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF games <> '{}' THEN
        WITH held AS MATERIALIZED (
            SELECT id FROM games_game WHERE id = ANY(games) AND xmin <> pg_current_xact_id()::xid
            ORDER BY id FOR NO KEY UPDATE
        )
        UPDATE games_game AS game SET version = game.version + 1 FROM held WHERE game.id = held.id;
    END IF;
END $$
"""
# Of the row itself before it is written, so that it is written once. Code that saves the version that it has read,
# raises it, too.
_OWN = """
CREATE OR REPLACE FUNCTION games_raise_own_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END $$
"""
_OWN_TRIGGER = """
CREATE OR REPLACE TRIGGER version_raised BEFORE UPDATE ON games_game FOR EACH ROW
WHEN (NEW.version <> OLD.version + 1) EXECUTE FUNCTION games_raise_own_version()
"""
# A page shows the comments on games that lead to it, and says why it waits for another seating of the same moves.
_OTHERS = """
CREATE OR REPLACE FUNCTION games_raise_versions_of_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM games_raise_versions(ARRAY(
        SELECT unnest(ARRAY[OLD.same_as_id, NEW.same_as_id])
        UNION
        SELECT id FROM games_game
        WHERE digest IN (OLD.digest, NEW.digest) AND upheld AND NOT private AND id <> NEW.id
    ));
    RETURN NULL;
END $$
"""
_OTHERS_TRIGGER = """
CREATE OR REPLACE TRIGGER versions_of_others_raised AFTER UPDATE ON games_game FOR EACH ROW
WHEN ((OLD.same_as_id, OLD.digest, OLD.upheld, OLD.private)
    IS DISTINCT FROM (NEW.same_as_id, NEW.digest, NEW.upheld, NEW.private))
EXECUTE FUNCTION games_raise_versions_of_others()
"""
# A seating that replaced another waits while that one counts.
_BY_ACCEPTANCE = """
        SELECT acceptance.game_id FROM {acceptance}
        UNION SELECT applies.id FROM {acceptance}
        JOIN games_ladder AS ladder ON ladder.id = acceptance.ladder_id AND ladder.club_id IS NULL
        JOIN games_game AS game ON game.id = acceptance.game_id AND NOT game.upheld AND NOT game.private
        JOIN games_game AS applies ON applies.digest = game.digest AND applies.upheld AND NOT applies.private"""
_WAYS = {
    "game": "SELECT game_id FROM written WHERE game_id IS NOT NULL",
    "comment": """
        SELECT game_id FROM written
        UNION SELECT game.same_as_id FROM written JOIN games_game AS game ON game.id = written.game_id""",
    "challenge": "SELECT game_id FROM written UNION SELECT rival_id FROM written",
    "acceptance": _BY_ACCEPTANCE.format(acceptance="written AS acceptance"),
    "correction": """
        SELECT acceptance.game_id FROM written
        JOIN games_acceptance AS acceptance ON acceptance.id = written.acceptance_id""",
}
"""How the rows of some tables lead to games, by the name of the way."""
_TABLES = {
    "games_seating": "game",
    "games_movelog": "game",
    "games_factchange": "game",
    "games_verdict": "game",
    "games_table": "game",
    "games_acceptance": "acceptance",
    "games_correction": "correction",
    "games_ratingevent": "game",
    "games_confirmation": "game",
    "games_dispute": "game",
    "games_gamecomment": "comment",
    "games_challenge": "challenge",
}
_MOVING = frozenset({"games_movelog", "games_table"})
"""Those whose rows may lead to another game, or to none, after a change."""
# Rows of these tables change with every sign-in, rated game or counted record, too: only what pages show of them counts.
_SHOWN = {
    "games_acceptance": (
        "bigint",
        "id, number, accepted_at, due_at, by_id, counts, held",
        _BY_ACCEPTANCE.format(
            acceptance="(SELECT * FROM games_acceptance WHERE id = ANY(changed)) AS acceptance",
        ),
    ),
    "games_player": (
        "bigint",
        "id, name, source, is_bot, account_id, merged_into_id",
        """
        SELECT game_id FROM games_seating WHERE player_id = ANY(changed)
        UNION SELECT seating.game_id FROM games_player AS player
        JOIN games_seating AS seating ON seating.player_id = player.id
        WHERE player.merged_into_id = ANY(changed)""",
    ),
    "games_upload": (
        "uuid",
        "id, uploader_id, via, private, dry_run, received_at",
        "SELECT game_id FROM games_movelog WHERE upload_id = ANY(changed) AND game_id IS NOT NULL",
    ),
    "auth_user": (
        "integer",
        "id, username",
        """
        SELECT log.game_id FROM games_upload AS upload JOIN games_movelog AS log ON log.upload_id = upload.id
        WHERE upload.uploader_id = ANY(changed) AND log.game_id IS NOT NULL
        UNION SELECT game_id FROM games_factchange WHERE by_id = ANY(changed)
        UNION SELECT game_id FROM games_confirmation WHERE account_id = ANY(changed)
        UNION SELECT game_id FROM games_dispute WHERE account_id = ANY(changed) OR settled_by_id = ANY(changed)
        UNION SELECT unnest(ARRAY[game.id, game.same_as_id])
        FROM games_gamecomment AS comment JOIN games_game AS game ON game.id = comment.game_id
        WHERE comment.author_id = ANY(changed)""",
    ),
    "games_club": (
        "bigint",
        "id, name, slug",
        """
        SELECT acceptance.game_id
        FROM games_ladder AS ladder JOIN games_acceptance AS acceptance ON acceptance.ladder_id = ladder.id
        WHERE ladder.club_id = ANY(changed)
        UNION SELECT game_id FROM games_factchange WHERE club_id = ANY(changed)""",
    ),
}
"""The type of their ids, the columns that pages show, and how rows of which these changed lead to games."""


def _function(name: str, games: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION games_raise_versions_by_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM games_raise_versions(ARRAY({games}));
    RETURN NULL;
END $$
"""


def _by_changed(table: str) -> str:
    kind, columns, games = _SHOWN[table]
    return f"""
CREATE OR REPLACE FUNCTION games_raise_versions_by_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed {kind}[] := ARRAY(
        SELECT id FROM (SELECT {columns} FROM before EXCEPT SELECT {columns} FROM written) AS shown
    );
BEGIN
    IF changed <> '{{}}' THEN
        PERFORM games_raise_versions(ARRAY({games}));
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608 (of our own words)


def _trigger(table: str, function: str, event: str, name: str, rows: str) -> str:
    return f"""
CREATE OR REPLACE TRIGGER {name} AFTER {event} ON {table} REFERENCING {rows}
FOR EACH STATEMENT EXECUTE FUNCTION games_raise_versions_by_{function}()
"""


def _every_write(table: str, way: str) -> dict[str, str]:
    """Return the triggers of a table by their names."""
    events = {
        "versions_raised_by_insert": ("INSERT", "NEW TABLE AS written"),
        "versions_raised_by_delete": ("DELETE", "OLD TABLE AS written"),
    }
    if table not in _SHOWN:
        events["versions_raised_by_update"] = ("UPDATE", "NEW TABLE AS written")
    if table in _MOVING:
        events["versions_raised_where_it_was"] = ("UPDATE", "OLD TABLE AS written")
    return {name: _trigger(table, way, event, name, rows) for name, (event, rows) in events.items()}


def _changes(table: str) -> dict[str, str]:
    name, rows = "versions_raised_by_change", "OLD TABLE AS before NEW TABLE AS written"
    return {name: _trigger(table, table, "UPDATE", name, rows)}


def _functions(bodies: Sequence[str], names: Sequence[str]) -> migrations.RunSQL:
    return migrations.RunSQL(";".join(bodies), ";".join(f"DROP FUNCTION IF EXISTS {name}" for name in reversed(names)))


def _on(table: str, triggers: dict[str, str]) -> migrations.RunSQL:
    """Return what gives a table its triggers, in one transaction, and gives up where a long one uses the table."""
    limit = "SET LOCAL lock_timeout = '3s'"
    dropped = (f"DROP TRIGGER IF EXISTS {name} ON {table}" for name in triggers)
    return migrations.RunSQL(";".join((limit, *triggers.values())), ";".join((limit, *dropped)))


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0097_game_version"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    beside_old_code = {
        "Raw SQL operation": "Older code does not see what the triggers do.",
    }

    operations = [
        _functions(
            [_RAISE, _OWN, _OTHERS, *(_function(*way) for way in _WAYS.items()), *map(_by_changed, _SHOWN)],
            [
                "games_raise_versions(bigint[])",
                "games_raise_own_version()",
                "games_raise_versions_of_others()",
                *(f"games_raise_versions_by_{name}()" for name in (*_WAYS, *_SHOWN)),
            ],
        ),
        _on("games_game", {"version_raised": _OWN_TRIGGER, "versions_of_others_raised": _OTHERS_TRIGGER}),
        *(_on(table, _every_write(table, way)) for table, way in _TABLES.items()),
        *(_on(table, _changes(table)) for table in _SHOWN),
    ]
