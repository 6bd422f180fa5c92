"""Pages and JSON are compressed for those who take it, and only then."""

import gzip

import pytest
from django.test import Client

TAKES = {"accept-encoding": "br, gzip"}


@pytest.mark.parametrize("path", ["/", "/rules/atta-ants-online/", "/api/v1/leaderboards"])
def test_pages_and_json_are_compressed_for_those_who_take_it(db: None, client: Client, path: str) -> None:
    plain, packed = client.get(path), client.get(path, headers=TAKES)

    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert int(packed["Content-Length"]) == len(packed.content)
    assert gzip.decompress(packed.content)[:500] == plain.content[:500]
    assert "Content-Encoding" not in plain


def test_two_compressed_answers_differ_in_length_by_chance(db: None, client: Client) -> None:
    lengths = {len(client.get("/api/v1/leaderboards", headers=TAKES).content) for _ in range(20)}

    assert len(lengths) > 1


def test_what_offers_compression_itself_is_compressed_once(db: None, client: Client) -> None:
    answer = client.get("/api/v1/games/export", headers=TAKES)

    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    assert not gzip.decompress(body).startswith(b"\x1f\x8b")
