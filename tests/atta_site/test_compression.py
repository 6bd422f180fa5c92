"""Pages and JSON are compressed only for clients that accept it."""

import gzip

import pytest
from django.test import Client

TAKES = {"accept-encoding": "br, gzip"}


@pytest.mark.parametrize("path", ["/", "/rules/atta-ants-online/", "/api/v1/leaderboards"])
def test_pages_and_json_are_compressed_for_clients_that_accept_gzip(db: None, client: Client, path: str) -> None:
    plain, packed = client.get(path), client.get(path, headers=TAKES)

    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert int(packed["Content-Length"]) == len(packed.content)
    assert gzip.decompress(packed.content)[:500] == plain.content[:500]
    assert "Content-Encoding" not in plain


def test_compressed_responses_have_random_lengths(db: None, client: Client) -> None:
    lengths = {len(client.get("/api/v1/leaderboards", headers=TAKES).content) for _ in range(20)}

    assert len(lengths) > 1


def test_already_compressed_response_is_not_compressed_again(db: None, client: Client) -> None:
    answer = client.get("/api/v1/games/export", headers=TAKES)

    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    assert not gzip.decompress(body).startswith(b"\x1f\x8b")
