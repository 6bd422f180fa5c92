"""One person, however the text of their name was typed: on every road, a name is looked up by one key."""

import gzip
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from rest_framework.test import APIClient

from games.accounts.deletion import delete_account
from games.audit.check import Audit
from games.clubs import running
from games.clubs.errors import ClubError
from games.clubs.reads.clubs import find_account
from games.consent.confirmations import confirm
from games.invitations.reads.invitations import names_in
from games.models import Acceptance, Club, ClubMember, Game, MoveLog, Player, Standing, Upload
from games.players.claims import decide_claim, make_claim
from games.playing.errors import PlayError
from games.playing.site_names import accounts_named
from games.records.reads.replays import record_of
from games.run import rate_waiting
from games.uploads import splitting
from tests.factories import duels, record
from tests.games.judging import count_all, judge_all
from tests.games.uploading import store_file, upload_file
from tests.games.web.conftest import UploadRecords

pytestmark = pytest.mark.django_db
CASE = Path(__file__).parents[3] / "fixtures/agn/games/army-ants-one-name-in-two-forms.agn"
JOSE, LOOSE = "Jos\u00e9", "Jose\u0301"
FORMS = [
    (JOSE, LOOSE),
    ("\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
    ("Nguy\u1ec5n V\u0103n", "Nguye\u0302\u0303n\u2009 Va\u0306n"),
    ("Ada B", "Ada\u00a0B"),
    ("\u87fb \u87fb", "\u87fb\u3000\u87fb"),
    ("Ada B", "\u2003Ada   B\u00a0"),
]
SITES = ["Caf\u00e9 Hall", "Cafe\u0301 Hall", " Caf\u00e9\u00a0Hall", "Caf\u00e9\tHall", "Caf\u00e9\u3000 Hall "]


def players() -> list[tuple[str, str]]:
    return list(Player.objects.order_by("name", "source").values_list("name", "source"))


def test_the_case_is_one_player_with_two_games(now: datetime, client: Client) -> None:
    played = now + timedelta(days=60)
    upload = upload_file(CASE.read_bytes(), via=Upload.Via.WEB, now=played)
    count_all(played)
    assert players() == [("Ann", "Hall"), (JOSE, "Hall")]
    player = Player.objects.get(name=JOSE)
    assert player.seatings.count() == 2
    assert Standing.objects.get(player=player).games == 2
    for path in (player.get_absolute_url(), upload.get_absolute_url(), "/games/", "/players/", "/leaderboards/"):
        page = client.get(path).content.decode()
        assert "\u27e8U+" not in page, path
        assert LOOSE not in page, path
    first, second = (bytes(log.data).decode() for log in upload.logs.order_by("number"))
    assert (JOSE in first, LOOSE in second) == (True, True)
    assert list(Audit().run()) == []


@pytest.mark.parametrize(("shown", "typed"), FORMS)
def test_a_name_in_two_forms_is_one_player(upload_records: UploadRecords, shown: str, typed: str) -> None:
    one, other = duels(2)
    upload_records(one.replace(b"Ada", shown.encode()), other.replace(b"Ada", typed.encode()))
    assert [name for name, _ in players()] == sorted([shown, "Bruno"])


def test_a_site_in_several_forms_is_one_source(upload_records: UploadRecords) -> None:
    upload_records(*(duel.replace(b"[Setup", f'[Site "{site}"]\n[Setup'.encode(), 1)
                     for duel, site in zip(duels(len(SITES)), SITES, strict=True)))  # fmt: skip
    assert {source for _, source in players()} == {SITES[0]}
    assert Player.objects.count() == 2


def test_names_that_only_look_alike_are_several_players(upload_records: UploadRecords) -> None:
    upload_records(*duels(1, names=("fi", "\ufb01")), record(names=("\uff46i", "Fi")))
    assert Player.objects.count() == 4


def test_the_same_play_with_names_in_two_forms_is_the_same_game(
    upload_records: UploadRecords, alice: User, bob: User
) -> None:
    (first,) = upload_records(record(names=(JOSE, "Bruno"), Site="Hall"), uploader=alice)
    (second,) = upload_records(record(names=(LOOSE, "Bruno"), Site=" Hall"), uploader=bob)
    assert first == second
    assert Game.objects.count() == 1


def test_an_upload_in_another_form_confirms_the_uploaders_seat(
    upload_records: UploadRecords, alice: User, bob: User, now: datetime
) -> None:
    (game,) = upload_records(record(names=(JOSE, "Bruno")), uploader=alice)
    claim = make_claim(Player.objects.get(name=JOSE), bob, now=now)
    decide_claim(claim, approve=True, by=alice, now=now)
    later = now + timedelta(days=1)
    upload_file(record(names=(LOOSE, "Bruno")), via=Upload.Via.WEB, now=later, uploader=bob)
    judge_all(now)
    assert game.confirmations.get(account=bob).how == "upload"


def test_a_rated_game_in_another_form_agrees_with_what_is_recomputed(now: datetime, alice: User, bob: User) -> None:
    for number, (name, duel) in enumerate(zip((JOSE, LOOSE, f"{JOSE}"), duels(3, names=("X", "Bruno")), strict=True)):
        upload_file(duel.replace(b'"X"', f'"{name}"'.encode()), via=Upload.Via.WEB, now=now, uploader=alice)
        judge_all(now)
        if not number:
            for player, account in (("Bruno", alice), (JOSE, bob)):
                claim = make_claim(Player.objects.get(name=player), account, now=now)
                decide_claim(claim, approve=True, by=None, answer="I know.", now=now)
    for game in Game.objects.order_by("pk"):
        for account in (alice, bob):
            confirm(game, account, now=now)
    rate_waiting(now=now)
    assert Acceptance.objects.count() == 3
    assert list(Audit().run()) == []
    call_command("fsck")


def test_a_deleted_account_leaves_its_name_in_no_form(
    upload_records: UploadRecords, alice: User, bob: User, now: datetime
) -> None:
    one, other = duels(2)
    rejected = record("NS@0,2 R1:N R2:N R1:E / *", names=(LOOSE, "Bruno"))
    upload_records(one.replace(b"Ada", JOSE.encode()), other.replace(b"Ada", LOOSE.encode()), rejected, uploader=alice)
    claim = make_claim(Player.objects.get(name=JOSE), bob, now=now)
    decide_claim(claim, approve=True, by=alice, now=now)
    delete_account(bob, now=now)
    for log in MoveLog.objects.all():
        assert b"Jos" not in record_of(log).data
        assert "Jos" not in log.text + json.dumps(log.seats, ensure_ascii=False)


def test_accounts_are_found_by_their_names_in_any_form(now: datetime) -> None:
    account = User.objects.create_user(JOSE)
    assert find_account(f" {LOOSE} ") == account
    assert accounts_named([LOOSE, JOSE]) == [account]
    with pytest.raises(PlayError):
        accounts_named(["Jose"])
    call_command("make_moderator", LOOSE)
    call_command("end_sessions", LOOSE)
    call_command("make_token", f" {LOOSE}")
    with pytest.raises(CommandError):
        call_command("import", str(CASE), "--user", "Jose")
    call_command("import", str(CASE), "--user", LOOSE)
    assert Upload.objects.get().uploader == account
    assert User.objects.count() == 1


def test_signing_in_and_deleting_take_a_name_in_any_form(client: Client) -> None:
    User.objects.create_user(JOSE, password="long enough for this")
    typed = {"login": f"{LOOSE}\u00a0", "password": "long enough for this"}
    assert client.post("/account/login/", typed).status_code in (302, 303)
    assert client.post("/account/delete/", {"name": f"{LOOSE}"}).status_code in (302, 303)


@pytest.fixture
def club(alice: User, now: datetime) -> Club:
    return running.found(slug="formica", name=" Cafe\u0301\u2003Formica", meets="", main_ruleset="", by=alice, now=now)


def test_a_member_is_listed_once_whatever_the_form(club: Club, alice: User, now: datetime) -> None:
    assert club.name == "Caf\u00e9 Formica"
    member = running.add_by_name(club, f"{LOOSE}\u00a0 B", by=alice, now=now)
    assert member.name == f"{JOSE} B"
    with pytest.raises(ClubError, match="already a member"):
        running.add_by_name(club, f"{JOSE} B", by=alice, now=now)
    assert ClubMember.objects.filter(club=club, account=None).count() == 1


@pytest.mark.parametrize("road", ["page", "API", "command", "packed file"])
def test_each_road_stores_one_player(
    road: str, client: Client, call: Callable[[User | None], APIClient], alice: User, now: datetime
) -> None:
    played = now + timedelta(days=60)
    if road == "page":
        client.post("/upload/", {"text": CASE.read_text()})
    elif road == "API":
        call(alice).post("/api/v1/uploads", CASE.read_bytes(), content_type="text/plain")
    elif road == "command":
        call_command("import", str(CASE))
    else:
        store_file(gzip.compress(CASE.read_bytes()), alice, played)
        splitter = splitting.claim()
        assert splitter
        assert sum(splitting.split(splitter, clock=lambda: played, pulse=lambda: None)) == 2
    judge_all(played)
    assert players() == [("Ann", "Hall"), (JOSE, "Hall")]


def test_names_whose_composed_form_is_longer_are_stored(
    upload_records: UploadRecords, alice: User, now: datetime
) -> None:
    long = "\u0958" * 120
    upload_records(record(names=("\u0958" * 32, "Bruno"), Site="\u0958" * 250))
    assert {len(source) for _, source in players()} == {255}
    assert max(len(name) for name, _ in players()) == 64
    club = running.found(slug="nadi", name=long[:80], meets=long, main_ruleset="", by=alice, now=now)
    running.plan(club, now.date(), begins=None, place=long, by=alice, now=now)
    assert (len(club.name), len(club.meets)) == (80, 120)
    with pytest.raises(ClubError, match="at most 64"):
        running.add_by_name(club, long[:64], by=alice, now=now)
    assert list(Audit().run()) == []


def test_an_invitation_is_for_one_name_whatever_its_forms(alice: User, now: datetime) -> None:
    one, other = duels(2)
    data = b"\n".join([one.replace(b"Ada", JOSE.encode()), other.replace(b"Ada", LOOSE.encode())])
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    found = names_in(Game.objects.filter(logs__upload=upload))
    assert sorted(one.player.name for one in found) == ["Bruno", JOSE]


def test_a_filter_finds_games_however_a_name_is_typed(upload_records: UploadRecords, client: Client) -> None:
    one, other = duels(2)
    games = upload_records(one.replace(b"Ada", JOSE.encode()), other.replace(b"Ada", LOOSE.encode()))
    for typed in (JOSE, LOOSE, "jose", "JOSE\u0301", f" {LOOSE}"):
        found = client.get("/api/v1/games", {"player": typed}).json()["games"]
        assert {one["key"] for one in found} == {game.key for game in games}
        assert b"".join(client.get("/api/v1/games/export", {"player": typed})).count(b"[Game ") == len(games)
        page = client.get("/games/", {"player": typed}).content.decode()
        assert all(game.get_absolute_url() in page for game in games)
