"""The game page lets players confirm, and shows everyone what is missing."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.clubs import organising
from games.consent import confirmations
from games.corrections.rerating import Instruction, order_annulment
from games.models import Acceptance, Club, Dispute, Game, Player, Standing, Upload
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import BROKEN, record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


def judged(*, options: UploadOptions | None = None, text: bytes = b"", uploader: User | None = None) -> Game:
    """A game of Ada and Bruno, uploaded just now, since the pages use the real time."""
    upload = upload_file(
        text or record(), via=Upload.Via.WEB, now=timezone.now(), uploader=uploader, options=options or UploadOptions()
    )  # fmt: skip
    judge_all(timezone.now())
    game = upload.logs.get().game
    assert game
    return game


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Alice plays as Ada, Bob as Bruno."""
    game = judged()
    give_seat(game, 0, alice, timezone.now())
    give_seat(game, 1, bob, timezone.now())
    return game


def test_an_organiser_counts_a_game_that_was_played_here_for_the_club(
    game: Game, bob: User, browse: Browse, client: Client
) -> None:
    organising.found(slug="formica", name="Formica", about="", organiser=bob, now=timezone.now())
    assert "Count it for Formica" not in panel_text(client, game)
    assert "Count it for Formica" in panel_text(browse(bob), game)
    form = browse(bob).get(f"/upload/?club=formica&game={game.key}").content.decode()
    assert '<option value="formica" selected>' in form
    browse(bob).post("/upload/", {"text": game.logs.get().text, "club": "formica"})
    judge_all(timezone.now())
    rate_waiting(now=timezone.now)
    assert Acceptance.objects.get(ladder__club__slug="formica").game == game
    assert "Count it for Formica" not in panel_text(browse(bob), game)


def panel_text(client: Client, game: Game) -> str:
    """Return the text of the panel."""
    answer = client.get(f"/games/{game.key}/")
    assert answer.status_code == 200
    html = answer.content.decode()
    return words_of(html[html.index('id="consent"') - 30 : html.index("columns facts")])


def post(client: Client, game: Game, what: str, **form: str) -> str:
    """Send a form; return where it redirects."""
    answer = client.post(f"/games/{game.key}/{what}/", form)
    assert answer.status_code == 303, answer.content.decode()[:400]
    return answer["Location"]


def test_unconfirmed_game_says_what_it_needs(game: Game, client: Client) -> None:
    words = panel_text(client, game)
    assert "not confirmed yet" in words
    assert "Site ladder: waiting for 2 confirmations." in words
    assert "Ada not confirmed" in words
    assert "Confirm" not in words.split("Rating status")[1].replace("not confirmed", "")


def test_unclaimed_name_is_marked_as_unclaimed(client: Client) -> None:
    assert "Bruno name not claimed yet" in panel_text(client, judged())


@pytest.mark.full
def test_partly_confirmed_game_shows_when_the_confirmation_expires(game: Game, alice: User, browse: Browse) -> None:
    client = browse(alice)
    assert "Ada waiting for your confirmation" in panel_text(client, game)

    assert post(client, game, "confirm") == f"/games/{game.key}/#consent"

    words = panel_text(client, game)
    until = game.confirmations.get().until
    assert "partly confirmed" in words
    assert f"waiting for 1 confirmation. The first one given expires on {until:%Y-%m-%d %H:%M} UTC" in words
    assert "Ada confirmed by alice, 2" in words
    assert "Withdraw confirmation" in words


def test_last_confirmation_rates_the_game_at_once(game: Game, alice: User, bob: User, browse: Browse) -> None:
    post(browse(alice), game, "confirm")
    assert "Only your confirmation is missing" in panel_text(browse(bob), game)

    post(browse(bob), game, "confirm")

    words = panel_text(browse(None), game)
    assert "Site ladder: rated (game 1, " in words
    assert Standing.objects.count() == 2


@pytest.mark.full
def test_confirmation_can_be_withdrawn_until_the_game_is_rated(
    game: Game, alice: User, bob: User, browse: Browse
) -> None:
    post(browse(alice), game, "confirm")
    post(browse(alice), game, "withdraw")
    assert "not confirmed yet" in panel_text(browse(alice), game)

    post(browse(alice), game, "confirm")
    post(browse(bob), game, "confirm")
    assert "Withdraw confirmation" not in panel_text(browse(alice), game)
    answer = browse(alice).post(f"/games/{game.key}/withdraw/")
    assert answer.status_code == 409
    assert "The game is already rated. To object, dispute it; a moderator then decides." in words_of(
        answer.content.decode()
    )


@pytest.mark.full
def test_dispute_is_shown_with_its_reason_and_can_be_withdrawn(
    game: Game, alice: User, bob: User, browse: Browse
) -> None:
    post(browse(alice), game, "confirm")
    post(browse(bob), game, "dispute", reason="I was <ill> that evening.")

    words = panel_text(browse(bob), game)
    assert "Withdraw dispute" in words
    assert "Confirm" not in words
    words = panel_text(browse(None), game)
    assert "open · bob," in words
    assert "I was <ill> that evening." in words
    assert "the game is disputed" in words
    assert not Acceptance.objects.exists()

    post(browse(bob), game, f"disputes/{Dispute.objects.get().pk}/withdraw")
    assert "withdrawn · bob," in panel_text(browse(None), game)
    post(browse(bob), game, "confirm")
    assert Acceptance.objects.get().number == 1


def test_dispute_without_a_reason_is_rejected_on_the_game_page(game: Game, alice: User, browse: Browse) -> None:
    answer = browse(alice).post(f"/games/{game.key}/dispute/", {"reason": "  "})
    assert answer.status_code == 409
    assert "Describe what is wrong with the game." in words_of(answer.content.decode())


def test_dispute_of_another_player_cannot_be_withdrawn(game: Game, alice: User, bob: User, browse: Browse) -> None:
    post(browse(bob), game, "dispute", reason="No.")
    answer = browse(alice).post(f"/games/{game.key}/disputes/{Dispute.objects.get().pk}/withdraw/")
    assert answer.status_code == 404
    assert Dispute.objects.get().state == "open"


@pytest.mark.full
def test_account_not_seated_in_the_game_cannot_confirm_or_dispute_it(game: Game, mallory: User, browse: Browse) -> None:
    words = panel_text(browse(mallory), game)
    assert "Did you play in this game? Claim your name on its page" in words
    for what in ("confirm", "withdraw", "dispute"):
        answer = browse(mallory).post(f"/games/{game.key}/{what}/", {"reason": "No."})
        assert answer.status_code == 409
    assert not game.confirmations.exists()
    assert not game.disputes.exists()


def test_anonymous_user_is_asked_to_sign_in(game: Game, client: Client) -> None:
    answer = client.post(f"/games/{game.key}/confirm/")
    assert answer.status_code == 302
    assert "login" in answer["Location"]
    assert client.get(f"/games/{game.key}/confirm/").status_code == 405


def test_cross_site_form_is_rejected(game: Game, alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(f"/games/{game.key}/confirm/").status_code == 403
    assert not game.confirmations.exists()


@pytest.mark.parametrize(
    ("options", "text", "why"),
    [
        (UploadOptions(scored=False), record(), "it was uploaded as a training game"),
        (UploadOptions(), record("NS@0,2 R1:N *"), "only games played to their end are rated"),
    ],
)
def test_game_that_can_never_be_rated_says_why(
    options: UploadOptions, text: bytes, why: str, alice: User, browse: Browse
) -> None:
    game = judged(options=options, text=text, uploader=alice)
    give_seat(game, 0, alice, timezone.now())
    words = panel_text(browse(alice), game)
    assert why in words
    assert "Confirm" not in words
    assert "confirmed" not in words


def test_nobody_is_asked_to_confirm_a_game_with_a_bot(alice: User, browse: Browse) -> None:
    game = judged(uploader=alice)
    give_seat(game, 0, alice, timezone.now())
    Player.objects.filter(account=None).update(is_bot=True)

    words = panel_text(browse(alice), game)

    assert "a bot played" in words
    assert "onfirm" not in words


def test_game_with_one_account_in_two_seats_says_so(alice: User, browse: Browse) -> None:
    game = judged()
    for seat in (0, 1):
        give_seat(game, seat, alice, timezone.now())
    post(browse(alice), game, "confirm")
    assert "two seats belong to the same account" in panel_text(browse(alice), game)
    assert not Acceptance.objects.exists()


@pytest.mark.full
def test_an_annulled_game_says_when_and_why(game: Game, alice: User, bob: User, client: Client) -> None:
    now = timezone.now()
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    rate_waiting(now=now)
    order_annulment(Acceptance.objects.get(), Instruction(None, "Played with marked cards.", now))
    assert "Will be annulled shortly: Played with marked cards." in panel_text(client, game)

    rate_waiting(now=now)

    words = panel_text(client, game)
    assert "Site ladder: annulled (game 1)" in words
    assert "UTC: Played with marked cards." in words


def test_a_rejected_record_has_no_panel(client: Client) -> None:
    game = judged(text=BROKEN)
    assert 'id="consent"' not in client.get(f"/games/{game.key}/").content.decode()


def test_game_page_shows_club_and_site_rating_status(alice: User, client: Client, now: datetime) -> None:
    club = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    game = judged(options=UploadOptions(club=club), uploader=alice)
    rate_waiting(now=timezone.now())
    words = panel_text(client, game)
    assert "Ladder of The Nest: rated (game 1, " in words
    assert "Site ladder: waiting for 2 confirmations." in words
    assert Club.objects.get().ladders.get().games == 1
