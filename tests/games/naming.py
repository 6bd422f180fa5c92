"""Games that accounts upload, names that they claim, and the state of games once all have confirmed."""

from datetime import datetime

from django.contrib.auth.models import User

from games.consent.confirmations import confirm
from games.models import Acceptance, Claim, Game, Player, Upload
from games.players.claims import decide_claim, make_claim
from games.run import rate_waiting
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file


def uploaded(names: tuple[str, str], by: User | None, now: datetime, movetext: str = "resign:R 2-1") -> Game:
    """Return a game of two players, uploaded by an account."""
    upload = upload_file(record(movetext, names=names), via=Upload.Via.WEB, now=now, uploader=by)
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game


def named(name: str, account: User, now: datetime, *, by: User | None) -> Claim:
    """Return an approved claim to a name."""
    claim = make_claim(Player.objects.get(name=name), account, now=now)
    return decide_claim(claim, approve=True, by=by, answer="I know.", now=now)


def confirmed(game: Game, now: datetime, *accounts: User) -> Acceptance:
    """Return the acceptance of a game after all accounts have confirmed it."""
    for account in accounts:
        confirm(game, account, now=now)
    rate_waiting(now=now)
    return Acceptance.objects.get(game=game, ladder__club=None)
