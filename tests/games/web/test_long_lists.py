"""Lists that strangers can lengthen are paged."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken

from games.models import Claim, Club, Dispute, Player, Seating, Study
from games.models.moderation import Act, Flag
from games.moderation.moderators import make_moderator
from games.web.lists import SIZE
from tests.factories import record
from tests.games.web.conftest import UploadRecords

pytestmark = pytest.mark.django_db
MANY = 2 * SIZE + 3
MOST = 200_000
"""Bytes of a page."""


def rows(client: Client, address: str, pattern: str) -> Iterator[list[str]]:
    """Yield the entries of a list, page by page."""
    following = address
    while following:
        answer = client.get(following)
        assert len(answer.content) < MOST
        html = answer.content.decode()
        yield re.findall(pattern, html)
        links = re.findall(r'<a class="pages-older" href="([^"#]+)#[a-z]+" rel="next">', html)
        following = address + links[0] if links else ""


def test_players_of_the_same_name_are_paged(upload_records: UploadRecords, client: Client, now: datetime) -> None:
    upload_records(record())
    ada = Player.objects.get(name="Ada")
    sites = [f"Club {number:03}" for number in range(MANY)]
    Player.objects.bulk_create(Player(name="Ada", source=site, created_at=now) for site in sites)
    found = list(rows(client, f"/players/{ada.pk}/", r"at <bdi>(Club [0-9]{3})</bdi>"))
    assert list(map(len, found)) == [SIZE, SIZE, 3]
    assert [site for page in found for site in page] == sites


def test_claims_of_others_are_paged(browse: Callable[..., Client], alice: User, now: datetime) -> None:
    accounts = User.objects.bulk_create(User(username=f"stranger{number:03}") for number in range(MANY))
    ada = Player.objects.create(name="Ada", introduced_by=alice, created_at=now)
    Claim.objects.bulk_create(Claim(player=ada, account=one, made_at=now) for one in accounts)
    found = list(rows(browse(alice), "/account/players/", r"<bdi>(stranger[0-9]{3})</bdi> claims"))
    assert list(map(len, found)) == [SIZE, SIZE, 3]
    assert len({name for page in found for name in page}) == MANY


@pytest.mark.full
def test_disputes_of_a_game_are_paged(
    upload_records: UploadRecords, client: Client, alice: User, now: datetime
) -> None:
    (game,) = upload_records(record())
    withdrawn = {"game": game, "account": alice, "state": Dispute.State.WITHDRAWN, "settled_at": now}
    Dispute.objects.bulk_create(
        Dispute(**withdrawn, raised_at=now + timedelta(seconds=number), reason=f"reason {number:03}")
        for number in range(MANY)
    )
    found = list(rows(client, f"/games/{game.key}/", r"<q><bdi>(reason [0-9]{3})</bdi></q>"))
    assert list(map(len, found)) == [SIZE, SIZE, 3]
    assert found[0][0] == f"reason {MANY - 1:03}"


def test_other_choices_of_an_address_stay_on_the_next_page(
    upload_records: UploadRecords, client: Client, alice: User, now: datetime
) -> None:
    upload_records(record())
    ada = Player.objects.get(name="Ada")
    Player.objects.bulk_create(Player(name="Ada", source=str(number), created_at=now) for number in range(MANY))
    Study.objects.bulk_create(
        Study(owner=alice, title=f"Webs {number}", visibility="public", made_at=now, changed_at=now)
        for number in range(MANY)
    )
    player = client.get(f"/players/{ada.pk}/?result=1&namesakes=2").content.decode()
    studies = client.get("/studies/?title=webs&page=2").content.decode()
    assert re.findall(r'class="pages-\w+" href="([^"#]+)', player) == [
        f"?result=1&amp;namesakes={number}" for number in (1, 3)
    ]
    assert re.findall(r'class="pages-\w+" href="([^"#]+)', studies) == [
        f"?title=webs&amp;page={number}" for number in (1, 3)
    ]


@pytest.mark.parametrize("asked", ["0", "x", "-1", "999999999999", "٣", ""])
def test_invalid_page_number_shows_the_first_or_last_page(
    upload_records: UploadRecords, client: Client, asked: str
) -> None:
    upload_records(record())
    ada = Player.objects.get(name="Ada")
    assert client.get(f"/players/{ada.pk}/", {"namesakes": asked}).status_code == 200


@pytest.mark.full
def test_moderation_pages_of_a_game_and_a_player_stay_small(
    upload_records: UploadRecords, browse: Callable[..., Client], alice: User, now: datetime
) -> None:
    (game,) = upload_records(record())
    player = Seating.objects.filter(game=game).first()
    assert player
    make_moderator(alice, now=now)
    Act.objects.bulk_create(
        Act(kind=Act.Kind.BOT_MARKED, game=game, player=player.player, by=alice, at=now, reason="x" * 200)
        for _ in range(1_000)
    )
    for address in (f"/moderation/games/{game.key}/", f"/moderation/players/{player.player_id}/"):
        answer = browse(alice).get(address)
        assert (answer.status_code, len(answer.content) < MOST) == (200, True), address


def test_list_of_clubs_is_paged(client: Client, now: datetime) -> None:
    Club.objects.bulk_create(
        Club(slug=f"nest-{number}", name=f"Nest {number:03}", created_at=now, listed_at=now) for number in range(MANY)
    )
    found = list(rows(client, "/clubs/", r"<bdi>(Nest [0-9]{3})</bdi>"))
    assert [name for page in found for name in page] == [f"Nest {number:03}" for number in range(MANY)]
    assert list(map(len, found)) == [SIZE, SIZE, 3]


def test_tokens_of_an_account_are_paged(browse: Callable[..., Client], alice: User) -> None:
    for _ in range(SIZE + 2):
        AuthToken.objects.create(user=alice)
    found = list(rows(browse(alice), "/account/tokens/", r"<code>(\S+)…</code>"))
    assert (list(map(len, found)), len({begins for page in found for begins in page})) == ([SIZE, 2], SIZE + 2)


@pytest.mark.full
def test_browsers_of_an_account_are_paged(alice: User) -> None:
    browsers = [Client() for _ in range(SIZE + 1)]
    for number, browser in enumerate(browsers):
        browser.force_login(alice)
        key, agent = browser.session.session_key, f"Browser {number:03}"
        UserSession.objects.create(user=alice, session_key=key, ip="192.0.2.1", user_agent=agent)
    newest = browsers[-1]
    found = list(rows(newest, "/account/sessions/", r">(Browser [0-9]{3})<"))
    assert (list(map(len, found)), found[0][0], found[1]) == ([SIZE, 1], f"Browser {SIZE:03}", ["Browser 000"])
    assert "this browser" in newest.get("/account/sessions/").content.decode()


def test_flags_for_moderators_are_paged(
    upload_records: UploadRecords, browse: Callable[..., Client], now: datetime
) -> None:
    (game,) = upload_records(record())
    players = Player.objects.bulk_create(Player(name=f"Ant {one:03}", created_at=now) for one in range(MANY))
    Flag.objects.bulk_create(
        Flag(kind="unvouched", game=game, player=one, raised_at=now + timedelta(seconds=one.pk)) for one in players
    )
    judge = User.objects.create_user("judge")
    make_moderator(judge, now=now)
    found = list(rows(browse(User.objects.get(pk=judge.pk)), "/moderation/", r"<bdi>(Ant [0-9]{3})</bdi>"))
    assert list(map(len, found)) == [SIZE, SIZE, 3]
    assert [name for page in found for name in page] == [one.name for one in players], "oldest first"
