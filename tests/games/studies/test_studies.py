"""Studies: what is stored is legal, only its author changes it, and who may not see a game sees no chapter of it."""

import json
import tracemalloc
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.army_ants.ruleset import ARMY_ANTS
from engine.studying import FORMAT, Branch, Node, StudyError, TooLongError, Tree, reading
from games.accounts.deletion import delete_account
from games.accounts.reads.own_data import own_data
from games.models import Act, Game, Study, StudyChapter, StudyFollow, StudyReport, Upload
from games.moderation.decisions import Decision, ModerationError
from games.moderation.moderators import make_moderator
from games.moderation.reads.reported import reported_studies
from games.moderation.reported import Ruling, decide
from games.records.reads.visibility import Viewer
from games.studies import readers, writing
from games.studies.errors import ChangedMeanwhileError, StudyRefusedError
from games.studies.importing import import_file
from games.studies.reads.files import study_as_json, study_as_text
from games.studies.reads.studies import (
    StudyFilter,
    chapters_of,
    find_study,
    list_studies,
    names_of,
    origin_of,
    own_studies,
    studies_followed,
    tree_of,
)
from games.uploads.origin import SCORED, UploadOptions
from tests.factories import SETUP, duels
from tests.games.judging import judge_all
from tests.games.longest import longest
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

TAGS = {"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Setup": SETUP}
NOBODY = AnonymousUser()


def played(by: User, now: datetime, options: UploadOptions = SCORED) -> Game:
    upload_file(next(duels(1)), via=Upload.Via.WEB, now=now, uploader=by, options=options)
    judge_all(now)
    return Game.objects.get()


def written(by: User, now: datetime, title: str = "Openings", visibility: str = "public") -> Study:
    return writing.create(writing.About(title, visibility), [writing.NewChapter("", Tree(TAGS))], by=by, now=now)


def about_game(game: Game, by: User, now: datetime) -> Study:
    branch = Branch(1, ["R2:N"], {0: "better"})
    chapter = writing.chapter_about(game, "The duel", [branch], by)
    return writing.create(writing.About("A duel", "public"), [chapter], by=by, now=now)


def test_branches_of_a_game_become_variations_of_a_chapter(alice: User, now: datetime) -> None:
    study = about_game(played(alice, now), alice, now)

    (chapter,) = chapters_of(study, NOBODY)
    nodes = tree_of(chapter).nodes
    assert [(node.token, node.parent) for node in nodes[1:]] == [("R1:N", 0), ("resign:R", 1), ("R2:N", 0)]
    assert nodes[3].comment == "better"
    assert names_of(chapter) == {"R": "Ada", "Y": "Bruno"}
    assert "Ada" not in chapter.tree


def test_illegal_branch_is_refused_with_rule_and_place(alice: User, now: datetime) -> None:
    game = played(alice, now)
    chapter = writing.chapter_about(game, "", [Branch(1, ["R1:N", "R1:N"], {})], alice)

    with pytest.raises(StudyError, match="R1 ") as refused:
        writing.create(writing.About("A duel"), [chapter], by=alice, now=now)

    assert (refused.value.rule, refused.value.node, refused.value.token) == ("ATTA-MOVE-1", 3, "R1:N")
    assert not Study.objects.exists()


def test_chapter_about_a_private_game_is_seen_only_by_those_who_see_the_game(
    alice: User, bob: User, now: datetime
) -> None:
    study = about_game(played(alice, now, UploadOptions(private=True)), alice, now)

    assert [chapters_of(study, viewer).count() for viewer in (alice, bob, NOBODY)] == [1, 0, 0]
    assert json.loads("".join(study_as_json(study, bob)))["chapters"] == []
    assert "".join(study_as_text(study, bob)) == ""
    with pytest.raises(StudyRefusedError, match="There is no chapter to add"):
        writing.fork(study, by=bob, now=now)
    assert not list_studies(StudyFilter(title="The duel"), bob).exists()


@pytest.mark.parametrize(
    ("visibility", "readers", "listed"), [("public", 3, True), ("unlisted", 3, False), ("private", 1, False)]
)
def test_visibility_says_who_reads_a_study(
    alice: User, bob: User, now: datetime, visibility: str, readers: int, listed: bool
) -> None:
    study = written(alice, now, visibility=visibility)

    assert sum(may_read(study, viewer) for viewer in (alice, bob, NOBODY)) == readers
    assert list_studies(StudyFilter(), bob).exists() is listed


def test_hidden_study_is_read_by_its_author_alone(alice: User, bob: User, now: datetime) -> None:
    study = written(alice, now)
    Study.objects.filter(pk=study.pk).update(hidden_at=now)

    assert [may_read(study, viewer) for viewer in (alice, bob, NOBODY)] == [True, False, False]
    assert not list_studies(StudyFilter(), alice).exists()


def may_read(study: Study, viewer: Viewer) -> bool:
    try:
        return find_study(study.key, viewer) == study
    except Study.DoesNotExist:
        return False


def test_studies_are_found_by_title_game_and_author(alice: User, now: datetime) -> None:
    study = written(alice, now, title="Nest openings")

    for wanted in (StudyFilter(title="nest"), StudyFilter(game="atta ants"), StudyFilter(author="ALI")):
        assert list(list_studies(wanted, NOBODY)) == [study]
    for other in (StudyFilter(title="trails"), StudyFilter(game="Ant Trails"), StudyFilter(author="bob")):
        assert not list_studies(other, NOBODY).exists()


def test_list_of_studies_is_read_by_one_plain_query(alice: User, now: datetime) -> None:
    written(alice, now)

    with CaptureQueriesContext(connection) as asked:
        assert [study.owner.username for study in list_studies(StudyFilter(), NOBODY)] == ["alice"]

    (query,) = asked
    assert "GROUP BY" not in query["sql"]


def test_only_the_author_changes_a_study(alice: User, bob: User, now: datetime) -> None:
    study = written(alice, now)
    (chapter,) = study.chapters.all()

    for change in (
        lambda: writing.describe(study, writing.About("Mine"), 1, by=bob, now=now),
        lambda: writing.save_chapter(chapter, "", Tree(TAGS), 1, by=bob, now=now),
        lambda: writing.add_chapters(study, [writing.NewChapter("", Tree(TAGS))], by=bob, now=now),
        lambda: writing.remove_chapter(chapter, by=bob, now=now),
        lambda: writing.move_chapter(chapter, 1, by=bob, now=now),
        lambda: writing.delete(study, by=bob),
    ):
        with pytest.raises(StudyRefusedError, match="Only the account that wrote a study can change it"):
            change()


def test_second_of_two_tabs_gets_what_the_first_has_stored(alice: User, now: datetime) -> None:
    (chapter,) = written(alice, now).chapters.all()
    writing.save_chapter(chapter, "First", Tree(TAGS, comment="from the first tab"), 1, by=alice, now=now)

    with pytest.raises(ChangedMeanwhileError, match="Nothing was overwritten") as refused:
        writing.save_chapter(chapter, "Second", Tree(TAGS), 1, by=alice, now=now)

    assert refused.value.current is not None
    assert (refused.value.current.title, refused.value.current.version) == ("First", 2)


def test_chapter_keeps_how_its_game_begins(alice: User, now: datetime) -> None:
    (chapter,) = written(alice, now).chapters.all()

    saved = writing.save_chapter(chapter, "", Tree({}, (Node("R1:N", -1),)[:0]), 1, by=alice, now=now)

    assert tree_of(saved).tags == TAGS


def test_chapters_are_moved_and_the_last_one_stays(alice: User, now: datetime) -> None:
    study = written(alice, now)
    [second] = writing.add_chapters(study, [writing.NewChapter("Second", Tree(TAGS))], by=alice, now=now)

    writing.move_chapter(second, -1, by=alice, now=now)
    assert [chapter.number for chapter in chapters_of(study, alice)] == [2, 1]
    writing.remove_chapter(second, by=alice, now=now)
    with pytest.raises(StudyRefusedError, match="A study needs at least one chapter"):
        writing.remove_chapter(study.chapters.get(), by=alice, now=now)


def test_fork_is_private_and_names_its_origin_only_to_those_who_may_read_it(
    alice: User, bob: User, now: datetime
) -> None:
    study = written(alice, now)
    fork = writing.fork(study, by=bob, now=now)

    assert (fork.visibility, fork.owner, origin_of(fork, bob)) == ("private", bob, study)
    Study.objects.filter(pk=study.pk).update(visibility="private")
    assert origin_of(fork, bob) is None


def test_what_was_played_before_is_not_played_again(
    alice: User, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = written(alice, now)
    monkeypatch.setattr(writing, "play", lambda tree: pytest.fail("played again"))

    fork = writing.fork(study, by=bob, now=now)
    again = import_file("".join(study_as_text(fork, bob)).encode(), writing.About(""), by=bob, now=now)

    assert {one.chapters.get().ruleset for one in (study, fork, again)} == {"atta-ants-online"}


def test_too_many_studies_and_chapters_are_refused(alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_STUDIES", 1)
    monkeypatch.setattr(writing, "MOST_CHAPTERS", 1)
    study = written(alice, now)

    with pytest.raises(StudyRefusedError, match="An account can have at most 1 studies"):
        written(alice, now)
    with pytest.raises(StudyRefusedError, match="A study can have at most 1 chapters"):
        writing.add_chapters(study, [writing.NewChapter("", Tree(TAGS))], by=alice, now=now)


def test_all_chapters_of_a_study_have_a_bounded_number_of_actions(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    chapter = writing.chapter_about(played(alice, now), "", [], alice)
    monkeypatch.setattr(reading, "MOST_OF_STUDY", 2 * len(chapter.tree.nodes))
    study = writing.create(writing.About("Two"), [chapter] * 2, by=alice, now=now)
    with pytest.raises(StudyError, match="All chapters of a study together can have at most"):
        writing.add_chapters(study, [chapter], by=alice, now=now)
    longer = Tree(chapter.tree.tags, (*chapter.tree.nodes, Node("R1:N", -1)))
    with pytest.raises(StudyError, match="All chapters of a study together"):
        writing.save_chapter(study.chapters.all()[0], "", longer, 1, by=alice, now=now)
    file = "\n".join(study_as_text(study, alice)).encode()
    with pytest.raises(StudyError, match="All chapters of a study together"):
        import_file(file + b"\n" + file, writing.About("Four"), by=alice, now=now)
    assert (study.chapters.count(), Study.objects.count()) == (2, 1)


def test_chapters_are_added_all_or_none(alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_CHAPTERS", 2)
    study = written(alice, now)

    with pytest.raises(StudyRefusedError, match="A study can have at most 2 chapters"):
        writing.add_chapters(study, [writing.NewChapter("", Tree(TAGS))] * 2, by=alice, now=now)
    assert study.chapters.count() == 1


def test_study_begins_with_a_chapter(alice: User, now: datetime) -> None:
    file = json.dumps({"format": "atta-study/1", "title": "", "chapters": []}).encode()

    with pytest.raises(StudyRefusedError, match="There is no chapter to add"):
        import_file(file, writing.About(""), by=alice, now=now)
    assert not Study.objects.exists()


def test_chapter_that_another_tab_has_removed_is_neither_saved_nor_moved(alice: User, now: datetime) -> None:
    study = written(alice, now)
    [gone] = writing.add_chapters(study, [writing.NewChapter("", Tree(TAGS))], by=alice, now=now)
    StudyChapter.objects.filter(pk=gone.pk).delete()

    with pytest.raises(StudyRefusedError, match="This chapter no longer exists"):
        writing.save_chapter(gone, "", Tree(TAGS), 1, by=alice, now=now)
    with pytest.raises(StudyRefusedError, match="This chapter no longer exists"):
        writing.move_chapter(gone, 1, by=alice, now=now)


def test_change_of_a_chapter_is_no_change_of_its_study(alice: User, now: datetime) -> None:
    study = written(alice, now)

    writing.save_chapter(study.chapters.get(), "First", Tree(TAGS), 1, by=alice, now=now)

    assert writing.describe(study, writing.About("Endings"), 1, by=alice, now=now).title == "Endings"


def test_titles_hold_nothing_that_a_file_cannot(alice: User, now: datetime) -> None:
    file = {"format": "atta-study/1", "title": "Open\x01ings \ud800", "chapters": [{"title": "", "tags": TAGS}]}

    study = import_file(json.dumps(file).encode(), writing.About(""), by=alice, now=now)

    assert study.title == "Openings"


@pytest.mark.parametrize("key", ["\0a", "\ud800", "", "a b"])
def test_file_that_names_no_game_by_its_key_is_about_none(alice: User, now: datetime, key: str) -> None:
    chapter = {"title": "", "tags": TAGS, "game": key}
    file = {"format": "atta-study/1", "title": "Openings", "chapters": [chapter]}

    study = import_file(json.dumps(file).encode(), writing.About(""), by=alice, now=now)

    assert study.chapters.get().game is None


def test_followed_study_is_listed_as_long_as_it_may_be_read(alice: User, bob: User, now: datetime) -> None:
    study = written(alice, now)
    readers.follow(study, bob, now=now)
    readers.follow(study, bob, now=now)

    assert list(studies_followed(bob)) == [study]
    Study.objects.filter(pk=study.pk).update(visibility="private")
    assert not studies_followed(bob).exists()
    readers.unfollow(study, bob)
    assert not StudyFollow.objects.exists()
    with pytest.raises(StudyRefusedError, match="This is your own study"):
        readers.follow(study, alice, now=now)


def test_exported_study_is_imported_with_its_game_and_all_variations(alice: User, bob: User, now: datetime) -> None:
    game = played(alice, now)
    study = about_game(game, alice, now)

    from_json = import_file("".join(study_as_json(study, bob)).encode(), writing.About(""), by=bob, now=now)
    from_text = import_file("".join(study_as_text(study, bob)).encode(), writing.About(""), by=bob, now=now)

    assert (from_json.title, from_text.title) == ("A duel", "A duel")
    assert (from_json.chapters.get().game, from_text.chapters.get().game) == (game, None)
    assert "".join(study_as_text(from_json, bob)) == "".join(study_as_text(study, bob))
    assert '[Red "Ada"]' in "".join(study_as_text(study, bob))
    assert '[Red "Red"]' in "".join(study_as_text(from_text, bob))


def test_report_is_decided_by_a_moderator_who_hides_the_study(alice: User, bob: User, now: datetime) -> None:
    study, moderator = written(alice, now), User.objects.create_user("mona")
    make_moderator(moderator, now=now)
    readers.report(study, "Insults", by=bob, now=now)
    readers.report(study, "Insults in chapter 1", by=bob, now=now)

    (found,) = reported_studies(moderator)
    assert [one.reason for one in found.open_reports] == ["Insults in chapter 1"]  # type: ignore[attr-defined] # prefetched
    decide(study, Ruling(hide=True, version=found.read_version), Decision(moderator, now, "Insults"))
    assert not list_studies(StudyFilter(), bob).exists()
    assert (find_study(study.key, alice).hidden_for, reported_studies(moderator).count()) == ("Insults", 0)
    assert Act.objects.get(kind="study-hidden").params == {"study": study.key, "version": found.read_version}
    decide(study, Ruling(hide=False, version=found.read_version), Decision(moderator, now, "Mended"))
    assert list_studies(StudyFilter(), bob).exists()


def test_moderator_does_not_decide_about_an_own_study(alice: User, now: datetime) -> None:
    make_moderator(alice, now=now)

    with pytest.raises(ModerationError, match="another moderator has to decide"):
        decide(written(alice, now), Ruling(hide=True, version=""), Decision(alice, now, "Mine"))


def test_study_with_a_chapter_changed_since_it_was_read_is_not_kept(alice: User, now: datetime) -> None:
    study, moderator = written(alice, now), User.objects.create_user("mona")
    chapter = study.chapters.get()
    writing.save_chapter(chapter, "Insults", tree_of(chapter), 1, by=alice, now=now + timedelta(seconds=1))

    with pytest.raises(ModerationError, match="This was changed since you read it"):
        decide(study, Ruling(hide=False, version=study.read_version), Decision(moderator, now, "Fine"))


def test_copy_of_a_hidden_study_cannot_be_published(alice: User, bob: User, now: datetime) -> None:
    study = written(alice, now)
    fork = writing.fork(writing.fork(study, by=bob, now=now), by=bob, now=now)
    Study.objects.filter(pk=study.pk).update(hidden_at=now, hidden_for="Insults")

    with pytest.raises(StudyRefusedError, match="A moderator has hidden the study that this is a copy of"):
        writing.describe(fork, writing.About("Mine", "public"), 1, by=bob, now=now)
    assert writing.describe(fork, writing.About("Mine"), 1, by=bob, now=now).title == "Mine"


@pytest.mark.parametrize("with_account", [False, True])
def test_deleting_a_hidden_study_publishes_no_copy_of_it(
    alice: User, bob: User, now: datetime, *, with_account: bool
) -> None:
    study = written(alice, now)
    fork = writing.fork(study, by=bob, now=now)
    Study.objects.filter(pk=study.pk).update(hidden_at=now, hidden_for="Insults")
    if with_account:
        delete_account(alice, now=now)
    else:
        writing.delete(study, by=alice)
    writing.describe(fork, writing.About("Mine", "public"), 1, by=bob, now=now)

    assert not list_studies(StudyFilter(), NOBODY).exists()
    assert find_study(fork.key, bob).hidden_for == "Insults"


def test_deleted_account_takes_its_studies_along_and_leaves_forks(alice: User, bob: User, now: datetime) -> None:
    study = written(alice, now)
    fork = writing.fork(study, by=bob, now=now)
    readers.follow(study, bob, now=now)
    readers.report(study, "Why", by=bob, now=now)

    delete_account(alice, now=now)

    assert list(Study.objects.all()) == [fork]
    assert (Study.objects.get().forked_from, StudyFollow.objects.count(), StudyReport.objects.count()) == (None, 0, 0)


def test_own_data_holds_own_studies_whole(alice: User, now: datetime) -> None:
    written(alice, now)
    StudyChapter.objects.update(title="First")

    (found,) = own_data(alice, now=now)["studies"]

    assert (found["title"], found["chapters"][0]["title"], found["chapters"][0]["tags"]) == ("Openings", "First", TAGS)
    assert list(own_studies(alice)) == list(Study.objects.all())


def test_own_data_holds_the_chapters_of_one_study_at_a_time(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counting(tree: str) -> object:
        read.append(tree)
        return json.loads(tree)

    monkeypatch.setattr("games.accounts.reads.own_data.loads", counting)
    for title in ("One", "Two", "Three"):
        written(alice, now, title=title)

    titles = [(one["title"], len(read)) for one in own_data(alice, now=now)["studies"]]

    assert titles == [("One", 1), ("Two", 2), ("Three", 3)]


@pytest.mark.full
def test_file_of_64_of_the_longest_games_is_refused_before_most_of_it_is_played(alice: User, now: datetime) -> None:
    record = longest(ARMY_ANTS).text().encode()
    tracemalloc.start()
    with pytest.raises(StudyError, match="All chapters of a study together"):
        import_file(b"\n\n".join([record] * 64), writing.About("Long"), by=alice, now=now)
    assert tracemalloc.get_traced_memory()[1] < 128 * 2**20
    tracemalloc.stop()
    assert not Study.objects.exists()


def chapters_of_length(actions: int, count: int) -> bytes:
    """Return a study's file of chapters that are never played: each has one action so many times."""
    nodes = [{"token": "R1:N", "parent": at - 1} for at in range(actions)]
    return json.dumps({"format": FORMAT, "title": "", "chapters": [{"tags": TAGS, "nodes": nodes}] * count}).encode()


def test_file_with_more_actions_than_a_study_may_have_is_refused_before_any_is_played(
    alice: User, now: datetime
) -> None:
    with pytest.raises(TooLongError, match="All chapters of a study together"):
        import_file(chapters_of_length(5_000, 5), writing.About("Long"), by=alice, now=now)

    assert not Study.objects.exists()


def test_a_study_holds_so_much_and_no_more(alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    study = written(alice, now)
    (chapter,) = study.chapters.all()
    monkeypatch.setattr(writing, "MOST_HELD", len(chapter.tree))

    with pytest.raises(StudyRefusedError, match="comments included"):
        writing.save_chapter(chapter, "", Tree(TAGS, (), "a comment"), 1, by=alice, now=now)
    with pytest.raises(StudyRefusedError, match="comments included"):
        writing.add_chapters(study, [writing.NewChapter("", Tree(TAGS))], by=alice, now=now)
    assert writing.save_chapter(chapter, "Same", Tree(TAGS), 1, by=alice, now=now).title == "Same"


def test_all_studies_of_an_account_hold_so_much_and_no_more(
    alice: User, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MOST_STORED", 300)
    study = written(alice, now)

    with pytest.raises(StudyRefusedError, match="Delete some") as refused:
        [written(alice, now) for _ in range(5)]
    assert refused.value.code == "too_large"
    assert writing.fork(study, by=bob, now=now).owner == bob
