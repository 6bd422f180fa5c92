"""Clubs in the API."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.throttling import ScopedRateThrottle
from structlog.testing import capture_logs

from games.api import club_evenings
from games.clubs import organising, running
from games.models import Club, ClubMember, Evening, Game, Upload
from games.moderation.moderators import make_moderator
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import duels
from tests.games.evenings import play
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def nest(alice: User, now: datetime) -> Club:
    """A club of Alice's with two games."""
    nest = organising.found(slug="nest", name="The nest", about="Thursdays.", organiser=alice, now=now)
    upload_file(b"\n".join(duels(2)), via=Upload.Via.WEB, now=now, uploader=alice, options=UploadOptions(club=nest))
    judge_all(now)
    rate_waiting(now=now)
    return nest


def test_all_clubs_are_listed_by_name(nest: Club, bob: User, client: Client, now: datetime) -> None:
    organising.found(slug="hill", name="Ant hill", about="", organiser=bob, now=now)
    clubs = client.get("/api/v1/clubs").json()
    assert [(club["name"], club["games"]) for club in clubs] == [("Ant hill", 0), ("The nest", 2)]
    assert clubs[1]["page"].endswith("/clubs/nest/")


def test_clubs_are_listed_a_hundred_per_page(client: Client, now: datetime, db: None) -> None:
    Club.objects.bulk_create(
        Club(slug=f"n{number}", name=f"{number:03}", created_at=now, listed_at=now) for number in range(101)
    )
    first = client.get("/api/v1/clubs")
    assert first["Link"] == '<http://testserver/api/v1/clubs?start=100>; rel="next"'
    last = client.get("/api/v1/clubs?start=100")
    assert (len(first.json()), [club["name"] for club in last.json()]) == (100, ["100"])
    assert "Link" not in last
    assert client.get("/api/v1/clubs?start=-1").status_code == 400


def test_club_shows_its_description_organisers_and_ladders(nest: Club, client: Client) -> None:
    address = client.get("/api/v1/clubs").json()[0]["url"]

    shown = client.get(address).json()

    assert (shown["slug"], shown["about"], shown["organisers"], shown["games"]) == ("nest", "Thursdays.", ["alice"], 2)
    (ladder,) = shown["ladders"]
    assert (ladder["ruleset"], ladder["title"], ladder["players"]) == (
        "atta-ants-online", "Atta Ants, online rules", 2,
    )  # fmt: skip
    assert client.get(ladder["url"]).json()["club"] == "nest"


def test_unknown_club_is_not_found(client: Client, browse: Callable[..., Client], db: None) -> None:
    assert client.get("/api/v1/clubs/none").json()["error"]["code"] == "not_found"


FORMICA = {"slug": "Formica", "name": "Casa Formica", "about": "Ants.", "meets": "Fridays", "main_ruleset": ""}


@pytest.fixture
def formica(alice: User, api: Callable[..., Any]) -> Any:
    """A club that Alice has just founded by API, as what sends her requests."""
    ask = api(alice)
    assert ask("post", "/clubs", FORMICA)["slug"] == "formica"
    return ask


@pytest.fixture
def api(browse: Callable[..., Client]) -> Callable[..., Any]:
    """What sends requests of an account and returns their answers; errors as their status and sentence."""

    def of(account: User | None = None) -> Callable[..., Any]:
        client = browse(account) if account else browse()

        def ask(method: str, path: str, body: object = None) -> Any:
            send = getattr(client, method)
            answer = send(f"/api/v1{path}", body, content_type="application/json") if body else send(f"/api/v1{path}")
            content: Any = answer.json() if answer.content else None
            return (answer.status_code, content["error"]["message"]) if answer.status_code >= 400 else content

        return ask

    return of


def read_in(ask: Any, club: str) -> dict[str, str]:
    """Return what a decision says about the texts of a club that were read."""
    return {"texts_version": ask("get", f"/clubs/{club}")["texts_version"]}


def test_who_founds_a_club_owns_it_and_it_is_not_listed_yet(formica: Any, api: Callable[..., Any], bob: User) -> None:
    club = formica("get", "/clubs/formica")
    assert (club["your_role"], club["listed"], club["about"], club["meets"]) == ("owner", False, "Ants.", "Fridays")
    assert api()("get", "/clubs") == []
    assert [club["slug"] for club in formica("get", "/account/clubs")] == ["formica"]
    assert api(bob)("post", "/clubs", FORMICA) == (409, "This address belongs to another club: Casa Formica.")
    reserved = "The site itself uses this address. Choose another one."
    assert api(bob)("post", "/clubs", FORMICA | {"slug": "bots"}) == (400, reserved)
    named = "Only a moderator can name another first organiser."
    assert api(bob)("post", "/clubs", FORMICA | {"slug": "x", "organiser": "alice"}) == (403, named)


def test_a_moderator_founds_a_club_for_another_and_lists_one(
    formica: Any, api: Callable[..., Any], bob: User, mallory: User, now: datetime
) -> None:
    make_moderator(mallory, now=now)
    judge = api(User.objects.get(pk=mallory.pk))
    assert judge("post", "/clubs", FORMICA | {"slug": "hill", "organiser": "bob"})["organisers"] == ["bob"]
    assert judge("post", "/clubs/formica/listing", read_in(judge, "formica"))["listed"]
    assert judge("post", "/clubs/formica/listing", read_in(judge, "formica")) == (
        409,
        "Casa Formica is already listed.",
    )
    reason = {"reason": "Nobody is in it."}
    assert not judge("post", "/clubs/formica/unlisting", read_in(judge, "formica") | reason)["listed"]
    refused = formica("post", "/clubs/hill/listing", read_in(judge, "hill"))
    assert refused == (403, "Only a moderator who is not a member can decide whether a club is listed.")
    assert [club["slug"] for club in api()("get", "/clubs")] == ["hill"]


@pytest.mark.parametrize("decision", ["listing", "unlisting"])
def test_a_decision_about_texts_that_have_changed_is_refused(
    formica: Any, api: Callable[..., Any], mallory: User, now: datetime, decision: str
) -> None:
    make_moderator(mallory, now=now)
    judge = api(User.objects.get(pk=mallory.pk))
    read = read_in(judge, "formica") | {"reason": "Read."}
    formica("put", "/clubs/formica", FORMICA | {"about": "Spam"})
    changed = "The name or description of this club has changed. Read it again before you decide."
    assert judge("post", f"/clubs/formica/{decision}", read) == (409, changed)
    assert judge("post", f"/clubs/formica/{decision}") == (400, "This field is required.")


@pytest.mark.full
def test_a_listed_club_with_another_name_or_description_waits_for_review(
    formica: Any, api: Callable[..., Any], mallory: User, now: datetime
) -> None:
    make_moderator(mallory, now=now)
    judge = api(User.objects.get(pk=mallory.pk))
    for change, listed in (
        ({"main_ruleset": "ant-trails-2020"}, True),
        ({"meets": "Mondays"}, False),
        ({"name": "Other"}, False),
        ({"about": "Spam"}, False),
    ):
        judge("put", "/clubs/formica", FORMICA)
        judge("post", "/clubs/formica/listing", read_in(judge, "formica"))
        assert formica("put", "/clubs/formica", FORMICA | change)["listed"] is listed
    judge("post", "/clubs/formica/listing", read_in(judge, "formica"))
    assert judge("put", "/clubs/formica", FORMICA | {"name": "Reviewed"})["listed"]


@pytest.mark.parametrize(("organiser", "text"), [("", "about"), ("bob", "meets")], ids=["own", "for-others"])
def test_no_club_is_founded_when_one_of_its_texts_is_refused(
    call: Any, alice: User, bob: User, organiser: str, text: str, now: datetime
) -> None:
    make_moderator(alice, now=now)
    body = {"slug": "hill", "name": "Ant hill", text: "Fridays\u202e"} | ({"organiser": organiser} if organiser else {})
    answer = call(alice).post("/api/v1/clubs", body, format="json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unseen")
    assert not Club.objects.exists()


def test_invisible_characters_are_refused_with_their_parameter(formica: Any, client: Client, alice: User) -> None:
    client.force_login(alice)
    body = {"name": "Spring\u202e", "begins": "2026-01-01", "ends": "2026-06-30"}
    answer = client.post("/api/v1/clubs/formica/seasons", body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unseen")
    assert answer.json()["error"]["place"] == {"parameter": "name"}


def test_own_clubs_are_listed_a_hundred_per_page(formica: Any, client: Client, alice: User, now: datetime) -> None:
    clubs = [Club(slug=f"c{number}", name=f"C {number:03}", created_at=now) for number in range(100)]
    ClubMember.objects.bulk_create(
        [ClubMember(club=club, account=alice, name="alice", joined_at=now) for club in Club.objects.bulk_create(clubs)]
    )
    client.force_login(alice)
    first = client.get("/api/v1/account/clubs")
    assert (len(first.json()), first["Link"]) == (100, '<http://testserver/api/v1/account/clubs?start=100>; rel="next"')
    rest = client.get("/api/v1/account/clubs?start=100")
    assert [club["name"] for club in rest.json()] == ["Casa Formica"]


def statements(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address).status_code == 200
    return len(seen)


def test_an_evening_takes_as_many_statements_for_many_answers_as_for_one(formica: Any, client: Client) -> None:
    evening = formica("post", "/clubs/formica/evenings", {"day": str(timezone.now().date())})["id"]
    addresses = ("/api/v1/clubs/formica", "/api/v1/clubs/formica/evenings", f"/api/v1/clubs/formica/evenings/{evening}")

    def counted() -> list[int]:
        member = formica("post", "/clubs/formica/members", {"name": f"Ant {len(coming)}"})["id"]
        answer = formica("put", f"/clubs/formica/evenings/{evening}/answer", {"answer": "yes", "member": member})
        coming[:] = answer["coming"]
        return [statements(client, address) for address in addresses]

    coming: list[str] = []
    first = counted()
    assert [counted() for _ in range(3)] == [first] * 3
    assert coming == ["Ant 0", "Ant 1", "Ant 2", "Ant 3"]


def test_no_cache_and_no_log_knows_the_token_of_a_link(formica: Any, client: Client) -> None:
    token = formica("post", "/clubs/formica/link")["link"].split("/")[-2]
    with capture_logs() as logged:
        answer = client.get(f"/api/v1/joins/{token}")
    assert "no-store" in answer["Cache-Control"]
    assert [line["path"] for line in logged if line["event"] == "request"] == ["/api/v1/joins/…"]


@pytest.mark.full
def test_people_join_by_a_link_and_get_roles(formica: Any, api: Callable[..., Any], bob: User) -> None:
    guest = api(bob)
    assert guest("get", "/clubs/formica/link") == (403, "Only owners and organisers of the club can do this.")
    token = formica("post", "/clubs/formica/link")["link"].split("/")[-2]
    assert formica("get", "/clubs/formica/link")["link"].split("/")[-2] == token
    assert guest("get", f"/joins/{token}")["club"]["name"] == "Casa Formica"
    member = guest("post", f"/joins/{token}")
    assert (member["name"], member["role"], member["you"]) == ("bob", "member", True)
    here = f"/clubs/formica/members/{member['id']}"
    assert formica("put", f"{here}/role", {"role": "organiser"})["role"] == "organiser"
    assert formica("get", "/clubs/formica")["organisers"] == ["alice", "bob"]
    assert formica("post", "/clubs/formica/organisers/dismissal", {"account": "bob"})["organisers"] == ["alice"]
    assert guest("delete", here) is None
    assert [one["name"] for one in formica("get", "/clubs/formica/members")] == ["alice"]


@pytest.mark.full
def test_an_evening_is_planned_and_answered(formica: Any, api: Callable[..., Any], bob: User) -> None:
    eve = formica("post", "/clubs/formica/members", {"name": "Eve"})
    day = timezone.now().date() + timedelta(days=3)
    evening = formica("post", "/clubs/formica/evenings", {"day": str(day), "begins": "19:30", "place": "Café"})
    assert [one["name"] for one in evening["answers"]] == ["alice", "Eve"]
    here = f"/clubs/formica/evenings/{evening['id']}"
    formica("put", f"{here}/answer", {"answer": "yes"})
    formica("put", f"{here}/answer", {"answer": "yes", "member": eve["id"]})
    assert api()("get", "/clubs/formica")["next_evening"]["coming"] == ["Eve", "alice"]
    assert api(bob)("put", f"{here}/answer", {"answer": "no"}) == (403, "Only members can say whether they are coming.")
    assert api()("get", "/clubs/formica/evenings")[0]["answers"] == []
    again = formica("post", "/clubs/formica/evenings", {"day": str(day)})
    assert again == (409, "An evening is already planned for this day.")
    assert formica("delete", here) is None


def test_planned_evenings_are_listed_twenty_at_a_time(formica: Any, client: Client) -> None:
    today = timezone.now().date()
    club = Club.objects.get()
    Evening.objects.bulk_create(Evening(club=club, day=today + timedelta(days=number)) for number in range(21))
    first = client.get("/api/v1/clubs/formica/evenings")
    assert first["Link"] == '<http://testserver/api/v1/clubs/formica/evenings?start=20>; rel="next"'
    last = client.get("/api/v1/clubs/formica/evenings?start=20")
    assert (len(first.json()), [one["day"] for one in last.json()]) == (20, [str(today + timedelta(days=20))])
    assert "Link" not in last


def test_the_games_of_a_season_are_given_as_recranks(
    nest: Club, alice: User, client: Client, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club_evenings, "REPLAYED", 1)
    day = now.date()
    season = running.begin_season(nest, name="Spring", begins=day - timedelta(99), ends=day + timedelta(99), by=alice)
    first = client.get(f"/api/v1/clubs/nest/seasons/{season.pk}/recranks")
    last = client.get(f"/api/v1/clubs/nest/seasons/{season.pk}/recranks?start=1")
    ids = {answer.json()[0]["header"]["site"]["gameid"] for answer in (first, last)}
    assert ids == set(Game.objects.values_list("key", flat=True))
    assert first["Link"].endswith('?start=1>; rel="next"')
    assert "Link" not in last


def test_a_season_begins_ends_and_keeps_its_points(formica: Any, api: Callable[..., Any], now: datetime) -> None:
    play([(["Ada", "Bea", "Cem"], [1, 2, 2])], now, club=Club.objects.get())
    today = str(now.date())
    season = formica("post", "/clubs/formica/seasons", {"name": "Autumn", "begins": today, "ends": today})
    points = api()("get", "/clubs/formica/points")
    assert points["season"]["name"] == "Autumn"
    assert [(row["name"], row["points"]) for row in points["rows"]] == [("Ada", 2.0), ("Bea", 0.5), ("Cem", 0.5)]
    formica("post", f"/clubs/formica/seasons/{season['id']}/closing")
    (evening,) = api()("get", "/clubs/formica/evenings/played")
    assert (evening["day"], evening["games"], evening["rows"][0]["points"]) == (today, 1, 2.0)
    assert api()("get", "/clubs/formica/seasons")[0]["closed_at"]
    assert api()("get", f"/clubs/formica/points?season={season['id']}")["rows"] == points["rows"]
    refused = api()("post", "/clubs/formica/seasons", {"name": "x", "begins": today, "ends": today})
    assert refused[0] == 401


def test_an_organiser_says_what_the_club_is(formica: Any, api: Callable[..., Any], bob: User) -> None:
    changed = {"name": "Formica", "about": "", "meets": "", "main_ruleset": "ant-trails-2020"}
    assert formica("put", "/clubs/formica", changed)["main_ruleset"] == "ant-trails-2020"
    assert api(bob)("put", "/clubs/formica", changed) == (403, "You may not do this.")
    assert formica("put", "/clubs/formica", {"about": "x"})[0] == 400


def test_changes_of_clubs_are_counted_and_reading_them_is_not(formica: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"club": "1/hour"})
    answers = [formica("post", "/clubs/formica/members", {"name": name}) for name in ("Eve", "Fay")]
    assert answers[-1][0] == 429
    assert formica("get", "/clubs/formica/members")


def test_addresses_of_leagues_lead_to_clubs(client: Client) -> None:
    answer = client.get("/api/v1/leagues/nest?x=1")
    assert (answer.status_code, answer["Location"]) == (301, "/api/v1/clubs/nest?x=1")


@pytest.mark.full
def test_a_schedule_is_drawn_played_and_removed(formica: Any, api: Callable[..., Any], now: datetime) -> None:
    for name in ("Ada", "Bea", "Cem"):
        formica("post", "/clubs/formica/members", {"name": name})
    today = str(now.date())
    season = formica("post", "/clubs/formica/seasons", {"name": "Autumn", "begins": today, "ends": today})
    here = f"/clubs/formica/seasons/{season['id']}/schedule"
    assert formica("get", here)[0] == 404
    drawn = formica("post", here, {"kind": "round-robin", "seats": 2})
    assert [len(one["tables"]) for one in drawn["rounds"]] == [2, 2, 2]
    assert formica("post", here, {"kind": "swiss"}) == (
        409, "This season has a schedule already. Remove it first.",
    )  # fmt: skip
    play([(["Ada", "Bea"], [1, 2])], now, club=Club.objects.get())
    tables = [table for one in api()("get", here)["rounds"] for table in one["tables"]]
    assert [sorted(table["names"]) for table in tables if table["played"]] == [["Ada", "Bea"]]
    assert formica("delete", here) is None
    swiss = formica("post", here, {"kind": "swiss", "seats": 2})["rounds"]
    assert swiss[0]["tables"][0]["names"] == ["Ada", "Bea"]
    assert len(formica("post", f"{here}/rounds")["rounds"]) == 2
