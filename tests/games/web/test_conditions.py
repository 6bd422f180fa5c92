"""The filter of games: four fields, and conditions that are added to them."""

import re

import pytest
from django.test import Client

from games.web.records.filter_form import CONDITIONS

pytestmark = pytest.mark.django_db
FIRST = ["player", "game", "since", "until"]


def fields(client: Client, query: str = "") -> list[str]:
    """Return the names of the fields that the page of a query shows."""
    html = client.get(f"/games/{query}").content.decode()
    form = re.sub(
        r"<template.*?</template>", "", html[html.index('<form class="filter"') :].split("</form>")[0], flags=re.DOTALL
    )
    return re.findall(r'<(?:input|select)(?! type="hidden")[^>]* name="(\w+)"', form)


def test_four_fields_are_shown_and_no_others(client: Client) -> None:
    assert fields(client) == FIRST


@pytest.mark.parametrize(
    ("key", "names"),
    [(key, names) for key, _, names in CONDITIONS],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_each_condition_can_be_added_without_a_script(client: Client, key: str, names: tuple[str, ...]) -> None:
    html = client.get("/games/").content.decode()
    assert re.search(f'<button class="button small" name="add" value="{key}"( hidden)?>', html)

    assert fields(client, f"?add={key}") == [*FIRST, *names]


def test_conditions_stay_while_another_is_added(client: Client) -> None:
    shown = fields(client, "?player=ada&longest=30&add=winner&add=comment")

    assert shown == [*FIRST, "winner", "shortest", "longest", "comment"]


def test_what_is_asked_for_is_shown_without_being_added(client: Client) -> None:
    assert fields(client, "?event2=eaten&verdict=verified") == [
        *FIRST, "event2", "event2_size", "event2_times", "event2_last", "verdict",
    ]  # fmt: skip


def test_a_second_event_is_offered_after_the_first(client: Client) -> None:
    second = '<button class="button small" name="add" value="event2"'
    assert f"{second} hidden>" in client.get("/games/").content.decode()
    assert f"{second}>" in client.get("/games/?event=eaten").content.decode()


def test_empty_fields_of_an_older_address_add_nothing(client: Client) -> None:
    assert fields(client, "?player=&verdict=&opponent=&shortest=&event=&add=beauty") == FIRST


def test_fields_say_their_units_and_no_field_is_called_as_the_occasion_of_a_game(client: Client) -> None:
    html = client.get("/games/?add=length&add=ratings&add=event").content.decode()

    for label in (
        "Length from (actions)",
        "All ratings to (points)",
        "At least (ants or points)",
        "How often, at least",
    ):
        assert f">{label}</label>" in html
    assert ">Event</label>" not in html


def test_the_reader_writes_at_once_in_what_was_added_last(client: Client) -> None:
    html = client.get("/games/?add=winner&add=comment").content.decode()

    assert re.findall(r'name="(\w+)"[^>]* autofocus', html) == ["comment"]
    assert '<details class="filter-fold" open>' in html
