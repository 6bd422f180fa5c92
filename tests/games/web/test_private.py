"""Private games do not exist for others."""

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
from games.records.reads import showcase
from games.records.reads.showcase import SHOWCASES
from games.uploads.origin import UploadOptions
from games.verification.queue import claim, queue_again
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]
HIDDEN = UploadOptions(private=True)


@pytest.fixture
def game(alice: User, now: datetime) -> Game:
    """A private game of Ada and Bruno that Alice uploaded."""
    return upload_records(record(), alice, now, HIDDEN)


def upload_records(data: bytes, by: User, now: datetime, options: UploadOptions) -> Game:
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=by, filename="ours.agn", options=options)
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


@pytest.mark.full
def test_private_game_is_not_found_by_others(game: Game, browse: Browse, mallory: User) -> None:
    for viewer in (None, mallory):
        assert statuses(browse(viewer), addresses(game)) == {404}


@pytest.mark.full
def test_uploader_and_moderators_see_all_of_a_private_game(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    moderators.make_moderator(bob, now=now)
    for viewer in (alice, bob):
        assert statuses(browse(viewer), addresses(game)) == {200}


def named(name: str, by: User, account: User, now: datetime, role: str = "player") -> None:
    """Assign a name to an account, approved by another one."""
    player = Player.objects.get(name=name)
    claim = Claim.objects.create(player=player, account=account, made_at=now, state="approved", decided_at=now)
    Vouch.objects.create(claim=claim, by=by, role=role, at=now)
    Player.objects.filter(pk=player.pk).update(account=account)


def test_player_approved_by_the_uploader_sees_the_game_but_not_the_upload(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    named("Bruno", alice, bob, now)
    page, upload, *_ = addresses(game)
    assert statuses(browse(bob), [page, f"/api/v1/games/{game.key}/log"]) == {200}
    assert statuses(browse(bob), [upload]) == {404}


def test_private_game_is_absent_from_lists_searches_and_player_pages(game: Game, browse: Browse) -> None:
    player = Player.objects.get(name="Ada").pk
    visitor = browse(None)
    for path in ("/", "/games/", "/games/?player=Ada", "/api/v1/games", "/api/v1/games?player=Ada"):
        assert game.key not in visitor.get(path).content.decode()
    assert visitor.get("/api/v1/players?name=Ada").json() == []
    assert statuses(visitor, [f"/players/{player}/", f"/api/v1/players/{player}"]) == {404}
    assert "Ada" not in words_of(visitor.get(f"/games/?player=%23{player}").content.decode())


def test_player_page_omits_private_games(game: Game, browse: Browse, bob: User, now: datetime) -> None:
    public = upload_records(next(duels(1)), bob, now, UploadOptions())
    page = browse(None).get(Player.objects.get(name="Ada").get_absolute_url()).content.decode()
    assert public.key in page
    assert game.key not in page


@pytest.mark.full
def test_uploader_can_publish_a_game_and_hide_it_again(game: Game, browse: Browse, alice: User) -> None:
    page = browse(alice)
    assert "Make public" in page.get(f"/games/{game.key}/").content.decode()
    page.post(f"/games/{game.key}/private/", {"private": "no"})
    assert browse(None).get(f"/games/{game.key}/").status_code == 200
    page.post(f"/games/{game.key}/private/", {"private": "yes"})
    assert browse(None).get(f"/games/{game.key}/").status_code == 404
    assert [act.kind for act in Act.objects.filter(game=game).order_by("pk")] == ["game-shown", "game-hidden"]


def test_private_game_is_marked_in_lists_of_its_viewers(game: Game, browse: Browse, alice: User) -> None:
    assert "private" in words_of(browse(alice).get("/games/").content.decode())
    assert "private" not in words_of(browse(None).get("/games/").content.decode())


@pytest.mark.full
@pytest.mark.parametrize("role", first_quick(["player", "organiser", "moderator"]))
def test_player_approved_by_someone_else_cannot_find_the_private_game(
    game: Game, browse: Browse, bob: User, mallory: User, now: datetime, role: str
) -> None:
    named("Bruno", mallory, bob, now, role)
    upload_records(next(duels(1)), mallory, now, UploadOptions())
    assert statuses(browse(bob), addresses(game)) == {404}
    for path in all_addresses_for(Player.objects.get(name="Bruno")):
        assert game.key not in response_text(browse(bob), path), path


def test_access_requires_a_current_approval_by_the_uploader_as_a_player(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    named("Bruno", alice, bob, now, "moderator")
    assert statuses(browse(bob), addresses(game)) == {404}
    Vouch.objects.update(role="player")
    assert statuses(browse(bob), addresses(game)[:1]) == {200}
    Claim.objects.update(state="revoked")
    assert statuses(browse(bob), addresses(game)) == {404}


def test_dispute_of_a_private_game_notifies_only_those_who_may_see_it(
    game: Game, alice: User, bob: User, mallory: User, now: datetime, settings: Any
) -> None:
    settings.MAIL_IS_ON = True
    EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True, verified=True)
    named("Bruno", mallory, bob, now)
    named("Ada", alice, alice, now)
    dispute(game, alice, reason="It was another day.", now=now)
    assert not Notice.objects.exists()


def all_addresses_for(player: Player) -> list[str]:
    """Return lists, searches, exports, and the pages of an account."""
    number, forms = player.pk, ("agn", "ndjson", "annotated")
    lists = ["/", "/games/", "/api/v1/games", "/account/", "/account/waiting/", "/account/export/", "/dumps/"]
    lists += [f"/games/?player=%23{number}", f"/api/v1/games?player=%23{number}", "/api/v1/games?player=Bruno"]
    lists += [f"/players/{number}/", f"/api/v1/players/{number}", "/api/v1/players?name=Bruno"]
    return lists + [f"/api/v1/games/export?format={form}" for form in forms]


def test_only_the_uploader_can_publish_or_hide_the_game(
    game: Game, browse: Browse, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    named("Bruno", alice, bob, now)
    assert browse(mallory).post(f"/games/{game.key}/private/", {"private": "no"}).status_code == 404
    page = browse(bob).post(f"/games/{game.key}/private/", {"private": "no"}, follow=True)
    assert "Only the account that uploaded a game can make it public." in words_of(page.content.decode())
    game.refresh_from_db()
    assert game.private


@pytest.mark.full
def test_public_upload_by_another_account_leaves_the_private_game_private(
    game: Game, browse: Browse, alice: User, bob: User, now: datetime
) -> None:
    public = upload_records(record(Event="Open day"), bob, now, UploadOptions())
    assert browse(None).get(f"/games/{game.key}/").status_code == 404
    page = words_of(browse(None).get(f"/games/{public.key}/").content.decode())
    assert "Open day" in page
    assert "by bob" in page
    assert "by alice" not in page
    refused = browse(alice).post(f"/games/{game.key}/private/", {"private": "no"}, follow=True)
    assert "A public game has the same moves." in words_of(refused.content.decode())


@pytest.mark.parametrize("options", first_quick([UploadOptions(), HIDDEN]))
def test_uploading_the_same_moves_reveals_no_names_of_a_private_upload(
    game: Game, browse: Browse, mallory: User, now: datetime, options: UploadOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showcase, "showcase_of", lambda _day: SHOWCASES[1])  # others have players of these names
    own = upload_records(record(names=("Xenia", "Yuri")), mallory, now, options)
    assert own != game
    upload = f"/api/v1/uploads/{own.logs.get().upload_id}"
    parts = ("", "/log", "/canonical", "/record", "/states", "/recranks", "/consent", "/seatings")
    roads = [f"/games/{own.key}/", *[f"/api/v1/games/{own.key}{part}" for part in parts], upload, f"{upload}/report"]
    roads += ["/", "/games/", "/games/?player=A", "/api/v1/games", "/api/v1/players?name=", "/account/export/"]
    roads += [f"/api/v1/games/export?format={form}" for form in ("agn", "ndjson", "annotated")]
    for viewer in (mallory, None):
        for path in roads:
            text = response_text(browse(viewer), path)
            assert not {"Ada", "Bruno", game.key} & set(re.findall(r"\w+", text)), path
    page = response_text(browse(mallory), f"/games/{own.key}/")
    assert "Xenia" in page
    assert "Yuri" in page


def test_player_page_is_visible_only_with_a_visible_seating(
    game: Game, browse: Browse, alice: User, mallory: User, now: datetime
) -> None:
    upload_records(record(names=("Xenia", "Bruno")), mallory, now, UploadOptions())
    pages = {player.name: player.get_absolute_url() for player in Player.objects.all()}
    seen = {name for name, path in pages.items() if browse(None).get(path).status_code == 200}
    assert seen == {"Xenia", "Bruno"}
    assert browse(alice).get(pages["Ada"]).status_code == 200


def test_public_upload_by_the_owner_publishes_a_private_game(
    game: Game, browse: Browse, alice: User, now: datetime
) -> None:
    assert upload_records(record(), alice, now, UploadOptions()) == game
    assert browse(None).get(f"/games/{game.key}/").status_code == 200


def test_hidden_game_stays_hidden_when_judged_again(
    alice: User, browse: Browse, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = upload_records(record(), alice, now, UploadOptions())
    browse(alice).post(f"/games/{game.key}/private/", {"private": "yes"})
    monkeypatch.setattr("games.verification.queue.ENGINE_VERSION", "next")
    assert queue_again() == 1
    judge_all(now + timedelta(days=1))
    game.refresh_from_db()
    assert game.private
    assert claim() == []


@pytest.mark.full
def test_comments_of_a_private_upload_are_visible_only_to_its_uploader(
    now: datetime, browse: Browse, alice: User, mallory: User
) -> None:
    game = upload_records(record("{our secret} resign:R 2-1"), alice, now, HIDDEN)
    other = upload_records(record(), mallory, now, HIDDEN)
    assert other != game
    for viewer, own, knows in ((alice, game, True), (mallory, other, False)):
        parts = [f"/games/{own.key}/", *[f"/api/v1/games/{own.key}/{part}" for part in ("log", "canonical", "record")]]
        for path in (*parts, "/api/v1/games/export?format=ndjson"):
            assert ("our secret" in response_text(browse(viewer), path)) is knows, path


def response_text(client: Client, path: str) -> str:
    answer = client.get(path)
    return (b"".join(answer) if answer.streaming else answer.content).decode()
