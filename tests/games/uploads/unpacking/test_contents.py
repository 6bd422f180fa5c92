"""Unpacking valid files, and the reasons for rejecting others."""

import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.uploads.unpacking.budget import Budget, Limits
from games.uploads.unpacking.contents import parts
from games.uploads.unpacking.errors import UnpackError
from games.uploads.unpacking.formats import Format, format_of
from games.uploads.unpacking.rubbish import Stretch
from tests.games.uploads.unpacking import bombs
from tests.games.uploads.unpacking.bombs import MIB, Held, zipped, zstd_of

TEXT = b"[A]\n\n1. one\n\n[B]\n\n1. two\n" * 1000
LIMITS = Limits(unproductive=Stretch(packed=10**12, unpacked=10**12, lines=10**12, pieces=10**12))
"""Nothing is split here, so no record is ever found."""


def unpacked(data: bytes, limits: Limits = LIMITS, *, begin: int = 0) -> list[tuple[int, str, bytes]]:
    return [(part.number, part.name, part.stream.read()) for part in parts(Held(data), Budget(limits), begin=begin)]


def refused(data: bytes, limits: Limits = LIMITS) -> tuple[str, str]:
    """Return why a file is rejected, discarding its content."""
    with pytest.raises(UnpackError) as error:
        drain(data, limits)
    return error.value.code, str(error.value)


def drain(data: bytes, limits: Limits = LIMITS) -> int:
    """Return the number of parts of a file, discarding their content."""
    count = 0
    for part in parts(Held(data, most=MIB), Budget(limits)):
        count += 1
        while part.stream.read(MIB):
            pass
    return count


# Accepted files


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd_of], ids=["plain", "gzip", "zstd"])
def test_packed_content_is_unpacked_unchanged(pack: Callable[[bytes], bytes]) -> None:
    assert unpacked(pack(TEXT)) == [(0, "", TEXT)]


@pytest.mark.parametrize("pack", [gzip.compress, zstd_of], ids=["gzip", "zstd"])
def test_pieces_packed_one_by_one_come_out_as_one_file(pack: Callable[[bytes], bytes]) -> None:
    assert unpacked(b"".join(pack(b"%d\n" % number) for number in range(300))) == [
        (0, "", b"".join(b"%d\n" % number for number in range(300)))
    ]


def test_zeros_after_a_member_of_gzip_are_padding() -> None:
    assert unpacked(gzip.compress(b"a") + bytes(70_000) + gzip.compress(b"b") + bytes(512)) == [(0, "", b"ab")]


def test_skippable_zstd_frame_is_ignored() -> None:
    skippable = b"\x5a\x2a\x4d\x18\x03\x00\x00\x00abc"
    assert unpacked(skippable + zstd_of(b"a")) == [(0, "", b"a")]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_zip_entries_are_unpacked_in_directory_order(method: int) -> None:
    files = [("2025/b.agn", TEXT), ("2025/", b""), ("a.agn", b"x"), ("Käfer.agn", b"")]
    contents = [(1, "2025/b.agn", TEXT), (2, "a.agn", b"x"), (3, "Käfer.agn", b"")]
    assert unpacked(zipped(files, method)) == contents
    assert unpacked(zipped(files, method), begin=2) == contents[1:]


def test_streamed_zip64_archive_is_unpacked() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    out = Pipe()
    with zipfile.ZipFile(out, "w") as archive, archive.open("a.agn", "w", force_zip64=True) as entry:
        entry.write(TEXT)
    assert unpacked(out.getvalue()) == [(1, "a.agn", TEXT)]


def test_a_zip_may_have_a_comment() -> None:
    data = zipped([("a", b"x")])
    assert unpacked(data[:-2] + b"\x05\x00hello") == [(1, "a", b"x")]


def test_empty_zip_contains_no_files() -> None:
    assert unpacked(zipped([])) == []


def test_unsafe_entry_names_are_only_displayed() -> None:
    assert unpacked(zipped([("../../etc/pass\nwd", b"x")])) == [(1, "../../etc/passwd", b"x")]


def test_macos_metadata_in_archives_is_skipped() -> None:
    files = [("a.agn", b"x"), ("__MACOSX/._a.agn", b"\x00\x05\x16\x07\x00"), (".DS_Store", b"\x00\x00\x00\x01Bud1")]
    assert unpacked(zipped(files)) == [(1, "a.agn", b"x")]


@pytest.mark.parametrize("name", ["games.zip", "games.gz"])
def test_what_a_file_is_called_does_not_matter(name: str) -> None:
    assert unpacked(zipped([(name, b"[A]")])) == [(1, name, b"[A]")]


# Rejected files


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"BZh91AY&SY", "bzip2"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07\x01\x00", "RAR"),
        (b"games.agn".ljust(257, b"\0") + b"ustar\x0000", "tar"),
    ],
)
def test_unsupported_compression_formats_are_named(head: bytes, kind: str) -> None:
    assert refused(head) == ("not_taken", f"This is {kind}. Compress files with gzip, zstd or zip.")


@pytest.mark.parametrize("data", [b"", b"\n", b"BZh is no game", b"[A]", b"PK", b"\x1f"])
def test_unknown_formats_are_treated_as_plain_text(data: bytes) -> None:
    assert format_of(data) is Format.PLAIN


@pytest.mark.parametrize("inner", [gzip.compress(b"x"), zstd_of(b"x"), zipped([("a", b"x")]), b"BZh91AY&SY"])
@pytest.mark.parametrize("outer", [gzip.compress, zstd_of, lambda data: zipped([("a", b"x"), ("b", data)])])
def test_nested_compression_is_rejected(outer: Callable[[bytes], bytes], inner: bytes) -> None:
    said = "This file contains a compressed file inside a compressed file."
    assert refused(outer(inner)) == ("nested", said)


# Broken streams


@pytest.mark.parametrize(("pack", "kind"), [(gzip.compress, "gzip"), (zstd_of, "zstd")])
def test_truncated_stream_reports_how_far_it_was_unpacked(pack: Callable[[bytes], bytes], kind: str) -> None:
    code, said = refused(pack(TEXT)[:-5])
    assert code == "truncated"
    assert said.startswith(f"The {kind} data ends too early, after ")


@pytest.mark.parametrize(("pack", "kind"), [(gzip.compress, "gzip"), (zstd_of, "zstd")])
def test_damaged_stream_reports_how_far_it_was_unpacked(pack: Callable[[bytes], bytes], kind: str) -> None:
    damaged = b"\0\0" + pack(TEXT)[2:]
    said = f"The {kind} data is damaged: only {len(TEXT)} bytes were unpacked."
    assert refused(pack(TEXT) + (damaged if kind == "zstd" else b"x" + damaged)) == ("broken", said)


def test_wrong_gzip_checksum_is_detected() -> None:
    data = bytearray(gzip.compress(TEXT))
    data[-6] ^= 1
    assert refused(bytes(data))[0] == "broken"


def test_garbage_after_a_gzip_stream_is_detected() -> None:
    said = "The gzip data is damaged: only 1 byte was unpacked."
    assert refused(gzip.compress(b"a") + b"hello") == ("broken", said)


@given(st.binary(max_size=200), st.integers(0, 400), st.integers(1, 255))
@pytest.mark.parametrize("pack", [gzip.compress, zstd_of, lambda data: zipped([("a", data)])])
def test_random_damage_never_causes_anything_but_an_unpack_error(
    pack: Callable[[bytes], bytes], content: bytes, at: int, flip: int
) -> None:
    data = bytearray(pack(b"x" + content))
    data[at % len(data)] ^= flip
    for broken in (bytes(data), pack(b"x" + content)[: at % len(data)]):
        with suppress(UnpackError):
            assert drain(broken) <= 1


# Dishonest zip archives


def zip_error(data: bytes) -> str:
    code, said = refused(data)
    assert code == "bad_zip"
    return said.removeprefix("This zip archive cannot be read: ")


def test_entries_that_share_bytes_are_refused() -> None:
    said = "Entries of this zip archive overlap, so it is not valid."
    assert refused(bombs.overlapping(2000, 10 * MIB)) == ("overlap", said)
    assert refused(bombs.nested_quotes(200, MIB)) == ("overlap", said)


def test_an_entry_that_reaches_into_the_directory_is_refused() -> None:
    data = zipped([("a", b"x" * 100)], zipfile.ZIP_STORED)
    at = data.index(b"PK\x01\x02") + 20
    assert refused(data[:at] + b"\xff\x00" + data[at + 2 :])[0] == "overlap"


def test_an_extra_field_cannot_hide_that_entries_overlap() -> None:
    data = bytearray(zipped([("a", b"x" * 100), ("b", b"y" * 100)], zipfile.ZIP_STORED))
    data[28] = 60  # the local header's extra field, which the directory does not mention
    assert refused(bytes(data))[0] == "overlap"


@pytest.mark.full
def test_too_many_zip_entries_are_rejected_before_reading_any() -> None:
    data = zipped((f"{number}", b"") for number in range(60_000))
    assert refused(data) == ("too_many_entries", "An archive may have at most 50000 entries.")
    assert refused(bombs.end(0xFFFF, 0, 0))[0] == "too_many_entries"


def test_archive_of_200_000_entries_is_rejected() -> None:
    directory = b"".join(bombs.central(b"%06d" % number, 0, 0, 0, 0) for number in range(200_000))
    data = b"PK\x03\x04" + directory
    assert refused(data + bombs.end(0xFFFF, len(directory), 4))[0] == "too_many_entries"
    assert zip_error(data + bombs.end(9, len(directory), 4)) == "its directory is damaged."


@pytest.mark.parametrize("says", [10, 10 * MIB])
def test_false_entry_size_is_detected(says: int) -> None:
    assert (
        zip_error(bombs.lying(bytes(5 * MIB), says))
        == "the entry a does not have the content that its directory gives."
    )


def test_entry_claiming_to_be_too_large_is_not_unpacked() -> None:
    assert refused(bombs.lying(b"x", 0xFFFFFFFE), Limits(unpacked=2**30)) == (
        "too_large_unpacked",
        "An upload may have at most 1073741824 bytes when it is unpacked.",
    )


def test_links_and_devices_are_refused() -> None:
    assert zip_error(bombs.link()) == "the entry games.agn is a link or a device, not a file."


def test_encrypted_zip_is_rejected() -> None:
    said = "This zip archive is encrypted. Compress it without a password."
    assert refused(bombs.encrypted()) == ("encrypted", said)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unsupported_zip_method_is_rejected(method: int) -> None:
    assert zip_error(zipped([("a.agn", TEXT)], method)) == (
        "the entry a.agn uses an unsupported compression method: only deflated and stored entries are supported."
    )


def test_wrong_zip_checksum_is_detected() -> None:
    data = bytearray(zipped([("a", b"hello")], zipfile.ZIP_STORED))
    data[31] ^= 1
    assert zip_error(bytes(data)) == "the entry a does not have the content that its directory gives."


def test_local_header_differing_from_the_directory_is_rejected() -> None:
    data = bytearray(zipped([("a", b"hello")]))
    data[30] = ord("b")
    assert zip_error(bytes(data)) == "the entry a does not match its directory."


def test_zip_without_its_end_record_is_rejected() -> None:
    assert zip_error(zipped([("a", TEXT)])[:-1]) == "its end is missing."


def test_data_before_the_zip_archive_is_rejected() -> None:
    data = zipped([("a", TEXT)])
    assert zip_error(b"PK\x03\x04" + data) == "its directory is not where it should be."


def test_a_comment_that_other_readers_would_take_for_the_end_is_refused() -> None:
    end = bombs.end(7, 7, 7)
    data = zipped([("a", b"x")])[:-2] + len(end).to_bytes(2, "little") + end
    assert zip_error(data) == "its directory is not where it should be."


# Bombs


def bomb_in_zip(size: int) -> bytes:
    return zipped([("a", bytes(size))])


@pytest.mark.parametrize(
    ("bomb", "size"),
    [(bombs.zeros_in_gzip, 64 * MIB), (bombs.zeros_in_zstd, 1024 * MIB), (bomb_in_zip, 64 * MIB)],
    ids=["gzip", "zstd", "zip"],
)
def test_a_bomb_is_refused_before_it_costs_anything(bomb: Callable[[int], bytes], size: int) -> None:
    data = bomb(size)
    assert len(data) < 70_000
    tracemalloc.start()
    code, said = refused(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (code, said) == ("bomb", "Each packed byte unpacks to more than 1000, so this is not a file of games.")
    assert peak < 8 * MIB


def test_many_copies_of_one_game_are_not_a_bomb() -> None:
    assert len(unpacked(zstd_of(TEXT * 600))[0][2]) == 600 * len(TEXT)


@pytest.mark.parametrize("pack", [gzip.compress, zstd_of, lambda data: zipped([("a", data)])])
def test_unpacked_bytes_and_lines_are_limited(pack: Callable[[bytes], bytes]) -> None:
    limits = Limits(unpacked=100_000, lines=1000)
    assert refused(pack(b"x" * 100_001), limits)[1] == "An upload may have at most 100000 bytes when it is unpacked."
    assert refused(pack(b"\n" * 1001), limits) == ("too_many_lines", "An upload may have at most 1000 lines.")


def test_unpacked_size_limit_covers_all_entries_together() -> None:
    files = [(f"{number}", b"x" * 1000) for number in range(100)]
    assert refused(zipped(files), Limits(unpacked=99_999))[0] == "too_large_unpacked"


def test_number_of_gzip_members_is_limited() -> None:
    said = "More than 1000 packed pieces in one file."
    assert refused(gzip.compress(b"") * 1001, Limits(members=1000)) == ("too_many_members", said)


def test_a_huge_window_is_refused() -> None:
    said = "Unpacking this zstd data takes more than 64 MiB of memory. Compress it without --long."
    assert refused(bombs.streamed_zstd(TEXT, window_log=27)) == ("window", said)
