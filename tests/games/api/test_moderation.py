"""What moderators read and decide through the API."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.accounts.tokens import Scope, make_token
from games.clubs import running
from games.collections import keeping
from games.comments import writing
from games.models import Act, Claim, Dispute, Game, GameComment, Player, Standing, TableAlarm, Upload
from games.moderation.moderators import make_moderator
from games.players.claims import make_claim
from games.players.reads.own_names import claim_version
from games.playing.opening import TableOptions, open_table
from games.playing.reads.people import Person
from games.run import rate_waiting
from games.studies import readers
from games.studies.writing import About, chapter_about, create
from tests.factories import record
from tests.games.judging import count_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
QUEUE = "/api/v1/moderation"


@pytest.fixture
def moderator(mallory: User, now: datetime) -> User:
    """Mallory moderates."""
    make_moderator(mallory, now=now)
    return User.objects.get(pk=mallory.pk)


@pytest.fixture
def game(now: datetime) -> Game:
    """A rated game."""
    upload_file(record(), via=Upload.Via.API, now=now)
    count_all(now)
    return Game.objects.get()


@pytest.fixture
def comment(game: Game, alice: User, bob: User, now: datetime) -> GameComment:
    """Alice's comment, which Bob reported."""
    written = writing.write(game, "You *cheat*", by=alice, now=now)
    writing.report(written, "Rude", by=bob, now=now)
    return written


@pytest.fixture
def ask(moderator: User) -> APIClient:
    """The moderator's program."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(moderator, Scope.MODERATE)}")
    return client


def test_reported_comment_is_read_and_hidden(ask: APIClient, comment: GameComment) -> None:
    assert ask.get(QUEUE).data["comments"] == 1
    (one,) = ask.get(f"{QUEUE}/comments").data
    assert (one["author"], one["text"], one["reports"][0]["reason"]) == ("alice", "You *cheat*", "Rude")
    ruling = {"hide": True, "reason": "Be kind.", "version": one["version"]}
    after = ask.post(f"{QUEUE}/comments/{one['id']}/decision", ruling, format="json")
    assert (after.status_code, after.data["hidden_for"], after.data["reports"]) == (200, "Be kind.", [])
    assert ask.get(f"{QUEUE}/comments").data == []
    assert Act.objects.filter(kind="comment-hidden", game=comment.game).count() == 1


def test_comment_that_was_changed_since_it_was_read_is_not_kept(
    ask: APIClient, comment: GameComment, alice: User, now: datetime
) -> None:
    (read,) = ask.get(f"{QUEUE}/comments").data
    writing.change(comment, "Worse", comment.version, by=alice, now=now)
    path, ruling = f"{QUEUE}/comments/{read['id']}/decision", {"reason": "Fine.", "version": read["version"]}
    late = ask.post(path, {"hide": False, **ruling}, format="json")
    assert (late.status_code, late.data["error"]["code"]) == (409, "changed_meanwhile")
    assert ask.post(path, {"hide": True, **ruling}, format="json").status_code == 200, "hiding applies to any version"


def test_reported_studies_and_collections_are_decided_in_the_same_way(
    ask: APIClient, game: Game, alice: User, bob: User, now: datetime
) -> None:
    study = create(About("Mine", "public"), [chapter_about(game, "", [], alice)], by=alice, now=now)
    readers.report(study, "Spam", by=bob, now=now)
    kept = keeping.make(alice, "Best games", public=True, now=now)
    keeping.report(kept, "Spam", by=bob, now=now)
    for kind, key in (("studies", study.key), ("collections", kept.key)):
        (one,) = ask.get(f"{QUEUE}/{kind}").data
        ruling = {"hide": False, "reason": "It is not.", "version": one["version"]}
        after = ask.post(f"{QUEUE}/{kind}/{key}/decision", ruling, format="json")
        assert (after.status_code, after.data["key"], after.data["hidden_at"]) == (200, key, None)
    assert ask.get(QUEUE).data == dict.fromkeys(ask.get(QUEUE).data, 0)


def test_who_wrote_or_reported_something_does_not_decide_about_it(
    ask: APIClient, game: Game, moderator: User, alice: User, now: datetime
) -> None:
    written = writing.write(game, "You cheat", by=alice, now=now)
    writing.report(written, "Rude", by=moderator, now=now)
    assert ask.get(f"{QUEUE}/comments").data == []
    ruling = {"hide": True, "reason": "Rude.", "version": written.read_version}
    refused = ask.post(f"{QUEUE}/comments/{written.pk}/decision", ruling, format="json")
    assert (refused.status_code, refused.data["error"]["code"]) == (403, "own_case")


def test_others_are_refused(call: Callable[..., APIClient], alice: User, comment: GameComment) -> None:
    for client, status in ((call(), 401), (call(alice), 403)):
        assert client.get(QUEUE).status_code == status
        assert client.get(f"{QUEUE}/comments").status_code == status
        assert client.post(f"{QUEUE}/comments/{comment.pk}/decision", {}).status_code == status


def test_token_for_moderating_is_good_for_nothing_else(ask: APIClient, game: Game, alice: User, now: datetime) -> None:
    claim = make_claim(Player.objects.get(name="Ada"), alice, now=now)
    assert [one["id"] for one in ask.get(f"{QUEUE}/claims").data] == [claim.pk]
    assert ask.get(f"/api/v1/claims/{claim.pk}").status_code == 200
    assert ask.get("/api/v1/account/holds").status_code == 200
    for path in ("/api/v1/account/uploads", "/api/v1/account/claims", "/api/v1/tables", f"/api/v1/games/{game.key}"):
        assert ask.get(path).status_code == 403, path
    assert ask.get("/api/v1/tables").data["error"]["message"] == "This token is for moderating only."


def case(ask: APIClient, of: str) -> str:
    """Read a case. :returns: its version."""
    version: str = ask.get(f"{QUEUE}/{of}").data["version"]
    return version


def test_dispute_is_upheld_and_the_game_annulled(ask: APIClient, game: Game, bob: User, now: datetime) -> None:
    dispute = Dispute.objects.create(game=game, account=bob, reason="I was not there.", raised_at=now)
    (one,) = ask.get(f"{QUEUE}/disputes").data
    path = f"{QUEUE}/games/{one['game']}/disputes/{one['id']}/decision"
    body = {"uphold": True, "reason": "Two witnesses.", "version": case(ask, f"games/{game.key}")}
    after = ask.post(path, body, format="json").data
    rate_waiting(now=now)
    assert (after["disputes"][0]["state"], after["acceptances"][0]["under_way"]) == ("upheld", True)
    assert [act["kind"] for act in ask.get(f"{QUEUE}/log").data["acts"][:2]] == ["game-annulled", "dispute-upheld"]
    assert not Standing.objects.exists()
    assert ask.post(path, body, format="json").data["error"]["code"] == "changed_meanwhile"
    dispute.refresh_from_db()
    assert dispute.answer == "Two witnesses."


def test_game_is_annulled_after_a_preview_and_restored(ask: APIClient, game: Game, now: datetime) -> None:
    path, about = f"{QUEUE}/games/{game.key}", ask.get(f"{QUEUE}/games/{game.key}").data
    (ladder,) = about["acceptances"]
    preview = ask.get(f"{path}/annulment?acceptance={ladder['id']}").data
    assert (preview["games"], preview["ratings"], len(preview["changes"]), preview["whole"]) == (1, 2, 2, True)
    body = {"acceptance": ladder["id"], "reason": "Never played.", "version": about["version"]}
    assert ask.post(f"{path}/annulment", body, format="json").status_code == 200
    rate_waiting(now=now)
    (annulled,) = ask.get(path).data["acceptances"]
    assert (annulled["counts"], annulled["under_way"]) == (False, False)
    assert ask.post(f"{path}/restoration", body, format="json").data["error"]["code"] == "changed_meanwhile"
    body["version"] = case(ask, f"games/{game.key}")
    assert ask.post(f"{path}/restoration", body, format="json").status_code == 200


def test_moderator_names_other_players_of_a_game(ask: APIClient, game: Game) -> None:
    path = f"{QUEUE}/games/{game.key}/seating"
    body = {"reason": "Both say so.", "version": case(ask, f"games/{game.key}")}
    assert ask.post(path, body, format="json").data["error"]["place"] == {"parameter": "seating"}
    seated = ask.post(path, body | {"names": {"R": "Dora", "Y": "Emil"}}, format="json").data
    assert seated["acts"][0]["kind"] == "seating-chosen"
    names = Game.objects.get(key=seated["game"]).seatings.values_list("player__name", flat=True)
    assert set(names) == {"Dora", "Emil"}


def test_players_are_merged_after_a_preview_and_split(ask: APIClient, game: Game, now: datetime) -> None:
    upload_file(record("draw 1-1", names=("Adah", "Cleo")), via=Upload.Via.API, now=now)
    count_all(now)
    ada, adah = Player.objects.get(name="Ada"), Player.objects.get(name="Adah")
    path = f"{QUEUE}/players/{adah.pk}"
    assert ask.get(f"{path}/merge?into={ada.pk}").data["ratings"] > 0
    body = {"into": ada.pk, "reason": "Her full name.", "version": case(ask, f"players/{adah.pk}")}
    assert ask.post(f"{path}/merge", body, format="json").status_code == 200
    rate_waiting(now=now)
    assert ask.get(path).data["merged_into"]["name"] == "Ada"
    body = {"reason": "Two people.", "version": case(ask, f"players/{adah.pk}")}
    assert ask.post(f"{path}/split", body, format="json").status_code == 200


def test_player_is_marked_as_a_bot(ask: APIClient, game: Game) -> None:
    ada = Player.objects.get(name="Ada")
    body = {"is_bot": True, "reason": "Never sleeps.", "version": case(ask, f"players/{ada.pk}")}
    marked = ask.post(f"{QUEUE}/players/{ada.pk}/bot", body, format="json").data
    assert (marked["player"]["is_bot"], marked["acts"][0]["reason"]) == (True, "Never sleeps.")
    again = ask.post(f"{QUEUE}/players/{ada.pk}/bot", body | {"version": marked["version"]}, format="json")
    assert (again.status_code, again.data["error"]["code"]) == (409, "as_asked")


def test_queue_lists_clubs_and_contested_games(ask: APIClient, game: Game, alice: User, now: datetime) -> None:
    running.found(slug="nest", name="The nest", meets="", main_ruleset="", by=alice, now=now)
    upload_file(record(names=("Cleo", "Bruno")), via=Upload.Via.API, now=now)
    count_all(now)
    (club,), (contested,) = ask.get(f"{QUEUE}/clubs").data, ask.get(f"{QUEUE}/seatings").data
    assert (club["slug"], contested["game"], contested["by"]) == ("nest", game.key, None)
    listing = {"texts_version": club["texts_version"], "reason": "Welcome."}
    assert ask.post("/api/v1/clubs/nest/listing", listing, format="json").status_code == 200
    assert ask.get(QUEUE).data | {"clubs": 0, "seatings": 1} == ask.get(QUEUE).data


def test_alarm_is_listed_and_closed(ask: APIClient, alice: User, now: datetime) -> None:
    table = open_table(TableOptions(ruleset="army-ants"), Person(account=alice), now=now)
    alarm = TableAlarm.objects.create(table=table, kind="altered", message="Two actions differ.", raised_at=now)
    (one,) = ask.get(f"{QUEUE}/alarms").data
    assert (one["table"], one["message"], one["game"]) == (table.key, "Two actions differ.", None)
    assert ask.post(f"{QUEUE}/alarms/{alarm.pk}/closing").status_code == 204
    assert ask.get(f"{QUEUE}/alarms").data == []


def test_list_of_claims_asks_the_same_statements_however_many_there_are(
    ask: APIClient, game: Game, alice: User, bob: User, now: datetime
) -> None:
    first, other = Player.objects.order_by("pk")
    make_claim(first, alice, now=now)
    ask.get(f"{QUEUE}/claims")  # notes that the token is used
    with CaptureQueriesContext(connection) as for_one:
        ask.get(f"{QUEUE}/claims")
    for player, account in ((first, bob), (other, alice), (other, bob)):
        make_claim(player, account, now=now)

    with CaptureQueriesContext(connection) as for_all:
        found = ask.get(f"{QUEUE}/claims").data

    assert len(for_all) == len(for_one)
    assert [claim["version"] for claim in found] == list(map(claim_version, Claim.objects.order_by("pk")))
