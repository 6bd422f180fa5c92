"""The migration to one key for names merges players that are the same, and says what it did."""

import json
from datetime import datetime, timedelta
from hashlib import sha256
from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from games.audit.check import Audit
from games.clubs import running
from games.consent.confirmations import confirm
from games.corrections.rerating import perform_waiting
from games.models import (
    Act,
    Attendance,
    Claim,
    ClubMember,
    Correction,
    Evening,
    Game,
    MoveLog,
    Player,
    Seating,
    Standing,
    Upload,
)
from games.moderation.decisions import Decision, ModerationError, part
from games.players.claims import decide_claim, make_claim
from games.records.introductions import PRIVATE_FROM
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import duels, record
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
JOSE, LOOSE, WIDE = "Jos\u00e9 B", "Jose\u0301 B", "Jos\u00e9\u2003B"
MIGRATION = import_module("games.migrations.0074_one_key_for_names")


def migrate(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    MIGRATION.Merging(apps, "default").run()
    return capsys.readouterr().out


def fsck() -> list[dict[str, object]]:
    said = StringIO()
    try:
        call_command("fsck", "--json", stdout=said, stderr=StringIO())
    except SystemExit:
        assert said.getvalue()
    return [json.loads(line) for line in said.getvalue().splitlines()]


def as_before(name: str, typed: str, source: str | None = None) -> Player:
    """Store a player in the form that the code before the migration read, and what follows from it."""
    player = Player.objects.get(name=name)
    player.name, player.source = typed, player.source if source is None else source
    player.save()
    for log in MoveLog.objects.all():
        log.seats = [[letter, typed if one == name else one] for letter, one in log.seats]
        log.data, log.text = bytes(log.data).replace(name.encode(), typed.encode()), log.text.replace(name, typed)
        log.record_digest = sha256(log.text.encode()).hexdigest() if log.text else ""
        log.save()
    for game in Game.objects.exclude(seating=""):
        seats = list(game.seatings.order_by("seat").values_list("letter", "player__name", "player__source"))
        identity = "\n".join([seats[0][2], *(letter + name for letter, name, _ in seats)])
        game.seating = sha256(identity.encode()).hexdigest()[:32]
        game.save()
    return player


def upload(data: bytes, now: datetime, by: User | None = None, *, private: bool = False) -> Game:
    uploaded = upload_file(data, via=Upload.Via.WEB, now=now, uploader=by, options=UploadOptions(private=private))
    judge_all(now)
    game = uploaded.logs.get().game
    assert game
    return game


def three(now: datetime, by: User | None = None) -> tuple[Game, ...]:
    """Upload a game each of X1, X2 and X3 against Bruno."""
    data = [duel.replace(b"Ada", f"X{number}".encode()) for number, duel in enumerate(duels(3), 1)]
    return tuple(upload(one, now, by) for one in data)


def named_as_before() -> tuple[Player, Player, Player]:
    return as_before("X1", LOOSE), as_before("X2", JOSE), as_before("X3", WIDE)


def test_players_that_only_seats_name_become_one_row(now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    games = three(now)
    first, _, _ = named_as_before()
    assert {str(flaw["where"]) for flaw in fsck() if flaw["about"] == "player"} == {
        str({"player": player})
        for player in Player.objects.exclude(name__in=[JOSE, "Bruno"]).values_list("pk", flat=True)
    }
    assert "2 players merged at once" in migrate(capsys)
    assert list(Player.objects.order_by("name").values_list("name", flat=True)) == ["Bruno", JOSE]
    assert Player.objects.get(name=JOSE).pk == first.pk
    assert Seating.objects.filter(player=first, game__in=games).count() == 3
    assert {dict(log.seats)["R"] for log in MoveLog.objects.all()} == {JOSE}
    assert fsck() == []
    again = upload(record(names=(JOSE, "Bruno")), now)
    assert again.seatings.get(seat=0).player_id == first.pk


def test_the_same_file_uploaded_again_is_the_same_game(now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    game = upload(record(names=("X1", "Bruno")), now)
    as_before("X1", LOOSE)
    migrate(capsys)
    assert upload(record(names=(JOSE, "Bruno")), now) == game
    assert Game.objects.count() == 1


def test_rated_players_are_merged_with_their_ratings(
    client: Client, now: datetime, capsys: pytest.CaptureFixture[str]
) -> None:
    three(now)
    count_all(now)
    named_as_before()
    assert Standing.objects.count() == 4
    assert "2 players to be merged by the worker, with their ratings" in migrate(capsys)
    assert [flaw for flaw in fsck() if flaw["about"] == "player"] == []
    assert perform_waiting(now=lambda: now) == 2
    line = Standing.objects.get(player__name=JOSE)
    assert (line.games, Standing.objects.count()) == (3, 2)
    assert list(Audit().run()) == []
    assert fsck() == []
    found = client.get("/api/v1/players?name=jose").json()
    assert [(one["id"], one["name"]) for one in found] == [(line.player_id, JOSE)]
    for game in client.get("/api/v1/games").json()["games"]:
        assert game["seats"][0]["name"] == JOSE
    assert [one.name for one in client.get("/search/?q=jose").context["page"].players] == [JOSE]
    merged = Player.objects.filter(merged_into__isnull=False)[0]
    with pytest.raises(ModerationError, match="they stay one player"):
        part(merged, Decision(None, now, "Two people."))
    assert set(Act.objects.filter(kind="players-merged").values_list("reason", flat=True)) == {MIGRATION.REASON}


def test_the_account_of_any_form_gets_the_name(
    now: datetime, alice: User, bob: User, capsys: pytest.CaptureFixture[str]
) -> None:
    three(now, alice)
    decide_claim(make_claim(Player.objects.get(name="X3"), bob, now=now), approve=True, by=alice, now=now)
    asked = make_claim(Player.objects.get(name="X1"), User.objects.create_user("carol"), now=now)
    _, _, claimed = named_as_before()
    migrate(capsys)
    perform_waiting(now=lambda: now)
    named = Player.objects.get(name=JOSE)
    assert (named.pk, named.account) == (claimed.pk, bob)
    assert Claim.objects.get(pk=asked.pk).player == named
    assert {player.rated_id for player in Player.objects.exclude(name="Bruno")} == {named.pk}
    assert fsck() == []


def test_of_two_accounts_the_first_claimant_keeps_the_name(
    now: datetime, alice: User, bob: User, mallory: User, capsys: pytest.CaptureFixture[str]
) -> None:
    three(now, alice)
    for days, (name, account) in enumerate({"X2": bob, "X1": mallory}.items()):
        when = now + timedelta(days=days)
        decide_claim(make_claim(Player.objects.get(name=name), account, now=when), approve=True, by=alice, now=when)
    named_as_before()
    assert f"account {mallory.pk} no longer has the name" in migrate(capsys)
    perform_waiting(now=lambda: now)
    assert Player.objects.get(name=JOSE).account == bob
    assert not Player.objects.filter(account=mallory).exists()
    lost = Claim.objects.get(account=mallory)
    assert (lost.state, lost.answer) == ("revoked", MIGRATION.REVOKED)
    assert fsck() == []


def test_a_confirmed_game_counts_once_players_are_one(
    now: datetime, alice: User, bob: User, capsys: pytest.CaptureFixture[str]
) -> None:
    games = three(now, alice)
    for name, account in {"X1": bob, "Bruno": alice}.items():
        decide_claim(make_claim(Player.objects.get(name=name), account, now=now), approve=True, by=None,
                     answer="I know.", now=now)  # fmt: skip
    named_as_before()
    migrate(capsys)
    perform_waiting(now=lambda: now)
    for account in (alice, bob):
        confirm(games[1], account, now=now)
    rate_waiting(now=now)
    assert Standing.objects.get(player__account=bob, ladder__club=None).games == 1
    assert list(Audit().run()) == []


def test_private_names_and_the_games_of_one_owner_become_one(
    now: datetime, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    public = upload(next(duels(1, names=("X1", "Bruno"))), now)
    one = upload(record(names=("X2", "Bruno")), now, alice, private=True)
    other = upload(record(names=("X3", "Bruno")), now, alice, private=True)
    assert one != other
    named_as_before()
    migrate(capsys)
    assert not Player.objects.filter(pk__gte=PRIVATE_FROM).exists()
    assert {game.seatings.get(seat=0).player for game in (public, one, other)} == {Player.objects.get(name=JOSE)}
    other.refresh_from_db()
    assert other.same_as == one
    assert fsck() == []


def test_sites_in_two_forms_become_one(now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    upload(record(names=("X1", "Bruno"), Site="Hall"), now)
    as_before("X1", "Ada", source=" Cafe\u0301  Hall")
    migrate(capsys)
    assert Player.objects.get(name="Ada").source == "Caf\u00e9 Hall"


def test_members_listed_twice_become_one_with_their_answers(
    now: datetime, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    club = running.found(slug="formica", name="Formica", meets="", main_ruleset="", by=alice, now=now)
    one, other = (ClubMember.objects.create(club=club, name=name, joined_at=now) for name in (JOSE, LOOSE))
    evening = Evening.objects.create(club=club, day=now.date())
    Attendance.objects.create(evening=evening, member=other, answer="yes")
    assert [flaw["about"] for flaw in fsck()] == ["member of a club"]
    migrate(capsys)
    assert list(ClubMember.objects.filter(account=None)) == [one]
    assert Attendance.objects.get().member == one
    assert fsck() == []


def test_a_second_run_changes_nothing(now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    three(now)
    count_all(now)
    named_as_before()
    assert migrate(capsys)
    assert Correction.objects.count() == 2
    migrate(capsys)
    perform_waiting(now=lambda: now)
    migrate(capsys)
    assert Correction.objects.count() == 2
