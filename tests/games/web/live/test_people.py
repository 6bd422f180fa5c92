"""People are sent the state of their games whenever one may have changed, and only then."""

import asyncio

from games.web.live.people import People
from games.web.live.streams import Variant
from games.web.live.subscription import Subscription
from tests.atta_site.serving.asking import run
from tests.games.web.live.rows import Rows


def test_people_are_notified_on_joining_and_when_one_of_their_tables_changes() -> None:
    async def test() -> None:
        people = People(rows := Rows())
        rows.sitting = {"mine": {"alice"}, "theirs": {"bob"}}
        people.join("alice", reader := Subscription(Variant("en")))
        assert await reader.take() == b"alice 0"
        rows.events["theirs"] = 1
        people.notify("theirs")
        await asyncio.sleep(0.2)
        rows.events["mine"] = 1
        people.notify("mine")
        assert await reader.take() == b"alice 2"

    run(asyncio.wait_for(test(), 20))


def test_unchanged_state_is_not_sent_again() -> None:
    async def test() -> None:
        people = People(rows := Rows())
        people.join("alice", reader := Subscription(Variant("en")))
        assert await reader.take() == b"alice 0"
        people.notify_all()
        await asyncio.sleep(0.2)
        rows.events["mine"] = 1
        people.notify_all()
        assert await reader.take() == b"alice 1"

    run(asyncio.wait_for(test(), 20))


def test_notifications_for_many_tables_are_read_together() -> None:
    async def test() -> None:
        people = People(rows := Rows())
        people.join("alice", reader := Subscription(Variant("en")))
        await reader.take()
        rows.reads, rows.sitting, rows.events["999"] = 0, {"999": {"alice"}}, 1
        for number in range(1000):
            people.notify(str(number))
        assert await reader.take() == b"alice 1"
        assert rows.reads == 2, "once whom the tables concern, and once the state of her games"

    run(asyncio.wait_for(test(), 20))


def test_streams_end_when_their_token_or_session_is_no_longer_valid() -> None:
    async def test() -> None:
        people = People(rows := Rows())
        readers = {one: Subscription(Variant("en"), credential=one) for one in ("token:1", "session:2", "")}
        for reader in readers.values():
            people.join("alice", reader)
            await reader.take()
        rows.valid = {"token:1"}
        await people.check()
        assert await readers["session:2"].take() == b""
        rows.events["mine"] = 1
        people.notify_all()
        assert [await readers[one].take() for one in ("token:1", "")] == [b"alice 1"] * 2

    run(asyncio.wait_for(test(), 20))
