"""One message has an event and the parts of the table's page after it, as each reader's page shows them."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Table
from games.playing import opening, phrases
from games.playing.opening import Addition, TableOptions
from games.playing.reads import own
from games.playing.reads.people import NOBODY, Person
from games.playing.reads.seats import seats_of
from games.web.live import messages, parts
from games.web.live.streams import Variant
from games.web.play.parts import audience, parts_html
from tests.games.playing.seating import RULESETS, accounts, fresh, guests, play, seated, whose_turn

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


def browser(number: int | None = None) -> Client:
    """Return the browser of a guest, or of a spectator."""
    return Client(headers={} if number is None else {"Guest-Token": f"token {number}"})


def told(client: Client, table: Table, asked: str, **headers: str) -> list[Json]:
    """Return what a stream tells until now."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = client.get(f"/live/tables/{table.key}?{asked}", headers=named)
    lines = answer.content.decode().split("\n")
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


def position_in(html: str) -> Any:
    """Return the position that the parts of a page show."""
    (found,) = re.findall(r'<script id="position"[^>]*>(.*?)</script>', html)
    return json.loads(found)


def without_drawings(html: str) -> str:
    return re.sub(r'"symbols": \{.*?\}, "tree"', "", html)


def asked_now(client: Client, table: Table) -> str:
    """Return the parts with which a form is answered that does nothing."""
    return client.post(f"/play/{table.key}/?parts").content.decode()


def symbols_of(position: Json) -> set[str]:
    """Return the drawings that lie on a board."""
    frame = position["frame"]
    trays = [piece for tray in frame["trays"] for piece in tray["pieces"]]
    return {piece["symbol"] for piece in (*frame["put"], *trays)}


def test_a_message_has_the_event_and_the_parts_of_who_sits(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=3)
    known = table.last_event
    table = fresh(play(table, people, now, most=1))
    turn = people.index(whose_turn(table, people))
    for number, client in enumerate(map(browser, range(2))):
        (body,) = told(client, table, f"parts&after={known}")
        assert (body["kind"], body["number"], body["frame"]["ply"]) == ("act", known + 1, 4)
        assert without_drawings(body["parts"]) == without_drawings(asked_now(client, table))
        assert f'data-event="{known + 1}"' in body["parts"]
        assert bool(position_in(body["parts"])["tree"]) is (number == turn)


def test_readers_without_a_page_get_the_event_alone(now: datetime) -> None:
    people = guests(2)
    table = fresh(play(seated(people, now, "army-ants"), people, now, most=3))
    with_parts, alone = (told(browser(0), table, asked) for asked in ("parts&after=0", "after=0"))
    assert with_parts[-1].pop("parts")
    assert with_parts == alone


@pytest.mark.parametrize("asked", ["", "&poll"])
def test_of_many_events_only_the_last_has_the_parts(now: datetime, asked: str) -> None:
    people = guests(2)
    table = fresh(play(seated(people, now, "army-ants"), people, now, most=5))
    for client in (browser(0), browser()):
        bodies = told(client, table, f"parts&after=0{asked}", Last_Event_ID="2")
        assert [body["number"] for body in bodies] == list(range(3, table.last_event + 1))
        assert [body["number"] for body in bodies if "parts" in body] == [table.last_event]
        assert told(client, table, f"parts{asked}", Last_Event_ID=str(table.last_event)) == []


def test_who_has_missed_too_much_gets_the_parts_with_all_drawings(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "MOST", 4)
    people = guests(2)
    table = fresh(play(seated(people, now, "army-ants"), people, now, most=5))
    for client in (browser(0), browser()):
        (body,) = told(client, table, "parts&after=0")
        position = position_in(body["parts"])
        assert (body["kind"], body["number"]) == ("missed", table.last_event)
        assert symbols_of(position) <= position["symbols"].keys()


@pytest.mark.full
@pytest.mark.parametrize("ruleset", RULESETS)
def test_pages_get_each_drawing_that_they_need(now: datetime, ruleset: str) -> None:
    people = guests(2)
    table = seated(people, now, ruleset)
    clients = [browser(0), browser(1), browser()]
    begun = [position_in(asked_now(client, table)) for client in clients]
    drawings = [set[str](position["symbols"] if position else ()) for position in begun]
    last = table.last_event
    while table.state == Table.State.PLAYING and table.plies < 40:
        table = fresh(play(table, people, now, most=1))
        for client, known in zip(clients, drawings, strict=True):
            bodies = told(client, table, f"parts&after={last}")
            known.update(*(body.get("symbols", {}) for body in bodies))
            position = position_in(bodies[-1]["parts"])
            known.update(position["symbols"])
            assert symbols_of(position) <= known
        last = table.last_event


def test_for_those_who_look_on_parts_are_written_once_in_each_language(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, written = guests(2), list[Person]()
    table = fresh(play(seated(people, now, "army-ants"), people, now, most=3))

    def count(table: Table, viewer: Person, known: Sequence[str] = ()) -> str:
        written.append(viewer)
        return parts_html(table, viewer, known)

    monkeypatch.setattr(parts, "parts_html", count)
    readers = [NOBODY, *guests(50)[2:], *accounts(4)]
    variants = [Variant(language, own.name_of(person)) for language in ("en", "de") for person in readers]
    found = list(messages.table_messages(table, table.last_event - 1, variants))
    assert sorted(len(some) for some in found) == [len(readers)] * 2
    assert len(written) == 2
    assert list(messages.table_messages(table, table.last_event - 1, variants)) == found
    assert len(written) == 2
    assert {parts.viewer_of(table, person) for person in readers} == {own.name_of(NOBODY)}


def test_who_is_to_act_gets_the_parts_before_the_others_and_readers_of_events_do_not_wait(now: datetime) -> None:
    people = guests(2)
    table = fresh(play(seated(people, now, "army-ants"), people, now, most=3))
    turn = whose_turn(table, people)
    (other,) = (person for person in people if person is not turn)
    expected = [None, *(own.name_of(person) for person in (turn, other, NOBODY))]
    variants = [Variant("en", viewer) for viewer in reversed(expected)]
    found = list(messages.table_messages(table, 1, variants))
    assert [[variant.viewer for variant in some] for some in found] == [[viewer] for viewer in expected]


def test_before_the_game_who_looks_on_gets_what_depends_on_the_account(now: datetime, alice: User) -> None:
    (ada,) = guests(1)
    table = opening.open_table(TableOptions(ruleset="army-ants", places=2), ada, now=now)
    opening.join(table.key, ada, Addition("entropy"), now=now)
    Table.objects.update(rated=True)
    signed_in = Client()
    signed_in.force_login(alice)
    (asked_to_sign_in, offered, waits) = (
        told(client, table, "parts&after=0")[-1]["parts"] for client in (browser(), signed_in, browser(0))
    )
    assert "To play in a rated game, sign in." in unescape(asked_to_sign_in)
    assert 'value="join"' in offered
    assert 'value="cancel"' in waits


@pytest.mark.parametrize(("rated", "hot_seat"), [(False, False), (True, False), (False, True)])
def test_everybody_with_the_same_audience_reads_the_same(now: datetime, rated: bool, hot_seat: bool) -> None:
    people, others = accounts(2), [NOBODY, *guests(2), Person(account=User.objects.create_user("Eva"))]
    table = opening.open_table(
        TableOptions(ruleset="army-ants", places=2, rated=rated, hot_seat=hot_seat), people[0], now=now
    )
    states = [fresh(table)]
    opening.join(table.key, people[0], Addition("entropy"), now=now)
    if not hot_seat:
        states.append(fresh(table))
        opening.join(table.key, people[1], Addition("entropy"), now=now)
    for state in (*states[-1:], fresh(table)):
        table = fresh(state)
        by_audience: dict[str, set[str]] = {}
        for person in (*people, *others):
            found = parts_html(table, own.person_named(own.name_of(person)))
            assert found == parts_html(table, person)
            by_audience.setdefault(audience(table, seats_of(table), person), set()).add(found)
        assert {len(found) for found in by_audience.values()} == {1}


def test_a_quiet_form_is_answered_with_the_parts_after_it(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "army-ants")
    phrase = next(iter(phrases.PHRASES))
    answer = browser(0).post(f"/play/{table.key}/?parts", {"do": "phrase", "phrase": phrase})
    assert answer.status_code == 200
    assert f'data-event="{table.last_event + 1}"' in answer.content.decode()
