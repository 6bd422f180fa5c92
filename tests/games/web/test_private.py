"""Private games are not there for others."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from games.consent.confirmations import dispute
from games.models import Act, Claim, Game, Notice, Player, Upload, Vouch
from games.moderation import moderators
from games.uploads.origin import UploadOptions
from games.verification.queue import claim, queue_again
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.uploading import take_in
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]
HIDDEN = UploadOptions(private=True)


@pytest.fixture
def game(alice: User, now: datetime) -> Game:
    """A private game of Ada and Bruno that Alice uploaded."""
    return hand_in(record(), alice, now, HIDDEN)


def hand_in(data: bytes, by: User, now: datetime, options: UploadOptions) -> Game:
    upload = take_in(data, via=Upload.Via.WEB, now=now, uploader=by, filename="ours.agn", options=options)
    judge_all(now)
    found = upload.logs.get().game
    assert found is not None
    return found


def addresses(game: Game) -> list[str]:
    upload = game.logs.get().upload_id
    parts = ("", "/log", "/canonical", "/record", "/states", "/frames", "/recranks")
    of_upload = (f"/uploads/{upload}/", f"/api/v1/uploads/{upload}", f"/api/v1/uploads/{upload}/logs/1")
    return [f"/games/{game.key}/", *of_upload, *[f"/api/v1/games/{game.key}{part}" for part in parts]]


def statuses(client: Client, paths: list[str]) -> set[int]:
    return {client.get(path).status_code for path in paths}


def test_a_private_game_is_not_there_for_others(game: Game, browse: Browse, mallory: User) -> None:
    for viewer in (None, mallory):
        assert statuses(browse(viewer), addresses(game)) == {404}


def test_its_uploader_and_moderators_see_all_of_it(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    moderators.make_moderator(bob, now=now)
    for viewer in (alice, bob):
        assert statuses(browse(viewer), addresses(game)) == {200}


def named(name: str, by: User, account: User, now: datetime, role: str = "player") -> None:
    """Make a name an account's own, by the word of another."""
    player = Player.objects.get(name=name)
    claim = Claim.objects.create(player=player, account=account, made_at=now, state="approved", decided_at=now)
    Vouch.objects.create(claim=claim, by=by, role=role, at=now)
    Player.objects.filter(pk=player.pk).update(account=account)


def test_whom_its_uploader_gave_a_name_in_it_sees_the_game_but_not_the_upload(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    named("Bruno", alice, bob, now)
    page, upload, *_ = addresses(game)
    assert statuses(browse(bob), [page, f"/api/v1/games/{game.key}/log"]) == {200}
    assert statuses(browse(bob), [upload]) == {404}


def test_nothing_of_it_stands_in_lists_searches_and_pages_of_players(game: Game, browse: Browse) -> None:
    player = Player.objects.get(name="Ada").pk
    visitor = browse(None)
    for path in ("/", "/games/", "/games/?player=Ada", "/api/v1/games", "/api/v1/games?player=Ada"):
        assert game.key not in visitor.get(path).content.decode()
    assert visitor.get("/api/v1/players?name=Ada").json() == []
    assert statuses(visitor, [f"/players/{player}/", f"/api/v1/players/{player}"]) == {404}
    assert "Ada" not in words_of(visitor.get(f"/games/?player=%23{player}").content.decode())


def test_a_player_of_public_games_has_his_page_without_the_private_ones(
    game: Game, browse: Browse, bob: User, now: datetime
) -> None:
    public = hand_in(next(duels(1)), bob, now, UploadOptions())
    page = browse(None).get(Player.objects.get(name="Ada").get_absolute_url()).content.decode()
    assert public.key in page
    assert game.key not in page


def test_the_uploader_shows_it_to_everybody_and_hides_it_again(game: Game, browse: Browse, alice: User) -> None:
    page = browse(alice)
    assert "Make public" in page.get(f"/games/{game.key}/").content.decode()
    page.post(f"/games/{game.key}/private/", {"private": "no"})
    assert browse(None).get(f"/games/{game.key}/").status_code == 200
    page.post(f"/games/{game.key}/private/", {"private": "yes"})
    assert browse(None).get(f"/games/{game.key}/").status_code == 404
    assert [act.kind for act in Act.objects.filter(game=game).order_by("pk")] == ["game-shown", "game-hidden"]


def test_in_lists_it_is_marked_for_who_sees_it(game: Game, browse: Browse, alice: User) -> None:
    assert "private" in words_of(browse(alice).get("/games/").content.decode())
    assert "private" not in words_of(browse(None).get("/games/").content.decode())


@pytest.mark.parametrize("role", ["player", "organiser", "moderator"])
def test_whom_somebody_else_gave_a_name_in_it_finds_it_on_no_road(
    game: Game, browse: Browse, bob: User, mallory: User, now: datetime, role: str
) -> None:
    named("Bruno", mallory, bob, now, role)
    hand_in(next(duels(1)), mallory, now, UploadOptions())
    assert statuses(browse(bob), addresses(game)) == {404}
    for path in every_road(Player.objects.get(name="Bruno")):
        assert game.key not in said(browse(bob), path), path


def test_nor_whom_its_uploader_gave_the_name_as_a_moderator_or_no_longer_gives_it(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    named("Bruno", alice, bob, now, "moderator")
    assert statuses(browse(bob), addresses(game)) == {404}
    Vouch.objects.update(role="player")
    assert statuses(browse(bob), addresses(game)[:1]) == {200}
    Claim.objects.update(state="revoked")
    assert statuses(browse(bob), addresses(game)) == {404}


def test_a_dispute_of_a_private_game_is_told_to_nobody_who_may_not_see_it(
    game: Game, alice: User, bob: User, mallory: User, now: datetime, settings: Any
) -> None:
    settings.MAIL_IS_ON = True
    EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True, verified=True)
    named("Bruno", mallory, bob, now)
    named("Ada", alice, alice, now)
    dispute(game, alice, reason="It was another day.", now=now)
    assert not Notice.objects.exists()


def every_road(player: Player) -> list[str]:
    """Lists, searches, what is exported, and what an account is told of itself."""
    number, forms = player.pk, ("agn", "ndjson", "annotated")
    lists = ["/", "/games/", "/api/v1/games", "/account/", "/account/waiting/", "/account/export/", "/dumps/"]
    lists += [f"/games/?player=%23{number}", f"/api/v1/games?player=%23{number}", "/api/v1/games?player=Bruno"]
    lists += [f"/players/{number}/", f"/api/v1/players/{number}", "/api/v1/players?name=Bruno"]
    return lists + [f"/api/v1/games/export?form={form}" for form in forms]


def test_nobody_else_hides_or_shows_it(
    game: Game, browse: Browse, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    named("Bruno", alice, bob, now)
    assert browse(mallory).post(f"/games/{game.key}/private/", {"private": "no"}).status_code == 404
    page = browse(bob).post(f"/games/{game.key}/private/", {"private": "no"}, follow=True)
    assert "Only the account that uploaded a game can make it public." in words_of(page.content.decode())
    game.refresh_from_db()
    assert game.private


def test_a_game_that_somebody_else_uploads_publicly_is_another_game_and_the_first_stays_private(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    public = hand_in(record(Event="Open day"), bob, now, UploadOptions())
    assert browse(None).get(f"/games/{game.key}/").status_code == 404
    page = words_of(browse(None).get(f"/games/{public.key}/").content.decode())
    assert "Open day" in page
    assert "by bob" in page
    assert "by alice" not in page
    refused = browse(alice).post(f"/games/{game.key}/private/", {"private": "no"}, follow=True)
    assert "A public game has the same moves." in words_of(refused.content.decode())


@pytest.mark.parametrize("options", [UploadOptions(), HIDDEN])
def test_who_uploads_the_same_moves_learns_no_name_of_a_private_upload_on_any_road(
    game: Game, browse: Browse, mallory: User, now: datetime, options: UploadOptions
) -> None:
    own = hand_in(record(names=("Xenia", "Yuri")), mallory, now, options)
    assert own != game
    upload = f"/api/v1/uploads/{own.logs.get().upload_id}"
    parts = ("", "/log", "/canonical", "/record", "/states", "/recranks", "/consent", "/seatings")
    roads = [f"/games/{own.key}/", *[f"/api/v1/games/{own.key}{part}" for part in parts], upload, f"{upload}/report"]
    roads += ["/", "/games/", "/games/?player=A", "/api/v1/games", "/api/v1/players?name=", "/account/export/"]
    roads += [f"/api/v1/games/export?form={form}" for form in ("agn", "ndjson", "annotated")]
    for viewer in (mallory, None):
        for path in roads:
            told = said(browse(viewer), path)
            assert not {"Ada", "Bruno", game.key} & set(re.findall(r"\w+", told)), path
    page = said(browse(mallory), f"/games/{own.key}/")
    assert "Xenia" in page
    assert "Yuri" in page


def test_a_player_is_seen_where_a_game_with_that_seating_is(
    game: Game, browse: Browse, alice: User, mallory: User, now: datetime
) -> None:
    hand_in(record(names=("Xenia", "Bruno")), mallory, now, UploadOptions())
    pages = {player.name: player.get_absolute_url() for player in Player.objects.all()}
    seen = {name for name, path in pages.items() if browse(None).get(path).status_code == 200}
    assert seen == {"Xenia", "Bruno"}
    assert browse(alice).get(pages["Ada"]).status_code == 200


def test_a_private_game_becomes_public_by_a_public_upload_of_its_owner(
    game: Game, browse: Browse, alice: User, now: datetime
) -> None:
    assert hand_in(record(), alice, now, UploadOptions()) == game
    assert browse(None).get(f"/games/{game.key}/").status_code == 200


def test_a_game_that_was_hidden_stays_hidden_when_it_is_judged_once_more(
    alice: User, browse: Browse, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hand_in(record(), alice, now, UploadOptions())
    browse(alice).post(f"/games/{game.key}/private/", {"private": "yes"})
    monkeypatch.setattr("games.verification.queue.ENGINE_VERSION", "next")
    assert queue_again() == 1
    judge_all(now + timedelta(days=1))
    game.refresh_from_db()
    assert game.private
    assert claim() == []


def test_who_hands_the_same_moves_in_reads_only_what_he_has_written_beside_them(
    now: datetime, browse: Browse, alice: User, mallory: User
) -> None:
    game = hand_in(record("{our secret} resign:R 2-1"), alice, now, HIDDEN)
    other = hand_in(record(), mallory, now, HIDDEN)
    assert other != game
    for viewer, own, knows in ((alice, game, True), (mallory, other, False)):
        parts = [f"/games/{own.key}/", *[f"/api/v1/games/{own.key}/{part}" for part in ("log", "canonical", "record")]]
        for path in (*parts, "/api/v1/games/export?form=ndjson"):
            assert ("our secret" in said(browse(viewer), path)) is knows, path


def said(client: Client, path: str) -> str:
    answer = client.get(path)
    return (b"".join(answer) if answer.streaming else answer.content).decode()
