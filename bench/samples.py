"""Makes the sample games of a new site: `python -m bench.samples`. The files are the same every time."""

import re
from collections.abc import Iterator
from itertools import cycle, permutations
from pathlib import Path

from bench.club_players import games
from engine.agn.canonical import order_tags
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.verify import VERIFIED, verify_bytes
from tests.agn_text import format_text

SAMPLES = Path(__file__).resolve().parents[1] / "games" / "samples"
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
TRAILS = ("builders.agn", "two-collectors.agn", "all-tiles-collected.agn", "loops.agn", "by-chance.agn")
ARMIES = ("two-hunters.agn", "two-gambits.agn", "black-takes-the-queen.agn", "hermits.agn", "only-queens.agn")
CLUB = ("Ada", "Bruno", "Cleo", "Dora", "Emil", "Flora", "Gustav", "Hedda")
VISITORS = ("Ada", "Irma", "Jonas", "Kira")


def main() -> None:
    """Write all files."""
    online, printed = ATTA_ANTS
    club = [
        text
        for evening in range(1, 9)
        for text in games(
            4,
            evening,
            CLUB,
            online,
            Site="Casa Formica",
            Event="Club evening",
            Round=str(evening),
            Date=f"2026.{evening:02}.{3 * evening:02}",
        )
    ]
    write("club-evenings.agn", club)
    write("rules-of-2003.agn", list(games(8, 2003, VISITORS, printed, Event="A box from 2003", Date="2003.10.24")))
    write("ant-trails.agn", list(from_fixtures("ant_trails", TRAILS, CLUB[:5], Site="Casa Formica", Date="2026.09.05")))
    write("army-ants.agn", list(from_fixtures("army_ants", ARMIES, CLUB[2:7], Site="Casa Formica", Date="2026.09.19")))
    halves = [unfinished(text) for text in games(2, 41, CLUB, online, Site="Casa Formica", Date="2026.09.30")]
    write("unfinished.agn", halves)
    write("with-mistakes.agn", mistakes(list(games(7, 77, CLUB, online, Site="Casa Formica", Date="2026.10.10"))))


def from_fixtures(folder: str, files: tuple[str, ...], players: tuple[str, ...], **tags: str) -> Iterator[str]:
    """Return the finished games of some fixtures, with other players and dates."""
    pairs = cycle(permutations(players, 2))
    for file in files:
        for verdict in verify_bytes((FIXTURES / folder / "games" / file).read_bytes()):
            played = verdict.replay
            if played and verdict.verdict == VERIFIED:
                seats = [played.ruleset.seat(letter).tag for letter in played.tags["Seats"].split(" ")]
                named = {**played.tags, **dict(zip(seats, next(pairs), strict=True)), **tags}
                yield format_text(order_tags(named, seats), played.actions, played.numbers, {}, played.result)


def write(name: str, texts: list[str]) -> None:
    (SAMPLES / name).write_text("\n".join(texts))


def unfinished(text: str) -> str:
    """Return the first half of a game."""
    head, movetext = text.split("\n\n", 1)
    rounds = movetext.splitlines()[:-1]
    half = rounds[: len(rounds) // 2]
    return "\n".join([re.sub(r'\[Result ".*"\]', '[Result "*"]', head), "", *half, "*", ""])


def mistakes(texts: list[str]) -> list[str]:
    """Return games with one mistake each, as people make when they write a game down."""
    step, result, name, lost, comment, twice, number = texts
    return [
        re.sub(r"(\n3\. \S+ )(\S+)", r"\1R6:N", step),
        re.sub(r"[0-9]+(-[0-9]+)+\n$", "1-1-1-1\n", result),
        re.sub(r'\[(Red|Yellow|Orange|Brown) "[^"]*"\]\n', "", name, count=1),
        re.sub(r"(\n2\. .*?) /", r"\1", lost, count=1),
        re.sub(r"(\n4\. \S+)", r"\1 {a lucky card", comment),
        re.sub(r"(\n2\. \S+ )(\S+ )", r"\1\2\2", twice),
        re.sub(r"\n5\. ", "\n6. ", number),
    ]


if __name__ == "__main__":
    main()
    for path in sorted(SAMPLES.glob("*.agn")):
        for verdict in verify_bytes(path.read_bytes()):
            print(
                path.name,
                verdict.record.game,
                verdict.verdict,
                verdict.plies,
                verdict.fault and (verdict.fault.rule, verdict.fault.message),
            )
