"""Comments on games: who writes them, how many, who reads them, and what remains of them."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from rest_framework.test import APIClient

from games.accounts.deletion import delete_account
from games.accounts.reads.own_data import own_data
from games.collections import keeping
from games.comments import writing
from games.comments.markdown import as_html
from games.comments.reads import comments_on, find_comment
from games.models import Collection, CommentReport, Game, GameComment, Study, Upload
from games.moderation.moderators import make_moderator
from games.moderation.reads.reported import reported_comments
from games.platform import reports
from games.platform.errors import RefusedError
from games.platform.reports import Reported
from games.uploads.origin import SCORED, UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.plans import plans

Call = Callable[..., APIClient]
NOBODY = AnonymousUser()


_GAMES = """
INSERT INTO games_game (key, ruleset, verdict, plies, result, ended, received_at, scored, private)
SELECT lpad(to_hex(n), 8, '0'), 'atta-ants-online', 'rejected', 2, '', '', %s, true, false
FROM generate_series(1, 5000) AS n
"""
_COMMENTS = """
INSERT INTO games_gamecomment (game_id, author_id, text, version, written_at)
SELECT id, %s, 'Well played', 1, %s FROM games_game
"""


def uploaded(now: datetime, by: User, options: UploadOptions = SCORED) -> Game:
    upload_file(record("resign:R 2-1"), via=Upload.Via.WEB, now=now, uploader=by, options=options)
    judge_all(now)
    return Game.objects.get()


@pytest.fixture
def game(bob: User, now: datetime) -> Game:
    """A verified game of one action, uploaded by Bob."""
    return uploaded(now, bob)


def comment_by(game: Game, account: User, now: datetime) -> GameComment:
    return writing.write(game, "Mine", by=account, now=now)


def collection_by(game: Game, account: User, now: datetime) -> Collection:
    return keeping.make(account, "Openings", public=True, now=now)


def study_by(game: Game, account: User, now: datetime) -> Study:
    return Study.objects.create(owner=account, title="A duel", made_at=now, changed_at=now)


def refused(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RefusedError) as error:
        act()
    return error.value.code, error.value.sentence


def test_programs_write_read_change_and_delete_a_comment(game: Game, alice: User, call: Call) -> None:
    path = f"/api/v1/games/{game.key}/comments"
    made = call(alice).post(path, {"text": "A *short* game", "ply": 1})
    assert (made.status_code, made["Location"], made.data["ply"]) == (201, made.data["url"], 1)
    assert [one["html"] for one in call().get(path).data["comments"]] == ["<p>A <em>short</em> game</p>\n"]
    changed = call(alice).put(made.data["url"], {"text": "Short.", "version": 1})
    assert (changed.data["text"], changed.data["version"]) == ("Short.", 2)
    late = call(alice).put(made.data["url"], {"text": "Again", "version": 1})
    assert (late.status_code, late.data["error"]["code"]) == (409, "changed_meanwhile")
    assert call(alice).delete(made.data["url"]).status_code == 204
    assert call().get(path).data["comments"] == []


def test_only_accounts_write_and_only_authors_change_or_delete(
    game: Game, alice: User, mallory: User, call: Call, now: datetime
) -> None:
    made = writing.write(game, "Mine", by=alice, now=now)
    path = f"/api/v1/comments/{made.pk}"
    assert call().post(f"/api/v1/games/{game.key}/comments", {"text": "x"}).status_code == 401
    assert call(mallory).put(path, {"text": "x", "version": 1}).status_code == 403
    answer = call(mallory).delete(path)
    assert (answer.status_code, answer.data["error"]["code"]) == (403, "not_yours")
    assert GameComment.objects.get().text == "Mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n ", "Write a comment first."),
        ("\u3164\u3164", "Write a comment first."),
        ("> - ", "Write a comment first."),
        ("[\u2800](/games/)", "Write a comment first."),
        ("```\n```", "Write a comment first."),
        (">" * 20 + "x", "Quotes and lists in a comment cannot be nested this deeply."),
        ("good\u202egame", "Texts cannot contain invisible or text-direction characters."),
        ("x" * 2001, "A comment has at most 2000 characters."),
    ],
)
def test_texts_that_nobody_can_read_are_refused(game: Game, alice: User, now: datetime, text: str, said: str) -> None:
    assert refused(lambda: writing.write(game, text, by=alice, now=now))[1] == said


def test_a_comment_is_about_an_action_that_was_played(game: Game, alice: User, now: datetime) -> None:
    code, said = refused(lambda: writing.write(game, "Why?", by=alice, now=now, ply=2))
    assert (code, said) == ("no_ply", "The last action of this game is number 1.")


def test_a_comment_can_be_changed_for_ten_minutes(game: Game, alice: User, now: datetime) -> None:
    made = writing.write(game, "Helo", by=alice, now=now)
    then = now + timedelta(minutes=10)
    assert writing.change(made, "Hello", 1, by=alice, now=then).changed_at == then
    code, said = refused(lambda: writing.change(made, "Bye", 2, by=alice, now=then + timedelta(seconds=1)))
    assert (code, said) == ("too_late", "A comment can only be changed within ten minutes of writing it.")


def test_new_accounts_write_fewer_comments_a_day(
    game: Game, alice: User, bob: User, call: Call, settings: Any, now: datetime
) -> None:
    settings.COMMENTS_OF_NEW_A_DAY, settings.COMMENTS_A_DAY = 1, 2
    User.objects.filter(pk=bob.pk).update(date_joined=now - timedelta(days=8))
    bob.refresh_from_db()
    for text in ("One", "Two"):
        writing.write(game, text, by=bob, now=now)
    assert refused(lambda: writing.write(game, "Three", by=bob, now=now))[0] == "too_many_comments"
    writing.write(game, "One", by=bob, now=now + timedelta(days=1))
    path = f"/api/v1/games/{game.key}/comments"
    call(alice).post(path, {"text": "One"})
    answer = call(alice).post(path, {"text": "Two"})
    assert (answer.status_code, answer["Retry-After"]) == (429, str(24 * 60 * 60))


def test_deleting_comments_makes_no_room_within_the_hour(game: Game, alice: User, settings: Any, now: datetime) -> None:
    settings.COMMENTS_AN_HOUR = 1
    writing.delete(writing.write(game, "One", by=alice, now=now), by=alice)
    code, said = refused(lambda: writing.write(game, "Two", by=alice, now=now))
    assert (code, said) == (
        "too_many_comments",
        "You have written 1 comments, which is the limit. Minutes until the next: 60.",
    )


def test_operators_switch_comments_off_and_written_ones_stay(
    game: Game, alice: User, settings: Any, now: datetime
) -> None:
    writing.write(game, "Before", by=alice, now=now)
    settings.COMMENTS = False
    assert refused(lambda: writing.write(game, "After", by=alice, now=now))[0] == "comments_off"
    assert [one.text for one in comments_on(game, NOBODY)] == ["Before"]


def test_a_game_has_only_so_many_comments(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(writing, "MOST", 1)
    writing.write(game, "One", by=alice, now=now)
    assert refused(lambda: writing.write(game, "Two", by=alice, now=now))[1] == "A game has at most 1 comments."


def test_hidden_comments_leave_room_for_others(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(writing, "MOST", 1)
    writing.write(game, "Spam", by=alice, now=now)
    GameComment.objects.update(hidden_at=now, hidden_for="Spam")
    assert writing.write(game, "Well played", by=alice, now=now).text == "Well played"


def test_comments_on_a_private_game_are_for_those_with_whom_it_is_shared(
    alice: User, mallory: User, call: Call, now: datetime
) -> None:
    secret, moderator = uploaded(now, alice, UploadOptions(private=True)), User.objects.create_user("mona")
    make_moderator(moderator, now=now)
    made = writing.write(secret, "Between us", by=alice, now=now)
    for reader in (None, mallory):
        assert call(reader).get(f"/api/v1/games/{secret.key}/comments").status_code == 404
        assert call(reader).get(f"/api/v1/comments/{made.pk}").status_code == 404
    assert call(mallory).post(f"/api/v1/games/{secret.key}/comments", {"text": "x"}).status_code == 404
    assert call(moderator).get(f"/api/v1/comments/{made.pk}").status_code == 200
    answer = call(moderator).post(f"/api/v1/games/{secret.key}/comments", {"text": "x"})
    assert (answer.status_code, answer.data["error"]["code"]) == (403, "not_shared")


def test_an_author_finds_and_deletes_a_comment_on_a_game_that_became_private(
    game: Game, alice: User, call: Call, now: datetime
) -> None:
    made = writing.write(game, "Mine", by=alice, now=now)
    Game.objects.update(private=True)
    assert call(alice).get(f"/api/v1/games/{game.key}/comments").status_code == 404
    assert call(alice).delete(f"/api/v1/comments/{made.pk}").status_code == 204


def test_comments_on_another_seating_of_the_same_moves_follow_it(game: Game, alice: User, now: datetime) -> None:
    other = Game.objects.create(
        key="0000000z", ruleset=game.ruleset, plies=1, received_at=now, same_as=game, verdict="rejected"
    )
    writing.write(other, "Here first", by=alice, now=now)
    assert [one.text for one in comments_on(game, NOBODY)] == ["Here first"]
    Game.objects.filter(pk=other.pk).update(private=True)
    assert not comments_on(game, NOBODY).exists()


@pytest.fixture
def many(game: Game, alice: User, now: datetime) -> None:
    """Thousands of comments, each on a game of its own."""
    with connection.cursor() as cursor:
        cursor.execute(_GAMES, [now])
        cursor.execute(_COMMENTS, [alice.pk, now])
        cursor.execute("ANALYZE games_game, games_gamecomment")


@pytest.mark.usefixtures("many")
def test_neither_a_game_nor_moderators_read_all_comments(game: Game, alice: User, bob: User, now: datetime) -> None:
    reports.report(GameComment.objects.latest("pk"), "Rude", by=User.objects.create_user("carol"), now=now)
    for read in (comments_on(game, NOBODY).count, comments_on(game, alice).count, reported_comments(bob).count):
        (plan,) = plans(read)
        assert not re.search("Seq Scan on games_game(comment)?", plan.text), plan.text


@pytest.mark.parametrize("make", [comment_by, collection_by, study_by])
def test_what_was_deleted_meanwhile_cannot_be_reported(
    game: Game, alice: User, bob: User, now: datetime, make: Callable[[Game, User, datetime], Reported]
) -> None:
    made = make(game, alice, now)
    type(made).objects.filter(pk=made.pk).delete()
    code, said = refused(lambda: reports.report(made, "Rude", by=bob, now=now))
    assert (code, said) == ("deleted_meanwhile", "This was deleted meanwhile.")


def test_reports_of_own_things_are_conflicts(game: Game, alice: User, call: Call, now: datetime) -> None:
    comment, collection = comment_by(game, alice, now), collection_by(game, alice, now)
    for path in (f"comments/{comment.pk}", f"collections/{collection.key}"):
        answer = call(alice).post(f"/api/v1/{path}/report", {"reason": "Mine"})
        assert (answer.status_code, answer.data["error"]["code"].startswith("own_")) == (409, True)


def test_own_data_holds_comments_and_deleting_the_account_deletes_them(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    made = writing.write(game, "Mine", by=alice, now=now, ply=0)
    writing.report(made, "Rude", by=bob, now=now)
    assert [(one["text"], one["ply"]) for one in own_data(alice, now=now)["comments"]] == [("Mine", 0)]
    assert [one["reason"] for one in own_data(bob, now=now)["comment_reports"]] == ["Rude"]
    delete_account(alice, now=now)
    assert (GameComment.objects.count(), CommentReport.objects.count()) == (0, 0)


def test_a_hidden_comment_is_read_by_its_author_and_moderators_alone(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    made = writing.write(game, "Mine", by=alice, now=now)
    GameComment.objects.update(hidden_at=now, hidden_for="Rude")
    assert [comments_on(game, reader).count() for reader in (NOBODY, bob, alice)] == [0, 0, 1]
    with pytest.raises(GameComment.DoesNotExist):
        find_comment(made.pk, bob)
    assert refused(lambda: writing.change(made, "Nicer", 1, by=alice, now=now))[0] == "hidden"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        (
            "![a](https://x.example/a.png)",
            '<p>!<a href="https://x.example/a.png" rel="nofollow ugc noopener" title="https://x.example/a.png">a</a></p>\n',
        ),
        ("[a](javascript:alert)", "<p>[a](javascript:alert)</p>\n"),
        ("[a](//x.example)", "<p>[a](//x.example)</p>\n"),
        ("[a](https://atta.example@x.example)", "<p>[a](https://atta.example@x.example)</p>\n"),
        ("# Title", "<p># Title</p>\n"),
        ("&#x202e;x", "<p>&amp;#x202e;x</p>\n"),
        ("[a](/games/x/ 'b')", '<p><a href="/games/x/" title="/games/x/" rel="nofollow ugc noopener">a</a></p>\n'),
    ],
)
def test_comments_are_markdown_without_html_pictures_headings_and_entities(text: str, html: str) -> None:
    assert as_html(text) == html


def test_deeply_nested_markdown_stays_small() -> None:
    assert as_html(">" * 2000).count("<blockquote>") <= 20


@pytest.mark.parametrize("text", [">" * 19 + "x", "- " * 9 + "x"])
def test_all_that_is_accepted_is_shown(game: Game, alice: User, now: datetime, text: str) -> None:
    assert "x" in as_html(writing.write(game, text, by=alice, now=now).text)
