"""Dumps: a month's public games as files, complete, checked, and without private data."""

import json
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from engine.registry import RULESETS
from engine.verify import ENGINE_VERSION, verify_bytes
from games.accounts.deletion import delete_account
from games.consent import privacy
from games.models import Act, Game, Player
from games.records import dump_files
from games.records.reads import dumps as reads
from games.records.reads.dumps import Dump, Month
from games.uploads.origin import UploadOptions
from games.zstd import zstd
from tests.factories import BROKEN, duels, record
from tests.games.storing import judged
from tests.strategies import recorded
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db
MARCH = Month(2026, 3)
LATER = datetime(2026, 4, 2, 3, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Callable[..., None]) -> Path:
    settings.DUMPS_DIR = tmp_path / "dumps"  # type: ignore[attr-defined]
    return tmp_path / "dumps"


def unpacked(folder: Path, dump: Dump, form: str) -> Iterator[bytes]:
    for part in dump.parts:
        for file in part.files:
            if file.form == form:
                yield zstd.decompress((folder / str(dump.month) / file.name).read_bytes())


@pytest.mark.parametrize("form", first_quick(["agn", "ndjson"]))
def test_every_game_read_again_is_the_same_record(folder: Path, now: datetime, form: str) -> None:
    records = [replay.text().encode() for ruleset in RULESETS for replay in recorded(ruleset)]
    judged(*records, now=now)

    dump = dump_files.make(MARCH, now=LATER)

    again = chain.from_iterable(map(verify_bytes, unpacked(folder, dump, form)))
    sent = {verdict.record_digest for verdict in verify_bytes(b"\n".join(records))}
    assert {verdict.record_digest for verdict in again} == sent
    assert sum(part.games for part in dump.parts) == Game.objects.count()


def test_checksums_sizes_and_the_digest_of_the_set_are_right(folder: Path, now: datetime) -> None:
    judged(*duels(3), record(rules="2003"), now=now)

    dump = dump_files.make(MARCH, now=LATER)

    assert (folder / "2026-03" / "SHA256SUMS").read_text().count("\n") == 5
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder / "2026-03", check=True)
    for part, text in zip(dump.parts, unpacked(folder, dump, "agn"), strict=True):
        lines = [f"{verdict.digest} {verdict.record_digest}\n" for verdict in verify_bytes(text)]
        assert part.digest == sha256("".join(lines).encode()).hexdigest()
        assert part.files[0].unpacked == len(text)


def test_manifest_describes_the_dump(folder: Path, now: datetime, settings: Callable[..., None]) -> None:
    settings.DUMPS_LICENCE = "CC0-1.0"  # type: ignore[attr-defined]
    judged(*duels(2), now=now)

    dump = dump_files.make(MARCH, now=LATER)

    manifest = json.loads((folder / "2026-03" / "manifest.json").read_text())
    assert (manifest["format"], manifest["licence"]) == ("atta/dump/1", "CC0-1.0")
    assert (manifest["engine_version"], manifest["made_at"]) == (ENGINE_VERSION, "2026-04-02T03:10:00+00:00")
    assert [(part["ruleset"], part["games"]) for part in manifest["rulesets"]] == [("atta-ants-online", 2)]
    assert reads.list_dumps() == [dump]


def test_private_rejected_and_other_months_games_are_left_out(folder: Path, alice: User, now: datetime) -> None:
    (first, second, third, fourth) = duels(4)
    judged(first, BROKEN, now=datetime(2026, 3, 1, tzinfo=UTC))
    judged(second, now=now, uploader=alice, options=UploadOptions(private=True))
    judged(third, now=datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC))
    judged(fourth, now=datetime(2026, 4, 1, tzinfo=UTC))

    (text,) = unpacked(folder, dump_files.make(MARCH, now=LATER), "agn")

    assert [verdict.digest for verdict in verify_bytes(text)] == [verify_bytes(first)[0].digest]


@pytest.mark.full
def test_next_dump_omits_hidden_games_and_deleted_names(folder: Path, alice: User, bob: User, now: datetime) -> None:
    (first, second) = duels(2)
    (hidden,) = judged(first, now=now, uploader=alice)
    judged(second, now=now)
    Player.objects.filter(name="Bruno").update(account=bob)
    assert dump_files.make_due(now=LATER) == 1
    assert dump_files.make_due(now=LATER) == 0

    privacy.hide(hidden, alice, now=LATER + timedelta(hours=1))
    delete_account(bob, now=LATER + timedelta(hours=1))

    assert dump_files.make_due(now=LATER + timedelta(days=1)) == 1
    (text,) = unpacked(folder, reads.list_dumps()[0], "agn")
    assert (text.count(b"[Game "), b"Bruno" in text, b"Former player" in text) == (1, False, True)
    assert dump_files.make_due(now=LATER + timedelta(days=2)) == 0
    assert Act.objects.count() == 2


def test_dump_of_a_month_without_games_left_is_empty(alice: User, now: datetime) -> None:
    (game,) = judged(record(), now=now, uploader=alice)
    dump_files.make_due(now=LATER)
    privacy.hide(game, alice, now=LATER)

    assert dump_files.make_due(now=LATER) == 1
    assert [dump.parts for dump in reads.list_dumps()] == [()]


@pytest.mark.full
def test_every_past_month_with_games_is_dumped(now: datetime) -> None:
    for month, duel in zip((1, 3, 4), duels(3), strict=True):
        judged(duel, now=datetime(2026, month, 5, tzinfo=UTC))

    assert dump_files.make_due(now=LATER) == 2
    assert [str(dump.month) for dump in reads.list_dumps()] == ["2026-03", "2026-01"]


def test_interrupted_dump_keeps_the_previous_one(folder: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(record(), now=now)
    before = dump_files.make(MARCH, now=LATER)
    judged(*duels(3), now=now)

    def break_off(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dump_files.make(MARCH, now=LATER + timedelta(days=1), progress=break_off)
    assert reads.list_dumps() == [before]
    assert len(list(folder.glob(".2026-03.*"))) == 1


def test_leftovers_of_a_killed_process_are_deleted(folder: Path, now: datetime) -> None:
    judged(record(), now=now)
    (folder / ".2026-03.killed").mkdir(parents=True)
    dump_files.make(MARCH, now=LATER)
    dump_files.make(MARCH, now=LATER + timedelta(days=1))

    assert len([path for path in folder.iterdir() if path.is_dir()]) == 2
    assert not (folder / ".2026-03.killed").exists()


def test_only_one_dump_is_made_at_a_time(folder: Path, now: datetime) -> None:
    folder.mkdir()
    with dump_files._alone(folder), pytest.raises(dump_files.DumpError, match="being made already"):
        dump_files.make(MARCH, now=LATER)


def test_command_dumps_one_month_or_all_due_ones(now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    judged(*duels(2), now=now)

    call_command("dump", "2026-03")
    call_command("dump")

    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("2026-03: 2 games in ")
    assert said[1] == "Nothing is due."


@pytest.mark.parametrize(
    ("month", "message"),
    [("2026-13", "'2026-13' is no month such as 2026-11."), ("2999-01", "2999-01 is not over yet.")],
)
def test_command_rejects_an_invalid_or_unfinished_month(month: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("dump", month)
