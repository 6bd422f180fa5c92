"""The moderation pages, hidden from everybody else."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from games.clubs import organising
from games.models import Acceptance, Act, Dispute, Flag, Game, Player, Standing, Upload
from games.moderation.moderators import make_moderator
from games.moderation.versions import game_version
from games.players.claims import make_claim
from games.run import rate_waiting
from tests.factories import duels, record
from tests.games.judging import count_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]
PAGES = ["/moderation/", "/moderation/log/", "/moderation/games/{key}/", "/moderation/players/{player}/"]


@pytest.fixture
def moderator(alice: User) -> User:
    """Alice moderates."""
    alice.user_permissions.add(Permission.objects.get(codename="moderate"))
    return User.objects.get(pk=alice.pk)


@pytest.fixture
def game(now: datetime) -> Game:
    """A rated game."""
    upload_file(record(), via=Upload.Via.API, now=now)
    count_all(now)
    return Game.objects.get()


def page_html(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def act_on(client: Client, address: str, **sent: object) -> Any:
    """Decide as the form of a page that was read does."""
    version = re.search(r'name="version" value="(\w+)"', page_html(client, address))
    return client.post(address.partition("?")[0], {"version": version[1] if version else "", **sent})


@pytest.mark.parametrize("address", PAGES)
def test_moderation_pages_are_hidden_from_other_accounts(
    browse: Browse, mallory: User, game: Game, address: str
) -> None:
    address = address.format(key=game.key, player=Player.objects.all()[0].pk)
    assert browse(mallory).get(address).status_code == 404
    assert browse(mallory).post(address, {"act": "annul", "reason": "I lost"}).status_code == 404
    assert browse(None).get(address).status_code == 302


@pytest.mark.parametrize("address", PAGES)
def test_moderators_can_open_every_moderation_page(browse: Browse, moderator: User, game: Game, address: str) -> None:
    address = address.format(key=game.key, player=Player.objects.all()[0].pk)
    assert browse(moderator).get(address).status_code == 200


def test_moderation_overview_lists_open_cases(
    browse: Browse, moderator: User, bob: User, game: Game, now: datetime
) -> None:
    Dispute.objects.create(game=game, account=bob, reason="I was not there.", raised_at=now)
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now)
    count_all(now, watch=True)
    rate_waiting(now=now)

    html = page_html(browse(moderator), "/moderation/")

    assert "I was not there." in html
    assert "In 3 games within a week, the same opponent resigned within 6 rounds or pairs of turns." in html
    assert "No open claims." in html


@pytest.mark.full
def test_an_annulment_is_previewed_ordered_and_done(browse: Browse, moderator: User, game: Game, now: datetime) -> None:
    client, address = browse(moderator), f"/moderation/games/{game.key}/"
    number = Acceptance.objects.get().pk
    html = page_html(client, f"{address}?preview={number}")
    assert "1 game would be rated differently. 2 ratings would change." in html

    assert act_on(client, address, act="annul", number=number, reason="Never played.").status_code == 303
    assert "ordered <time" in page_html(client, address)
    rate_waiting(now=now)

    html = page_html(client, address)
    assert "Annulled; it was rated as game 1." in html
    assert "2 ratings changed" in html
    assert "annulled a game" in page_html(client, "/moderation/log/")
    assert not Standing.objects.exists()


def test_decision_without_a_reason_is_rejected_with_a_message(browse: Browse, moderator: User, game: Game) -> None:
    address = f"/moderation/games/{game.key}/"
    answer = act_on(browse(moderator), address, act="annul", number=Acceptance.objects.get().pk, reason=" ")
    assert answer.status_code == 422
    assert "Give a reason" in answer.content.decode()
    assert not Act.objects.exists()


def test_an_upheld_dispute_annuls_the_game(
    browse: Browse, moderator: User, bob: User, game: Game, now: datetime
) -> None:
    dispute = Dispute.objects.create(game=game, account=bob, reason="I was not there.", raised_at=now)
    address = f"/moderation/games/{game.key}/"
    assert 'value="uphold"' not in page_html(browse(moderator), address), "first it is shown what that changes"

    html = page_html(browse(moderator), f"{address}?uphold={dispute.pk}")
    assert "The game is rated for" in html
    assert "If you uphold the dispute, the game is annulled." in html
    assert "2 ratings would change." in html
    assert "Rank now" in html
    act_on(browse(moderator), address, act="uphold", number=dispute.pk, reason="Two witnesses.")
    rate_waiting(now=now)

    assert set(Act.objects.values_list("kind", flat=True)) == {"dispute-upheld", "game-annulled"}
    assert not Acceptance.objects.get().counts


@pytest.mark.full
def test_moderator_cannot_decide_on_their_own_game(
    browse: Browse, moderator: User, bob: User, game: Game, now: datetime
) -> None:
    dispute = Dispute.objects.create(game=game, account=bob, reason="I was not there.", raised_at=now)
    player = give_seat(game, 0, moderator, now)
    client, address = browse(moderator), f"/moderation/games/{game.key}/"
    html = page_html(client, address)
    assert "You played in this game: another moderator has to decide." in html
    assert 'class="decision"' not in html
    answer = act_on(client, address, act="dismiss", number=dispute.pk, reason="I won.")
    assert (answer.status_code, Dispute.objects.get().state) == (422, "open")
    html = page_html(client, f"/moderation/players/{player.pk}/")
    assert "This is your own player: another moderator has to decide." in html


def test_case_that_changed_since_it_was_read_is_not_decided(
    browse: Browse, moderator: User, bob: User, game: Game, now: datetime
) -> None:
    address, read = f"/moderation/games/{game.key}/", game_version(game)
    Dispute.objects.create(game=game, account=bob, reason="I was not there.", raised_at=now)
    sent = {"act": "annul", "number": Acceptance.objects.get().pk, "reason": "Never played.", "version": read}
    answer = browse(moderator).post(address, sent)
    assert answer.status_code == 422
    assert "Something about this case has changed since you read it." in answer.content.decode()
    assert f'name="version" value="{game_version(game)}"' in answer.content.decode(), "what is shown now"
    assert not Act.objects.exists()


def test_players_are_merged_after_a_preview(browse: Browse, moderator: User, game: Game, now: datetime) -> None:
    upload_file(record("draw 1-1", names=("Adah", "Cleo")), via=Upload.Via.API, now=now)
    count_all(now)
    ada, adah = Player.objects.get(name="Ada"), Player.objects.get(name="Adah")
    client, address = browse(moderator), f"/moderation/players/{adah.pk}/"

    assert f'href="?into={ada.pk}"' in page_html(client, f"{address}?name=Ada")
    assert "ratings would change." in page_html(client, f"{address}?into={ada.pk}")
    act_on(client, f"{address}?into={ada.pk}", act="merge", into=ada.pk, reason="Her full name.")
    rate_waiting(now=now)

    assert "The games belong to" in page_html(client, address)
    assert Standing.objects.get(player=ada).games == 2


def test_log_names_everyone_an_act_concerns(browse: Browse, moderator: User, bob: User, now: datetime) -> None:
    make_moderator(bob, now=now)
    organising.found(slug="nest", name="The nest", about="", organiser=bob, by=moderator, now=now)

    html = page_html(browse(moderator), "/moderation/log/")

    assert "the operator</bdi> added a moderator: <bdi>bob</bdi>" in html
    assert 'alice</bdi> created a club: <a href="/clubs/nest/"><bdi>The nest</bdi></a>, <bdi>bob</bdi>' in html


def test_games_and_players_can_be_searched_from_the_overview(browse: Browse, moderator: User, game: Game) -> None:
    client, ada = browse(moderator), Player.objects.get(name="Ada")
    assert f'href="/moderation/games/{game.key}/"' in page_html(client, f"/moderation/?find={game.key.upper()}")
    assert f'href="/moderation/players/{ada.pk}/"' in page_html(client, "/moderation/?find=ada")
    assert "No game has this key, and no player has this name." in page_html(client, "/moderation/?find=zzz")


@pytest.mark.full
def test_split_is_previewed_and_past_acts_are_shown_on_the_player_page(
    browse: Browse, moderator: User, game: Game, now: datetime
) -> None:
    upload_file(record("draw 1-1", names=("Adah", "Cleo")), via=Upload.Via.API, now=now)
    count_all(now)
    ada, adah = Player.objects.get(name="Ada"), Player.objects.get(name="Adah")
    client, address = browse(moderator), f"/moderation/players/{adah.pk}/"
    act_on(client, f"{address}?into={ada.pk}", act="merge", into=ada.pk, reason="Her full name.")
    rate_waiting(now=now)

    assert "ratings would change." in page_html(client, f"{address}?split=1")
    assert "merged two players" in page_html(client, f"/moderation/players/{ada.pk}/")


def test_merging_players_of_one_game_shows_a_warning(browse: Browse, moderator: User, game: Game) -> None:
    ada, bruno = Player.objects.get(name="Ada"), Player.objects.get(name="Bruno")
    html = page_html(browse(moderator), f"/moderation/players/{ada.pk}/?into={bruno.pk}")
    assert "Both played in 1 game, so they cannot be one person." in html


@pytest.mark.full
def test_a_moderator_marks_a_bot_and_says_why(browse: Browse, moderator: User, game: Game) -> None:
    ada = Player.objects.get(name="Ada")
    client, address = browse(moderator), f"/moderation/players/{ada.pk}/"
    assert act_on(client, address, act="bot", reason="").status_code == 422
    assert act_on(client, address, act="bot", reason="Plays at night, too.").status_code == 303
    assert act_on(client, address, act="bot", reason="Again.").status_code == 422

    html = page_html(client, address)

    assert "Marked as a bot." in html
    assert "marked a player as a bot" in html
    assert "Plays at night, too." in html


@pytest.mark.full
def test_flag_names_both_rivals_and_is_shown_on_the_player_page(
    browse: Browse, moderator: User, game: Game, now: datetime
) -> None:
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now)
    count_all(now, watch=True)
    rate_waiting(now=now)
    bruno = Player.objects.get(name="Bruno")
    for address in ("/moderation/", f"/moderation/players/{bruno.pk}/"):
        assert "Bruno</bdi></a> · " in page_html(browse(moderator), address)
        assert "Ada</bdi></a>: In 3 games within a week" in page_html(browse(moderator), address)


@pytest.mark.parametrize(("days", "age"), [(0, "less than a day old"), (1, "1 day old"), (2, "2 days old")])
def test_flag_states_the_age_of_a_new_account_in_words(
    browse: Browse, moderator: User, game: Game, now: datetime, days: int, age: str
) -> None:
    Flag.objects.create(kind="new-account", game=game, params={"days": days}, raised_at=now)
    assert f"The account was {age} when the game was due to be rated." in page_html(browse(moderator), "/moderation/")


def test_moderator_needs_a_reason_to_decide_a_claim(
    browse: Browse, moderator: User, bob: User, game: Game, now: datetime
) -> None:
    claim = make_claim(Player.objects.get(name="Ada"), bob, now=now)
    client = browse(moderator)
    assert "Only a moderator can decide it." in page_html(client, "/moderation/")
    assert "Give a reason." in html_after(client, f"/claims/{claim.pk}/", act="approve")
    assert "approved · " in html_after(client, f"/claims/{claim.pk}/", act="approve", answer="Seen at the club.")


def html_after(client: Client, address: str, **sent: str) -> str:
    return " ".join(client.post(address, sent, follow=True).content.decode().split())
