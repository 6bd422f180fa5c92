"""Favourites and other collections of games: what accounts keep, and who sees it."""

from collections.abc import Callable
from datetime import datetime
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.accounts import deletion
from games.accounts.reads.own_data import own_data
from games.collections import keeping
from games.models import CollectedGame, Collection, Game, Upload, Verdict
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

Call = Callable[..., APIClient]
Browse = Callable[..., Client]


def uploaded(now: datetime, movetext: str = "resign:R 2-1", **more: object) -> Game:
    upload = upload_file(record(movetext), via=Upload.Via.WEB, now=now, **more)  # type: ignore[arg-type]
    judge_all(now)
    return Game.objects.get(logs__upload=upload)


@pytest.fixture
def game(db: None, now: datetime) -> Game:
    """A verified game."""
    return uploaded(now)


def test_a_game_is_made_a_favourite_and_taken_out_on_its_page(game: Game, alice: User, browse: Browse) -> None:
    client, path = browse(alice), f"/games/{game.key}/"
    assert "Add to favourites" in client.get(path).content.decode()
    assert client.post(f"{path}favourite/", {"favourite": "yes"})["Location"] == f"{path}#keep"
    assert "Remove from favourites" in client.get(path).content.decode()
    client.post(f"{path}favourite/", {"favourite": "no"})
    assert not CollectedGame.objects.exists()


def test_a_favourite_is_one_however_often_it_is_added(game: Game, alice: User, call: Call) -> None:
    path = f"/api/v1/games/{game.key}/favourite"
    answers = [call(alice).put(path, {"favourite": True}).data for _ in range(2)]
    assert answers == [{"favourite": True}] * 2
    assert CollectedGame.objects.count() == 1
    assert call(alice).get(path).data == {"favourite": True}
    assert call(alice).put(path, {"favourite": False}).data == {"favourite": False}


def test_visitors_are_led_to_where_they_sign_in(game: Game, client: Client) -> None:
    html = client.get(f"/games/{game.key}/").content.decode()
    assert "Sign in to keep this game among your favourites" in html
    assert f'?next=%2Fgames%2F{game.key}%2F"' in html


def test_a_game_goes_into_a_new_collection_and_into_one_that_exists(game: Game, alice: User, browse: Browse) -> None:
    client, path = browse(alice), f"/games/{game.key}/"
    client.post(f"{path}collect/", {"name": "  Close   games "})
    made = Collection.objects.get()
    assert (made.name, made.public, made.games.count()) == ("Close games", False, 1)
    assert "In your collections:" in client.get(path).content.decode()
    other = keeping.make(alice, "Openings", public=True, now=game.received_at)
    client.post(f"{path}collect/", {"collection": other.key})
    assert other.games.get().game == game


def test_a_collection_is_read_changed_and_removed(game: Game, alice: User, browse: Browse, now: datetime) -> None:
    client, made = browse(alice), keeping.make(alice, "Openings", public=False, now=now)
    keeping.add(made, game, now=now)
    path = f"/collections/{made.key}/"
    assert "private: only you can read it" in client.get(path).content.decode()
    client.post(f"{path}change/", {"act": "change", "name": "First moves", "public": "yes"})
    assert "public: everybody with the link can read it" in client.get(path).content.decode()
    client.post(f"{path}change/", {"act": "take-out", "game": game.key})
    assert "There are no games here yet." in client.get(path).content.decode()
    assert client.post(f"{path}change/", {"act": "remove"})["Location"] == "/account/collections/"
    assert not Collection.objects.exists()


def test_only_public_collections_are_read_by_others_and_nobody_else_changes_them(
    game: Game, alice: User, mallory: User, call: Call, browse: Browse, now: datetime
) -> None:
    hidden = keeping.make(alice, "Mine", public=False, now=now)
    shown = keeping.make(alice, "Ours", public=True, now=now)
    for reader in (None, mallory):
        assert browse(reader).get(f"/collections/{hidden.key}/").status_code == 404
        assert call(reader).get(f"/api/v1/collections/{hidden.key}").status_code == 404
        assert "A collection by alice" in browse(reader).get(f"/collections/{shown.key}/").content.decode()
    path = f"/api/v1/collections/{shown.key}"
    assert call(mallory).put(path, {"name": "Theirs"}).status_code == 404
    assert call(mallory).delete(path).status_code == 404
    assert call(mallory).put(f"{path}/games/{game.key}").status_code == 404
    assert browse(mallory).post(f"/collections/{shown.key}/change/", {"act": "remove"}).status_code == 404


def test_a_public_collection_shows_nobody_a_game_that_they_may_not_see(
    alice: User, mallory: User, call: Call, browse: Browse, now: datetime
) -> None:
    secret = uploaded(now, uploader=alice, options=UploadOptions(private=True))
    shown = keeping.make(alice, "Ours", public=True, now=now)
    keeping.add(shown, secret, now=now)
    path = f"/api/v1/collections/{shown.key}"
    assert [len(call(user).get(path).data["games"]) for user in (alice, mallory, None)] == [1, 0, 0]
    assert secret.key not in browse(mallory).get(f"/collections/{shown.key}/").content.decode()
    assert call(mallory).put(f"/api/v1/games/{secret.key}/favourite", {"favourite": True}).status_code == 404


def test_programs_make_fill_page_and_remove_a_collection(game: Game, alice: User, call: Call) -> None:
    made = call(alice).post("/api/v1/account/collections", {"name": "Openings"})
    assert (made.status_code, made.data["public"], made["Location"]) == (201, False, made.data["url"])
    assert call(alice).put(f"{made.data['url']}/games/{game.key}").status_code == 204
    page = call(alice).get(made.data["url"]).data
    assert [one["game"]["key"] for one in page["games"]] == [game.key]
    assert call(alice).delete(f"{made.data['url']}/games/{game.key}").status_code == 204
    assert call(alice).put(made.data["url"], {"name": "Other", "public": True}).data["name"] == "Other"
    assert [one["name"] for one in call(alice).get("/api/v1/account/collections").data["collections"]] == ["Other"]
    assert call(alice).delete(made.data["url"]).status_code == 204


def test_favourites_cannot_be_renamed_published_or_removed(game: Game, alice: User, call: Call, now: datetime) -> None:
    keeping.set_favourite(alice, game, favourite=True, now=now)
    path = f"/api/v1/collections/{Collection.objects.get().key}"
    for answer in (call(alice).put(path, {"name": "x", "public": True}), call(alice).delete(path)):
        assert answer.status_code == 409
        assert answer.data["error"]["message"] == ("Your favourites cannot be renamed, published or removed.")


def test_there_are_only_so_many_collections_and_games_in_one(
    game: Game, alice: User, call: Call, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(keeping, "MOST", 1)
    monkeypatch.setattr(keeping, "MOST_GAMES", 1)
    made = keeping.make(alice, "One", public=False, now=now)
    refused = call(alice).post("/api/v1/account/collections", {"name": "Two"})
    assert refused.status_code == 409
    assert refused.data["error"]["message"] == "You have 1 collections, which is the limit. Remove some first."
    keeping.add(made, game, now=now)
    other = uploaded(now, "1. NS@0,2 R1:N resign:R 2-1")
    full = call(alice).put(f"/api/v1/collections/{made.key}/games/{other.key}")
    assert (full.status_code, full.data["error"]["message"]) == (409, "A collection has at most 1 games.")


def test_what_was_written_for_a_refused_collection_stays_in_the_form(alice: User, browse: Browse) -> None:
    answer = browse(alice).post("/account/collections/", {"name": "x" * 81, "public": "yes"})
    assert f'value="{"x" * 81}"' in answer.content.decode()
    assert 'value="yes" checked' in answer.content.decode()
    assert "Everybody with the link can read it and sees your account name" in answer.content.decode()


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u2060", "x" * 81])
def test_a_collection_needs_a_name(name: str, alice: User, browse: Browse) -> None:
    answer = browse(alice).post("/account/collections/", {"name": name})
    assert answer.status_code == 422
    assert "The name of a collection has 1 to 80 characters." in answer.content.decode()


def test_collections_are_in_the_export_and_go_with_the_account(game: Game, alice: User, now: datetime) -> None:
    made = keeping.make(alice, "Openings", public=True, now=now)
    keeping.add(made, game, now=now)
    exported = own_data(alice, now=now)
    assert [one["name"] for one in exported["collections"]] == ["Openings"]
    assert [one["game__key"] for one in exported["collected"]] == [game.key]
    deletion.delete_account(alice, now=now)
    assert not Collection.objects.exists()


def test_a_collection_is_read_in_as_many_statements_however_many_records_in_it_are_rejected(
    alice: User, browse: Browse, now: datetime, django_assert_num_queries: Callable[..., Any]
) -> None:
    made, client = keeping.make(alice, "Faults", public=False, now=now), browse(alice)
    keeping.add(made, uploaded(now, "1. NS@0,2 R9:E"), now=now)
    with CaptureQueriesContext(connection) as one:
        html = client.get(f"/collections/{made.key}/").content.decode()
    assert Verdict.objects.get().sentence in unescape(html)
    for movetext in ("1. NS@0,2 R9:S", "1. NS@0,2 R9:W"):
        keeping.add(made, uploaded(now, movetext), now=now)
    with django_assert_num_queries(len(one)):
        client.get(f"/collections/{made.key}/")


def test_a_game_that_became_private_is_not_counted_and_can_be_taken_out(
    game: Game, alice: User, call: Call, browse: Browse, now: datetime
) -> None:
    made = keeping.make(alice, "Openings", public=False, now=now)
    keeping.add(made, game, now=now)
    assert "1 game<" in browse(alice).get("/account/collections/").content.decode()
    Game.objects.update(private=True)
    assert "0 games<" in browse(alice).get("/account/collections/").content.decode()
    assert call(alice).delete(f"/api/v1/collections/{made.key}/games/{game.key}").status_code == 204
    assert not CollectedGame.objects.exists()


def test_a_game_that_leads_to_another_is_taken_out_by_either_key(
    game: Game, alice: User, browse: Browse, now: datetime
) -> None:
    made, onward = keeping.make(alice, "Openings", public=False, now=now), uploaded(now, "1. NS@0,2 R1:N resign:R 2-1")
    for kept, named in ((game, game), (onward, game)):
        Game.objects.filter(pk=game.pk).update(same_as=None)
        keeping.add(made, kept, now=now)
        Game.objects.filter(pk=game.pk).update(same_as=onward)
        browse(alice).post(f"/collections/{made.key}/change/", {"act": "take-out", "game": named.key})
        assert not CollectedGame.objects.exists()


def test_favourites_come_on_top_of_the_collections_that_an_account_names(
    game: Game, alice: User, browse: Browse, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(keeping, "MOST", 2)
    keeping.set_favourite(alice, game, favourite=True, now=now)
    for name in ("One", "Two"):
        keeping.make(alice, name, public=False, now=now)
    html = browse(alice).get("/account/collections/").content.decode()
    assert all(f"<bdi>{name}</bdi>" in html for name in ("Favourites", "One", "Two"))
    with pytest.raises(keeping.CollectionError, match="You have 2 collections, which is the limit"):
        keeping.make(alice, "Three", public=False, now=now)
