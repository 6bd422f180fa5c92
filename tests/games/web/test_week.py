"""The games of the week on the first page."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Acceptance, Game, GameEvents, Ladder, Player
from games.records.reads.week import games_of_the_week
from tests.games.evenings import game_of
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Game]


@pytest.fixture
def make() -> Make:
    """Make games that came in some days ago."""

    def made(*, days: float = 1, changes: int = 0, closeness: int | None = None, **columns: object) -> Game:
        game = game_of((("Ada", "Bruno"), (1, 2)), timezone.now())
        columns = {"plies": 40, "received_at": timezone.now() - timedelta(days=days), **columns}
        Game.objects.filter(pk=game.pk).update(**columns)
        GameEvents.objects.update_or_create(
            game=game, defaults={"codes": [], "lead_changes": changes, "closeness": closeness}
        )
        return game

    return made


def chosen() -> list[tuple[int, str, int]]:
    return [(pick.game.pk, pick.reason, pick.value) for pick in games_of_the_week(now=timezone.now()).games]


def test_each_game_has_a_reason_of_its_own(make: Make, now: datetime) -> None:
    led, close, rated, discussed, _ = (
        make(changes=6, closeness=99),
        make(changes=3, closeness=96),
        make(),
        make(comment_count=3),
        make(plies=300),
    )
    ladder = Ladder.objects.get_or_create(ruleset=rated.ruleset, club=None)[0]
    Acceptance.objects.update_or_create(
        game=rated, ladder=ladder, defaults={"number": 10**6, "accepted_at": now, "due_at": now, "rating": 900}
    )

    assert chosen() == [
        (led.pk, "lead_changes", 6),
        (close.pk, "closeness", 96),
        (rated.pk, "rating", 900),
        (discussed.pk, "comments", 3),
    ]


@pytest.mark.parametrize(
    "columns",
    [{"plies": 9}, {"private": True}, {"verdict": "unfinished"}, {"days": 31}],
    ids=lambda one: next(iter(one)),
)
def test_short_hidden_unfinished_and_old_games_are_not_among_them(make: Make, columns: dict[str, object]) -> None:
    make(changes=9, **columns)

    assert chosen() == []


def test_games_of_bots_are_not_among_them(make: Make) -> None:
    make(changes=9)
    Player.objects.filter(name="Bruno").update(is_bot=True)

    assert chosen() == []


def test_where_the_week_had_too_few_those_of_thirty_days_are_shown(make: Make, client: Client) -> None:
    make(changes=2, days=8)
    make(closeness=90, days=1)

    words = words_of(client.get("/").content.decode())

    assert "Games of the last 30 days 2 lead changes R Ada 1st Y Bruno 2nd" in words
    assert "Closest finish R Ada" in words


def test_four_games_of_a_week_are_named_after_it(make: Make, client: Client) -> None:
    for columns in ({"changes": 4}, {"closeness": 100}, {"comment_count": 1}, {"plies": 90}):
        make(**columns)

    html = client.get("/").content.decode()

    assert "Games of the week 4 lead changes" in words_of(html)
    assert html.count('class="week-why"') == 4
    assert 'href="/games/?sort=lead_changes">More games worth watching' in html
    client.cookies["results"] = "hide"
    assert 'class="week-board"' not in client.get("/").content.decode()


def test_without_games_worth_watching_there_is_no_such_part(client: Client) -> None:
    assert "week-games" not in client.get("/").content.decode()
