"""Deleting an account changes neither the games of others nor the ledger or the ladder."""

import json
from datetime import datetime
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from knox.models import AuthToken

from engine.verify import verify, verify_bytes
from games.accounts.deletion import delete_account
from games.clubs import running
from games.consent import confirmations
from games.consent.reads.eligibility import consent_of
from games.models import (
    Acceptance,
    Act,
    Attendance,
    Challenge,
    Chunk,
    Claim,
    Confirmation,
    Game,
    MoveLog,
    Player,
    RatingEvent,
    Seating,
    Standing,
    Upload,
    Verdict,
)
from games.ratings.acceptance import accept_due
from games.records.reads.replays import record_of
from games.uploads import files
from games.uploads.origin import Origin, UploadOptions
from games.verification.queue import claim, judge, queue_again
from tests.factories import duels, record
from tests.games.evenings import play
from tests.games.judging import count_all, judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

KEPT: tuple[type[Model], ...] = (Game, Seating, Verdict, Acceptance, RatingEvent, Standing)


def rows(model: type[Model]) -> list[dict[str, Any]]:
    found = list(model._default_manager.order_by("pk").values())
    return [{name: value for name, value in row.items() if name not in ("seating", "version")} for row in found]


def upload_records(data: bytes, by: User | None, now: datetime) -> Upload:
    return upload_file(data, via=Upload.Via.WEB, now=now, uploader=by, filename="alice-and-bob.agn")


@pytest.fixture
def ada(alice: User, bob: User, now: datetime) -> Player:
    """Alice's player, with some rated games that she and Bob uploaded."""
    upload_records(b"\n".join(duels(3)), alice, now)
    upload_records(record("{Ada} resign:R 2-1", Event="Ada"), bob, now)
    count_all(now)
    Player.objects.filter(name="Ada").update(account=alice)
    Claim.objects.create(
        player=Player.objects.get(name="Ada"), account=alice, made_at=now, state="approved", decided_at=now
    )
    return Player.objects.get(name="Ada")


def test_deletion_keeps_ledger_and_ladder_but_replaces_the_name(ada: Player, alice: User, now: datetime) -> None:
    before = {model: rows(model) for model in KEPT}
    delete_account(alice, now=now)
    assert {model: rows(model) for model in KEPT} == before
    ada.refresh_from_db()
    assert ada.name.startswith("Former player ")
    assert (ada.is_pseudonym, ada.account) == (True, None)


def test_deletion_removes_the_name_from_every_record_but_keeps_the_games(
    ada: Player, alice: User, now: datetime
) -> None:
    digests = {log.pk: (log.game_digest, log.record_digest) for log in MoveLog.objects.all()}
    delete_account(alice, now=now)
    ada.refresh_from_db()
    for log in MoveLog.objects.all():
        found = verify(record_of(log))
        assert found.replay is not None
        assert found.replay.tags["Red"] == log.names["R"] == ada.name
        assert found.replay.tags["Yellow"] == "Bruno"
        assert (found.digest, found.record_digest, found.text) == (log.game_digest, log.record_digest, log.text)
        assert digests[log.pk][0] == log.game_digest
        assert digests[log.pk][1] != log.record_digest


def test_deletion_keeps_the_name_where_others_wrote_it(ada: Player, alice: User, now: datetime) -> None:
    delete_account(alice, now=now)
    text = MoveLog.objects.order_by("pk").last().text  # type: ignore[union-attr]
    assert '[Event "Ada"]' in text
    assert "{Ada}" in text


def test_deletion_removes_the_account_and_its_own_data(ada: Player, alice: User, bob: User, now: datetime) -> None:
    AuthToken.objects.create(alice)
    delete_account(alice, now=now)
    assert [user.username for user in User.objects.all()] == ["bob"]
    assert Claim.objects.count() == AuthToken.objects.count() == 0
    uploads = Upload.objects.order_by("pk").values_list("uploader__username", "filename")
    assert set(uploads) == {(None, ""), ("bob", "alice-and-bob.agn")}
    assert [(act.kind, act.player) for act in Act.objects.all()] == [("account-deleted", ada)]


def test_deletion_also_removes_names_of_merged_players(ada: Player, alice: User, now: datetime) -> None:
    upload_file(record(names=("Ada L.", "Bruno"), rules="2003"), via=Upload.Via.API, now=now)
    judge_all(now)
    Player.objects.filter(name="Ada L.").update(merged_into=ada)
    delete_account(alice, now=now)
    assert not Player.objects.filter(name__startswith="Ada").exists()
    assert not any("Ada L." in log.text for log in MoveLog.objects.all())


def test_deletion_does_not_rename_players_of_the_same_name_elsewhere(ada: Player, alice: User, now: datetime) -> None:
    other = record(Site="The other nest", rules="2003")
    upload_file(other, via=Upload.Via.API, now=now)
    judge_all(now)
    delete_account(alice, now=now)
    assert Player.objects.get(name="Ada").source == "The other nest"
    assert [log.data for log in MoveLog.objects.all() if "The other nest" in log.text] == [other.removesuffix(b"\n")]


def test_deletion_removes_the_name_from_rejected_and_json_records(ada: Player, alice: User, now: datetime) -> None:
    (read,) = verify_bytes(record(rules="2003"))
    assert read.replay is not None
    upload_file(json.dumps(read.replay.as_json()).encode(), via=Upload.Via.API, now=now)
    upload_file(record("NS@0,2 R1:N R2:N R1:E / *"), via=Upload.Via.API, now=now)
    judge_all(now)
    delete_account(alice, now=now)
    assert [
        log.pk for log in MoveLog.objects.all() if b'"Ada"]' in bytes(log.data).replace(b'[Event "Ada"]', b"")
    ] == []
    assert MoveLog.objects.filter(form="json").get().names["R"].startswith("Former player ")


@pytest.mark.full
def test_worker_judging_during_deletion_does_not_restore_the_name(
    ada: Player, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.verification.queue.ENGINE_VERSION", "next")
    queue_again()
    claims = claim()
    delete_account(alice, now=now)
    assert [judge(one, now=now) for one in claims] == [False] * len(claims)
    judge_all(now)
    assert not any('[Red "Ada"]' in log.text for log in MoveLog.objects.all())
    assert not Player.objects.filter(name="Ada").exists()


def test_due_game_is_no_longer_due_after_a_player_deletes_the_account(alice: User, bob: User, now: datetime) -> None:
    upload_records(record(), bob, now)
    judge_all(now)
    game = Game.objects.get()
    Player.objects.filter(name="Ada").update(account=alice)
    Player.objects.filter(name="Bruno").update(account=bob)
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    assert Acceptance.objects.filter(number=None).count() == 1
    delete_account(alice, now=now)
    assert Acceptance.objects.count() == 0
    assert Confirmation.objects.filter(account=None).count() == 1


def test_rated_game_stays_confirmed_after_a_player_deletes_the_account(now: datetime, alice: User, bob: User) -> None:
    upload_records(record(), None, now)
    judge_all(now)
    game = Game.objects.get()
    for seat, account in enumerate((alice, bob)):
        give_seat(game, seat, account, now)
        confirmations.confirm(game, account, now=now)
    accept_due(now=now)

    delete_account(alice, now=now)

    consent = consent_of(game, now=now)
    assert (consent.state, consent.complete) == ("confirmed", True)
    assert [seat.confirmation.account if seat.confirmation else "none" for seat in consent.seats] == [None, bob]


def test_deletion_removes_unfinished_and_unsplit_files(alice: User, now: datetime) -> None:
    begun = files.begin(10, Origin(Upload.Via.WEB, alice), now=now, filename="alice.agn")
    whole = files.begin(5, Origin(Upload.Via.WEB, alice), now=now, filename="alice.agn")
    files.append(whole.pk, 0, BytesIO(b"Alice"), 5, now=now)

    delete_account(alice, now=now)

    assert not Chunk.objects.exists()
    assert not Upload.objects.filter(pk=begun.pk).exists()
    assert Upload.objects.values_list("state", "filename").get(pk=whole.pk) == ("cancelled", "")


def everything_stored() -> str:
    """Return everything stored about records and players."""
    names = [*Player.objects.values_list("name", flat=True)]
    return "\n".join([*names, *(f"{log.data!r} {log.text} {log.seats}" for log in MoveLog.objects.all())])


@pytest.mark.parametrize("name", ["Ada", "Xenia"])
def test_reuploaded_old_record_shows_the_pseudonym_of_a_deleted_player(
    ada: Player, alice: User, mallory: User, name: str, now: datetime
) -> None:
    delete_account(alice, now=now)
    games = Game.objects.count()
    for by in (None, mallory):
        upload = upload_records(record("{Ada} resign:R 2-1", names=(name, "Bruno"), Event="Ants"), by, now)
        judge_all(now)
        log = upload.logs.get()
        assert log.game is not None
        assert log.game.upheld
        assert [seat[1] for seat in log.seats][1] == "Bruno"
        assert log.names["R"].startswith("Former player ")
        found = verify(record_of(log))
        assert (found.digest, found.record_digest, found.text) == (log.game_digest, log.record_digest, log.text)
    assert Game.objects.count() == games
    assert not Challenge.objects.exists()
    assert f'"{name}"]' not in everything_stored().replace('[Event "Ada"]', "")
    assert name not in Player.objects.values_list("name", flat=True)


def test_old_record_with_another_opponent_still_raises_a_challenge(ada: Player, alice: User, now: datetime) -> None:
    delete_account(alice, now=now)
    upload_records(record("{Ada} resign:R 2-1", names=("Ada", "Xenia")), None, now)
    judge_all(now)
    assert Challenge.objects.count() == 1


def test_private_game_can_become_public_without_the_deleted_name(alice: User, bob: User, now: datetime) -> None:
    data = record(rules="2003")
    upload_file(data, via=Upload.Via.WEB, now=now, uploader=bob, options=UploadOptions(private=True))
    judge_all(now)
    Player.objects.filter(name="Ada").update(account=alice)
    delete_account(alice, now=now)
    again = data.replace(b'"Bruno"]', b'"Bruno"]\n[Event "again"]')
    upload_file(again, via=Upload.Via.WEB, now=now, uploader=bob, options=UploadOptions(private=True))
    judge_all(now)
    game = Game.objects.get()
    assert (game.private, game.logs.count()) == (True, 2)
    upload_file(data, via=Upload.Via.API, now=now, uploader=bob)
    judge_all(now)
    game = Game.objects.get()
    assert (game.private, game.owner) == (False, None)
    assert '"Ada"]' not in everything_stored()


def test_private_upload_of_an_old_record_is_not_linked_to_the_original(
    ada: Player, alice: User, mallory: User, now: datetime
) -> None:
    delete_account(alice, now=now)
    data = record("{Ada} resign:R 2-1")
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=mallory, options=UploadOptions(private=True))
    judge_all(now)
    game = upload.logs.get().game
    assert game is not None
    assert (game.private, game.owner, game.same_as) == (True, mallory, None)


_ROWS = """
SELECT format('SELECT %L, one::text FROM %s AS one WHERE one::text ILIKE ''%%zenobia%%''', oid::regclass, oid::regclass)
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def test_no_table_of_the_database_keeps_a_name_of_a_deleted_account(bob: User, now: datetime) -> None:
    zenobia = User.objects.create_user("zenobia", "zenobia@ants.example")
    club = running.found(slug="formica", name="Formica", meets="", main_ruleset="", by=bob, now=now)
    evening = running.plan(club, now.date(), begins=None, place="", by=bob, now=now)
    running.answer(evening, running.add_by_name(club, "Zenobia Q.", by=bob, now=now), Attendance.Answer.YES, by=bob)
    season = running.begin_season(club, name="Spring", begins=now.date(), ends=now.date(), by=bob)
    play([(["Zenobia Q.", "Bruno"], [1, 2])], now, club=club)
    running.close_season(season, by=bob, now=now)
    running.join(running.make_link(club, by=bob, now=now), zenobia, now=now)
    Player.objects.filter(name="Zenobia Q.").update(account=zenobia)
    delete_account(zenobia, now=now)
    with connection.cursor() as cursor:
        cursor.execute(_ROWS)
        cursor.execute(" UNION ALL ".join(statement for (statement,) in cursor.fetchall()))
        assert cursor.fetchall() == []
    assert club.members.get(account=None).name.startswith("Former player ")


def test_deletion_does_not_rename_members_of_the_same_name_elsewhere(alice: User, bob: User, now: datetime) -> None:
    """Neither a member whom the club's games name, nor one who is called like the account."""
    club = running.found(slug="formica", name="Formica", meets="", main_ruleset="", by=bob, now=now)
    for name in ("Ada", "alice"):
        running.add_by_name(club, name, by=bob, now=now)
    play([(["Ada", "Bruno"], [1, 2])], now, club=club)
    Player.objects.create(name="Ada", source="The other nest", account=alice, created_at=now)
    delete_account(alice, now=now)
    assert set(club.members.values_list("name", flat=True)) == {"bob", "Ada", "alice"}
