"""Lookalike names."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import AccountName, Player
from games.platform import lookalikes
from games.platform.lookalikes import mixes_scripts, name_with_marks, names_alike, skeleton, stacks_marks, with_marks
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
        ("\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"),
        ("\u17c2\u179a\u200c\u1780", "\u17c2\u179a\u200c\u1780"),
        ("\u845b\U000e0100\u57ce a\U000e0100", "\u845b\U000e0100\u57ce a\u27e8U+E0100\u27e9"),
        ("\u182e\u180b\u1823 a\u180b", "\u182e\u180b\u1823 a\u27e8U+180B\u27e9"),
        ("\U0001f3f4\U000e0067\U000e007f \U000e0067", "\U0001f3f4\U000e0067\U000e007f \u27e8U+E0067\u27e9"),
        ("\u0639\u200c\u200c\u0644", "\u0639\u200c\u27e8U+200C\u27e9\u0644"),
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
        ("Ada  B", "Ada B"),
        ("Ada\u00a0B", "Ada B"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u212bse", "\u00c5se"),
        ("Zo\u00eb \u05d0\u05b8 P\u0430", "Zo\u00eb \u05d0\u05b8 P\u27e8U+0430\u27e9"),
    ],
)
def test_names_are_shown_as_they_are_looked_up(name: str, shown: str) -> None:
    assert name_with_marks(name) == shown


@pytest.mark.django_db
def test_a_name_typed_with_loose_marks_and_wide_spaces_is_shown_composed(
    client: Client, upload_records: UploadRecords
) -> None:
    (game,) = upload_records(*duels(1, names=("Zoe\u0308\u2003 B", "Bruno")))
    page = client.get(game.get_absolute_url()).content.decode()
    assert "<bdi>Zo\u00eb B</bdi>" in page
    assert "\u27e8U+" not in page


@pytest.mark.django_db
def test_letters_that_a_script_needs_are_shown_until_another_name_looks_the_same(
    client: Client, upload_records: UploadRecords
) -> None:
    ali, joined = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u0631\u0636\u0627"
    first, second = duels(2)
    (game,) = upload_records(first.replace(b"Ada", ali.encode()))
    paths = ("/games/", "/players/", game.get_absolute_url(), game.seatings.get(seat=0).player.get_absolute_url())
    for path in paths:
        page = client.get(path).content.decode()
        assert f"<bdi>{ali}</bdi>" in page, path
        assert "U+200C" not in page, path
    upload_records(second.replace(b"Ada", joined.encode()))
    for path in paths[:2]:
        page = client.get(path).content.decode()
        assert "<bdi>{}</bdi>".format(ali.replace("\u200c", "\u27e8U+200C\u27e9")) in page, path
        assert f"<bdi>{joined}</bdi>" in page, path


@pytest.mark.django_db
def test_names_alike_are_those_with_unseen_characters_and_a_double_in_public(upload_records: UploadRecords) -> None:
    names = [("Ada", "\u0628\u200c"), ("\u0628", "\u062a\u200c"), ("<\u062b\u200c>", "\u062c")]
    *_, last = upload_records(*(duel.replace(b"Ada", one.encode()).replace(b"Bruno", other.encode())
                                for duel, (one, other) in zip(duels(3), names, strict=True)))  # fmt: skip
    assert names_alike(Player.objects.values_list("name", flat=True)) == {"\u0628\u200c"}
    assert name_with_marks("\u0628\u200c") == "\u0628\u27e8U+200C\u27e9"
    assert name_with_marks("\u062a\u200c") == "\u062a\u200c"
    assert name_with_marks("\u062c\u200c") == "\u062c\u27e8U+200C\u27e9"
    type(last).objects.filter(pk=last.pk).update(private=True)
    assert name_with_marks("\u062c\u200c") == "\u062c\u200c"


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
