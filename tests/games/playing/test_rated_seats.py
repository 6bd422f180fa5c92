"""Who sat at a rated table is known to the site: no upload and no withdrawal changes that."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import AbstractBaseUser, User
from django.test import Client

from engine.agn.canonical import format_tags, order_tags
from games.consent.confirmations import ConsentError, confirm, withdraw
from games.models import Acceptance, Challenge, Game, Table, Upload
from games.players.home import home_source
from games.playing import finishing, leaving, linking
from games.playing.reads.people import Person
from games.playing.reads.position import tags_of, tokens_of
from games.playing.site_names import own_name
from games.run import rate_waiting
from tests.games.judging import judge_all
from tests.games.playing.seating import accounts, fresh, play, seated, whose_turn
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def losing(now: datetime) -> tuple[Table, Person]:
    """A rated game, and who is about to resign there."""
    people = accounts(2)
    table = play(seated(people, now, "army-ants", rated=True), people, now, most=8)
    return table, whose_turn(table, people)


def upload_resigned(
    table: Table, names: list[str], now: datetime, by: AbstractBaseUser | None = None, **tags: str
) -> Game:
    """Upload what the record is or is about to be, with names in turn order."""
    ruleset, letters = finishing.ruleset_of(table), table.seats_line.split(" ")
    seats = [ruleset.seat(letter).tag for letter in letters]
    result = "-".join("2" if letter == table.turn else "1" for letter in letters)
    tags |= tags_of(table) | dict(zip(seats, names, strict=True)) | {"Result": result}
    tokens, last = tokens_of(table), f"resign:{table.turn}"
    moves = " ".join([*tokens, *([] if last in tokens else [last]), result])
    file = f"{format_tags(order_tags(tags, seats))}\n{moves}\n".encode()
    upload = upload_file(file, via=Upload.Via.WEB, now=now, uploader=by)
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game


def resign(table: Table, loser: Person, now: datetime) -> Game:
    """Let the loser resign; return the verified game, which is due to be rated."""
    leaving.resign(table.key, loser, now=now)
    judge_all(now)
    linking.link_judged(now=now, has_time=lambda: True)
    game = fresh(table).game
    assert game
    return game


@pytest.mark.full
def test_an_upload_before_the_end_does_not_keep_the_game_from_being_rated(
    losing: tuple[Table, Person], now: datetime
) -> None:
    table, loser = losing
    rival = upload_resigned(table, ["Xenia", "Yuri"], now)
    give_seat(rival, 0, User.objects.create_user("friend"), now)  # who never agrees that others played

    game = resign(table, loser, now)
    rate_waiting(now=lambda: now)

    assert Acceptance.objects.get().game == game
    assert (game.upheld, table.alarms.exists()) == (True, False)
    assert not Challenge.objects.filter(state=Challenge.State.OPEN).exists()


@pytest.mark.full
def test_an_upload_with_other_names_does_not_hold_a_game_that_waits_to_be_rated(
    losing: tuple[Table, Person], now: datetime
) -> None:
    table, loser = losing
    game = resign(table, loser, now)
    rival = upload_resigned(table, ["Xenia", "Yuri"], now, loser.account)

    assert Acceptance.objects.get().game == game
    assert rival.same_as == game
    assert not Acceptance.objects.get().held


def test_a_seat_at_a_rated_table_cannot_be_taken_back_once_the_game_is_over(
    losing: tuple[Table, Person], now: datetime, browse: Callable[[User | None], Client]
) -> None:
    table, loser = losing
    game = resign(table, loser, now)
    assert loser.account

    with pytest.raises(ConsentError, match="By taking a seat at a rated table"):
        withdraw(game, loser.account, now=now)

    page = browse(User.objects.get(pk=loser.account.pk)).get(game.get_absolute_url()).content
    assert Acceptance.objects.filter(game=game).exists()
    assert b"Withdraw confirmation" not in page


@pytest.mark.full
def test_neither_can_one_that_was_confirmed_before_the_end(losing: tuple[Table, Person], now: datetime) -> None:
    table, loser = losing
    assert loser.account
    own_name(loser.account, now=now)
    names = [table.seats.get(letter=letter).name for letter in table.seats_line.split(" ")]
    confirm(upload_resigned(table, names, now, Site=home_source()), loser.account, now=now)

    game = resign(table, loser, now)

    with pytest.raises(ConsentError, match="By taking a seat at a rated table"):
        withdraw(game, loser.account, now=now)
