"""`manage.py fsck` finds what was flipped in rows and files, and names it."""

import json
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from games.models import MoveLog, Upload
from tests.factories import BROKEN, duels, record
from tests.games.judging import count_all
from tests.games.uploading import upload_file
from tests.tiers import by_tier

pytestmark = pytest.mark.django_db

FLIPS = by_tier(quick=25, long=1000)
BYTES = {("games_movelog", "data"), ("games_movelog", "text")}
TEXTS = [
    ("games_movelog", ("game_digest", "record_digest", "verdict", "rule")),
    ("games_verdict", ("rule", "template")),
    ("games_game", ("digest", "result", "ended", "likeness")),
    ("games_seating", ("letter",)),
]
NUMBERS = [
    ("games_verdict", ("line", '"column"', "plies")),
    ("games_game", ("plies",)),
    ("games_seating", ("place", "left_in")),
    ("games_verdictcount", ("games",)),
    ("games_ratingevent", ("mu", "sigma", "mu_before", "sigma_before")),
    ("games_standing", ("games", "mu", "sigma")),
    ("games_ladder", ("players", "games")),
]


def fsck() -> list[dict[str, Any]]:
    said = StringIO()
    try:
        call_command("fsck", "--json", stdout=said, stderr=StringIO())
    except SystemExit:
        assert said.getvalue()
    return [json.loads(line) for line in said.getvalue().splitlines()]


@pytest.fixture
def ledger(now: datetime) -> None:
    for number, data in enumerate(duels(3)):
        upload_file(data, via=Upload.Via.API, now=now, filename=f"{number}.agn")
    upload_file(BROKEN, via=Upload.Via.API, now=now)
    upload_file(record("NS@0,2 *"), via=Upload.Via.API, now=now)
    count_all(now)


@pytest.fixture(autouse=True)
def dumps(tmp_path: Path, settings: Any) -> Path:
    settings.DUMPS_DIR = tmp_path
    month = tmp_path / "2026-10"
    month.mkdir()
    (month / "games.ndjson.zst").write_bytes(b"all games")
    (month / "SHA256SUMS").write_text(f"{sha256(b'all games').hexdigest()}  games.ndjson.zst\n")
    return month


def run(query: str, *params: object) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, params)  # type: ignore[arg-type]
        return cursor.fetchall() if cursor.description else []


def flips(random: Random) -> Iterator[tuple[str, str, int]]:
    """Flip a bit of a random value of a random row, again and again; each is taken back when the next is asked for."""
    places = [(table, column, "text") for table, columns in TEXTS for column in columns]
    places += [(table, column, "number") for table, columns in NUMBERS for column in columns]
    places += [(table, column, "bytes") for table, column in sorted(BYTES)]
    made = 0
    while made < FLIPS:
        table, column, kind = random.choice(places)
        filled = f"{column}::text <> ''" if kind != "bytes" else f"length({column}) > 0"
        rows = run(f"SELECT id, {column} FROM {table} WHERE {column} IS NOT NULL AND {filled} ORDER BY id")
        if not rows:
            places.remove((table, column, kind))
            continue
        number, value = random.choice(rows)
        with transaction.atomic():
            run("SET CONSTRAINTS ALL IMMEDIATE")
            run("SET LOCAL session_replication_role = replica")
            for name in constraints(table):
                run(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
            run(f"UPDATE {table} SET {column} = %s WHERE id = %s", flipped(value, random), number)
            yield table, column, number
            transaction.set_rollback(True)
        made += 1


def constraints(table: str) -> list[str]:
    rows = run("SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'c'", table)
    return [name for (name,) in rows]


def flipped(value: Any, random: Random) -> Any:
    if isinstance(value, memoryview | bytes):
        data = bytearray(value)
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        return bytes(data)
    if isinstance(value, str):
        at = random.randrange(len(value))
        return value[:at] + ("a" if value[at] != "a" else "b") + value[at + 1 :]
    return value + 1 if isinstance(value, int) else value * (1 + 2**-40)


def test_sound_database_has_no_flaw(ledger: None) -> None:
    assert fsck() == []


@pytest.mark.full
def test_every_flip_in_a_row_is_found(ledger: None, request: pytest.FixtureRequest) -> None:
    missed = [where for where in flips(Random(request.node.name)) if not fsck()]
    assert missed == []


def test_flipped_log_is_named_with_its_upload_and_number(ledger: None) -> None:
    log = MoveLog.objects.order_by("pk").first()
    assert log is not None
    MoveLog.objects.filter(pk=log.pk).update(record_digest="0" * 64)
    found = next(one for one in fsck() if one["about"] == "log")
    assert found["where"] == {"log": log.pk, "upload": str(log.upload_id), "number": log.number}
    assert found["stored"] == {"record_digest": "0" * 64}
    assert found["due"] == {"record_digest": log.record_digest}


def test_flipped_and_missing_files_of_a_dump_are_named(db: None, dumps: Path) -> None:
    file = dumps / "games.ndjson.zst"
    file.write_bytes(b"all gamez")
    assert [one["where"] for one in fsck()] == [{"file": str(file)}]
    file.unlink()
    assert [one["stored"] for one in fsck()] == [{"sha256": "missing"}]
