"""Any record is packed and unpacked unchanged; data not packed by us is rejected."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agn.lines import json_line
from engine.agn.log import MAX_TEXT
from engine.registry import RULESETS
from engine.verify import verify_bytes
from games import packing
from games.packing import (
    FOLDER,
    HEAD,
    MOST,
    DamagedError,
    PackingError,
    dictionaries,
    newest,
    pack,
    unpack,
    unpacked_size,
)
from games.zstd import zstd
from tests.factories import record
from tests.strategies import AnyRuleset, Playout, playouts, recorded, written

SUMS = {
    "1-atta-ants-online.zdict": "98c9ae4385f0022517411ea5b2a91e4fd21b3be63e186fd872a633f79065d9ce",
    "2-atta-ants-2003.zdict": "aea257957991a5b266ff336e008d398c68b55872b304fd95d7448384eabc99dc",
    "3-ant-trails-2020.zdict": "470d97378162705e951de7d73df70aed16fcbb44bc5c2fa288571227ddf0652e",
    "4-army-ants.zdict": "fe6626aff081656e583e055b78dc9f1495fbb64245f519dc29d37f900df05579",
    "5-army-ants-free.zdict": "6238c62fb4b67bae6902ad43d7f109514aacadbb6038a0dafa15683839305e6a",
}
"""A dictionary in use must never change: add a line for a new one and alter none."""


def dictionary_of(frame: bytes) -> int | None:
    return zstd.get_frame_info(frame).dictionary_id


def canonical(ruleset: AnyRuleset) -> Iterator[str]:
    return (replay.text() for replay in recorded(ruleset))


@given(st.binary(max_size=2_000))
def test_any_bytes_are_unpacked_unchanged(data: bytes) -> None:
    assert unpack(pack(data)) == data
    assert unpacked_size(pack(data)[:HEAD]) == len(data)


@given(playouts().flatmap(lambda playout: st.tuples(st.just(playout), written(playout))))
def test_every_game_is_unpacked_unchanged(game: tuple[Playout, str]) -> None:
    playout, text = game

    assert unpack(pack(text.encode())) == text.encode()
    assert unpack(pack(playout.text().encode())) == playout.text().encode()


def test_empty_record_packs_to_empty_bytes() -> None:
    assert (pack(b""), unpack(b""), unpacked_size(b"")) == (b"", b"", 0)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_every_ruleset_has_a_dictionary_used_for_its_records(ruleset: AnyRuleset) -> None:
    (text, *_) = canonical(ruleset)
    (verdict,) = verify_bytes(text.encode())
    assert verdict.replay

    assert dictionary_of(pack(text.encode())) == newest()[ruleset.slug]
    assert dictionary_of(pack(json_line(verdict.replay.as_json()).encode())) == newest()[ruleset.slug]


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_packed_games_take_less_than_half_their_size(ruleset: AnyRuleset) -> None:
    texts = [text.encode() for text in canonical(ruleset) if len(text) > 500]

    assert 2 * sum(map(len, map(pack, texts))) < sum(map(len, texts))


@pytest.mark.parametrize("data", [b"not a game", b'[Game "Chess"]\n[Rules "FIDE"]\n\n1. e4 *\n', b"\xff\x00"])
def test_unsuitable_data_is_packed_without_a_dictionary(data: bytes) -> None:
    assert not dictionary_of(pack(data))
    assert unpack(pack(data)) == data


def test_wrongly_chosen_dictionary_still_round_trips() -> None:
    odd = b'{"Game": "Army Ants", "Rules": "standard"} ' + bytes(range(256))

    assert unpack(pack(odd)) == odd


def test_dictionary_files_have_not_changed() -> None:
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.iterdir()} == SUMS


def test_dictionary_ids_match_their_files_and_sizes_are_limited() -> None:
    assert {number: words.dict_id for number, words in dictionaries().items()} == {
        number: number for number in dictionaries()
    }
    assert max(len(words.dict_content) for words in dictionaries().values()) <= 32 * 1024
    assert max(dictionaries()) < 256  # otherwise it takes another byte in every frame


def test_missing_dictionary_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pack(record())
    number = dictionary_of(frame)
    monkeypatch.setattr(packing, "dictionaries", dict)

    with pytest.raises(PackingError, match=f"packed with dictionary {number}, which is not in games/dictionaries"):
        unpack(frame)


@given(st.data())
def test_changed_byte_never_yields_a_wrong_record(data: st.DataObject) -> None:
    frame = bytearray(pack(record()))
    at = data.draw(st.integers(0, len(frame) - 1))
    frame[at] ^= data.draw(st.integers(1, 255))

    found = b""
    with suppress(PackingError):
        found = unpack(bytes(frame))

    assert found in (b"", record())  # some bits are never read


@given(st.integers(1, 1_000))
def test_truncated_frame_is_detected(lost: int) -> None:
    frame = pack(record())

    with pytest.raises(DamagedError, match="A packed record is damaged"):
        unpack(frame[: -min(lost, len(frame) - 1)])


def test_trailing_bytes_after_a_frame_are_detected() -> None:
    with pytest.raises(DamagedError, match="does not end where its bytes end"):
        unpack(pack(record()) + b"more")


def test_unpacked_data_is_rejected_as_damaged() -> None:
    with pytest.raises(DamagedError, match="A packed record is damaged"):
        unpack(record())


def test_decompression_bomb_stops_at_the_maximum_record_length() -> None:
    bomb = zstd.compress(bytes(64 * MOST))

    with pytest.raises(DamagedError, match="too much memory"):
        unpack(bomb)


def test_decompression_bomb_with_small_windows_stops_at_the_maximum_length() -> None:
    options: dict[int, int] = {zstd.CompressionParameter.window_log: 15}
    bomb = zstd.compress(bytes(64 * MOST), options=options)

    with pytest.raises(DamagedError, match=f"more than {MOST} bytes come out of it"):
        unpack(bomb)


def test_record_over_the_maximum_length_is_not_packed() -> None:
    assert unpack(pack(bytes(MOST))) == bytes(MOST)
    with pytest.raises(PackingError, match=f"A record of {MOST + 1} bytes is not packed"):
        pack(bytes(MOST + 1))


def test_packing_limit_is_well_above_the_longest_record() -> None:
    assert 2 * MAX_TEXT <= MOST // 2


def test_frame_of_unknown_size_counts_as_the_maximum() -> None:
    assert unpacked_size(b"no frame") == MOST
    assert unpacked_size(pack(bytes(300_000))[:HEAD]) == 300_000


def test_long_game_with_many_comments_is_unpacked_unchanged() -> None:
    long = record() + b"".join(islice(iter(lambda: b"{ said } ", b""), 29_000))

    assert unpack(pack(long)) == long
