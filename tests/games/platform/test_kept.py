"""Caches hold so much and no more, however large single things are."""

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
