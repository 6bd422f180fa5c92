"""Mails to accounts: about what, to whom and when."""

from collections.abc import Callable
from datetime import datetime, timedelta
from smtplib import SMTPException
from threading import Event, Thread
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection, transaction
from pytest_django.fixtures import Settings

from games.comments.writing import write as comment
from games.consent.confirmations import confirm, dispute, withdraw_dispute
from games.mail.delivery import AWAY, BACKOFF, send_due
from games.models import Acceptance, Game, GameComment, Notice, Player, Study, Upload
from games.moderation import decisions
from games.moderation.decisions import Decision
from games.moderation.moderators import make_moderator
from games.notices.events import (
    GATHERING,
    KEPT_FOR,
    forget_old,
    notify_of_comments,
    notify_of_studies,
    notify_of_uploads,
)
from games.notices.preferences import keep_preferences, stop_mails
from games.notices.reads import QUIET, SETTLED, anything_to_send
from games.players.claims import decide_claim, make_claim, revoke_claim
from games.run import rate_waiting
from games.studies.readers import follow
from games.studies.writing import About, chapter_about, create, describe
from games.uploads.origin import SCORED, UploadOptions
from tests.factories import duels, record
from tests.games.judging import count_all, judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
SITE = "http://testserver"


@pytest.fixture(autouse=True)
def _addresses(alice: User, bob: User, mallory: User) -> None:
    for user in (alice, bob, mallory):
        EmailAddress.objects.create(user=user, email=f"{user}@ants.example", verified=True, primary=True)


@pytest.fixture
def ada(alice: User, now: datetime) -> Player:
    """A name first uploaded by Alice."""
    return Player.objects.create(name="Ada", source="", introduced_by=alice, created_at=now)


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Uploaded anonymously; Alice plays as Ada, Bob as Bruno; earlier notices are deleted."""
    upload = upload_file(record(), via=Upload.Via.WEB, now=now)
    judge_all(now)
    notify_of_uploads(now=now)
    game = Game.objects.get(logs__upload=upload)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game


def sent(now: datetime) -> list[tuple[str, str, str]]:
    """Return recipients, subjects and texts without the footer."""
    mail.outbox.clear()
    send_due(now=now + GATHERING)
    return [
        (one.to[0].partition("@")[0], str(one.subject), str(one.body).partition("\n\n--")[0]) for one in mail.outbox
    ]


def upload_records(*records: bytes, now: datetime, by: User | None = None, options: UploadOptions = SCORED) -> None:
    upload_file(b"\n".join(records), via=Upload.Via.WEB, now=now, uploader=by, options=options)
    judge_all(now)
    notify_of_uploads(now=now)


# About what


def test_first_uploader_of_a_name_is_notified_of_a_claim(ada: Player, bob: User, now: datetime) -> None:
    claim = make_claim(ada, bob, reason="Buy leaves at http://spam.example", now=now)
    ((to, subject, text),) = sent(now)
    assert (to, subject) == ("alice", "Atta: a claim to decide")
    assert text == (
        f"bob claims the name Ada. You uploaded this name first, so you can decide:\nhttp://testserver/claims/{claim.pk}/"
    )


def test_claimant_is_notified_of_the_decision(
    ada: Player, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    refused = make_claim(ada, mallory, now=now)
    claim = decide_claim(make_claim(ada, bob, now=now), approve=True, by=alice, now=now)
    Notice.objects.filter(account=alice).delete()
    assert [(to, text.partition("\n")[0]) for to, _, text in sent(now)] == [
        ("bob", "Your claim to the name Ada was approved. You can now confirm its games; confirmed games are rated."),
    ]
    make_moderator(alice, now=now)
    later = now + QUIET + GATHERING
    revoke_claim(claim, by=User.objects.get(pk=alice.pk), answer="It was\nanother.", now=later)
    decide_claim(refused, approve=False, by=alice, now=later)
    assert [(to, text.rpartition("\n")[0]) for to, _, text in sent(later)] == [
        ("bob", "The name Ada no longer belongs to your account.\nReason: It was another."),
        ("mallory", "Your claim to the name Ada was refused."),
    ]


def test_games_to_confirm_are_announced_in_one_mail_per_upload(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    upload_records(*duels(3), now=now, by=bob)
    ((to, subject, text),) = sent(now)
    assert (to, subject) == ("alice", "Atta: 3 games to confirm")
    assert text.endswith("http://testserver/account/waiting/")


def test_games_confirmed_in_the_meantime_are_not_announced(game: Game, alice: User, bob: User, now: datetime) -> None:
    upload_records(*duels(2), now=now, by=bob)
    one, other = Game.objects.filter(logs__upload__uploader=bob)
    confirm(one, alice, now=now)
    assert [subject for _, subject, _ in sent(now)] == ["Atta: 1 game to confirm"]
    later = now + QUIET + GATHERING
    confirm(other, alice, now=later)
    assert sent(later) == []


def test_repeated_upload_of_a_game_is_not_announced(game: Game, mallory: User, now: datetime) -> None:
    upload_records(record(), now=now, by=mallory)
    assert sent(now) == []


@pytest.mark.parametrize("options", [UploadOptions(private=True), UploadOptions(scored=False)])
def test_private_and_training_games_are_not_announced(
    game: Game, bob: User, options: UploadOptions, now: datetime
) -> None:
    upload_records(*duels(1), now=now, by=bob, options=options)
    assert sent(now) == []


def test_other_players_are_notified_of_a_dispute_and_its_end(game: Game, alice: User, bob: User, now: datetime) -> None:
    raised = dispute(game, bob, reason="I was ill: http://spam.example", now=now)
    ((to, subject, text),) = sent(now)
    assert (to, subject) == ("alice", "Atta: one of your games is disputed")
    assert text == (
        f"bob disputes game {game.key} (Atta Ants, online rules), in which you played. A moderator will decide.\n"
        f"http://testserver/games/{game.key}/#consent"
    )
    later = now + QUIET + GATHERING
    withdraw_dispute(game, bob, pk=raised.pk, now=later)
    ((to, _, text),) = sent(later)
    assert (to, "was withdrawn." in text) == ("alice", True)


@pytest.mark.full
def test_an_upheld_dispute_and_its_annulment_come_in_one_mail(
    game: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    rate_waiting(now=now)
    raised = dispute(game, bob, reason="I was ill.", now=now)
    Notice.objects.all().delete()
    decisions.settle_dispute(raised, Decision(mallory, now, "Two witnesses."), upheld=True)

    mails = {to: (subject, text) for to, subject, text in sent(now)}

    assert mails.keys() == {"alice", "bob"}
    subject, text = mails["bob"]
    assert subject == "Atta: 2 notices"
    assert f"The dispute about game {game.key} (Atta Ants, online rules) was upheld: the game is not rated." in text
    assert f"Game {game.key} was annulled and is no longer rated for Atta Ants, online rules." in text
    assert text.count("Reason: Two witnesses.") == 2


@pytest.mark.full
def test_players_are_notified_when_a_game_is_annulled_and_restored(game: Game, mallory: User, now: datetime) -> None:
    count_all(now)
    for act, word in ((decisions.annul, "was annulled and is no longer rated"), (decisions.restore, "is rated again")):
        act(Acceptance.objects.get(), Decision(mallory, now, "So it is."))
        rate_waiting(now=now)
        assert [(to, word in text) for to, _, text in sent(now)] == [("alice", True), ("bob", True)]
        now += QUIET + GATHERING


# To whom


def test_account_that_opted_out_gets_no_notices(ada: Player, alice: User, bob: User, now: datetime) -> None:
    keep_preferences(alice.pk, claims=False)
    make_claim(ada, bob, now=now)
    assert not Notice.objects.exists()


def test_account_that_opts_out_before_sending_gets_no_mail(ada: Player, alice: User, bob: User, now: datetime) -> None:
    make_claim(ada, bob, now=now)
    stop_mails(alice.pk)
    assert sent(now) == []
    assert not anything_to_send(now + timedelta(days=9))


@pytest.mark.parametrize("what", [{"verified": False}, {"primary": False}])
def test_unconfirmed_address_gets_no_notices(
    ada: Player, alice: User, bob: User, what: dict[str, bool], now: datetime
) -> None:
    EmailAddress.objects.filter(user=alice).update(**what)
    make_claim(ada, bob, now=now)
    assert not Notice.objects.exists()


def test_no_notices_are_stored_when_mail_is_off(ada: Player, bob: User, now: datetime, settings: Settings) -> None:
    settings.MAIL_IS_ON = False
    make_claim(ada, bob, now=now)
    upload_records(*duels(1), now=now)
    assert not Notice.objects.exists()
    assert not anything_to_send(now + timedelta(days=9))


def test_mail_uses_the_account_language_and_can_be_unsubscribed(
    ada: Player, alice: User, bob: User, now: datetime
) -> None:
    keep_preferences(alice.pk, language="de")
    make_claim(ada, bob, now=now)
    ((_, subject, text),) = sent(now)
    assert subject == "Atta: über einen Anspruch ist zu entscheiden"
    assert text.startswith("bob beansprucht den Namen Ada")
    (message,) = mail.outbox
    assert "Welche Mails kommen, und in welcher Sprache" in message.body
    assert message.extra_headers["List-Unsubscribe"].startswith("<http://testserver/mails/stop/")
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


# When


def test_mail_is_delayed_a_minute_to_collect_notices(ada: Player, bob: User, now: datetime) -> None:
    make_claim(ada, bob, now=now)
    assert send_due(now=now + GATHERING - timedelta(seconds=1)) == 0
    assert send_due(now=now + GATHERING) == 1
    assert send_due(now=now + GATHERING) == 0


def test_nothing_more_is_noted_or_sent_once_time_is_up(game: Game, alice: User, bob: User, now: datetime) -> None:
    upload_file(b"\n".join(duels(3)), via=Upload.Via.WEB, now=now, uploader=bob)
    judge_all(now)
    for notify in (notify_of_uploads, notify_of_comments, notify_of_studies):
        assert notify(now=now, has_time=lambda: False) == 0
    assert notify_of_uploads(now=now) == 1
    assert send_due(now=now + GATHERING, has_time=lambda: False) == 0
    assert send_due(now=now + GATHERING) == 1


def test_account_gets_at_most_one_mail_in_ten_minutes(ada: Player, bob: User, mallory: User, now: datetime) -> None:
    make_claim(ada, bob, now=now)
    assert len(sent(now)) == 1
    for minutes, account in ((1, bob), (2, mallory)):
        other = Player.objects.create(name=f"{account} too", introduced_by=ada.introduced_by, created_at=now)
        make_claim(other, account, now=now + minutes * MINUTE)
    assert send_due(now=now + GATHERING + QUIET - MINUTE) == 0
    assert [subject for _, subject, _ in sent(now + QUIET)] == ["Atta: 2 notices"]


def test_mail_server_outage_loses_no_notice_and_costs_no_attempt(
    ada: Player, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_claim(ada, bob, now=now)
    monkeypatch.setattr(EmailBackend, "open", refuse(ConnectionRefusedError("nobody there")))
    assert send_due(now=now + GATHERING) == 0
    assert Notice.objects.get().attempts == 0
    assert not anything_to_send(now + GATHERING)
    monkeypatch.undo()
    assert send_due(now=now + GATHERING + AWAY) == 1


def test_rejected_mail_is_retried_with_growing_delays_and_then_given_up(
    ada: Player, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_claim(ada, bob, now=now)
    monkeypatch.setattr(EmailBackend, "send_messages", refuse(SMTPException("mailbox full")))
    at = now + GATHERING
    for pause in BACKOFF.waits:
        assert send_due(now=at) == 0
        assert not anything_to_send(at + pause - timedelta(seconds=1))
        at += pause
    send_due(now=at)
    assert not anything_to_send(at + timedelta(days=99))
    assert Notice.objects.get().attempts == len(BACKOFF.waits) + 1


def test_mail_interrupted_by_a_crash_is_sent_by_the_next_worker(
    ada: Player, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_claim(ada, bob, now=now)
    monkeypatch.setattr(EmailBackend, "send_messages", refuse(SystemExit()))
    with pytest.raises(SystemExit):
        send_due(now=now + GATHERING)
    monkeypatch.undo()
    assert send_due(now=now + GATHERING) == 0
    assert send_due(now=now + GATHERING + BACKOFF.waits[0]) == 1


def test_old_sent_notices_are_deleted(ada: Player, bob: User, now: datetime) -> None:
    make_claim(ada, bob, now=now)
    assert forget_old(now=now + KEPT_FOR + MINUTE) == 0
    sent(now)
    assert forget_old(now=now + KEPT_FOR - MINUTE) == 0
    assert forget_old(now=now + KEPT_FOR + MINUTE) == 1


def refuse(error: BaseException) -> Callable[..., Any]:
    def refused(*_: Any) -> None:
        raise error

    return refused


# Comments and studies


def test_who_commented_on_a_game_is_notified_of_others_comments_once(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    comment(game, "A poor move", by=alice, now=now)
    notify_of_comments(now=now)
    assert sent(now) == []
    for minutes in (1, 2):
        comment(game, "Why?", by=bob, now=now + minutes * MINUTE)
        notify_of_comments(now=now + minutes * MINUTE)
    said = f"There are new comments on game {game.key} (Atta Ants, online rules), on which you commented."
    ((to, subject, text),) = sent(now + 2 * MINUTE)
    assert (to, subject) == ("alice", "Atta: new comments on a game")
    assert text == f"{said}\n{SITE}/games/{game.key}/#comments"
    comment(game, "Well?", by=bob, now=now + QUIET * 2)
    notify_of_comments(now=now + QUIET * 2)
    assert [to for to, *_ in sent(now + QUIET * 2)] == ["alice"]


def test_each_mail_about_the_same_game_has_an_id_of_its_own(game: Game, alice: User, bob: User, now: datetime) -> None:
    comment(game, "A poor move", by=alice, now=now)
    notify_of_comments(now=now)
    ids = []
    for later in (now + QUIET, now + QUIET * 3):
        comment(game, "Why?", by=bob, now=later)
        notify_of_comments(now=later)
        sent(later)
        ids += [one.extra_headers["Message-ID"] for one in mail.outbox]
    assert len(set(ids)) == len(ids) == 2
    assert Notice.objects.filter(kind="commented", account=alice).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_comment_that_another_worker_notifies_of_is_left_to_it(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    comment(game, "A poor move", by=alice, now=now)
    reply = comment(game, "Why?", by=bob, now=now)
    is_locked, is_over = Event(), Event()

    def hold() -> None:
        with transaction.atomic():
            GameComment.objects.select_for_update().get(pk=reply.pk)
            is_locked.set()
            is_over.wait(60)
        connection.close()

    worker = Thread(target=hold)
    worker.start()
    is_locked.wait(60)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '1s'")
        notify_of_comments(now=now)
    finally:
        is_over.set()
        worker.join()
        connection.close()
    assert list(GameComment.objects.filter(notified_at=None)) == [reply]


@pytest.mark.parametrize("is_answered", [True, False])
def test_comments_that_were_answered_or_removed_meanwhile_are_not_announced(
    game: Game, alice: User, bob: User, now: datetime, *, is_answered: bool
) -> None:
    comment(game, "A poor move", by=alice, now=now)
    notify_of_comments(now=now)
    reply = comment(game, "Why?", by=bob, now=now + MINUTE)
    notify_of_comments(now=now + MINUTE)
    assert Notice.objects.get(kind="commented", next_at__isnull=False).account == alice
    if is_answered:
        comment(game, "It loses an ant", by=alice, now=now + MINUTE * 1.5)
    else:
        reply.delete()
    assert sent(now + MINUTE) == []


def test_followers_are_notified_of_a_study_that_has_changed(alice: User, bob: User, now: datetime) -> None:
    study = a_study(alice, now)
    follow(study, bob, now=now)
    assert notify_of_studies(now=now + SETTLED) == 1
    assert sent(now + SETTLED) == []
    later = now + timedelta(hours=1)
    describe(study, About("Endings", "public"), study.version, by=alice, now=later)
    assert notify_of_studies(now=later) == 0
    notify_of_studies(now=later + SETTLED)
    ((to, subject, text),) = sent(later + SETTLED)
    assert (to, subject) == ("bob", "Atta: a study that you follow has changed")
    assert text == f"A study by alice that you follow has changed.\n{SITE}/studies/{study.key}/"


def test_a_study_that_became_private_is_not_announced(alice: User, bob: User, now: datetime) -> None:
    study, later = a_study(alice, now), now + timedelta(hours=1)
    follow(study, bob, now=now)
    describe(study, About("Endings", "private"), study.version, by=alice, now=later)
    notify_of_studies(now=later + SETTLED)
    assert sent(later + SETTLED) == []


def a_study(by: User, now: datetime) -> Study:
    """Return a public study with one chapter."""
    upload_records(record("NS@0,2 R1:N resign:R 2-1"), now=now)
    chapter = chapter_about(Game.objects.latest("pk"), "", (), by)
    return create(About("Openings", "public"), [chapter], by=by, now=now)
