"""Whose turn it is where, as streams send it."""

from dataclasses import replace
from datetime import datetime

import pytest

from games.playing import opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads import own
from tests.games.playing.seating import accounts, guests, seated, whose_turn

pytestmark = pytest.mark.django_db


def test_an_account_is_notified_of_the_turns_of_the_guest_it_was(now: datetime) -> None:
    before = guests(2)
    people = [replace(account, earlier=guest.guest) for account, guest in zip(accounts(2), before, strict=True)]
    table = seated(before, now, "army-ants")

    names = [own.name_of(person) for person in people]
    waiting = own.to_act(names)

    acting = names[before.index(whose_turn(table, before))]
    assert own.seated_at([table.key], names) == set(names)
    assert {name: [seat.table for seat in seats] for name, seats in waiting.items()} == {acting: [table]}


def test_an_account_is_not_invited_where_the_guest_it_was_sits(now: datetime) -> None:
    (opener, asked), (guest,) = accounts(2), guests(1)
    assert asked.account
    options = TableOptions(ruleset="atta-ants-online", places=3, visibility="link", invited=[asked.account])
    table = opening.open_table(options, opener, now=now)
    opening.join(table.key, opener, Addition("entropy"), now=now)
    name = own.name_of(replace(asked, earlier=guest.guest))
    assert own.invited([name])[name] == [table]
    opening.join(table.key, guest, Addition("leaf"), now=now)
    assert own.invited([name])[name] == []
