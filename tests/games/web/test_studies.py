"""The pages of studies."""

import json
import re
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.registry import ruleset_by_slug
from engine.studying import Tree
from games.models import Game, Study, StudyFollow, StudyReport, Upload
from games.moderation.moderators import make_moderator
from games.studies import writing
from games.studies.reads.studies import tree_of
from tests.factories import SETUP, duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

TAGS = {"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Setup": SETUP}


@pytest.fixture
def author(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def study(alice: User, now: datetime) -> Study:
    chapter = writing.NewChapter("First", Tree(TAGS))
    return writing.create(writing.About("Openings", "public"), [chapter], by=alice, now=now)


def act(client: Client, study: Study, name: str, status: int = 303, **fields: object) -> str:
    """Send a form of the page, and return the page after it."""
    chapter = study.chapters.order_by("number").first()
    version = chapter.version if chapter else 0
    address = reverse("study-act", args=[study.key])
    answer = client.post(address, {"act": name, "chapter": 1, "version": version, **fields})
    assert answer.status_code == status
    return client.get(answer["Location"]).content.decode() if status == 303 else answer.content.decode()


def tokens(study: Study) -> list[tuple[str, int]]:
    return [(node.token, node.parent) for node in tree_of(study.chapters.get()).nodes]


def test_branches_of_a_replay_become_a_study_in_one_click(author: Client, alice: User, now: datetime) -> None:
    upload_file(next(duels(1)), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    game = Game.objects.get()

    fields = {"game": game.key, "branches": json.dumps([[1, ["R2:N"], {"0": "better"}]]), "ply": "1"}
    answer = author.post(reverse("study-new"), fields, follow=True)
    page = answer.content.decode()

    assert answer.redirect_chain[-1][0].endswith("&node=0"), "where the reader stood"
    assert re.search(r"<h1><bdi>Ada – Bruno(, [0-9-]+)?</bdi></h1>", page)
    assert '<ul class="variation"><li>' in page
    assert '<span class="comment"><bdi>better</bdi></span>' in page
    assert "<bdi>Ada</bdi> – <bdi>Bruno</bdi>" in page


@pytest.mark.parametrize(
    "branches",
    ["[[Infinity, [], {}]]", "[[1]]", "{", '"R2:N"', json.dumps([[1, ["R2:N"], {"0": "\ud800"}]])],
)
def test_branches_that_cannot_be_read_are_refused_and_none_is_left_out(
    author: Client, alice: User, now: datetime, branches: str
) -> None:
    upload_file(next(duels(1)), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)

    fields = {"game": Game.objects.get().key, "branches": branches}
    page = author.post(reverse("study-new"), fields, follow=True).content.decode()

    assert ("Nothing was saved" in page or "incomplete character" in page, Study.objects.exists()) == (True, False)


def test_comment_of_several_lines_can_be_read_again(author: Client, study: Study) -> None:
    page = act(author, study, "comment", comment="First line\r\nsecond line")

    assert "First line second line" in page
    refused = act(author, study, "comment", 422, comment="a\x01b")
    assert "A string contains a control character" in refused
    assert "First line second line" in author.get(study.get_absolute_url()).content.decode()


@pytest.mark.full
def test_position_that_is_no_number_is_the_first(author: Client, study: Study) -> None:
    act(author, study, "play", token=next(duels(1)).decode().splitlines()[-1].split()[0])

    for node in ("0" * 9 + "9999", "9" * 5000, "x", ""):
        assert act(author, study, "comment", node=node, comment=f"at {node[:3]}")
    assert tree_of(study.chapters.get()).comment == "at"


def test_refused_comment_and_action_stay_in_their_forms(author: Client, study: Study) -> None:
    long = "x" * 2001

    assert f">{long}</textarea>" in act(author, study, "comment", 422, comment=long)
    assert 'value="R9:N"' in act(author, study, "play", 422, token="R9:N")
    act(author, study, "comment", comment="stored")
    assert f"“{long}”" in act(author, study, "comment", 409, version=1, comment=long)


def test_page_reads_only_the_chapter_it_shows(author: Client, study: Study, alice: User, now: datetime) -> None:
    writing.add_chapters(study, [writing.NewChapter("", Tree(TAGS))] * 3, by=alice, now=now)

    with CaptureQueriesContext(connection) as asked:
        author.get(study.get_absolute_url())

    (read,) = [query["sql"] for query in asked if '"tree"' in query["sql"]]
    assert "LIMIT 21" in read


def test_who_is_no_longer_signed_in_comes_back_to_a_page(study: Study, client: Client) -> None:
    acted = client.post(reverse("study-act", args=[study.key]), {"act": "comment", "comment": "late"})
    begun = client.post(reverse("study-new"), {"text": "late"})

    assert acted["Location"].endswith(f"?next={study.get_absolute_url()}")
    assert begun["Location"].endswith(f"?next={reverse('studies')}")


def test_study_whose_games_are_gone_says_why_it_is_empty(study: Study, client: Client) -> None:
    study.chapters.all().delete()

    page = client.get(study.get_absolute_url()).content.decode()

    assert "its games are private, or were deleted" in page


def test_large_file_is_imported(author: Client) -> None:
    comment = "x" * 1900
    text = "\n".join(next(duels(1)).decode().replace("\n\n", f"\n\n{{{comment}}}\n") for _ in range(40))

    page = author.post(reverse("study-new"), {"title": "Forty", "text": text}, follow=True).content.decode()

    assert len(text) > 64 * 1024
    assert "Chapter 40" in page


def test_author_adds_comments_marks_promotes_and_deletes(author: Client, study: Study) -> None:
    first = next(duels(1)).decode().splitlines()[-1].split()[0]
    act(author, study, "play", token=first)
    act(author, study, "play", node=0, token="R1:N")
    act(author, study, "play", node=0, token="R2:N")
    page = act(author, study, "comment", node=2, comment="A second try")
    assert page.count("A second try") == 2, "in the list and in the form"
    page = act(author, study, "mark", node=2, cell="0,0", to="0,1", colour="blue")
    assert ('class="study-mark blue"' in page, "0,0 → 0,1" in page) == (True, True)

    act(author, study, "promote", node=2)
    assert tokens(study) == [(first, -1), ("R2:N", 0), ("R1:N", 0)]
    act(author, study, "drop", node=1)
    assert tokens(study) == [(first, -1), ("R1:N", 0)]


def test_illegal_action_is_refused_on_the_page_with_its_rule(author: Client, study: Study) -> None:
    page = act(author, study, "play", 422, token="R1:N")

    assert "R1:N: " in page
    assert "ATTA-" in page
    assert tokens(study) == []


def test_comment_of_a_late_tab_is_shown_and_not_stored(author: Client, study: Study) -> None:
    act(author, study, "comment", comment="from the first tab")

    page = act(author, study, "comment", 409, version=1, comment="from the second tab")

    assert "Nothing was overwritten. “from the second tab”" in page
    assert tree_of(study.chapters.get()).comment == "from the first tab"


def test_readers_see_no_forms_of_the_author_and_change_nothing(bob: User, study: Study) -> None:
    client = Client()
    client.force_login(bob)

    assert "data-edit" not in client.get(study.get_absolute_url()).content.decode()
    for name in ("comment", "describe", "delete", "remove", "title"):
        assert "Only the account that wrote a study can change it" in act(
            client, study, name, 422, title="x", visibility="public"
        )


def test_readers_follow_fork_and_report(bob: User, study: Study) -> None:
    client = Client()
    client.force_login(bob)

    assert "Stop following" in act(client, study, "follow")
    assert "forked from" in act(client, study, "fork")
    assert "A moderator will look" in act(client, study, "report", reason="Insults")
    act(client, study, "unfollow")
    assert (StudyFollow.objects.count(), StudyReport.objects.get().reason, Study.objects.count()) == (0, "Insults", 2)


def test_moderator_finds_a_reported_study_and_hides_it(bob: User, study: Study, now: datetime) -> None:
    client, moderator = Client(), User.objects.create_user("mona")
    make_moderator(moderator, now=now)
    client.force_login(moderator)
    StudyReport.objects.create(study=study, by=bob, reason="Insults", raised_at=now)

    assert "Insults" in client.get(reverse("moderation")).content.decode()
    assert "Read it again, then decide" in act(client, study, "keep", 409, reason="Fine", version="another")
    hidden = act(client, study, "hide", reason="Insults", version=study.read_version)
    assert "A moderator has hidden this study" in hidden
    assert Client().get(study.get_absolute_url()).status_code == 404


@pytest.mark.full
def test_author_changes_title_readers_and_chapters(author: Client, study: Study) -> None:
    assert "<title>Duels" in act(author, study, "describe", version=1, title="Duels", visibility="unlisted")
    text = next(duels(1)).decode()
    assert "Chapter 2" in act(author, study, "add", text=text)
    page = act(author, study, "up", chapter=2)
    assert page.index("Chapter 1") < page.index("<bdi>First</bdi>")
    act(author, study, "remove", chapter=2)
    assert "A study needs at least one chapter" in act(author, study, "remove", 422)
    act(author, study, "delete")
    assert not Study.objects.exists()


def test_file_with_a_fault_is_refused_with_its_place(author: Client) -> None:
    text = next(duels(1)).decode().replace("R1:N", "R9:N")

    page = author.post(reverse("study-new"), {"text": text}, follow=True).content.decode()

    assert "AGN-MOVE-1 · line 9, column" in page
    assert not Study.objects.exists()


def test_unlisted_study_is_kept_from_search_engines(study: Study, client: Client) -> None:
    assert "X-Robots-Tag" not in client.get(study.get_absolute_url())
    Study.objects.update(visibility="unlisted")
    assert client.get(study.get_absolute_url())["X-Robots-Tag"] == "noindex"
    assert "Openings" not in client.get(reverse("studies")).content.decode()


def test_deep_variations_stand_in_parentheses(author: Client, study: Study) -> None:
    tree = {"format": "atta-study/1", "title": "Deep", "chapters": [{"title": "", "tags": TAGS, "nodes": nested(20)}]}

    page = author.post(reverse("study-new"), {"text": json.dumps(tree)}, follow=True).content.decode()

    assert page.count('<ul class="variation">') == 12


def nested(depth: int) -> list[dict[str, object]]:
    """Return variations within variations: from each the play goes on, and differs again."""
    ruleset = ruleset_by_slug("atta-ants-online")
    state, parent, nodes = ruleset.initial(TAGS), -1, list[dict[str, object]]()
    while len(nodes) < 2 * depth:
        one, *others = ruleset.legal_actions(state)
        chosen = one
        nodes.append({"token": ruleset.format_action(one), "parent": parent})
        if others:
            chosen = others[0]
            nodes.append({"token": ruleset.format_action(chosen), "parent": parent})
        parent, state = len(nodes) - 1, ruleset.apply(state, chosen)
    return nodes
