"""Caches hold so much and no more, however large single things are."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from games.platform.kept import Kept


def test_what_was_asked_for_longest_ago_goes_where_there_is_no_room() -> None:
    kept = Kept[str, bytes](10, len)
    for key in "abac":
        kept.put(key, key.encode() * 4)
    assert [kept.get(key) for key in "abc"] == [b"aaaa", None, b"cccc"]


def test_what_is_larger_than_all_room_is_made_and_not_kept() -> None:
    kept = Kept[str, bytes](10, len)
    kept.put("a", b"a")
    assert kept.of("b", lambda: b"b" * 11) == b"b" * 11
    assert [kept.get("a"), kept.get("b")] == [None, None]


def test_what_is_kept_is_not_made_again() -> None:
    kept = Kept[str, list[str]](10, len)
    first = kept.of("a", list)
    assert kept.of("a", list) is first


def test_two_threads_never_make_the_same() -> None:
    kept, made, both = Kept[str, list[int]](10, len), list[int](), Barrier(2)

    def make() -> list[int]:
        made.append(1)
        return made

    def ask() -> list[int]:
        both.wait()
        return kept.of("a", make)

    with ThreadPoolExecutor(2) as threads:
        assert {id(one.result()) for one in [threads.submit(ask) for _ in range(2)]} == {id(made)}
    assert made == [1]


def test_there_is_room_before_something_large_is_made() -> None:
    kept = Kept[str, bytes](10, len)
    kept.put("a", b"a" * 6)
    assert kept.of("b", lambda: kept.get("a") or b"b" * 5, weight=5) == b"b" * 5
