"""The client's films, pictures, collections, comments and moderation, against a real site."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from games.client import Client, ClientError, site
from games.client.site import Answer, CutOffError, Site
from games.comments import writing
from games.films import making
from games.models import Collection, Film, Game, GameComment, Study, Upload
from games.moderation.moderators import make_moderator
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db(transaction=True)
SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"


@pytest.fixture
def client(live: str, alice: User) -> Iterator[Client]:
    """The client of Alice's programs."""
    with Client(live, str(AuthToken.objects.create(alice)[1])) as opened:
        yield opened


@pytest.fixture
def game(now: datetime) -> Game:
    upload_file(record(SHORT), via=Upload.Via.WEB, now=now)
    judge_all(now)
    return Game.objects.get()


@pytest.mark.full
def test_client_asks_for_a_film_waits_and_downloads_it(client: Client, game: Game, now: datetime) -> None:
    film = client.films.ask(game.key, format="gif", last=3, size=120)
    assert (film.state, film.first, film.last, film.before) == ("waiting", 0, 3, 0)
    with pytest.raises(ClientError, match="There is nothing at this address"):
        client.films.download(film)
    making.make_due(now=lambda: now, has_time=lambda: True)
    made = client.films.wait(film)
    file = client.films.download(made)
    assert (file[:6], len(file), client.films.ask(game.key, format="gif", last=3, size=120)) == (
        b"GIF89a",
        made.bytes,
        made,
    )


def test_client_says_why_a_film_is_not_made(client: Client, game: Game) -> None:
    with pytest.raises(ClientError, match="A film goes from a position to a later one; this one goes from 3 to 3"):
        client.films.ask(game.key, first=3, last=3)
    film = client.films.ask(game.key, size=120)
    Film.objects.update(state=Film.State.FAILED)
    with pytest.raises(ClientError, match="This film could not be made"):
        client.films.wait(film)


def test_client_returns_pictures_of_a_game_by_its_key_or_its_address(client: Client, game: Game, live: str) -> None:
    page = f"{live}{game.get_absolute_url()}"
    assert client.picture(page, 1, format="png", size=64)[:4] == b"\x89PNG"
    plain, dark = client.picture(game.key, labels=False), client.picture(game.key, theme="dark")
    assert (plain[:4], plain == dark) == (b"<svg", False)
    with pytest.raises(ClientError, match="There is nothing at this address"):
        client.picture("00000000")


def test_client_takes_an_address_as_the_browser_shows_it(client: Client, game: Game, live: str) -> None:
    client.collections.set_favourite(f"{live}{game.get_absolute_url()}?ply=3#comments")
    assert client.collections.is_favourite(game.key)


def test_what_is_made_is_made_once_although_the_answer_was_lost(
    client: Client, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, lost = Site.once, set[str]()

    def lose_the_first(site: Site, method: str, path: str, *rest: Any) -> Answer:
        answer = ask(site, method, path, *rest)
        if path not in lost:
            lost.add(path)
            raise CutOffError("lost")
        return answer

    monkeypatch.setattr(Site, "once", lose_the_first)
    monkeypatch.setattr(site, "pause", lambda *_: None)
    client.comments.write(game.key, "A brave ant")
    client.collections.make("Brave ants")
    client.import_study(record(SHORT), title="Brave ants")
    assert [kind.objects.count() for kind in (GameComment, Collection, Study)] == [1, 1, 1]


def test_client_keeps_favourites_and_collections(client: Client, game: Game) -> None:
    client.collections.set_favourite(game.key)
    made = client.collections.make("Brave ants")
    client.collections.add(made, game.key)
    renamed = client.collections.change(made, name="Bravest ants", public=True)
    assert (client.collections.is_favourite(game.key), renamed.public) == (True, True)
    assert [one.name for one in client.collections.own()] == ["", "Bravest ants"]
    assert [one.key for one in client.collections.games(renamed)] == [game.key]

    client.collections.take_out(renamed, game.key)
    assert list(client.collections.games(client.collections.get(renamed.key))) == []
    client.collections.set_favourite(game.key, favourite=False)
    client.collections.remove(renamed)
    assert [one.favourites for one in client.collections.own()] == [True]
    assert not client.collections.is_favourite(game.key)


def test_client_writes_changes_reads_and_deletes_comments(client: Client, game: Game) -> None:
    made = client.comments.write(game.key, "A *brave* ant", ply=1)
    changed = client.comments.change(made, "A *very* brave ant")
    assert [(one.author, one.ply, one.html) for one in client.comments.on(game.get_absolute_url())] == [
        ("alice", 1, "<p>A <em>very</em> brave ant</p>\n")
    ]
    with pytest.raises(ClientError, match="This is your own comment"):
        client.comments.report(changed, "Rude")
    client.comments.delete(changed)
    assert list(client.comments.on(game.key)) == []


def test_client_reads_reports_and_decides(client: Client, game: Game, alice: User, bob: User, now: datetime) -> None:
    with pytest.raises(ClientError, match="You do not have permission to perform this action"):
        client.moderation.waiting()
    make_moderator(alice, now=now)
    written = writing.write(game, "You cheat", by=bob, now=now)
    writing.report(written, "Rude", by=User.objects.create_user("cleo"), now=now)
    assert client.moderation.waiting()["comments"] == 1
    (reported,) = client.moderation.reported("comments")
    assert (reported.author, reported.text, reported.reports[0].reason) == ("bob", "You cheat", "Rude")
    assert client.moderation.hide(reported, "Be kind.").hidden_for == "Be kind."
    assert list(client.moderation.reported("comments")) == []
    assert client.moderation.show(reported, "On second thoughts.").hidden_for == ""


def test_client_lists_games_by_a_filter_in_a_sequence(client: Client, game: Game, now: datetime) -> None:
    upload_file(record("NS@0,2 R1:N *", names=("Ada", "Cleo")), via=Upload.Via.WEB, now=now)
    judge_all(now)

    found = list(client.games(sort="length", player="ada"))

    assert [one["measure"] for one in found] == sorted((one["plies"] for one in found), reverse=True)
    assert len(found) == 2
    assert len(list(client.games(player="cleo"))) == 1
    with pytest.raises(ClientError, match="beauty"):
        next(client.games(beauty="much"))
