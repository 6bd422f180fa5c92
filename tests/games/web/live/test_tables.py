"""Viewers of a table get each event once and in order, and a slow one does not delay the others."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from games.web.live import repeating, subscription
from games.web.live.streams import Variant
from games.web.live.subscription import Subscription
from games.web.live.tables import Tables
from tests.atta_site.serving.asking import run as run_alone
from tests.games.web.live.rows import Rows

KEY = "Ab3dEf7h"


def run(test: Callable[[Tables, Rows], Awaitable[None]]) -> None:
    """Run a test in its own event loop."""

    async def within() -> None:
        rows = Rows()
        async with asyncio.timeout(20):
            await test(Tables(rows), rows)

    run_alone(within())


async def received_by(reader: Subscription, last: bytes) -> bytes:
    """Return everything a reader receives up to a message."""
    got = b""
    while last not in got.split():
        got += await reader.take()
    return got


async def idle() -> None:
    """Let everything go on until nothing is left to do; counted, as a busy machine may take any time for it."""
    for _ in range(20):
        await asyncio.sleep(0)


def happen(tables: Tables, rows: Rows, times: int = 1) -> None:
    """Add events to the table, each with a notification."""
    for _ in range(times):
        rows.events[KEY] += 1
        tables.notify(KEY, rows.events[KEY])


def test_readers_get_events_in_their_language_from_their_last_position() -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        rows.events[KEY] = 3
        early, late, german = (
            Subscription(Variant("en"), 0),
            Subscription(Variant("en"), 2),
            Subscription(Variant("de"), 1),
        )
        for reader in (early, late, german):
            await tables.join(KEY, reader)
        happen(tables, rows)
        assert await received_by(early, b"en4") == b"en1 en2 en3 en4 "
        assert await received_by(late, b"en4") == b"en3 en4 "
        assert await received_by(german, b"de4") == b"de2 de3 de4 "

    run(test)


def test_each_event_is_read_once_for_all_readers() -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        readers = [Subscription(Variant("en")) for _ in range(500)]
        for reader in readers:
            await tables.join(KEY, reader)
        await idle()
        rows.reads = 0
        happen(tables, rows)
        assert {await received_by(reader, b"en1") for reader in readers} == {b"en1 "}
        assert rows.reads == 1

    run(test)


def test_events_during_a_join_are_not_missed() -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        readers = [Subscription(Variant(language)) for language in ("en", "de", "en", "de")]
        for reader in readers:
            happen(tables, rows, 3)
            await asyncio.gather(tables.join(KEY, reader), asyncio.sleep(0))
            happen(tables, rows, 2)
        for reader in readers:
            whole = "".join(f"{reader.variant.language}{number} " for number in range(1, 21))
            assert await received_by(reader, f"{reader.variant.language}20".encode()) == whole.encode()

    run(test)


@pytest.mark.parametrize("steps", range(12))
def test_who_comes_while_events_are_given_gets_them_once(steps: int) -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        first, other, late = (Subscription(Variant(language)) for language in ("en", "de", "en"))
        for reader in (first, other):
            await tables.join(KEY, reader)
        await idle()
        happen(tables, rows)
        for _ in range(steps):
            await asyncio.sleep(0)
        await tables.join(KEY, late)
        happen(tables, rows)
        for reader in (first, other, late):
            language = reader.variant.language
            got = await received_by(reader, f"{language}2".encode())
            assert got.decode() == f"{language}1 {language}2 "

    run(test)


def test_only_readers_that_fall_behind_are_dropped() -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        slow, quick = Subscription(Variant("en")), Subscription(Variant("en"))
        await tables.join(KEY, slow)
        await tables.join(KEY, quick)
        for number in range(1, subscription.LONGEST + 2):
            happen(tables, rows)
            assert await received_by(quick, f"en{number}".encode()) == f"en{number} ".encode()
        assert await slow.take() == b""

    run(test)


def test_sweep_finds_events_without_a_notification() -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        await tables.join(KEY, reader := Subscription(Variant("en")))
        await idle()
        rows.events[KEY] = 2
        await tables.sweep()
        assert await received_by(reader, b"en2") == b"en1 en2 "

    run(test)


def test_streams_of_pages_end_with_the_session_that_opened_them() -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        readers = {one: Subscription(Variant("en"), credential=one) for one in ("session:1", "session:2", "")}
        for reader in readers.values():
            await tables.join(KEY, reader)
        rows.valid = {"session:1"}
        await tables.check()
        happen(tables, rows)
        assert [await readers[one].take() for one in readers] == [b"en1 ", b"", b"en1 "]

    run(test)


def test_failed_read_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeating, "AGAIN", 0.01)

    async def test(tables: Tables, rows: Rows) -> None:
        await tables.join(KEY, reader := Subscription(Variant("en")))
        await idle()
        rows.is_away = True
        happen(tables, rows)
        await asyncio.sleep(0.05)
        rows.is_away = False
        assert await received_by(reader, b"en1") == b"en1 "

    run(test)


def test_table_without_readers_is_not_read() -> None:
    async def test(tables: Tables, rows: Rows) -> None:
        await tables.join(KEY, reader := Subscription(Variant("en")))
        await idle()
        tables.leave(KEY, reader)
        rows.reads = 0
        happen(tables, rows)
        await tables.sweep()
        await idle()
        assert (list(tables.keys), rows.reads) == ([], 0)

    run(test)
