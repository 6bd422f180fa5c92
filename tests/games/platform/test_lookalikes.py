"""Lookalike names."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import AccountName
from games.platform import lookalikes
from games.platform.lookalikes import mixes_scripts, name_with_marks, skeleton, stacks_marks, with_marks
from tests.factories import duels
from tests.games.web.conftest import UploadRecords, upload_records

__all__ = ["upload_records"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),
        ("Bob", "B0b"),
        ("Tom", "Torn"),
        ("Ian", "lan"),
        ("Ada", "ADA"),
        ("full", "\uff46ull"),
        ("O\u2019Neill", "O'Neill"),
        ("ada", "a\u200bda"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Zoe", "Zo\u00eb"), ("Ada", "Adam"), ("\u674e \u56db", "\u674e\u56db")])
def test_names_that_look_different_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


PEOPLE = (
    "Zo\u00eb",
    "\u0645\u064f\u062d\u064e\u0645\u064e\u0651\u062f",
    "\u3041\u6f22\u30abA",
    "\ud55c\uae00 Kim",
    "Nguy\u1ec5n 7",
)


@pytest.mark.parametrize("name", PEOPLE)
def test_real_names_neither_mix_scripts_nor_stack_marks(name: str) -> None:
    assert (mixes_scripts(name), stacks_marks(name)) == (False, False)


def test_skeleton_is_stable_and_bounded_in_length() -> None:
    for letter in map(chr, range(0x20, 0x3000)):
        assert skeleton(skeleton(letter)) == skeleton(letter)
    assert len(skeleton("\ufdfa" * 64)) <= 400


@pytest.mark.django_db
def test_lookalike_check_covers_server_made_accounts_and_favours_the_older() -> None:
    User.objects.create_user("B0b")
    User.objects.create_user("Bob")
    assert lookalikes.is_taken("BOB")
    assert list(AccountName.objects.order_by("pk").values_list("skeleton", flat=True)) == ["bob", None]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a\u27e8U+202E\u27e9b"),
        ("a\u200bb\u2066", "a\u27e8U+200B\u27e9b\u27e8U+2066\u27e9"),
        ("a\u200cb", "a\u27e8U+200C\u27e9b"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\U0001f468\u200d\U0001f469 a\nb\tc", "\U0001f468\u200d\U0001f469 a\nb\tc"),
        ("P\u0430ul", "P\u27e8U+0430\u27e9ul"),
        ("<bdi>\u0410\u0434\u0430</bdi>\u2019s game", "<bdi>\u0410\u0434\u0430</bdi>\u2019s game"),
        ("\u0410\u0434\u0430\u03b1", "\u0410\u0434\u0430\u27e8U+03B1\u27e9"),
        ("B\u04300b", "B\u27e8U+0430\u27e90b"),
        ("Zo\u0308e\u0301\u0302", "Zo\u0308e\u0301\u0302"),
        ("x\u0301\u0302\u0303", "x\u0301\u0302\u27e8U+0303\u27e9"),
        ("a\u0301\u0301\u0301", "\u00e1\u27e8U+0301\u27e9\u27e8U+0301\u27e9"),
        ("\u3041\u6f22\u30abA \ud55c\uae00Kim 5\u00b5s", "\u3041\u6f22\u30abA \ud55c\uae00Kim 5\u00b5s"),
    ],
)
def test_invisible_characters_are_spelled_out(text: str, shown: str) -> None:
    assert with_marks(text) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada  B", "Ada \u27e8U+0020\u27e9B"),
        ("Ada\u00a0B", "Ada\u27e8U+00A0\u27e9B"),
        ("Zoe\u0308", "Zoe\u27e8U+0308\u27e9"),
        ("\u212bse", "\u27e8U+212B\u27e9se"),
        ("Zo\u00eb \u05d0\u05b8 P\u0430", "Zo\u00eb \u05d0\u05b8 P\u27e8U+0430\u27e9"),
    ],
)
def test_unusual_spaces_and_compositions_in_names_are_spelled_out(name: str, shown: str) -> None:
    assert name_with_marks(name) == shown


@pytest.mark.django_db
def test_spelled_out_characters_appear_only_inside_names_on_pages(
    client: Client, upload_records: UploadRecords
) -> None:
    (game,) = upload_records(*duels(1, names=("Zoe\u0308  B", "Bruno")))
    page = client.get(game.get_absolute_url()).content.decode()
    assert "<bdi>Zoe\u27e8U+0308\u27e9 \u27e8U+0020\u27e9B</bdi>" in page
    assert "\u27e8U+0020" not in re.sub(r"<bdi>.*?</bdi>", "", page)


@pytest.mark.full
@pytest.mark.django_db
def test_hidden_characters_of_a_player_are_shown_on_pages_and_kept_in_the_api(
    client: Client, upload_records: UploadRecords
) -> None:
    name = "Eve\u202e\u200badA\u0430x\u0301\u0302\u0303"
    (game,) = upload_records(*duels(1, names=(name, "Bruno")))
    seat = game.seatings.get(player__name=name)
    for path in ("/", "/games/", game.get_absolute_url(), seat.player.get_absolute_url(), "/leaderboards/"):
        page = client.get(path).content.decode()
        assert ("\u202e" in page, "\u200b" in page) == (False, False), path
        assert "Eve\u27e8U+202E\u27e9\u27e8U+200B\u27e9adA\u27e8U+0430\u27e9x\u0301\u0302\u27e8U+0303\u27e9" in page, (
            path
        )
    assert client.get(f"/api/v1/players/{seat.player_id}").json()["name"] == name


@pytest.mark.django_db
def test_text_typed_into_a_form_is_returned_unchanged(client: Client) -> None:
    page = client.get("/games/?player=a%E2%80%AEb").content.decode()
    assert 'value="a\u202eb"' in page
