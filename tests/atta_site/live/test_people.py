"""People are told how their games stand when one of them may have changed, and only then."""

import asyncio

from atta_site.live.people import People
from atta_site.live.subscription import Subscription
from tests.atta_site.front.asking import run
from tests.atta_site.live.rows import Rows


def test_somebody_is_told_at_once_and_when_a_table_of_theirs_rings() -> None:
    async def test() -> None:
        people = People(rows := Rows())
        rows.sitting = {"mine": {"alice"}, "theirs": {"bob"}}
        people.join("alice", reader := Subscription("en"))
        assert await reader.take() == b"alice 0"
        rows.events["theirs"] = 1
        people.ring("theirs")
        await asyncio.sleep(0.2)
        rows.events["mine"] = 1
        people.ring("mine")
        assert await reader.take() == b"alice 2"

    run(asyncio.wait_for(test(), 20))


def test_what_is_as_it_was_is_not_told_again() -> None:
    async def test() -> None:
        people = People(rows := Rows())
        people.join("alice", reader := Subscription("en"))
        assert await reader.take() == b"alice 0"
        people.ring_all()
        await asyncio.sleep(0.2)
        rows.events["mine"] = 1
        people.ring_all()
        assert await reader.take() == b"alice 1"

    run(asyncio.wait_for(test(), 20))


def test_bells_for_many_tables_are_read_together() -> None:
    async def test() -> None:
        people = People(rows := Rows())
        people.join("alice", reader := Subscription("en"))
        await reader.take()
        rows.reads = 0
        for number in range(1000):
            people.ring(str(number))
        await asyncio.sleep(0.2)
        assert rows.reads == 1

    run(asyncio.wait_for(test(), 20))
