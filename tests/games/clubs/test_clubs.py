"""Clubs: anybody founds one, people join by a link, and its table follows from the games its organisers upload."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.clubs import identity, listing, organising, running, scheduling
from games.clubs.calendar import calendar_of
from games.clubs.errors import ClubError
from games.clubs.reads import points
from games.clubs.reads.clubs import list_clubs, member_of, texts_version
from games.clubs.reads.points import in_points, points_table, table_of
from games.clubs.reads.schedules import schedule_of
from games.holds.reads.vouching import is_named_organiser
from games.invitations.reads.tokens import token_of
from games.models import Act, Attendance, Club, ClubMember, Evening, Player, Season
from games.moderation.moderators import make_moderator
from games.web.clubs import pages
from games.web.rate_limits import ClubThrottle
from tests.games.evenings import annul, play
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def club(alice: User, now: datetime) -> Club:
    """A club that Alice has founded."""
    return running.found(slug="formica", name="Casa Formica", meets="Fridays", main_ruleset="", by=alice, now=now)


def words(client: Client, path: str) -> str:
    return words_of(client.get(path).content.decode())


def names(club: Club) -> list[tuple[str, str]]:
    return [(row.name, in_points(row.halves)) for row in points_table(club).rows]


def test_the_founder_of_a_club_owns_it_and_accepts_its_games(club: Club, alice: User) -> None:
    member = member_of(club, alice)
    assert member
    assert member.role == "owner"
    assert club.organisers.get() == alice


def test_an_accounts_names_have_one_row_in_the_table(club: Club, bob: User, now: datetime) -> None:
    play([(["Ada", "Bea"], [1, 2])], now - 7 * DAY, club=club)
    play([(["Bob", "Ada"], [1, 2]), (["Bea", "Ada"], [1, 2])], now, club=club)
    Player.objects.filter(name__in=("Bea", "Bob")).update(account=bob)
    rows = points_table(club).rows
    assert [(row.name, row.halves, row.games, row.climbed) for row in rows] == [("Bea", 4, 3, 1), ("Ada", 2, 3, -1)]
    assert list(rows[0].evenings.values()) == [0, 4]


def test_a_new_club_is_listed_once_a_moderator_has_looked_at_it(club: Club, mallory: User, now: datetime) -> None:
    assert not list_clubs().exists()
    with pytest.raises(ClubError, match="Only a moderator who is not a member can decide"):
        listing.list_publicly(club, texts=texts_version(club), by=mallory, now=now)
    make_moderator(mallory, now=now)
    listing.list_publicly(club, texts=texts_version(club), by=User.objects.get(pk=mallory.pk), now=now)
    assert [club.name for club in list_clubs()] == ["Casa Formica"]


@pytest.mark.full
def test_a_moderator_lists_and_unlists_a_club_with_a_reason_that_its_organisers_and_the_log_show(
    club: Club, alice: User, mallory: User, now: datetime, browse: Callable[..., Client]
) -> None:
    make_moderator(mallory, now=now)
    moderator, act = browse(mallory), "/clubs/formica/act/"
    assert "say on its page why not. Casa Formica" in words(moderator, "/clubs/")
    read = {"texts": texts_version(club)}
    moderator.post(act, read | {"act": "list"})
    assert "Give a reason" in moderator.post(act, read | {"act": "unlist"}, follow=True).content.decode()
    moderator.post(act, read | {"act": "unlist", "reason": "No people in it."})
    assert not list_clubs().exists()
    assert "A moderator does not list this club: No people in it." in words(browse(alice), "/clubs/formica/")
    assert "No people in it." not in words(browse(None), "/clubs/formica/")
    assert "Waiting for your review" not in words(moderator, "/clubs/")
    log = words(moderator, "/moderation/log/")
    assert "removed a club from the list" in log
    assert "No people in it." in log
    assert "listed a club publicly" in log


def test_a_listed_club_that_changes_its_name_waits_for_a_review_again_and_the_log_says_so(
    club: Club, alice: User, now: datetime
) -> None:
    Club.objects.update(listed_at=now)
    organising.describe(club, organising.Description("Casa", ""), by=alice, now=now)
    assert not list_clubs().exists()
    act = Act.objects.latest("pk")
    assert (act.kind, act.by, act.reason) == (
        "club-unlisted",
        alice,
        "Name, description, or when and where it meets changed.",
    )


def test_a_moderator_decides_nothing_about_a_club_of_their_own(club: Club, mallory: User, now: datetime) -> None:
    make_moderator(mallory, now=now)
    mallory = User.objects.get(pk=mallory.pk)
    own = running.found(slug="own", name="Own", meets="", main_ruleset="", by=mallory, now=now)
    organising.describe(own, organising.Description("Casino", "", "casino.example"), by=mallory, now=now)
    assert not list_clubs().exists()
    listing.list_publicly(club, texts=texts_version(club), by=mallory, now=now)
    ClubMember.objects.create(club=club, account=mallory, name="mallory", joined_at=now)
    organising.describe(club, organising.Description("Casa Formica", "Spam", "Fridays"), by=mallory, now=now)
    assert not list_clubs().exists()
    with pytest.raises(ClubError, match="Only a moderator who is not a member"):
        listing.list_publicly(club, texts=texts_version(club), by=mallory, now=now)


def test_texts_that_changed_after_a_moderator_read_them_are_not_decided_about(
    club: Club, alice: User, mallory: User, now: datetime, browse: Callable[..., Client]
) -> None:
    make_moderator(mallory, now=now)
    moderator, act, read = browse(mallory), "/clubs/formica/act/", texts_version(club)
    assert f'name="texts" value="{read}"' in moderator.get("/clubs/formica/").content.decode()
    organising.describe(club, organising.Description("Casa Formica", "Spam", "Fridays"), by=alice, now=now)
    for decision in ("list", "unlist"):
        form = {"act": decision, "texts": read, "reason": "Read."}
        assert "has changed. Read it again before" in moderator.post(act, form, follow=True).content.decode()
    assert not list_clubs().exists()
    assert not Club.objects.get().unlisted_for


def test_other_places_and_times_of_a_listed_club_are_reviewed(club: Club, alice: User, now: datetime) -> None:
    Club.objects.update(listed_at=now)
    organising.describe(club, organising.Description("Casa Formica", "", "Fridays", "ant-trails"), by=alice, now=now)
    assert list_clubs().exists()
    organising.describe(club, organising.Description("Casa Formica", "", "casino.example"), by=alice, now=now)
    assert not list_clubs().exists()


@pytest.mark.parametrize("unseen", ["Casa\u202e Formica", "Casa\u200b", "\u3164", "\u2800", "Casa\x1b"])
def test_no_text_of_a_club_has_characters_that_nobody_sees(club: Club, alice: User, now: datetime, unseen: str) -> None:
    today = now.date()
    texts: dict[str, Callable[[], object]] = {
        "name": lambda: organising.found(slug="new-one", name=unseen, about="", organiser=alice, now=now),
        "about": lambda: organising.describe(club, organising.Description("Casa", unseen), by=alice, now=now),
        "meets": lambda: organising.describe(club, organising.Description("Casa", "", unseen), by=alice, now=now),
        "place": lambda: running.plan(club, today, begins=None, place=unseen, by=alice, now=now),
        "name of a member": lambda: running.add_by_name(club, unseen, by=alice, now=now),
        "name of a season": lambda: running.begin_season(club, name=unseen, begins=today, ends=today, by=alice),
    }
    for of, change in texts.items():
        with pytest.raises(ClubError, match="cannot contain invisible or text-direction characters") as refused:
            change()
        assert of.startswith(refused.value.parameter)


def test_names_of_clubs_are_on_one_line_and_may_have_emoji(alice: User, now: datetime) -> None:
    club = organising.found(slug="cafe", name=" Café\n \u2615\ufe0f ", about="One\n\ntwo", organiser=alice, now=now)
    assert (club.name, club.about) == ("Café \u2615\ufe0f", "One\n\ntwo")


def test_founding_a_club_lets_nobody_vouch_as_an_organiser(club: Club, alice: User) -> None:
    assert not is_named_organiser(alice)


def test_an_account_owns_five_clubs_at_most(club: Club, alice: User, now: datetime) -> None:
    for number in range(4):
        running.found(slug=f"c{number}", name="C", meets="", main_ruleset="", by=alice, now=now)
    with pytest.raises(ClubError, match="You can own at most 5 clubs"):
        running.found(slug="c9", name="C", meets="", main_ruleset="", by=alice, now=now)


def test_people_join_by_a_link_until_it_ends(club: Club, alice: User, bob: User, mallory: User, now: datetime) -> None:
    link = running.make_link(club, by=alice, now=now)
    assert running.join(link, bob, now=now).role == "member"
    with pytest.raises(ClubError, match="This link no longer works"):
        running.join(link, mallory, now=now + 15 * DAY)
    running.make_link(club, by=alice, now=now)
    link.refresh_from_db()
    with pytest.raises(ClubError, match="This link no longer works"):
        running.join(link, mallory, now=now)


def test_nobody_becomes_a_member_who_was_added_by_name_by_being_called_alike(
    club: Club, alice: User, mallory: User, now: datetime
) -> None:
    evening = running.plan(club, now.date(), begins=None, place="", by=alice, now=now)
    for name in ("mallory", "Eve"):
        running.answer(evening, running.add_by_name(club, name, by=alice, now=now), Attendance.Answer.YES, by=alice)
    Player.objects.create(name="Eve", source="My own site", account=mallory, created_at=now)
    joined = running.join(running.make_link(club, by=alice, now=now), mallory, now=now)
    assert not joined.attendances.exists()
    for named in club.members.filter(account=None):
        with pytest.raises(ClubError, match="Only owners and organisers"):
            identity.confirm_same(named, joined, by=mallory)
        with pytest.raises(ClubError, match="can answer this"):
            running.answer(evening, named, Attendance.Answer.NO, by=mallory)
    assert set(club.members.filter(account=None).values_list("name", flat=True)) == {"mallory", "Eve"}


def test_an_organiser_confirms_on_the_page_who_was_added_by_name(
    club: Club, alice: User, bob: User, now: datetime, browse: Callable[..., Client]
) -> None:
    evening = running.plan(club, now.date(), begins=None, place="", by=alice, now=now)
    named = running.add_by_name(club, "Bob", by=alice, now=now)
    running.answer(evening, named, Attendance.Answer.YES, by=alice)
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=alice)
    scheduling.draw(season, "round-robin", 2, by=alice, now=now)
    joined = running.join(running.make_link(club, by=alice, now=now), bob, now=now)
    assert "Same person as bob" in words(browse(alice), "/clubs/formica/")
    assert "Same person as bob" not in words(browse(bob), "/clubs/formica/")
    browse(alice).post("/clubs/formica/act/", {"act": "same", "member": named.pk, "other": joined.pk})
    assert set(club.members.values_list("name", "account")) == {("alice", alice.pk), ("Bob", bob.pk)}
    assert (joined.attendances.get().answer, evening.attendances.count()) == ("yes", 1)
    assert schedule_of(Season.objects.get()).rounds[0].tables[0].names == ("alice", "bob")  # type: ignore[union-attr]


def test_a_link_made_for_a_name_works_once_and_for_nobody_who_is_in_already(
    club: Club, alice: User, bob: User, mallory: User, now: datetime, browse: Callable[..., Client]
) -> None:
    named = running.add_by_name(club, "Eve", by=alice, now=now)
    browse(alice).post("/clubs/formica/act/", {"act": "link", "member": named.pk})
    link = club.links.get(member=named)
    address = f"/j/{token_of(link.nonce, link.digest)}/"
    assert "The club already knows you as Eve." in words(browse(bob), address)
    with pytest.raises(ClubError, match="An organiser can confirm that you are Eve"):
        running.join(link, alice, now=now)
    browse(bob).post(address)
    assert club.members.get(name="Eve").account == bob
    with pytest.raises(ClubError, match="This link no longer works"):
        running.join(link, mallory, now=now)
    for reader in (mallory, None):
        page = words(browse(reader), address)
        assert "This link no longer works. Ask an organiser for a new one." in page
        assert not [text for text in ("Eve", "Join as", "Create an account and join") if text in page]


def test_roles_say_who_accepts_games(club: Club, alice: User, bob: User, now: datetime) -> None:
    member = running.join(running.make_link(club, by=alice, now=now), bob, now=now)
    with pytest.raises(ClubError, match="Only an owner"):
        running.give_role(member, ClubMember.Role.OWNER, by=bob, now=now)
    running.give_role(member, ClubMember.Role.ORGANISER, by=alice, now=now)
    assert set(club.organisers.all()) == {alice, bob}
    own = member_of(club, alice)
    assert own
    with pytest.raises(ClubError, match="A club needs an owner"):
        running.remove(own, by=alice, now=now)
    running.remove(ClubMember.objects.get(pk=member.pk), by=bob, now=now)
    assert club.organisers.get() == alice


def test_only_organisers_plan_invite_and_add(club: Club, bob: User, now: datetime) -> None:
    for act in (
        lambda: running.make_link(club, by=bob, now=now),
        lambda: running.add_by_name(club, "Eve", by=bob, now=now),
        lambda: running.plan(club, now.date(), begins=None, place="", by=bob, now=now),
    ):
        with pytest.raises(ClubError, match="Only owners and organisers"):
            act()


def test_members_say_whether_they_come_and_organisers_answer_for_names(
    club: Club, alice: User, bob: User, now: datetime
) -> None:
    evening = running.plan(club, date(2026, 12, 4), begins=None, place="", by=alice, now=now)
    eve = running.add_by_name(club, "Eve", by=alice, now=now)
    joined = running.join(running.make_link(club, by=alice, now=now), bob, now=now)
    running.answer(evening, eve, Attendance.Answer.YES, by=alice)
    running.answer(evening, joined, Attendance.Answer.MAYBE, by=bob)
    running.answer(evening, joined, Attendance.Answer.NO, by=bob)
    with pytest.raises(ClubError, match="Only bob can answer this"):
        running.answer(evening, joined, Attendance.Answer.YES, by=alice)
    assert dict(evening.attendances.values_list("member__name", "answer")) == {"Eve": "yes", "bob": "no"}


def test_a_point_for_each_player_one_finishes_ahead_of_and_half_for_ties(club: Club, now: datetime) -> None:
    play([(["Ada", "Bea", "Cem", "Dan"], [1, 2, 2, 4]), (["Ada", "Bea"], [2, 1])], now, club=club)
    assert names(club) == [("Ada", "3"), ("Bea", "2½"), ("Cem", "1½"), ("Dan", "0")]
    assert [row.games for row in points_table(club).rows] == [2, 2, 1, 1]


def test_fewer_games_come_first_and_equal_lines_share_their_place(club: Club, now: datetime) -> None:
    play([(["Ada", "Bea"], [1, 2]), (["Cem", "Dan"], [1, 2]), (["Cem", "Dan"], [2, 1])], now, club=club)
    rows = points_table(club).rows
    assert [(row.name, row.place) for row in rows] == [("Ada", 1), ("Cem", 2), ("Dan", 2), ("Bea", 4)]


def test_arrows_compare_with_the_evening_before(club: Club, now: datetime) -> None:
    play([(["Ada", "Bea"], [1, 2])], now, club=club)
    play([(["Ada", "Bea"], [2, 1])] * 2, now + DAY, club=club)
    assert [(row.name, row.climbed) for row in points_table(club).rows] == [("Bea", 1), ("Ada", -1)]


def test_an_annulled_game_gives_no_points(club: Club, now: datetime) -> None:
    (game,) = play([(["Ada", "Bea"], [1, 2])], now, club=club)
    annul(game, now + DAY)
    assert names(club) == []


def test_a_season_counts_its_days_and_its_final_table_stays(club: Club, alice: User, now: datetime) -> None:
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date() + 9 * DAY, by=alice)
    play([(["Ada", "Bea"], [1, 2])], now - DAY, club=club)
    play([(["Bea", "Ada"], [1, 2])], now, club=club)
    with pytest.raises(ClubError, match="Close the current season first"):
        running.begin_season(club, name="Next", begins=now.date(), ends=now.date(), by=alice)
    running.close_season(season, by=alice, now=now)
    play([(["Ada", "Bea"], [1, 2])] * 3, now + DAY, club=club)
    table = table_of(club, Season.objects.get())
    assert [(row["name"], row["points"]) for row in table["rows"]] == [("Bea", 1), ("Ada", 0)]


def test_an_evening_is_a_calendar_file(club: Club, alice: User, now: datetime) -> None:
    evening = running.plan(
        club, date(2026, 12, 4), begins=time(19, 30), place="Café; Ameise, Bologna", by=alice, now=now
    )
    text = calendar_of(evening, url="https://atta.example/clubs/formica/", site="atta.example", now=now)
    assert "DTSTART:20261204T193000\r\nDTEND:20261204T223000\r\nSUMMARY:Casa Formica" in text
    assert "LOCATION:Café\\; Ameise\\, Bologna" in text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))


def organiser(club: Club, account: User, now: datetime) -> ClubMember:
    """Have an account join a club and organise it."""
    owner = club.members.get(role="owner").account
    assert owner
    member = running.join(running.make_link(club, by=owner, now=now), account, now=now)
    running.give_role(member, ClubMember.Role.ORGANISER, by=owner, now=now)
    return ClubMember.objects.get(pk=member.pk)


def test_organisers_do_not_depose_each_other(club: Club, alice: User, bob: User, mallory: User, now: datetime) -> None:
    for account in (bob, mallory):
        organiser(club, account, now)
    for other in (alice, bob):
        with pytest.raises(ClubError, match="Only an owner of the club can remove organisers"):
            organising.dismiss_organiser(club, other, by=mallory, now=now)
    with pytest.raises(ClubError, match="A club needs an owner"):
        organising.dismiss_organiser(club, alice, by=alice, now=now)
    organising.dismiss_organiser(club, mallory, by=mallory, now=now)
    organising.dismiss_organiser(club, bob, by=alice, now=now)
    assert club.organisers.get() == alice


def test_nobody_becomes_an_organiser_without_having_joined(
    club: Club, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    with pytest.raises(ClubError, match="bob has to join the club first"):
        organising.name_organiser(club, bob, by=alice, now=now)
    make_moderator(mallory, now=now)
    organising.name_organiser(club, bob, by=User.objects.get(pk=mallory.pk), now=now)
    assert set(club.organisers.all()) == {alice, bob}


def test_a_final_table_has_the_names_that_players_have_now(
    club: Club, alice: User, now: datetime, client: Client
) -> None:
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=alice)
    play([(["Ada", "Bea"], [1, 2])], now, club=club)
    running.close_season(season, by=alice, now=now)
    Player.objects.filter(name="Ada").update(name="Former player 1")
    query = f"?season={season.pk}"
    for address in (f"seasons/{season.pk}/", f"table.csv{query}", f"table.json{query}"):
        text = client.get(f"/clubs/formica/{address}").content.decode()
        assert "Former player 1" in text
        assert "Ada" not in text


def test_a_name_can_be_seen_and_has_64_letters_at_most(club: Club, alice: User, now: datetime) -> None:
    with pytest.raises(ClubError, match="A name may have at most 64 characters"):
        running.add_by_name(club, "a" * 65, by=alice, now=now)
    with pytest.raises(ClubError, match="Enter the name as it appears in your logs"):
        running.add_by_name(club, "  ", by=alice, now=now)


def test_the_last_day_of_all_is_a_calendar_file_but_cannot_be_planned(club: Club, alice: User, now: datetime) -> None:
    for begins in (None, time(23)):
        evening = Evening(club=club, day=date.max, begins=begins)
        assert "BEGIN:VEVENT" in calendar_of(evening, url="https://atta.example/", site="atta.example", now=now)
    with pytest.raises(ClubError, match="at most five years ahead"):
        running.plan(club, date.max, begins=None, place="", by=alice, now=now)


def test_evenings_and_seasons_of_a_club_are_limited(
    club: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MOST_EVENINGS", 1)
    monkeypatch.setattr(running, "MOST_SEASONS", 1)
    running.plan(club, now.date(), begins=None, place="", by=alice, now=now)
    with pytest.raises(ClubError, match="at most 1 planned evenings"):
        running.plan(club, now.date() + DAY, begins=None, place="", by=alice, now=now)
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=alice)
    running.close_season(season, by=alice, now=now)
    with pytest.raises(ClubError, match="at most 1 seasons"):
        running.begin_season(club, name="Next", begins=now.date(), ends=now.date(), by=alice)


def test_who_founds_a_club_holds_the_account_before_counting(alice: User, now: datetime) -> None:
    with CaptureQueriesContext(connection) as seen:
        running.found(slug="formica", name="C", meets="", main_ruleset="", by=alice, now=now)
    said = [query["sql"] for query in seen]
    held = next(n for n, sql in enumerate(said) if "auth_user" in sql and "FOR NO KEY UPDATE" in sql)
    assert held < next(n for n, sql in enumerate(said) if "COUNT(" in sql)


@pytest.mark.full
def test_changes_of_clubs_are_throttled(
    club: Club, alice: User, client: Client, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setitem(ClubThrottle.THROTTLE_RATES, "club", "1/hour")
    client.force_login(alice)
    client.post("/clubs/formica/act/", {"act": "add", "name": "Ada"})
    answer = client.post("/clubs/formica/act/", {"act": "add", "name": "Bea"}, follow=True)
    assert "Too many changes at once" in answer.content.decode()
    assert "Too many changes at once" in client.post("/clubs/new/", follow=True).content.decode()
    link = running.make_link(club, by=alice, now=now)
    changes = [f"/clubs/formica/{path}/" for path in ("edit", "organisers", "organisers/dismiss")]
    for path in (*changes, f"/j/{token_of(link.nonce, link.digest)}/"):
        answer = client.post(path, {"name": "Other", "organiser": "alice"}, follow=True)
        assert "Too many changes at once" in answer.content.decode()
    club.refresh_from_db()
    assert club.name != "Other"
    assert not club.members.filter(name="Bea").exists()


def test_a_page_adds_up_points_in_three_queries_and_shows_200_lines_at_most(
    club: Club, now: datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    play([(["Ada", "Bea"], [1, 2])], now, club=club)
    monkeypatch.setattr(pages, "MOST_LINES", 1)
    with CaptureQueriesContext(connection) as seen:
        page = client.get("/clubs/formica/").context["page"]
    assert [line.name for line in page.table] == ["Ada"]
    assert sum("games_ratingevent" in query["sql"] and "COALESCE" in query["sql"] for query in seen) == 3


def test_a_link_that_was_replaced_meanwhile_lets_nobody_in(club: Club, alice: User, bob: User, now: datetime) -> None:
    opened = running.make_link(club, by=alice, now=now)
    running.make_link(club, by=alice, now=now)
    with pytest.raises(ClubError, match="This link no longer works"):
        running.join(opened, bob, now=now)


def test_who_has_left_meanwhile_gets_no_role_and_no_answer(club: Club, alice: User, bob: User, now: datetime) -> None:
    evening = running.plan(club, now.date(), begins=None, place="", by=alice, now=now)
    member = organiser(club, bob, now)
    number = member.pk
    running.remove(member, by=alice, now=now)
    stale = ClubMember(pk=number, club=club, account=bob, name="bob", role="organiser", joined_at=now)
    changes: tuple[Callable[[], object], ...] = (
        lambda: running.give_role(stale, ClubMember.Role.OWNER, by=alice, now=now),
        lambda: running.remove(stale, by=alice, now=now),
        lambda: running.answer(evening, stale, Attendance.Answer.YES, by=bob),
    )
    for change in changes:
        with pytest.raises(ClubError, match="bob is no longer a member"):
            change()
    assert club.organisers.get() == alice


def test_an_evening_that_was_cancelled_meanwhile_takes_no_answer(club: Club, alice: User, now: datetime) -> None:
    evening = running.plan(club, now.date(), begins=None, place="", by=alice, now=now)
    running.cancel(Evening.objects.get(), by=alice)
    with pytest.raises(ClubError, match="This evening was cancelled"):
        running.answer(evening, club.members.get(), Attendance.Answer.YES, by=alice)


def test_a_clubs_rows_are_changed_only_with_the_club_locked(club: Club, alice: User, now: datetime) -> None:
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=alice)
    changes: tuple[Callable[[], object], ...] = (
        lambda: running.add_by_name(club, "Eve", by=alice, now=now),
        lambda: running.make_link(club, by=alice, now=now),
        lambda: scheduling.draw(season, "round-robin", 2, by=alice, now=now),
        lambda: running.close_season(season, by=alice, now=now),
    )
    for change in changes:
        with CaptureQueriesContext(connection) as seen:
            change()
        first = next(query["sql"] for query in seen if query["sql"].startswith("SELECT"))
        assert 'FROM "games_club"' in first
        assert "FOR NO KEY UPDATE" in first


def test_evenings_of_the_last_year_count_and_earlier_ones_are_refused(
    club: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MOST_EVENINGS", 1)
    with pytest.raises(ClubError, match="at most a year afterwards"):
        running.plan(club, now.date() - 367 * DAY, begins=None, place="", by=alice, now=now)
    running.plan(club, now.date() - 300 * DAY, begins=None, place="", by=alice, now=now)
    with pytest.raises(ClubError, match="at most 1 planned evenings"):
        running.plan(club, now.date() - 299 * DAY, begins=None, place="", by=alice, now=now)


def test_a_players_page_names_a_club_that_is_not_listed_to_its_members_only(
    club: Club, alice: User, now: datetime, client: Client
) -> None:
    play([(["Ada", "Bea"], [1, 2])], now, club=club)
    page = Player.objects.get(name="Ada").get_absolute_url()
    assert "Casa Formica" not in client.get(page).content.decode()
    client.force_login(alice)
    assert "Casa Formica" in client.get(page).content.decode()
    client.logout()
    Club.objects.update(listed_at=now)
    assert "Casa Formica" in client.get(page).content.decode()


def test_search_engines_leave_out_every_page_of_a_club_that_is_not_listed(
    club: Club, alice: User, now: datetime, client: Client
) -> None:
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=alice)
    (game,) = play([(["Ada", "Bea"], [1, 2])], now, club=club)
    ladder = f"leaderboards/{game.ruleset}/"
    parts = ("", "table.csv", "table.json", "games.atom", f"seasons/{season.pk}/", ladder, f"{ladder}games.atom")
    tags = {part: client.get(f"/clubs/formica/{part}").get("X-Robots-Tag") for part in parts}
    assert tags == dict.fromkeys(parts, "noindex")
    Club.objects.update(listed_at=now)
    assert "X-Robots-Tag" not in client.get("/clubs/formica/")


def test_a_line_of_a_table_has_the_evenings_of_the_table(
    club: Club, now: datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "EVENINGS", 1)
    for day in (now - DAY, now):
        play([(["Ada", "Bea"], [1, 2])], day, club=club)
    for address in ("/clubs/formica/table.json", "/api/v1/clubs/formica/points"):
        table = client.get(address).json()
        assert table["evenings"] == [now.date().isoformat()]
        assert [list(row["evenings"]) for row in table["rows"]] == [table["evenings"]] * 2
        assert table["rows"][0]["points"] == 2
