"""The page of a player."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.corrections.rerating import Instruction, order_merge, perform_waiting
from games.models import Player
from games.search.waiting import index_waiting
from tests.factories import duels, record
from tests.games.web.conftest import Read, UploadRecords


def page_of(name: str, source: str = "") -> str:
    return Player.objects.get(name=name, source=source).get_absolute_url()


def test_unclaimed_player_shows_name_and_source(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record(Site="The nest"))
    words = read(page_of("Ada", "The nest"))
    assert "name at The nest Ada This name appears in logs. No account has claimed it" in words


def test_player_page_shows_results_per_ruleset(upload_records: UploadRecords, read: Read) -> None:
    upload_records(*duels(3), record(rules="2003"))
    words = read(page_of("Bruno"))
    assert "Atta Ants, online rules Rating" in words
    assert "Best rank 1 Games 3 Won 3 Drawn 0 Lost 0 Places 1 to 4 3 · 0 · 0 · 0 Opponents beaten 100%" in words
    assert words.index("online rules Rating") < words.index("rules of 2003 Rating")


def test_provisional_rating_shows_what_is_missing(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record())
    assert "Rating 165 ? Rank 1" in read(page_of("Bruno"))
    assert "provisional: 19 more games, uncertainty 387, at most 250" in read(page_of("Bruno"))


def test_the_rating_is_drawn_game_by_game(upload_records: UploadRecords, client: Client, now: datetime) -> None:
    for day, duel in enumerate(duels(3)):
        upload_records(duel, at=now + timedelta(days=day))
    html = client.get(page_of("Bruno")).content.decode()
    assert html.count("chart-dot") == 3
    assert "<title>Strength of Bruno: Atta Ants, online rules, game by game</title>" in html


def test_single_game_is_not_drawn_as_a_chart(upload_records: UploadRecords, client: Client) -> None:
    upload_records(record())
    html = client.get(page_of("Bruno")).content.decode()
    assert "chart-line" not in html


def test_player_with_only_unfinished_games_is_not_ranked(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record("NS@0,2 *"))
    words = read(page_of("Ada"))
    assert "Not ranked yet: a rating begins with the first verified game whose players have all confirmed it." in words
    assert "unfinished R Ada Y Bruno" in words


def test_ten_games_are_listed_and_the_others_linked(upload_records: UploadRecords, client: Client) -> None:
    upload_records(*duels(11))
    player = Player.objects.get(name="Ada")
    html = client.get(player.get_absolute_url()).content.decode()
    assert html.count('class="opens"') == 10
    assert f'<a href="/games/?player=%23{player.pk}">' in html


def test_players_of_the_same_name_from_other_sources_are_listed(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record(Site="The nest"), record("NS@0,2 *"))
    assert "Ada source unknown" in read(page_of("Ada", "The nest"))
    assert "Ada at The nest" in read(page_of("Ada"))


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["0", "1", "99999999999999999999999"])
def test_unknown_player_number_is_not_found(read: Read, number: str) -> None:
    assert "Page not found" in read(f"/players/{number}/", status=404)


def test_player_page_uses_as_many_queries_for_ten_games_as_for_one(
    upload_records: UploadRecords, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    upload_records(*duels(2))
    address = page_of("Bruno")
    with django_assert_num_queries(14):
        client.get(address)
    upload_records(*duels(9))
    with django_assert_num_queries(14):
        client.get(address)


def test_merged_player_links_to_the_remaining_one_who_has_all_games(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record(), record("draw 1-1", names=("Adah", "Cleo")))
    ada, adah = Player.objects.get(name="Ada"), Player.objects.get(name="Adah")
    order_merge(adah, ada, Instruction(None, "Her full name.", adah.created_at))
    perform_waiting(now=adah.created_at)

    alias = read(page_of("Adah"))
    assert "The games belong to Ada." in alias
    assert "Not ranked yet" not in alias
    assert "Adah" in read(page_of("Ada")).split("Newest games")[1]
    assert "Adah" in read(f"/games/?player=%23{ada.pk}")


def test_games_of_different_numbers_of_players_have_no_figures_in_common(
    upload_records: UploadRecords, client: Client
) -> None:
    upload_records(
        record("1. NS@0,2 R1:N resign:R 2-1"),
        record("resign:R resign:Y 3-2-1", names=("Cleo", "Bruno", "Ada"), seats="R Y O"),
    )
    index_waiting(has_time=lambda: True)
    html = client.get("/openings/atta-ants-online/").content.decode()
    assert "2 games</a></p>" in html
    assert "Beside each seat: games won alone, and the mean place." in html
    assert "–" not in html.partition("openings-count")[2]


def test_a_players_page_leads_to_the_openings_of_that_player(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record("1. NS@0,2 R1:N resign:R 2-1"))
    player = game.seatings.get(seat=0).player
    path = f"/openings/atta-ants-online/?player=%23{player.pk}"

    assert f'href="{path}"' in client.get(f"/players/{player.pk}/").content.decode()
    assert f"Openings of <bdi>{player.name}</bdi>" in client.get(path).content.decode()


def test_a_reader_with_an_account_invites_a_player_of_that_name_to_a_game(
    upload_records: UploadRecords, bob: User, browse: Callable[..., Client]
) -> None:
    upload_records(record(names=("bob", "Bruno")))
    Player.objects.update(account=bob)
    reader = browse(User.objects.create_user("Cleo"))
    invitation = 'href="/play/?visibility=names&amp;names=bob#new">Invite to a game</a>'
    assert invitation in reader.get(page_of("bob")).content.decode()
    assert "Invite to a game" not in reader.get(page_of("Bruno")).content.decode(), "whose account has another name"
    assert "Invite to a game" not in browse(bob).get(page_of("bob")).content.decode()
    assert "Invite to a game" not in browse().get(page_of("bob")).content.decode()


def test_the_form_for_a_table_begins_with_who_was_invited(browse: Callable[..., Client], bob: User) -> None:
    html = browse(bob).get("/play/?visibility=names&names=Cleo").content.decode()
    assert '<option value="names" selected>' in html
    assert 'name="names" id="names" value="Cleo"' in html


def test_a_player_merged_into_the_same_name_is_shown_as_that_one(db: None, client: Client, now: datetime) -> None:
    whole = Player.objects.create(name="José", created_at=now)
    spelled = Player.objects.create(name="Jose\u2019", created_at=now, merged_into=whole)
    other = Player.objects.create(name="Pepe", created_at=now, merged_into=whole)
    for one, name in ((whole, "José"), (spelled, "José"), (other, "Pepe")):
        assert client.get(f"/api/v1/players/{one.pk}").json()["name"] == name
        assert f"<title>{name} " in client.get(f"/players/{one.pk}/").content.decode()
