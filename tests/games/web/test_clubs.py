"""The pages of clubs."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.clubs import running
from games.clubs.reads.clubs import texts_version
from games.invitations.reads.tokens import token_of
from games.models import Club, ClubLink, ClubMember, Evening, Game, Season
from games.moderation.moderators import make_moderator
from games.players.home import home_source
from games.playing import opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person
from tests.games.evenings import RULESET, play
from tests.games.web.accounts.forms import PASSWORD, link_in, posted, register
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]
ANSWERS = ("yes", "maybe", "no")
NAME = {"name": "Casa Formica", "slug": "casa-formica", "meets": "Every second Friday, Café Ameise", "main_ruleset": ""}


@pytest.fixture
def now() -> datetime:
    """Now: views read the clock."""
    return timezone.now()


def text_of(answer: Any) -> str:
    return words_of(answer.content.decode())


@pytest.fixture
def owner(alice: User, browse: Browse) -> Client:
    """Alice, who has just founded the club with one form."""
    client = browse(alice)
    assert client.post("/clubs/new/", NAME)["Location"] == "/clubs/casa-formica/"
    return client


def act(client: Client, **form: object) -> str:
    return text_of(client.post("/clubs/casa-formica/act/", form, follow=True))


def test_a_new_club_says_what_comes_first_and_that_it_is_not_listed(owner: Client, browse: Browse) -> None:
    words = text_of(owner.get("/clubs/casa-formica/"))
    assert "not listed yet: a moderator reviews it first" in words
    assert "Invite people send them the link" in words
    assert "Casa Formica" not in text_of(browse().get("/clubs/"))
    assert "Casa Formica" in text_of(owner.get("/clubs/"))
    assert owner.get("/clubs/casa-formica/")["X-Robots-Tag"] == "noindex"


def test_only_members_find_a_club_that_is_not_listed(owner: Client, browse: Browse) -> None:
    assert '<a href="/clubs/casa-formica/">' in owner.get("/search/?q=casa+f").content.decode()
    assert "/clubs/casa-formica/" not in browse().get("/search/?q=casa+f").content.decode()


def test_every_field_of_the_owners_page_has_an_id_of_its_own(owner: Client) -> None:
    ids = re.findall(r' id="([^"]+)"', owner.get("/clubs/casa-formica/").content.decode())
    assert {"evening-begins", "season-begins"} <= set(ids)
    assert [one for one in set(ids) if ids.count(one) > 1] == []


def test_the_score_sheet_opened_from_the_club_uploads_for_the_club(owner: Client) -> None:
    assert 'href="/score/?club=casa-formica"' in owner.get("/clubs/casa-formica/").content.decode()
    sheet, other = (owner.get(path).content.decode() for path in ("/score/?club=casa-formica", "/score/"))
    assert '<option value="casa-formica" selected>' in sheet
    assert '<datalist id="score-names"><option value="alice"></datalist>' in sheet
    assert f'data-site="{home_source()}" data-members="[&quot;alice&quot;]"' in sheet
    assert '<option value="casa-formica">' in other
    assert "score-names" not in other
    assert "data-site" not in other


@pytest.mark.full
def test_a_moderator_lists_it(owner: Client, mallory: User, browse: Browse, now: datetime) -> None:
    make_moderator(mallory, now=now)
    judge = browse(User.objects.get(pk=mallory.pk))
    assert "Casa Formica" in text_of(judge.get("/clubs/"))
    assert "Clubs to review 1 Casa Formica Every second Friday" in text_of(judge.get("/moderation/"))
    assert "Moderation 1 Cases to decide" in text_of(judge.get("/account/"))
    act(judge, act="list", texts=texts_version(Club.objects.get()))
    assert "No clubs to review." in text_of(judge.get("/moderation/"))
    assert "Casa Formica" in text_of(browse().get("/clubs/"))


def test_a_visitor_who_signs_in_from_the_link_has_joined(owner: Client, browse: Browse, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("bruno", password=PASSWORD)
    link, guest = ClubLink.objects.get(), browse()
    asked = guest.post(f"/j/{token_of(link.nonce, link.digest)}/", {"way": "sign-in"}, follow=True)
    assert "Either way, you return to where you were." in text_of(asked)
    path = asked.redirect_chain[-1][0].partition("?next=")[2]
    onward = guest.post("/account/login/", {"login": "bruno", "password": PASSWORD, "next": unquote(path)}, follow=True)
    assert "Welcome to Casa Formica." in text_of(onward)
    assert ClubMember.objects.filter(account__username="bruno").exists()


@pytest.mark.full
def test_who_registers_from_the_link_and_reads_the_mail_half_an_hour_later_has_joined(
    owner: Client, browse: Browse
) -> None:
    link, guest = ClubLink.objects.get(), browse()
    path = f"/j/{token_of(link.nonce, link.digest)}/"
    guest.post(path, {"way": "register"})
    register(guest, "Bruno", next=path)
    session = guest.session
    session["account_login"]["initiated_at"] -= 1800
    session.save()
    assert "Welcome to Casa Formica." in text_of(guest.post(link_in(posted()[-1]), follow=True))


def test_people_join_by_the_link_and_say_that_they_come(owner: Client, bob: User, browse: Browse) -> None:
    link = ClubLink.objects.get()
    path = f"/j/{token_of(link.nonce, link.digest)}/"
    assert path in owner.get("/clubs/casa-formica/").content.decode()
    assert path not in browse().get("/clubs/casa-formica/").content.decode()
    assert "Create an account and join" in text_of(browse().get(path))
    guest = browse(bob)
    assert "Welcome to Casa Formica." in text_of(guest.post(path, follow=True))
    act(owner, act="plan", day=timezone.now().date() + timedelta(days=3), begins="19:30", place="")
    member = ClubMember.objects.get(account=bob)
    words = act(guest, act="say", evening=Evening.objects.get().pk, member=member.pk, answer="yes")
    assert "1 coming" in words
    assert "1 coming: bob" in text_of(browse().get("/clubs/casa-formica/")).replace(" :", ":")
    assert b"BEGIN:VCALENDAR" in guest.get(f"/clubs/casa-formica/evenings/{Evening.objects.get().pk}.ics").content


def test_attendance_is_one_table_with_a_button_for_each_answer_that_the_reader_may_give(
    owner: Client, bob: User, browse: Browse
) -> None:
    link, guest = ClubLink.objects.get(), browse(bob)
    guest.post(f"/j/{token_of(link.nonce, link.digest)}/")
    act(owner, act="add", name="Cem")
    act(owner, act="plan", day=timezone.now().date() + timedelta(days=3), begins="", place="")
    evening = Evening.objects.get().pk
    named = ClubMember.objects.get(name="Cem").pk
    joined = ClubMember.objects.get(account=bob).pk
    founder = ClubMember.objects.exclude(pk__in=[named, joined]).get().pk
    act(owner, act="say", evening=evening, member=named, answer="maybe")
    offered = {reader: attended(reader.get("/clubs/casa-formica/").content.decode()) for reader in (owner, guest)}
    assert set(offered[owner]) == {(member, answer) for member in (named, founder) for answer in ANSWERS}
    assert offered[owner][named, "maybe"] == "true"
    assert set(offered[guest]) == {(joined, answer) for answer in ANSWERS}
    assert "attends" not in browse().get("/clubs/casa-formica/").content.decode()


def attended(html: str) -> dict[tuple[int, str], str]:
    """Return whether each button of a table of attendance is pressed, by member and answer."""
    found = re.findall(r'class="attends" form="says-(\d+)" name="answer" value="(\w+)" aria-pressed="(\w+)"', html)
    return {(int(member), answer): pressed for member, answer, pressed in found}


def ladder_of(club: Club, reader: Client) -> dict[str, str]:
    """Return the ratings that a club's ladder shows."""
    rows = reader.get(f"/api/v1/clubs/{club.slug}/leaderboards/{RULESET}").json()["rows"]
    return {row["player"]["name"]: f"{row['rating']}?" for row in rows}


@pytest.mark.full
def test_a_club_shows_its_points_its_last_evening_and_its_season(owner: Client, now: datetime) -> None:
    club = Club.objects.get()
    play([(["Ada", "Bea", "Cem"], [1, 2, 2])], now - timedelta(days=7), club=club)
    play([(["Bea", "Ada"], [1, 2])], now, club=club)
    words = text_of(owner.get("/clubs/casa-formica/"))
    assert "Last evening" in words
    assert "Bea 1" in words
    ratings = ladder_of(club, owner)
    assert ratings["Cem"] == "0?"
    assert {name for name, rating in ratings.items() if f" {rating} " in words} == {"Ada", "Bea", "Cem"}
    assert "Earlier evenings" in words
    act(owner, act="begin-season", name="Autumn", begins=now.date(), ends=now.date())
    act(owner, act="close-season", season=Season.objects.get().pk)
    final = text_of(owner.get(f"/clubs/casa-formica/seasons/{Season.objects.get().pk}/"))
    assert "Final table" in final
    assert "Cem" not in final


def test_the_table_is_exported(owner: Client, now: datetime) -> None:
    play([(["=Ada", "Bea"], [1, 2])], now, club=Club.objects.get())
    lines = owner.get("/clubs/casa-formica/table.csv").content.decode().splitlines()
    assert lines[1] == "1,'=Ada,1.0,1,1,0,0,0"
    assert owner.get("/clubs/casa-formica/table.json").json()["rows"][1]["name"] == "Bea"
    for form in "csv", "json":
        refused = owner.get(f"/clubs/casa-formica/table.{form}?seasn=1")
        said = "There is no parameter “seasn” here. Did you mean “season”?"
        assert (refused.status_code, refused.json()["error"]["message"]) == (400, said)
        assert owner.get(f"/clubs/casa-formica/table.{form}?season=abc").status_code == 404


@pytest.mark.full
def test_what_cannot_be_done_is_said(owner: Client, mallory: User, browse: Browse) -> None:
    assert "Day:" in act(owner, act="plan", day="x")
    assert "Only owners and organisers of the club can do this." in act(browse(mallory), act="link")
    assert "Nothing was chosen." in act(owner, act="x")


def test_old_addresses_of_leagues_lead_to_clubs(client: Client) -> None:
    answer = client.get("/leagues/nest/leaderboards/atta-ants-online/?page=2")
    assert (answer.status_code, answer["Location"]) == (301, "/clubs/nest/leaderboards/atta-ants-online/?page=2")


@pytest.mark.full
def test_a_clubs_page_asks_the_database_as_often_for_many_games(
    owner: Client, now: datetime, django_assert_max_num_queries: Any
) -> None:
    club, days = Club.objects.get(), [date(2026, 1, day) for day in range(1, 9)]
    for number, _ in enumerate(days):
        play([(["Ada", "Bea"], [1, 2])] * 2, now - timedelta(days=number), club=club)
    running.add_by_name(club, "Eve", by=User.objects.get(username="alice"), now=now)
    with django_assert_max_num_queries(37):
        owner.get("/clubs/casa-formica/")


def test_the_list_says_where_a_club_meets_and_how_many_are_in_it(owner: Client, browse: Browse, now: datetime) -> None:
    act(owner, act="add", name="Bea")
    Club.objects.update(listed_at=now)
    words = text_of(browse().get("/clubs/"))
    assert "Casa Formica Every second Friday, Café Ameise 2 members · 0 games count" in words


def test_a_season_without_games_says_when_its_table_fills(owner: Client, now: datetime) -> None:
    act(owner, act="begin-season", name="Autumn", begins=now.date(), ends=now.date())
    words = text_of(owner.get(f"/clubs/casa-formica/seasons/{Season.objects.get().pk}/"))
    assert "The table fills with the first uploaded game" in words
    assert "Place Player Points Games" not in words


@pytest.mark.full
def test_an_organiser_draws_a_schedule_on_the_page_of_the_season(owner: Client, browse: Browse, now: datetime) -> None:
    for name in ("Bea", "Cem"):
        act(owner, act="add", name=name)
    act(owner, act="begin-season", name="Autumn", begins=now.date(), ends=now.date())
    number = Season.objects.get().pk
    assert "Draw the schedule" in text_of(owner.get(f"/clubs/casa-formica/seasons/{number}/"))
    words = act(owner, act="draw-schedule", season=number, kind="swiss", seats="2")
    assert "Round 1 Bea – Cem Bye: alice" in words
    assert "Draw the schedule" not in text_of(browse().get(f"/clubs/casa-formica/seasons/{number}/"))
    assert "Round 2 Bea – alice Bye: Cem" in act(owner, act="draw-round", season=number)
    assert "Round 1" not in act(owner, act="drop-schedule", season=number)


@pytest.mark.full
def test_earlier_evenings_are_paged_and_a_season_counts_all_games(owner: Client, now: datetime) -> None:
    club = Club.objects.get()
    for number in range(28):
        play([(["Ada", "Bea"], [1, 2])], now - timedelta(days=number), club=club)
    words = text_of(owner.get("/clubs/casa-formica/"))
    assert "1 Ada" in words
    assert "Ada 28" in text_of(owner.get("/clubs/casa-formica/poster/"))
    first, second = (owner.get(f"/clubs/casa-formica/{page}").content.decode() for page in ("", "?evenings=2"))
    assert "?evenings=2#evenings" in first
    evenings = [page.split('id="evenings"')[1].split("</table>")[0].count('class="date"') for page in (first, second)]
    assert evenings == [25, 2]


def test_an_evening_lists_its_games_and_leads_to_the_evenings_beside_it(owner: Client, now: datetime) -> None:
    club, days = Club.objects.get(), [(now - timedelta(days=number)).date() for number in range(3)]
    for day, games in zip(days, (1, 2, 30), strict=True):
        at = datetime.combine(day, now.time(), now.tzinfo)
        play([(["Ada", "Bea"], [1, 2])] * (games - 1) + [(["Cem", "Bea"], [1, 1])], at, club=club)
    page = f"/clubs/casa-formica/evenings/{days[1]}/"
    assert f'href="{page}"' in owner.get("/clubs/casa-formica/").content.decode()

    html = owner.get(page).content.decode()
    assert f"<title>Casa Formica, evening of {days[1]} · Atta</title>" in html
    assert f'content="The games that Casa Formica played on {days[1]}, and who won the evening."' in html
    assert "1 Ada 1 1 2 Cem ½ 1 3 Bea ½ 2" in words_of(html)
    assert html.count('class="opens"') == 2
    assert all(f'href="/clubs/casa-formica/evenings/{day}/"' in html for day in (days[0], days[2]))
    whole = [owner.get(f"/clubs/casa-formica/evenings/{days[2]}/{part}").content.decode() for part in ("", "?games=2")]
    assert [part.count('class="opens"') for part in whole] == [25, 5]


def test_a_private_game_is_not_listed_on_its_evening(owner: Client, now: datetime) -> None:
    (game, _) = play([(["Ada", "Bea"], [1, 2])] * 2, now, club=Club.objects.get())
    Game.objects.filter(pk=game.pk).update(private=True)
    assert owner.get(f"/clubs/casa-formica/evenings/{now.date()}/").content.decode().count('class="opens"') == 1


@pytest.mark.parametrize("day", ["2026-02-30", "yesterday", "2001-01-01", "20010101"])
def test_a_day_without_games_is_no_evening(owner: Client, day: str) -> None:
    assert owner.get(f"/clubs/casa-formica/evenings/{day}/").status_code == 404


def test_a_club_has_a_feed_of_its_games_with_results(owner: Client, browse: Browse, now: datetime) -> None:
    play([(["Ada", "Bea", "Cem"], [2, 1, 2])], now, club=Club.objects.get())
    answer = browse().get("/clubs/casa-formica/games.atom")
    feed = ET.fromstring(answer.content)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    titles = [one.text for one in feed.iterfind(".//{*}entry/{*}title")]
    assert titles == ["1. Bea, 2. Ada, 2. Cem · Atta Ants, online rules"]
    assert feed.findtext("{*}author/{*}name") == "Casa Formica"
    assert b"/games.atom" in browse().get("/clubs/casa-formica/").content


def test_the_page_for_the_wall_shows_when_where_and_the_address(owner: Client, browse: Browse, now: datetime) -> None:
    act(owner, act="plan", day=now.date() + timedelta(days=3), begins="19:30", place="Garden")
    page = browse().get("/clubs/casa-formica/poster/")
    words = text_of(page)
    assert "Every second Friday, Café Ameise" in words
    assert "19:30, Garden" in words
    assert "/clubs/casa-formica/" in words
    assert b"<svg" in page.content


def test_somebody_else_who_signs_in_after_a_visitor_joins_no_club(
    owner: Client, browse: Browse, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("bruno", password=PASSWORD)
    link, shared = ClubLink.objects.get(), browse()
    path = f"/j/{token_of(link.nonce, link.digest)}/"
    asked = shared.post(path, {"way": "sign-in"}, follow=True)
    assert "Sign in or create an account, and you are a member of Casa Formica." in text_of(asked)
    shared.post("/account/login/", {"login": "bruno", "password": PASSWORD})
    shared.get(path)
    assert not ClubMember.objects.filter(account__username="bruno").exists()


def test_the_upload_form_names_the_club_that_the_games_count_for(owner: Client, bob: User, browse: Browse) -> None:
    assert "They count for Casa Formica." in text_of(owner.get("/upload/?club=casa-formica"))
    assert "They count for Casa Formica." in text_of(owner.post("/upload/", {"text": "", "club": "casa-formica"}))
    assert "They count for" not in text_of(owner.post("/upload/?club=casa-formica", {"text": "", "club": ""}))
    assert "They count for" not in text_of(browse(bob).get("/upload/?club=casa-formica"))
    assert "or record them on the score sheet" in text_of(owner.get("/clubs/casa-formica/"))


def test_a_season_without_games_says_so(owner: Client) -> None:
    act(owner, act="begin-season", name="Autumn", begins=timezone.now().date(), ends=timezone.now().date())
    path = f"/clubs/casa-formica/seasons/{Season.objects.get().pk}/"
    assert "The table fills with the first uploaded game" in text_of(owner.get(path))


def test_a_club_shows_the_public_tables_of_its_members(owner: Client, alice: User, bob: User, now: datetime) -> None:
    assert "Members at tables here" not in text_of(owner.get("/clubs/casa-formica/"))
    mine, his = Person(account=alice), Person(account=bob)
    for options, person in (
        (TableOptions(ruleset="army-ants"), mine),
        (TableOptions(ruleset="atta-ants-2003", visibility="link"), mine),
        (TableOptions(ruleset="ant-trails-2020"), his),
    ):
        opening.join(opening.open_table(options, person, now=now).key, person, Addition("entropy"), now=now)
    shown = text_of(owner.get("/clubs/casa-formica/")).partition("Members at tables here")[2]
    assert shown.startswith(" Army Ants ? alice 1 free seat")
    assert "rules of 2003 ?" not in shown
    assert "bob" not in shown
