"""Records made to take the most time or memory.

`python -m tests.engine.worst` verifies each and prints its CPU time, peak memory and number of calls.
"""

import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import cycle, islice, product
from random import Random

from engine.agn.log import MAX_TEXT, Record
from engine.atta_ants.board import CARDS
from engine.atta_ants.notation import RECONSTRUCTION_1
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.chance import commitment
from engine.registry import RULESETS
from engine.verify import verify
from tests.engine.agn.records import as_json, written
from tests.strategies import AnyRuleset, Playout, recorded

HEAD = written("", "").rstrip()
ROOM = MAX_TEXT - len(HEAD.encode()) - 8


def movetext(text: str) -> bytes:
    """Return a record with some movetext, cut off at the maximum length."""
    return f"{HEAD}\n\n{text[:ROOM]}\n*".encode()


def filled(*words: str) -> bytes:
    """Return a record filled with the same words."""
    text = "".join(words)
    return movetext(text * (ROOM // len(text)))


def longest_game(ruleset: AnyRuleset) -> Playout:
    """Return the longest game of a ruleset in the fixtures."""
    replay = max(recorded(ruleset), key=lambda replay: len(replay.actions))
    return Playout(replay.ruleset, replay.tags, replay.states, replay.actions)


def full_of_comments(played: Playout) -> bytes:
    """Return a legal game full of comments."""
    bare = played.text()
    each = (ROOM - len(bare)) // len(played.tokens) - 8
    return played.text(dict.fromkeys(range(len(played.tokens)), "a b " * (each // 4) + "c")).encode()


def most_to_list(played: Playout) -> bytes:
    """Return a game in which a late card of a printed deck is replaced by something else."""
    late = max(ply for ply, token in enumerate(played.tokens) if "@" in token)
    tags = {**played.tags, "Deck": "printed"}
    text = Playout(played.ruleset, tags, played.states[: late + 1], played.tokens[:late]).text()
    return f"{text.removesuffix('*').rstrip().removesuffix('*')} N|E|S|W#@9,9 *".encode()


def dealt_in_vain(edition: str) -> bytes:
    """Return a record of a deck that forms a ring in only one way, which no attempt to deal it finds."""
    ring = "NESW* NESW* NESW* NESW* NESW* NESW* NESW* NESW*" if edition == "2003" else ". S . E W . N ."
    spare = {"2003": [".#"] * 4 + ["."] * 11, "online": [".*"] * 8 + [".#"] * 4 + ["."] * 3}[edition]
    deal = {
        "Dealing": "atta-deal/1",
        "DealingCommitment": commitment("5" * 64).digest,
        "DealingSeats": "R Y",
        "DealingFirst": "chosen",
        "DealingEntropy1": "a",
        "DealingEntropy2": "b",
        "DealingSecret": "5" * 64,
    }
    deck = " ".join([*ring.split(" "), *spare])
    return written("resign:R", "2-1", Rules=edition, Setup=ring, Deck=deck, **deal).encode()


def json_of(**changes: object) -> bytes:
    return json.dumps(as_json(**changes)).encode()


def tag_lines(values: Iterator[str], count: int) -> str:
    return "".join(f'[Tag{number} "{value}"]\n' for number, value in enumerate(islice(values, count)))


@cache
def worst() -> dict[str, bytes]:
    """Return all of them, each within the maximum length of a record."""
    tokens = [f"R1:{''.join(body)}" for body in product("+-NESW", repeat=5)]
    Random(1).shuffle(tokens)
    longest = {ruleset.slug: longest_game(ruleset) for ruleset in RULESETS}
    small_objects = '{"a": {"b": ["c", 1]}}, ' * (MAX_TEXT // 24 - 10)
    return {
        "empty comments": filled("{}"),
        "comments of a letter": filled("{a}"),
        "comments to the end of the line": filled(";\n"),
        "one comment of blanks": movetext("{" + " " * (ROOM - 2) + "}"),
        "one comment of words": movetext("{" + "a " * (ROOM // 2 - 1) + "}"),
        "numbers": filled("1. "),
        "numbers between comments": filled("1.{}"),
        "results": filled("* "),
        "round brackets": filled("("),
        "braces without an end": filled("{"),
        "braces apart without an end": filled("{ "),
        "closing braces": filled("} "),
        "one endless token": filled("x"),
        "tokens as long as they may be": filled("x" * 64 + " "),
        "blanks": movetext(" " * (ROOM - 2) + "x"),
        "empty lines": movetext("\n" * (ROOM - 2) + "x"),
        "lines of a blank": movetext(" \n" * (ROOM // 2 - 2) + "x"),
        "5,000 actions of all kinds": movetext(" ".join(islice(cycle(tokens), 5_000))),
        "slashes": filled("/ "),
        "64 tags of escapes": (tag_lines(cycle(['\\"' * 255]), 56) + written()).encode(),
        "tags without an end": ('[A "' + "\\\\" * (MAX_TEXT // 2 - 10)).encode(),
        "tags of one letter": tag_lines(cycle([""]), 20_000).encode()[:MAX_TEXT],
        "lines that are no tags": b"[\n" * (MAX_TEXT // 2),
        "tags that go on and on": ('[A "x"]' + " " * (MAX_TEXT - 20) + "x").encode(),
        "a deck of 2,000 characters": written(Deck=" ".join(islice(cycle(RECONSTRUCTION_1.split()), 600))).encode(),
        "a deck of blanks": written(Deck=" " * 2_000).encode(),
        "a setup of 2,000 characters": written(Setup="N " * 1_000).encode(),
        **{f"the longest game of {slug}": played.text().encode() for slug, played in longest.items()},
        **{
            f"the longest game of {slug}, full of comments": full_of_comments(played)
            for slug, played in longest.items()
        },
        "the most to list": most_to_list(longest[ATTA_ANTS[0].slug]),
        "a deal of 2003 in vain": dealt_in_vain("2003"),
        "an online deal in vain": dealt_in_vain("online"),
        "a deep list in json": b'{"a":' + b"[" * (MAX_TEXT - 10),
        "a deep object in json": b'{"a":' * (MAX_TEXT // 5 - 1),
        "a deep list in json that ends": b'{"a":' + b"[" * 130_000 + b"]" * 130_000 + b"}",
        "many keys in json": ("{" + ",".join(f'"{key:x}":0' for key in range(MAX_TEXT // 10)) + "}").encode(),
        "many objects in json": f'{{"tags": [{small_objects[:-2]}]}}'.encode(),
        "many actions in json": json_of(actions=["/"] * (MAX_TEXT // 5 - 200)),
        "many comments in json": json_of(
            actions=["/"] * 12_000, comments={str(ply): " a  b " for ply in range(11_000)}
        )[:MAX_TEXT],
        "escapes in json": json_of(comments={"0": "\x7f" + "ä" * (MAX_TEXT // 6 - 300)}),
        "blanks in json": b'{"format":' + b" " * (MAX_TEXT - 30) + b"1}",
        "a huge number in json": b'{"format":' + b"9" * (MAX_TEXT - 30) + b"}",
        "many numbers in json": b'{"format":[' + b"1," * (MAX_TEXT // 2 - 20) + b"1]}",
        "every card there is": written(" ".join(f"{code}@0,2" for code in CARDS), Deck=None).encode(),
    }


def record_of(data: bytes) -> Record:
    assert len(data) <= MAX_TEXT
    return Record(1, 1, "json" if data.startswith(b"{") else "text", data)


def calls(work: Callable[[], object]) -> int:
    """Return how many Python and C functions a piece of work calls."""
    count = 0

    def watch(_: object, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def peak(work: Callable[[], object]) -> int:
    """Return the peak memory in bytes of a piece of work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main() -> None:
    """Print the figures, the slowest record first."""
    figures = [(*measured(record_of(data)), name) for name, data in worst().items()]
    for spent, held, called, rule, name in sorted(figures, reverse=True):
        sys.stdout.write(f"{spent:7.3f} s {held / 2**20:7.1f} MiB {called:9,} calls  {rule:12} {name}\n")


def measured(record: Record) -> tuple[float, int, int, str]:
    """Return the seconds, bytes and calls a record takes, and its verdict."""
    start = time.process_time()
    verdict = verify(record)
    spent = time.process_time() - start
    work = partial(verify, record)
    return spent, peak(work), calls(work), verdict.fault.rule if verdict.fault else verdict.verdict


if __name__ == "__main__":
    main()
