"""Moments are written in UTC, for a script to write them in the reader's zone; days of play are those of the place."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils.translation import override

from engine.agn.dates import one_day
from games.models import Game, Player
from tests.games.evenings import begin_at_table, play

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 10, 16, 0, 30, tzinfo=UTC)
"""20:30 of the 15th in New York."""
MOMENT = '<time datetime="2026-10-16T00:30:00+00:00" data-moment>2026-10-16{}</time>'
DAY = '<time datetime="2026-10-16">2026-10-16</time>'


def test_a_moment_names_utc_and_a_day_is_no_moment() -> None:
    values = Context({"at": NIGHT, "played": one_day(NIGHT.date())})
    shown = Template("{{ at|moment }} {{ at|day }} {{ at|days }} {{ played|days }}").render(values)
    assert shown == " ".join(
        [MOMENT.format(' 00:30<span class="utc"> UTC</span>'), MOMENT.format(""), MOMENT.format(""), DAY]
    )
    with override("de"):
        assert '>16.10.2026 00:30<span class="utc"> UTC</span><' in Template("{{ at|moment }}").render(values)


def pages() -> list[str]:
    player = f"/players/{Player.objects.get(name='Ada').pk}/"
    return [player, f"{player}ladders/atta-ants-online/", f"{player}games/1/", "/games/"]


def test_a_players_pages_show_the_moment_at_which_a_game_at_a_table_began(client: Client) -> None:
    (game,) = play([(["Ada", "Bea"], [1, 2])], NIGHT)
    Game.objects.update(received_at=NIGHT.replace(day=20))
    for page in pages():
        assert DAY in client.get(page).content.decode()
    begin_at_table(game, NIGHT)
    for page in pages():
        shown = client.get(page).content.decode()
        assert MOMENT.format("") in shown
        assert DAY not in shown


def test_a_corrected_date_of_a_game_at_a_table_is_a_day(client: Client) -> None:
    (game,) = play([(["Ada", "Bea"], [1, 2])], NIGHT)
    begin_at_table(game, NIGHT)
    Game.objects.update(played_from="2026-10-12", played_until="2026-10-12", received_at=NIGHT.replace(day=20))
    shown = client.get("/games/").content.decode()
    assert '<time datetime="2026-10-12">2026-10-12</time>' in shown
    assert MOMENT.format("") not in shown


def test_without_scripts_every_page_says_that_its_moments_are_in_utc(client: Client) -> None:
    assert (
        '<noscript><p class="foot-what">Days and times are in UTC.</p></noscript>'
        in client.get("/games/").content.decode()
    )
