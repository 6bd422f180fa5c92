"""What six cooperating accounts learn about somebody's private game: nothing, in any way."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Game, Player, Upload
from games.players.claims import decide_claim, make_claim
from games.uploads.origin import UploadOptions
from tests.factories import duels, record
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file
from tests.games.varying import without_varying_parts

pytestmark = pytest.mark.django_db
Browse = Callable[[User | None], Client]


def uploaded(data: bytes, by: User, now: datetime, *, private: bool = False) -> Game:
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=by, options=UploadOptions(private=private))
    judge_all(now)
    return Game.objects.get(logs__upload=upload)


@pytest.fixture
def six(now: datetime) -> list[User]:
    """Accounts of one person who approve each other's claims to the names in Alice's private game."""
    six = [User.objects.create_user(f"mole {number}") for number in range(6)]
    uploaded(next(duels(1)), six[0], now)
    for name, account in zip(("Ada", "Bruno"), six[1:3], strict=True):
        claim = make_claim(Player.objects.get(name=name), account, now=now)
        decide_claim(claim, approve=True, by=six[0], now=now)
    return six


ROADS = (
    "/", "/games/", "/games/?player=Ada", "/account/", "/account/waiting/", "/account/players/", "/account/export/",
    "/leaderboards/", "/dumps/", "/holds/", "/clubs/", "/api/v1/games", "/api/v1/games?player=Bruno", "/api/v1/dumps",
    "/api/v1/players?name=a", "/api/v1/account/claims", "/api/v1/account/claims/to-decide", "/api/v1/account/waiting",
    "/api/v1/games/export?format=agn", "/api/v1/games/export?format=ndjson", "/api/v1/games/export?format=annotated",
)  # fmt: skip


def all_responses(six: list[User], browse: Browse) -> list[str]:
    """Return all responses to them, without parts that always vary."""
    players = [f"/{api}players/{player.pk}{end}" for player in Player.objects.filter(pk__lt=2**40).order_by("pk")
               for api, end in (("", "/"), ("api/v1/", ""))]  # fmt: skip
    clients = [browse(one) for one in (six[0], six[1])]  # who introduced the names, and who has one
    return [without_varying_parts(_response_text(client, path)) for client in clients for path in (*ROADS, *players)]


def _response_text(client: Client, path: str) -> str:
    answer = client.get(path)
    return f"{path} {answer.status_code} " + (b"".join(answer) if answer.streaming else answer.content).decode()


@pytest.mark.full
def test_six_accounts_notice_no_difference_with_a_private_game(
    six: list[User], alice: User, browse: Browse, now: datetime
) -> None:
    count_all(now)
    before = all_responses(six, browse)
    game = uploaded(record(names=("Ada", "Bruno")), alice, now, private=True)
    uploaded(record("draw 1-1", names=("Ada", "Mnemosyne")), alice, now, private=True)
    after = all_responses(six, browse)
    assert [one[:200] for one, other in zip(before, after, strict=True) if one != other] == []
    assert not any(game.key in one or "Mnemosyne" in one for one in after)


@pytest.mark.full
def test_uploading_the_same_moves_gives_the_same_answers_with_a_private_copy(
    six: list[User], alice: User, browse: Browse, now: datetime
) -> None:
    uploaded(record("draw 1-1", names=("Ada", "Mnemosyne")), alice, now, private=True)
    answers = []
    for movetext in ("draw 1-1", "NS@0,2 resign:R 2-1"):
        game = uploaded(record(movetext, names=("Ada", "Bruno")), six[3], now)
        page = _response_text(browse(six[4]), f"/api/v1/games/{game.key}/consent")
        answers.append(page.replace(game.key, "KEY"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("private", [True, False])
def test_private_game_looks_like_one_that_never_existed(
    six: list[User], alice: User, browse: Browse, now: datetime, private: bool
) -> None:
    game = uploaded(record(names=("Ada", "Mnemosyne")), alice, now, private=True)
    key = game.key if private else "aaaaaaaa"
    number = Player.objects.get(name="Mnemosyne").pk if private else 2**41
    client = browse(six[1])
    for path in (f"/games/{key}/", f"/api/v1/games/{key}", f"/api/v1/games/{key}/log", f"/api/v1/games/{key}/privacy",
                 f"/players/{number}/", f"/api/v1/players/{number}"):  # fmt: skip
        assert client.get(path).status_code == 404, path
    for path in (f"/games/{key}/private/", f"/games/{key}/confirm/", f"/games/{key}/dispute/",
                 f"/players/{number}/claim/", f"/players/{number}/bot/"):  # fmt: skip
        assert client.post(path).status_code == 404, path
