"""Comments on the pages: beside a game, alone, and before moderators."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings
from rest_framework.throttling import SimpleRateThrottle

from games.collections import keeping
from games.comments import writing
from games.models import Act, Collection, CollectionReport, CommentReport, Game, GameComment, Study, StudyReport, Upload
from games.moderation.decisions import Decision, ModerationError
from games.moderation.moderators import make_moderator
from games.moderation.reads.pending import pending_for
from games.moderation.reported import Ruling, decide
from games.web.comments import unsent
from games.web.comments.pages import own_comments
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.accounts.forms import PASSWORD

Browse = Callable[..., Client]


@pytest.fixture
def game(db: None, now: datetime) -> Game:
    """A verified game of one action."""
    upload_file(record("resign:R 2-1"), via=Upload.Via.WEB, now=now)
    judge_all(now)
    return Game.objects.get()


@pytest.fixture
def comment(game: Game, alice: User, now: datetime) -> GameComment:
    """Alice's comment."""
    return writing.write(game, "A *poor* move", by=alice, now=now, ply=1)


@pytest.fixture
def moderator(now: datetime, db: None) -> User:
    """Mona moderates."""
    mona = User.objects.create_user("mona")
    make_moderator(mona, now=now)
    return mona


def html_of(client: Client, path: str) -> str:
    return " ".join(client.get(path).content.decode().split())


def test_a_comment_is_written_below_a_game(game: Game, alice: User, browse: Browse) -> None:
    client, path = browse(alice), f"/games/{game.key}/"
    sent = {"text": "A *poor* move", "at": "yes", "ply": "1"}
    answer = client.post(f"{path}comments/", sent)
    made = GameComment.objects.get()
    assert (answer["Location"], made.ply) == (f"{path}#comment-{made.pk}", 1)
    page = html_of(browse(None), path)
    assert "<p>A <em>poor</em> move</p>" in page
    assert f'href="{path}?ply=1">after action 1</a>' in page
    assert "Sign in to write a comment" in page


def test_a_refused_comment_is_shown_again_with_the_reason(game: Game, alice: User, browse: Browse) -> None:
    answer = browse(alice).post(f"/games/{game.key}/comments/", {"text": "x" * 2001})
    assert answer.status_code == 422
    assert "A comment has at most 2000 characters." in answer.content.decode()
    assert "x" * 2001 in answer.content.decode()


def test_an_author_changes_and_deletes_a_comment_on_its_page(comment: GameComment, alice: User, browse: Browse) -> None:
    client, path = browse(alice), comment.get_absolute_url()
    GameComment.objects.update(written_at=datetime.now(comment.written_at.tzinfo))
    assert "Change it, within ten minutes of writing it" in html_of(client, path)
    client.post(path, {"act": "change", "text": "Better", "version": "1"})
    assert "<p>Better</p>" in html_of(client, path)
    late = client.post(path, {"act": "change", "text": "Mine", "version": "1"})
    assert (late.status_code, "changed in another tab" in late.content.decode()) == (422, True)
    assert client.post(path, {"act": "delete"})["Location"] == f"/games/{comment.game.key}/#comments"
    assert not GameComment.objects.exists()


def test_comments_stay_folded_while_results_are_hidden(comment: GameComment, browse: Browse) -> None:
    client, path = browse(None), f"/games/{comment.game.key}/"
    assert "they may give the result away" not in html_of(client, path)
    client.cookies["results"] = "hide"
    page = html_of(client, path)
    folded = page.partition("Show the comments: they may give the result away</summary>")[2].partition("</details>")[0]
    assert "<p>A <em>poor</em> move</p>" in folded
    assert "they may give the result away" not in html_of(client, f"{path}?result")


def test_a_reported_comment_is_decided_from_the_queue(
    comment: GameComment, bob: User, moderator: User, browse: Browse, now: datetime
) -> None:
    browse(bob).post(comment.get_absolute_url(), {"act": "report", "reason": "Insults"})
    assert pending_for(moderator, now=now).moderation == 1
    client, path = browse(moderator), f"/moderation/comments/{comment.pk}/"
    assert "Insults" in html_of(client, "/moderation/")
    assert "Give a reason" in client.post(path, {"act": "hide", "version": "1"}).content.decode()
    client.post(path, {"act": "hide", "version": "1", "reason": "Not here"})
    assert pending_for(moderator, now=now).moderation == 0
    assert "poor" not in html_of(browse(bob), f"/games/{comment.game.key}/")
    act = Act.objects.get(kind="comment-hidden")
    assert (act.game, act.params) == (comment.game, {"comment": comment.pk, "version": "1"})
    assert CommentReport.objects.get().answer == "Not here"
    assert "hid a comment" in html_of(client, "/moderation/log/")


def test_what_changed_since_a_moderator_read_it_is_not_kept_but_can_be_hidden(
    comment: GameComment, bob: User, moderator: User, now: datetime
) -> None:
    writing.report(comment, "Insults", by=bob, now=now)
    writing.change(comment, "Worse", 1, by=comment.author, now=now)
    with pytest.raises(ModerationError, match="This was changed since you read it"):
        decide(comment, Ruling(hide=False, version="1"), Decision(moderator, now, "Fine"))
    decide(comment, Ruling(hide=True, version="1"), Decision(moderator, now, "Insults"))
    assert GameComment.objects.get().hidden_for == "Insults"


def test_nobody_decides_about_an_own_comment_or_an_own_report(comment: GameComment, bob: User, now: datetime) -> None:
    writing.report(comment, "Insults", by=bob, now=now)
    for judge in (comment.author, bob):
        make_moderator(judge, now=now)
        with pytest.raises(ModerationError, match="another moderator has to decide"):
            decide(comment, Ruling(hide=True, version="1"), Decision(judge, now, "Mine"))


def test_a_reported_collection_is_hidden_from_everybody_but_its_account(
    game: Game, alice: User, bob: User, moderator: User, browse: Browse, now: datetime
) -> None:
    shown = keeping.make(alice, "Fools of this site", public=True, now=now)
    path = shown.get_absolute_url()
    browse(bob).post(f"{path}report/", {"reason": "It names people"})
    assert CollectionReport.objects.get().reason == "It names people"
    assert "Fools of this site" in html_of(browse(moderator), "/moderation/")
    sent = {"act": "hide", "version": shown.read_version, "reason": "Not here"}
    assert browse(moderator).post(f"/moderation/collections/{shown.key}/", sent)["Location"] == "/moderation/"
    assert browse(bob).get(path).status_code == 404
    assert "Not here" in html_of(browse(alice), path)


def test_reports_of_all_kinds_are_counted_together(
    comment: GameComment, alice: User, bob: User, browse: Browse, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(
        SimpleRateThrottle, "THROTTLE_RATES", {"report": "1/hour"} | dict.fromkeys(("anon", "user", "study"))
    )
    study = Study.objects.create(owner=alice, title="Duel", visibility="public", made_at=now, changed_at=now)
    client, sent = browse(bob), {"act": "report", "reason": "Insults"}
    assert client.post(comment.get_absolute_url(), sent).status_code == 303
    answer = client.post(f"{study.get_absolute_url()}act/", sent)
    assert "Too many reports at once" in answer.content.decode()
    assert client.post(f"/api/v1/studies/{study.key}/report", {"reason": "Insults"}).status_code == 429
    assert not StudyReport.objects.exists()


def test_a_renamed_collection_is_not_kept_unread(alice: User, moderator: User, now: datetime) -> None:
    shown = keeping.make(alice, "Openings", public=True, now=now)
    read = shown.read_version
    keeping.change(Collection.objects.get(), name="Fools", public=True)
    with pytest.raises(ModerationError, match="This was changed since you read it"):
        decide(shown, Ruling(hide=False, version=read), Decision(moderator, now, "Fine"))


@pytest.mark.full
def test_a_moderator_does_not_see_who_reported_what_they_wrote(
    comment: GameComment, alice: User, bob: User, browse: Browse, now: datetime
) -> None:
    shown = keeping.make(alice, "Openings", public=True, now=now)
    writing.report(comment, "Insults", by=bob, now=now)
    keeping.report(shown, "Insults", by=bob, now=now)
    for moderator in (alice, bob):
        make_moderator(moderator, now=now)
        assert pending_for(moderator, now=now).moderation == 0
        assert "Insults" not in html_of(browse(moderator), "/moderation/")
    decided = {
        f"comments/{comment.pk}/": comment.get_absolute_url(),
        f"collections/{shown.key}/": shown.get_absolute_url(),
    }
    for path, page in decided.items():
        assert browse(alice).get(f"/moderation/{path}").status_code == 404
        assert f"/moderation/{path}" not in html_of(browse(alice), page)


def test_a_comment_sent_after_signing_out_is_shown_again_after_signing_in(
    game: Game, browse: Browse, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("bruno", password=PASSWORD)
    client, path = browse(None), f"/games/{game.key}/comments/"
    asked = client.post(path, {"text": "A *poor* move", "at": "yes", "ply": "1"})
    assert asked["Location"] == f"/account/login/?next={path}"
    given = client.post("/account/login/", {"login": "bruno", "password": PASSWORD, "next": path}, follow=True)
    assert "You were signed out, so this was not published yet." in given.content.decode()
    assert "A *poor* move</textarea>" in given.content.decode()
    assert not GameComment.objects.exists()
    client.post(path, {"text": "A *poor* move", "at": "yes", "ply": "1"})
    assert GameComment.objects.get().ply == 1
    assert client.get(path)["Location"] == f"/games/{game.key}/#comments"


def test_nobody_else_who_signs_in_reads_what_was_typed_before(game: Game, browse: Browse, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    User.objects.create_user("bruno", password=PASSWORD)
    client, path = browse(None), f"/games/{game.key}/comments/"
    client.post(path, {"text": "A *poor* move"})
    assert client.get(path).status_code == 303
    client.post("/account/login/", {"login": "bruno", "password": PASSWORD})
    assert client.get(path).status_code == 303


def test_a_long_comment_is_kept_whole_whatever_its_line_ends(game: Game, browse: Browse) -> None:
    lines, kept = "\r\n".join(["x" * 99] * 20), "\n".join(["x" * 99] * 20)
    client = browse(None)
    client.post(f"/games/{game.key}/comments/", {"text": lines})
    assert client.session["unsent_comment"]["text"] == kept


def test_visitors_cannot_fill_the_database_with_what_they_have_not_sent(
    game: Game, browse: Browse, settings: Settings
) -> None:
    settings.COMMENTS_AN_HOUR = 2
    for _ in range(4):
        assert browse(None).post(f"/games/{game.key}/comments/", {"text": "x"}).status_code == 302
    assert Session.objects.count() == 2
    settings.COMMENTS, settings.COMMENTS_AN_HOUR = False, 9
    browse(None).post(f"/games/{game.key}/comments/", {"text": "x"})
    assert Session.objects.count() == 2


@pytest.mark.django_db
def test_what_was_not_sent_is_forgotten_after_an_hour(rf: RequestFactory, now: datetime) -> None:
    request = rf.post("/")
    request.session, request.user = SessionStore(), AnonymousUser()
    unsent.keep(request, "/here/", unsent.Unsent("x", 0, at=False), now=now)
    assert unsent.take(request, "/here/", now=now + timedelta(hours=1)) is not None
    assert unsent.take(request, "/here/", now=now + timedelta(hours=1, seconds=1)) is None
    assert not request.session.keys()


def test_an_account_lists_what_it_has_commented(comment: GameComment, alice: User, bob: User, browse: Browse) -> None:
    page = html_of(browse(alice), "/account/comments/")
    assert "<p>A <em>poor</em> move</p>" in page
    assert f'href="/games/{comment.game.key}/#comment-{comment.pk}"' in page
    assert "You have not commented on a game yet." in html_of(browse(bob), "/account/comments/")


def test_own_comments_on_many_games_are_read_by_few_queries(
    alice: User, now: datetime, django_assert_num_queries: DjangoAssertNumQueries, rf: RequestFactory
) -> None:
    upload_file(b"\n".join(duels(5)), via=Upload.Via.WEB, now=now)
    judge_all(now)
    for game in Game.objects.all():
        writing.write(game, "Well played", by=alice, now=now)
    with django_assert_num_queries(3):
        assert len(own_comments(alice, rf.get("/").GET)) == 5
