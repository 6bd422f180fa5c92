"""Invitation pages: one step claims a name and confirms its games, even without an account."""

import re
from collections.abc import Callable
from datetime import datetime
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.clubs import organising, running
from games.invitations.inviting import say_who
from games.invitations.reads.invitations import games_for
from games.models import Confirmation, Dispute, Game, Invitation, InvitedName, Upload
from games.uploads.origin import UploadOptions
from tests.games.invitations.asking import evening, invited, link, named
from tests.games.seats import give_seat
from tests.games.web.accounts.forms import PASSWORD, link_in, posted, register
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


@pytest.fixture
def now() -> datetime:
    """The current time, because views read the clock."""
    return timezone.now()


@pytest.fixture
def without_mail(settings: Settings) -> None:
    """A site without mail, where an account can be used at once."""
    settings.MAIL_IS_ON, settings.ACCOUNT_EMAIL_VERIFICATION = False, "none"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def text_of(answer: Any) -> str:
    return words_of(answer.content.decode())


def registering(name: InvitedName, **more: str) -> dict[str, str]:
    whole = {"username": "bruno", "email": "b@ants.example", "password1": PASSWORD, "password2": PASSWORD}
    return {**confirmation(name), **whole, **more}


def confirmation(name: InvitedName) -> dict[str, str]:
    """Return what the form sends that confirms all games of a name."""
    right = {f"kind-{game.key}": "" for game in games_for(name.invitation, name.player)}
    return {"act": "confirm", "name": str(name.pk), "next": f"{link(name.invitation)}?name={name.pk}", **right}


@pytest.mark.full
def test_the_result_page_asks_for_the_uploaders_name_and_then_shows_links(
    alice: User, browse: Browse, now: datetime
) -> None:
    upload, client = evening(alice, now), browse(alice)
    assert "Which of these names is yours?" in text_of(client.get(upload.get_absolute_url()))
    answer = client.post(f"/uploads/{upload.pk}/names/", {"me": named("Ada").pk}, follow=True)
    assert "0 of 6 confirmed" in text_of(answer)
    assert "yours on" in text_of(answer)
    bruno = InvitedName.objects.get(player__name="Bruno")
    assert link(bruno.invitation) in answer.content.decode()
    assert link(bruno.invitation) not in browse().get(upload.get_absolute_url()).content.decode()


def test_an_uploader_who_only_kept_the_log_invites_all_players(alice: User, browse: Browse, now: datetime) -> None:
    upload = evening(alice, now)
    answer = browse(alice).post(f"/uploads/{upload.pk}/names/", {"me": ""}, follow=True)
    assert "QR code for everybody" in text_of(answer)
    assert Invitation.objects.count() == 3


def test_the_folded_panel_of_a_club_is_open_for_who_uses_it(alice: User, browse: Browse, now: datetime) -> None:
    upload, client = evening(alice, now), browse(alice)
    club = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    Upload.objects.filter(pk=upload.pk).update(club=club, accepted_at=now)
    folded, unfolded = '<details class="count-later">', '<details class="count-later" open>'
    assert folded in client.get(upload.get_absolute_url()).content.decode()
    said = client.post(f"/uploads/{upload.pk}/names/", {"me": named("Ada").pk}, follow=True).content.decode()
    assert unfolded in said
    assert "Which of these names is yours?" not in said
    changing = client.get(f"{upload.get_absolute_url()}?who=1").content.decode()
    assert unfolded in changing
    assert "Which of these names is yours?" in changing


@pytest.mark.usefixtures("without_mail")
def test_a_new_player_registers_claims_and_confirms_in_one_step(alice: User, browse: Browse, now: datetime) -> None:
    bruno, client = invited("Bruno", evening(alice, now), alice, now), browse()
    page = client.get(link(bruno.invitation))
    assert "uploaded 3 games with you. Is this right?" in text_of(page)
    answer = client.post(link(bruno.invitation), registering(bruno), follow=True)
    assert "3 games confirmed" in text_of(answer)
    assert named("Bruno").account == User.objects.get(username="bruno")
    assert Confirmation.objects.count() == 3


@pytest.mark.full
def test_a_new_players_answer_counts_once_the_mail_address_is_confirmed(
    alice: User, browse: Browse, now: datetime, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    bruno, client = invited("Bruno", evening(alice, now), alice, now), browse()
    client.post(link(bruno.invitation), registering(bruno))
    assert named("Bruno").account is None
    path = link_in(posted()[0])
    client.post(path, follow=True)
    assert named("Bruno").account == User.objects.get(username="bruno")


@pytest.mark.full
def test_signing_in_from_an_invitation_confirms_the_games(
    alice: User, browse: Browse, now: datetime, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("bruno", password=PASSWORD)
    bruno, client = invited("Bruno", evening(alice, now), alice, now), browse()
    answer = client.post(link(bruno.invitation), confirmation(bruno) | {"act": "sign-in"}, follow=True)
    path = unquote(answer.redirect_chain[-1][0].partition("?next=")[2])
    onward = client.post("/account/login/", {"login": "bruno", "password": PASSWORD, "next": path}, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/account/login/")
    assert "3 games confirmed" in text_of(onward)


def test_who_signs_in_for_another_name_of_the_same_invitation_gives_nobody_elses_answer(
    alice: User, browse: Browse, now: datetime, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("bruno", password=PASSWORD)
    say_who(evening(alice, now), alice, me=None, now=now)
    ada, bruno = InvitedName.objects.filter(invitation__for_all=True).order_by("player__name")
    client, path = browse(), f"{link(ada.invitation)}?name={bruno.pk}"
    client.post(link(ada.invitation), confirmation(ada) | {"act": "sign-in"})
    client.post("/account/login/", {"login": "bruno", "password": PASSWORD, "next": path})
    assert (named("Ada").account, Confirmation.objects.count()) == (None, 0)


@pytest.mark.full
@pytest.mark.usefixtures("without_mail")
def test_an_answer_survives_a_mistake_in_the_registration_form(alice: User, browse: Browse, now: datetime) -> None:
    bruno, client = invited("Bruno", evening(alice, now), alice, now), browse()
    answer = client.post(link(bruno.invitation), registering(bruno, password2="another"))
    assert "You must type the same password each time." in text_of(answer)
    kept = unescape(re.findall(r'name="next" value="([^"]*)"', answer.content.decode())[-1])
    register(client, "bruno", next=kept)
    assert Confirmation.objects.count() == 3


@pytest.mark.full
def test_one_game_is_reported_and_the_others_are_confirmed(
    alice: User, bob: User, browse: Browse, now: datetime
) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    key = Game.objects.order_by("pk")[0].key
    sent = {f"kind-{key}": "places", f"wrong-{key}": "I was second."}
    browse(bob).post(link(bruno.invitation), confirmation(bruno) | sent)
    assert Dispute.objects.get().reason == "The places are wrong. I was second."
    assert Confirmation.objects.count() == 2


@pytest.mark.full
def test_a_used_link_allows_the_player_to_undo_the_answer(
    alice: User, bob: User, browse: Browse, now: datetime
) -> None:
    bruno, client = invited("Bruno", evening(alice, now), alice, now), browse(bob)
    client.post(link(bruno.invitation), confirmation(bruno))
    assert "This invitation has been used" in text_of(browse().get(link(bruno.invitation)))
    assert "Undo" in text_of(client.get(link(bruno.invitation)))
    client.post(link(bruno.invitation), {"act": "undo", "name": bruno.pk})
    assert named("Bruno").account is None


def test_the_uploader_sees_that_somebody_denied_being_the_invited_player(
    alice: User, browse: Browse, now: datetime
) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    browse().post(link(bruno.invitation), {"act": "not-me", "name": bruno.pk})
    assert "somebody said: not me" in text_of(browse(alice).get("/account/invitations/"))


def test_an_invitation_page_is_not_cached_indexed_or_leaked_to_other_sites(
    alice: User, browse: Browse, now: datetime
) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    answer = browse().get(link(bruno.invitation))
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "same-origin"
    assert "noindex" in answer["X-Robots-Tag"]


def test_an_invitation_has_a_qr_code_and_can_be_mailed_renewed_and_revoked(
    alice: User, mallory: User, browse: Browse, now: datetime
) -> None:
    bruno, client = invited("Bruno", evening(alice, now), alice, now), browse(alice)
    path = f"/invitations/{bruno.invitation_id}/"
    assert browse(mallory).get(path).status_code == 404
    assert "<svg" in client.get(path).content.decode()
    client.post(path, {"act": "mail", "email": "bruno@ants.example"})
    assert link(bruno.invitation) in str(posted()[0].body)
    before = link(bruno.invitation)
    client.post(path, {"act": "renew"})
    assert browse().get(before).status_code == 404
    client.post(path, {"act": "revoke"})
    bruno.invitation.refresh_from_db()
    assert "has been revoked" in text_of(browse().get(link(bruno.invitation)))


@pytest.mark.full
def test_an_address_gets_at_most_three_invitations_a_day_from_all_senders(
    alice: User, browse: Browse, now: datetime
) -> None:
    bruno, client = invited("Bruno", evening(alice, now), alice, now), browse(alice)
    path = f"/invitations/{bruno.invitation_id}/"
    addresses = ("cleo@ants.example", "Cleo@ants.example") * 2
    answers = [client.post(path, {"act": "mail", "email": one}, follow=True) for one in addresses]
    assert "Too many invitations to this address today" in text_of(answers[-1])
    assert len(posted()) == 3


def test_a_mailed_invitation_names_no_players(alice: User, browse: Browse, now: datetime) -> None:
    bruno = invited("Bruno", evening(alice, now), alice, now)
    browse(alice).post(f"/invitations/{bruno.invitation_id}/", {"act": "mail", "email": "bruno@ants.example"})
    text = str(posted()[0].body)
    assert "alice uploaded 3 ant games and invites you to confirm them" in text
    assert "Bruno" not in text


@pytest.mark.full
def test_a_shared_link_asks_visitors_which_player_they_are(
    alice: User, bob: User, browse: Browse, now: datetime
) -> None:
    group = next(one for one in say_who(evening(alice, now), alice, me=None, now=now) if one.for_all)
    assert "Who are you?" in text_of(browse(bob).get(link(group)))
    bruno = group.names.get(player__name="Bruno")
    browse(bob).post(link(group), confirmation(bruno))
    assert "has confirmed" in text_of(browse().get(link(group)))
    assert named("Bruno").account == bob


def test_an_anonymous_upload_offers_to_sign_in_and_claim_a_name(browse: Browse, now: datetime) -> None:
    evening(None, now)  # type: ignore[arg-type]
    assert "Sign in to claim your name" in text_of(browse().get(Upload.objects.get().get_absolute_url()))


def test_what_waits_for_others_stands_where_the_account_starts(alice: User, browse: Browse, now: datetime) -> None:
    invited("Bruno", evening(alice, now), alice, now, me="Ada")
    words = text_of(browse(alice).get("/account/"))
    assert "Waiting for others These players have not used your invitation yet. Bruno" in words


def test_an_account_page_passes_over_an_invitation_for_nobody(alice: User, browse: Browse, now: datetime) -> None:
    invited("Bruno", evening(alice, now), alice, now, me="Ada")
    InvitedName.objects.all().delete()
    assert "have not used your invitation" not in text_of(browse(alice).get("/account/"))


@pytest.mark.full
def test_all_games_shown_are_confirmed_by_one_button(alice: User, bob: User, browse: Browse, now: datetime) -> None:
    upload = evening(alice, now)
    give_seat(Game.objects.order_by("pk")[0], 1, bob, now)
    page = browse(bob).get("/account/")
    assert "Confirm all 3 of these" in text_of(page)
    keys = " ".join(Game.objects.values_list("key", flat=True))
    browse(bob).post("/account/waiting/", {"all": keys})
    assert Confirmation.objects.filter(account=bob).count() == upload.split_logs


def test_a_link_for_all_takes_a_reader_for_the_name_of_their_account(
    alice: User, browse: Browse, now: datetime
) -> None:
    group = next(one for one in say_who(evening(alice, now), alice, me=None, now=now) if one.for_all)
    reader = browse(User.objects.create_user("bruno"))
    assert "You are Bruno in these games. Another name?" in text_of(reader.get(link(group)))
    assert "Who are you?" in text_of(reader.get(f"{link(group)}?name=0"))
    assert "Who are you?" in text_of(browse().get(link(group)))


def test_who_has_confirmed_games_of_a_club_finds_the_way_there(
    alice: User, bob: User, browse: Browse, now: datetime
) -> None:
    club = running.found(slug="nest", name="The Nest", meets="", main_ruleset="", by=alice, now=now)
    upload = evening(alice, now, options=UploadOptions(club=club))
    bruno = invited("Bruno", upload, alice, now, me="Ada")
    words = text_of(browse(bob).post(link(bruno.invitation), confirmation(bruno), follow=True))
    assert "The Nest" not in words, "whom nobody but its members may see before it is reviewed"
    running.join(running.make_link(club, by=alice, now=now), bob, now=now)
    html = browse(bob).get(link(bruno.invitation)).content.decode()
    assert '<a class="button" href="/clubs/nest/"><bdi>The Nest</bdi></a>' in html
