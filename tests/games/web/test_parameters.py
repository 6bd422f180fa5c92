"""User input is cut to what can be stored, whatever a program sends."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from games.models import Claim, Dispute, Game, Player
from games.moderation.moderators import make_moderator
from games.web.parameters import MOST, text_from, texts_from
from tests.factories import record
from tests.games.seats import give_seat
from tests.games.web.conftest import UploadRecords

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]
NUL = "%00"


@pytest.fixture
def game(upload_records: UploadRecords, alice: User) -> Game:
    """A game in which Alice played."""
    (game,) = upload_records(record())
    give_seat(game, 0, alice, game.received_at)
    return game


def test_long_text_is_truncated_and_loses_nul_characters() -> None:
    fields = QueryDict(mutable=True)
    fields.setlist("reason", ["\0No.", "x" * (MOST + 1)])
    assert texts_from(fields, "reason") == ["No.", "x" * MOST]
    assert text_from(fields, "answer") == ""


def test_a_dispute_keeps_its_reason_without_nuls(game: Game, alice: User, browse: Browse) -> None:
    answer = browse(alice).post(f"/games/{game.key}/dispute/", {"reason": "Not\0 me."})
    assert answer.status_code == 303
    assert Dispute.objects.get().reason == "Not me."


def test_a_claim_keeps_its_reason_without_nuls(game: Game, alice: User, browse: Browse, now: datetime) -> None:
    nobody = Player.objects.create(name="Cleo", created_at=now)
    assert browse(alice).post(f"/players/{nobody.pk}/claim/", {"reason": "M\0e."}).status_code == 303
    assert Claim.objects.get(player=nobody).reason == "Me."


def test_game_or_token_key_with_a_nul_character_is_not_found(game: Game, alice: User, browse: Browse) -> None:
    answer = browse(alice).post("/account/waiting/", {"game": "\0x"}, follow=True)
    assert "x: There is no such game." in answer.content.decode()
    assert browse(alice).post("/account/tokens/revoke/", {"token": "\0"}).status_code == 404


def test_club_address_with_a_nul_character_is_not_found(game: Game, browse: Browse) -> None:
    ada = game.seatings.get(seat=0).player_id
    assert browse(None).get(f"/players/{ada}/ladders/atta-ants-online/?club={NUL}x").status_code == 404


def test_moderator_search_for_a_nul_character_succeeds(game: Game, alice: User, browse: Browse, now: datetime) -> None:
    make_moderator(alice, now=now)
    ada = game.seatings.get(seat=0).player_id
    assert browse(alice).get(f"/moderation/players/{ada}/?name={NUL}").status_code == 200
