"""Clubs: created by a moderator, run by organisers, visible to all."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.clubs import organising
from games.models import Act, Club, Upload
from games.moderation.moderators import make_moderator
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import Read, words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


@pytest.fixture
def nest(alice: User, now: datetime) -> Club:
    """A club that Alice organises."""
    return organising.found(slug="nest", name="The Nest", about="We meet on Fridays.", organiser=alice, now=now)


def complaint(client: Client, address: str, **form: str) -> str:
    answer = client.post(address, form)
    assert answer.status_code == 422
    return words_of(answer.content.decode())


@pytest.mark.full
def test_club_page_shows_description_and_accepted_games(
    nest: Club, alice: User, now: datetime, read: Read, browse: Browse
) -> None:
    assert "No game counts for this club yet." in read("/clubs/nest/")
    data = b"\n".join(duels(3))
    upload_file(data, via=Upload.Via.WEB, now=now, uploader=alice, options=UploadOptions(club=nest))
    judge_all(now)
    rate_waiting(now=now)

    words = read("/clubs/nest/")
    assert "We meet on Fridays. Organised by alice" in words
    assert "Atta Ants, online rules 2 players, 3 games" in words
    assert "Ada 1st" in words or "Bruno 1st" in words
    assert "Upload games for the club" not in words
    assert "Upload games for the club" in words_of(browse(alice).get("/clubs/nest/").content.decode())
    assert "The Nest We meet on Fridays. 1 member · 3 games count" in read("/clubs/")
    assert "/api/v1/games/export?club=nest&amp;format=agn" in browse().get("/clubs/nest/").content.decode()
    assert "Games of The Nest" in read("/games/?club=nest")


def test_club_page_needs_few_queries(
    nest: Club, alice: User, now: datetime, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    data = b"\n".join(duels(30))
    upload_file(data, via=Upload.Via.WEB, now=now, uploader=alice, options=UploadOptions(club=nest))
    judge_all(now)
    rate_waiting(now=now)
    with django_assert_num_queries(21):
        client.get("/clubs/nest/")


def test_moderator_creates_a_club_and_names_its_organiser(
    mallory: User, bob: User, browse: Browse, now: datetime
) -> None:
    make_moderator(mallory, now=now)
    form = {"name": "Hill", "slug": "Hill", "about": "", "organiser": "bob"}
    words = words_of(browse(mallory).get("/clubs/new/").content.decode())
    assert "The first organiser owns it." in words
    assert "You are its owner" not in words

    answer = browse(mallory).post("/clubs/new/", form)

    assert (answer.status_code, answer["Location"]) == (303, "/clubs/hill/")
    club = Club.objects.get()
    assert list(club.organisers.all()) == [bob]
    act = Act.objects.latest("pk")
    assert (act.kind, act.by, act.params) == ("club-founded", mallory, {"club": club.pk, "organiser": bob.pk})


def test_everybody_else_founds_a_club_of_their_own(bob: User, browse: Browse, client: Client) -> None:
    answer = browse(bob).post("/clubs/new/", {"name": "Hill", "slug": "hill", "organiser": "alice"})
    assert answer["Location"] == "/clubs/hill/"
    assert list(Club.objects.get().organisers.all()) == [bob]
    assert client.get("/clubs/new/").status_code == 302


def test_invalid_club_form_is_reported_at_its_fields(nest: Club, mallory: User, browse: Browse, now: datetime) -> None:
    make_moderator(mallory, now=now)
    client, form = browse(mallory), {"name": "Hill", "slug": "nest", "organiser": "alice"}
    assert "This address belongs to another club: The Nest." in complaint(client, "/clubs/new/", **form)
    assert "No account has this name." in complaint(client, "/clubs/new/", **form | {"organiser": "nobody"})
    assert "Use only the letters a to z, digits and hyphens." in complaint(
        client, "/clubs/new/", **form | {"slug": "Köln"}
    )
    assert "The site itself uses this address. Choose another one." in complaint(
        client, "/clubs/new/", **form | {"slug": "new"}
    )


def test_organiser_can_edit_the_club_description(nest: Club, alice: User, browse: Browse, read: Read) -> None:
    answer = browse(alice).post("/clubs/nest/edit/", {"name": "The Old Nest", "about": "On Mondays."})
    assert answer.status_code == 303
    assert "On Mondays. Organised by" in read("/clubs/nest/")


@pytest.mark.full
def test_organisers_can_appoint_and_dismiss_others(nest: Club, alice: User, bob: User, browse: Browse) -> None:
    client = browse(alice)
    assert "bob has to join the club first." in complaint(client, "/clubs/nest/organisers/", organiser="bob")
    joined = nest.members.create(account=bob, name="bob", joined_at=nest.created_at)
    assert client.post("/clubs/nest/organisers/", {"organiser": "bob"})["Location"] == "/clubs/nest/edit/"
    assert "bob is already an organiser." in complaint(client, "/clubs/nest/organisers/", organiser="bob")
    nest.members.filter(pk=joined.pk).update(role="owner")
    assert client.post("/clubs/nest/organisers/dismiss/", {"organiser": "alice"})["Location"] == "/clubs/nest/"

    assert list(nest.organisers.all()) == [bob]
    assert client.get("/clubs/nest/edit/").status_code == 403
    kinds = Act.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["club-founded", "organiser-named", "organiser-dismissed"]


def test_only_owners_are_offered_to_remove_other_organisers(
    nest: Club, alice: User, bob: User, mallory: User, browse: Browse
) -> None:
    for account in (bob, mallory):
        nest.members.create(account=account, name=account.username, joined_at=nest.created_at)
        browse(alice).post("/clubs/nest/organisers/", {"organiser": account.username})
    assert "alice bob Remove bob mallory Remove mallory" in words_of(
        browse(alice).get("/clubs/nest/edit/").content.decode()
    )
    assert "alice bob Remove bob mallory Account" in words_of(browse(bob).get("/clubs/nest/edit/").content.decode())


def test_last_organiser_cannot_be_dismissed(nest: Club, alice: User, bob: User, browse: Browse) -> None:
    words = complaint(browse(alice), "/clubs/nest/organisers/dismiss/", organiser="alice")
    assert "A club needs an organiser: name another one first." in words
    words = complaint(browse(alice), "/clubs/nest/organisers/dismiss/", organiser="bob")
    assert "bob is not an organiser." in words


@pytest.mark.parametrize("address", ["edit/", "organisers/", "organisers/dismiss/"])
def test_other_accounts_cannot_change_a_club(nest: Club, mallory: User, browse: Browse, address: str) -> None:
    assert browse(mallory).post(f"/clubs/nest/{address}", {"organiser": "mallory"}).status_code == 403
    assert browse(None).post(f"/clubs/nest/{address}").status_code == 302
    assert nest.organisers.count() == 1


def test_unknown_club_is_not_found(client: Client) -> None:
    assert client.get("/clubs/nowhere/").status_code == 404
