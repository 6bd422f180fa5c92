"""Held games: who sees why, and who releases them."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.clubs import organising
from games.consent.confirmations import confirm
from games.models import Acceptance, Act, Claim, Club, Flag, Game, Player, Upload
from games.moderation.moderators import make_moderator
from games.players.claims import make_claim
from games.players.reads.claims import claims_to_decide
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from games.web import lists
from tests.engine.atta_ants.otherwise import seen
from tests.factories import SETUP, record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]

MOVES = ["NS@0,2", "R1:N", "resign:R"]


@pytest.fixture
def nest(alice: User, now: datetime) -> Club:
    """A club that Alice organises."""
    return organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)


def written(how: str, names: tuple[str, str] = ("Ada", "Bruno")) -> bytes:
    """Return one game on a rotated board."""
    tags, tokens = seen({"Setup": SETUP}, MOVES, how)
    return record(f"{' '.join(tokens)} 2-1", names=names).replace(SETUP.encode(), tags["Setup"].encode())


@pytest.fixture
def again(nest: Club, alice: User, now: datetime) -> Flag:
    """A rotated copy of a game that the club already has: it is held."""
    files = [written("as it is"), written("turned right"), written("turned round", ("Cleo", "Dora"))]
    upload_file(b"\n".join(files), via=Upload.Via.WEB, now=now, uploader=alice, options=UploadOptions(club=nest))
    judge_all(now)
    rate_waiting(now=now)
    return Flag.objects.order_by("pk")[0]


def page_text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return words_of(answer.content.decode())


def test_game_is_rated_once_however_it_is_written(again: Flag) -> None:
    assert Game.objects.filter(verdict="verified").count() == 3
    assert Acceptance.objects.filter(number__isnull=False).count() == 1
    assert set(Flag.objects.values_list("kind", flat=True)) == {"likeness"}
    assert Acceptance.objects.filter(held=True).count() == 2


def test_held_game_shows_the_reason_and_who_decides(again: Flag, browse: Browse) -> None:
    page = page_text(browse(None), again.game.get_absolute_url())
    assert "Ladder of The Nest: waiting" in page
    assert "The same play was accepted before" in page
    assert "An organiser of the club will rate the game" in page


def test_organiser_compares_both_games_and_releases_the_held_one(
    again: Flag, alice: User, browse: Browse, now: datetime
) -> None:
    client = browse(alice)
    assert "Games waiting in your clubs 2" in page_text(client, "/account/")
    assert "Waiting for an organiser" in page_text(client, "/clubs/nest/")
    page = page_text(client, f"/holds/{again.pk}/")
    for game in Game.objects.filter(pk__in=[again.game_id, again.params["like"]]):
        assert f"Game {game.key}" in page
    assert page.count("uploaded by alice") == 2

    assert client.post(f"/holds/{again.pk}/", {"act": "count", "reason": "A return match."}).status_code == 303
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=again.game).number == 2
    assert Act.objects.filter(kind="game-let-count", by=alice).exists()


@pytest.mark.full
def test_several_flags_can_be_reviewed_and_settled_together(again: Flag, alice: User, browse: Browse) -> None:
    client, numbers = browse(alice), list(Flag.objects.values_list("pk", flat=True))
    chosen = "&".join(f"flag={number}" for number in numbers)
    page = page_text(client, f"/holds/?{chosen}")
    assert "2 flags selected. 2 games wait for this" in page
    assert not Flag.objects.exclude(settled_at=None).exists()

    answer = client.post("/holds/", {"flag": numbers, "act": "leave", "reason": ""})
    assert answer.status_code == 422
    answer = client.post("/holds/", {"flag": numbers, "act": "leave", "reason": "Copies."})
    assert answer.status_code == 303
    assert Flag.objects.filter(unrated=True).count() == 2
    assert "Left unrated: Copies." in page_text(browse(None), again.game.get_absolute_url()).replace("“", "").replace(
        "”", ""
    )


def test_other_accounts_can_neither_see_nor_settle_holds(again: Flag, mallory: User, browse: Browse) -> None:
    client = browse(mallory)
    assert client.get(f"/holds/{again.pk}/").status_code == 404
    assert client.get(f"/holds/?flag={again.pk}").status_code == 404
    assert client.post("/holds/", {"flag": again.pk, "act": "count", "reason": "Mine."}).status_code == 404
    assert "Waiting for an organiser" not in page_text(client, "/clubs/nest/")


def test_holds_can_be_listed_and_settled_in_the_api(again: Flag, alice: User, browse: Browse, now: datetime) -> None:
    client = browse(alice)
    (club,) = client.get(f"/api/v1/games/{again.game.key}/consent").json()["acceptances"]
    assert club["held"]
    (hold,) = club["holds"]
    assert (hold["reason"], hold["waits_for"], hold["unrated"]) == ("likeness", "organiser", False)
    listed = client.get("/api/v1/account/holds").json()["holds"]
    assert [one["id"] for one in listed] == list(Flag.objects.order_by("-pk").values_list("pk", flat=True))
    assert all(one["like"] for one in listed)

    answer = client.post(
        f"/api/v1/holds/{hold['id']}/decision", {"count": True, "reason": "A return match."}, "application/json"
    )
    assert answer.status_code == 200
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=again.game).number == 2


def test_api_list_of_holds_uses_a_constant_number_of_queries(again: Flag, alice: User, browse: Browse) -> None:
    def questions() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get("/api/v1/account/holds").status_code == 200
        return len(asked)

    client, later = browse(alice), Flag.objects.latest("pk")
    questions()
    Flag.objects.filter(pk=later.pk).update(settled_at=later.raised_at)
    one = questions()
    Flag.objects.filter(pk=later.pk).update(settled_at=None)
    assert questions() == one


@pytest.mark.full
def test_club_lists_held_games_page_by_page(
    again: Flag, alice: User, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = Flag.objects.latest("pk")
    monkeypatch.setattr(lists, "SIZE", 1)
    first, second = (page_text(browse(alice), f"/clubs/nest/{query}") for query in ("", "?holds=2"))
    assert "Waiting for an organiser 2" in first
    assert "Waiting for an organiser 2" in second
    assert (again.game.key in first, later.game.key in second) == (True, True)
    assert f"Choose game {later.game.key}" not in first
    assert "Waiting for an organiser 2" in page_text(browse(alice), "/clubs/nest/?holds=9")


def test_api_lists_holds_page_by_page(again: Flag, alice: User, browse: Browse) -> None:
    flags = [
        Flag(kind="likeness", game=again.game, player=player, ladder=again.ladder, raised_at=again.raised_at)
        for player in Player.objects.bulk_create(
            Player(name=f"P{number}", created_at=again.raised_at) for number in range(60)
        )
    ]
    Flag.objects.bulk_create(flags)
    first = browse(alice).get("/api/v1/account/holds").json()
    second = browse(alice).get(f"/api/v1/account/holds?before={first['older']}").json()
    assert (len(first["holds"]), len(second["holds"]), second["older"]) == (50, 12, None)
    assert len({one["id"] for one in [*first["holds"], *second["holds"]]}) == 62


def test_claims_to_decide_are_found_with_two_queries(alice: User, bob: User, mallory: User, now: datetime) -> None:
    upload_file(record(), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    for name, account in (("Ada", bob), ("Bruno", mallory)):
        make_claim(Player.objects.get(name=name), account, now=now)
    with CaptureQueriesContext(connection) as asked:
        assert len(claims_to_decide(alice)) == 2
    assert len(asked) == 2


@pytest.mark.full
def test_game_waiting_for_a_voucher_says_so_and_a_moderator_can_vouch(
    alice: User, bob: User, mallory: User, browse: Browse, now: datetime
) -> None:
    make_moderator(mallory, now=now)
    upload_file(record(), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    game = Game.objects.get()
    give_seat(game, 0, alice, now)
    bruno = give_seat(game, 1, bob, now, vouched=False)
    for account in (alice, bob):
        confirm(game, account, now=now)
    rate_waiting(now=now)
    page = page_text(browse(None), game.get_absolute_url())
    assert "No independent player has vouched for one of the players yet: Bruno." in page
    assert "It is rated once a moderator vouches for the player" in page

    claim = Claim.objects.get(player=bruno)
    moderator = browse(User.objects.get(pk=mallory.pk))
    assert "Vouch for this player" in page_text(moderator, f"/claims/{claim.pk}/")
    moderator.post(f"/claims/{claim.pk}/", {"act": "vouch", "answer": "Seen at the club."})
    assert Acceptance.objects.get(game=game).number == 1


def test_account_page_counts_claims_to_decide(alice: User, bob: User, browse: Browse, now: datetime) -> None:
    upload_file(record(), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    make_claim(Player.objects.get(name="Bruno"), bob, now=now)
    page = page_text(browse(alice), "/account/")
    assert "Claims 1 1 claim needs your decision." in page
    assert "bob claims Bruno" in page


@pytest.mark.full
def test_player_at_the_table_is_offered_to_contest_a_claim(
    alice: User, bob: User, browse: Browse, now: datetime
) -> None:
    upload_file(record(), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    give_seat(Game.objects.get(), 1, bob, now)
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert "1 claim will be approved automatically unless you or another player contests it." in page_text(
        browse(bob), "/account/"
    )
    assert "Contest the claim" in page_text(browse(bob), f"/claims/{claim.pk}/")
    browse(bob).post(f"/claims/{claim.pk}/", {"act": "contest", "answer": "Ada is my sister."})
    assert "A moderator decides." in page_text(browse(alice), f"/claims/{claim.pk}/")


def test_players_of_the_same_name_are_distinguished_by_source_games_and_dates(
    alice: User, browse: Browse, now: datetime
) -> None:
    make_moderator(alice, now=now)
    files = [record(Site="Club A", Date="2026.01.02"), record("draw 1-1", Site="Club B", Date="2025.03.04")]
    upload_file(b"\n".join(files), via=Upload.Via.WEB, now=now)
    judge_all(now)
    one, other = Player.objects.filter(name="Ada").order_by("source")
    page = page_text(browse(User.objects.get(pk=alice.pk)), f"/moderation/players/{one.pk}/?into={other.pk}")
    assert "Merged Ada Club A · 1 game, 2026-01-02 to 2026-01-02" in page
    assert "Kept Ada Club B · 1 game, 2025-03-04 to 2025-03-04" in page
