"""A variable has exactly one meaning; otherwise startup fails and names it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from atta_site import env


def test_unset_variable_uses_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIZE", raising=False)
    assert env.number("SIZE", 8) == 8


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZE", "  ")
    assert env.number("SIZE", 8) == 8


def test_a_required_variable_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAMES", raising=False)
    with pytest.raises(env.BadSettingError, match=r"^NAMES: expected names separated by commas, got nothing$"):
        env.names("NAMES")


@pytest.mark.parametrize(("written", "meant"), [("1", True), ("ON", True), ("yes", True), ("0", False), ("off", False)])
def test_a_switch_has_several_spellings(monkeypatch: pytest.MonkeyPatch, written: str, meant: bool) -> None:
    monkeypatch.setenv("SWITCH", written)
    assert env.flag("SWITCH", default=not meant) is meant


@pytest.mark.parametrize(
    ("read", "written", "message"),
    [
        (lambda: env.flag("X", default=False), "maybe", "X: expected 1 or 0, got 'maybe'"),
        (lambda: env.number("X", 1), "-1", "X: expected a whole number of at least 0, got '-1'"),
        (lambda: env.number("X", 1), "²", "X: expected a whole number of at least 0, got '²'"),
        (lambda: env.number("X", 1, at_least=5), "4", "X: expected a whole number of at least 5, got '4'"),
        (lambda: env.number("X", 1, at_most=5), "6", "X: expected a whole number from 0 to 5, got '6'"),
        (lambda: env.choice("X", ("json", "console"), "json"), "xml", "X: expected one of json, console, got 'xml'"),
        (lambda: env.names("X"), "a,,b", "X: expected names separated by commas, got 'a,,b'"),
        (lambda: env.rate("X", "1/day"), "1/fortnight", "X: expected a rate such as 60/minute, got '1/fortnight'"),
        (lambda: env.rate("X", "1/day"), "many/day", "X: expected a rate such as 60/minute, got 'many/day'"),
    ],
)
def test_a_bad_value_is_quoted_with_its_name_and_what_was_expected(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], written: str, message: str
) -> None:
    monkeypatch.setenv("X", written)
    with pytest.raises(env.BadSettingError) as caught:
        read()
    assert str(caught.value) == message


def test_a_list_is_split_at_commas_and_trimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAMES", "one.example, two.example")
    assert env.names("NAMES") == ["one.example", "two.example"]


def test_a_secret_can_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("abcdef\n")
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "key"))
    assert env.secret("KEY", expected="a key") == "abcdef"


def test_a_secret_that_is_given_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "abcdef")
    monkeypatch.setenv("KEY_FILE", "/somewhere")
    with pytest.raises(env.BadSettingError, match=r"^KEY: expected either KEY or KEY_FILE, not both"):
        env.secret("KEY", expected="a key")


def test_a_secret_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "none"))
    with pytest.raises(env.BadSettingError, match=r"^KEY_FILE: expected a file that can be read, got .*none"):
        env.secret("KEY", expected="a key")


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(env.BadSettingError, match=r"^METRICS_DIR: expected a folder that exists or can be made, got "):
        env.make_folder("METRICS_DIR", tmp_path / "file" / "folder")


def test_a_secret_that_is_too_short_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "hunter2")
    with pytest.raises(env.BadSettingError) as caught:
        env.secret("KEY", expected="at least 50 random characters", at_least=50)
    assert str(caught.value) == "KEY: expected at least 50 random characters, got '7 characters'"


def test_url_with_a_wrong_scheme_is_rejected_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB", "mysql://me:hunter2@host/db")
    with pytest.raises(env.BadSettingError) as caught:
        env.url("DB", ["postgresql", "postgres"])
    expected = "DB: expected an address that begins with postgresql:// or postgres://, got 'mysql://…'"
    assert str(caught.value) == expected
