"""Inputs made of good ones by random changes: of bytes, of tokens, of lines, or of two inputs together."""

import gzip
import io
import zipfile
from collections.abc import Callable, Sequence
from random import Random

from atta_site.processes import ROOT
from engine.agn.lines import json_line, json_of_text
from engine.verify import verify_bytes
from games.zstd import zstd

CORPUS = ROOT / "tests" / "fuzzing" / "corpus"
"""Inputs that once failed; every run begins with them."""
_LONGEST = 8_000
_TOKENS = (
    b"/",
    b"*",
    b"draw",
    b"resign:R",
    b"1-0",
    b"2-1",
    b"\x00",
    b"\xff",
    b"{",
    b"}",
    b'"',
    b"\\",
    b"[",
    b"]",
    b"9" * 40,
)


def records() -> list[bytes]:
    """Return good and broken records of all games, as text and as JSON."""
    found = [path.read_bytes() for path in sorted((ROOT / "fixtures").glob("*/*/*.agn"))]
    texts = [data for data in found if len(data) <= _LONGEST]
    verdicts = (verdict for data in texts[::4] for verdict in verify_bytes(data))
    return texts + [json_line(json_of_text(verdict.text)).encode() for verdict in verdicts if verdict.text]


def archives() -> list[bytes]:
    """Return packed files of every kind."""
    some = records()[:3]
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(some):
            archive.writestr(f"{number}.agn", data)
    return [*(gzip.compress(data, mtime=0) for data in some), *(zstd.compress(data) for data in some), held.getvalue()]


def parameters() -> list[bytes]:
    """Return queries of addresses."""
    return [
        b"player=Ada&opponent=%233&since=2026-01-01&until=2026-11-23&place=2&shortest=3&longest=90&verdict=verified",
        b"rated_from=20.5&rated_to=1e3&winner=draw&termination=agreed&event=food&format=annotated&compress=gzip&most=7",
        b"as_of=2026-11-01&since=2026-10-01&active=90&around=12&before=1.5~7&after=25.123~9",
        b"period=2026-11&club=nest&club=other&game=Atta%20Ants&edition=online&after=2026-11-23T10:00:00.5%2B00:00~77",
        b"ruleset=army-ants&line=R1:N%20R2:S&setup=E+NESW*&ply=12&start=0&part=moves&theme=dark&size=200&format=png",
        b"status=open&kind=game&known=17&action=R1:NE&text=%C3%A4%F0%9F%90%9C&q=a%00b",
    ]


def tus() -> list[bytes]:
    """Return headers of requests by the tus protocol."""
    begun = b"Tus-Resumable: 1.0.0\nUpload-Length: 4096\nUpload-Metadata: filename YS5hZ24=, club bmVzdA==,private MQ=="
    sha = b"Upload-Offset: 17\nUpload-Checksum: sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    return [begun, begun + b"\n" + sha, sha, b"Upload-Length: 0\nUpload-Metadata: fingerprint w6Q=,"]


def kept(kind: str) -> list[bytes]:
    """Return the inputs of a kind that once failed."""
    return [path.read_bytes() for path in sorted(CORPUS.glob(f"{kind}-*"))]


def mutant(seeds: Sequence[bytes], random: Random) -> bytes:
    """Return an input with one to five changes."""
    data = bytearray(random.choice(seeds))
    for _ in range(random.randint(1, 5)):
        random.choice(_CHANGES)(data, seeds, random)
    return bytes(data)


def with_one_token_changed(data: bytes, random: Random) -> bytes:
    """Return a record in which one word of the moves is another one of its words, or missing."""
    head, _, moves = data.partition(b"\n\n")
    words = moves.split(b" ")
    at = random.randrange(len(words))
    words[at : at + 1] = random.choice([[random.choice(words)], [], [words[at], words[at]]])
    return head + b"\n\n" + b" ".join(words)


def _flip(data: bytearray, _: Sequence[bytes], random: Random) -> None:
    if data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def _insert(data: bytearray, _: Sequence[bytes], random: Random) -> None:
    at = random.randint(0, len(data))
    data[at:at] = random.choice((*_TOKENS, random.randbytes(random.randint(1, 4))))


def _remove(data: bytearray, _: Sequence[bytes], random: Random) -> None:
    at = random.randint(0, len(data))
    del data[at : at + random.choice((1, 2, 8, 64, 1024))]


def _repeat(data: bytearray, _: Sequence[bytes], random: Random) -> None:
    at = random.randint(0, len(data))
    part = data[at : at + random.choice((1, 8, 64))]
    data[at:at] = part * random.choice((1, 2, 50))


def _swap_words(data: bytearray, _: Sequence[bytes], random: Random) -> None:
    words = bytes(data).split(b" ")
    one, other = random.randrange(len(words)), random.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    data[:] = b" ".join(words)


def _splice(data: bytearray, seeds: Sequence[bytes], random: Random) -> None:
    other = random.choice(seeds)
    at = random.randint(0, len(data))
    data[at:] = other[random.randint(0, len(other)) :]


_CHANGES: tuple[Callable[[bytearray, Sequence[bytes], Random], None], ...] = (
    _flip, _insert, _remove, _repeat, _swap_words, _splice,
)  # fmt: skip
