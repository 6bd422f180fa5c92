"""Comparison of the tables that follow from the ledger with what they should contain."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import floor

from django.db import connection

from games.audit.flaws import ACCEPTANCE, BEST_RANK, BUCKET, CORRECTION, LADDER, PLAYER, STANDING, Flaw, Row, compare
from games.audit.recompute import DueLine, Recomputation
from games.models import Acceptance, BestRank, Ladder, Player, RankBucket
from games.ratings.best_ranks import rises_of
from games.ratings.standings import COUNTED, Line

_CHUNK = 5000
"""Rows fetched at once."""
_LINE = ("ladder_id", "player_id", *COUNTED, "mu", "sigma", "last_number", "last_at")
_STANDINGS = f"SELECT {', '.join(_LINE)} FROM games_standing ORDER BY ladder_id, player_id"  # noqa: S608


def follow_up(again: Recomputation) -> Iterator[Flaw]:
    """Yield the flaws of the tables."""
    lines = again.lines()
    yield from _acceptances(again)
    yield from _corrections(again)
    yield from _merged(again)
    yield from _compare_all(
        STANDING, _stored(_STANDINGS, _LINE), ((line, due_line(one)) for line, one in lines.items())
    )
    for ladder in Ladder.objects.order_by("pk").values_list("pk", flat=True):
        yield from _best_ranks(ladder)
    yield from _compare_all(BUCKET, _stored_buckets(), ((key, {"players": n}) for key, n in due_buckets(lines)))
    yield from _ladders(due_ladders(lines, again))


def due_line(line: DueLine) -> Row:
    """Return a row's columns."""
    return {
        **dict(zip(COUNTED, line.counts, strict=True)),
        "mu": line.rating.mu,
        "sigma": line.rating.sigma,
        "last_number": line.last_number,
        "last_at": line.last_at,
    }


def due_buckets(lines: Mapping[Line, DueLine]) -> list[tuple[Line, int]]:
    """Return the number of players by ladder and whole points."""
    return sorted(Counter((ladder, floor(line.rating.value)) for (ladder, _), line in lines.items()).items())


def due_ladders(lines: Mapping[Line, DueLine], again: Recomputation) -> dict[int, Row]:
    """Return the counts by ladder."""
    players = Counter(ladder for ladder, _ in lines)
    return {
        ladder: {"players": players[ladder], "games": again.changes.games[ladder]}
        for ladder in Ladder.objects.order_by("pk").values_list("pk", flat=True)
    }


Keyed = tuple[tuple[int, int], Row]


def _compare_all(about: str, stored: Iterable[Keyed], due: Iterable[Keyed]) -> Iterator[Flaw]:
    """Yield what differs between two tables, by ladder and a second number."""
    missing = dict(due)
    second = "points" if about == BUCKET else "player"
    for key, row in stored:
        where = {"ladder": key[0], second: key[1]}
        expected = missing.pop(key, None)
        if expected is None:
            yield Flaw(about, where, row, None)
        else:
            yield from compare(about, where, row, expected)
    for key, expected in missing.items():
        yield Flaw(about, {"ladder": key[0], second: key[1]}, None, expected)


def _stored(query: str, names: tuple[str, ...]) -> Iterator[Keyed]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        for row in cursor:
            yield (row[0], row[1]), dict(zip(names[2:], row[2:], strict=True))


def _best_ranks(ladder: int) -> Iterator[Flaw]:
    """Yield differences of a ladder's best ranks from its ledger: each player's first rise, second, and so on."""
    due = ((rise.player, {"rank": rise.rank, "number": rise.number, "at": rise.at}) for rise in rises_of(ladder))
    rows = BestRank.objects.filter(ladder=ladder).order_by("pk").iterator(_CHUNK)
    stored = ((row.player_id, {"rank": row.rank, "number": row.number, "at": row.at}) for row in rows)
    missing = dict(_numbered(due))
    for (player, rise), row in _numbered(stored):
        where, expected = {"ladder": ladder, "player": player, "rise": rise}, missing.pop((player, rise), None)
        yield from compare(BEST_RANK, where, row, expected) if expected else [Flaw(BEST_RANK, where, row, None)]
    for (player, rise), expected in missing.items():
        yield Flaw(BEST_RANK, {"ladder": ladder, "player": player, "rise": rise}, None, expected)


def _numbered(rises: Iterable[tuple[int, Row]]) -> Iterator[Keyed]:
    """Yield each player's rises, numbered."""
    count = Counter[int]()
    for player, row in rises:
        count[player] += 1
        yield (player, count[player]), row


def _stored_buckets() -> Iterator[Keyed]:
    for ladder, points, players in RankBucket.objects.order_by("ladder", "points").values_list(
        "ladder", "points", "players"
    ):
        yield (ladder, points), {"players": players}


def _ladders(due: Mapping[int, Row]) -> Iterator[Flaw]:
    for ladder in Ladder.objects.order_by("pk"):
        stored = {"players": ladder.players, "games": ladder.games}
        yield from compare(LADDER, {"ladder": ladder.pk, "ruleset": ladder.ruleset}, stored, due[ladder.pk])


def _acceptances(again: Recomputation) -> Iterator[Flaw]:
    """Yield flaws about which games count: only a correction can change that."""
    due = {pk: not annulled for pk, annulled in again.annulled.items()}
    odd = Acceptance.objects.filter(counts=False) | Acceptance.objects.filter(pk__in=list(due))
    for one in odd.select_related("game").order_by("pk"):
        where = {"game": one.game.key, "number": one.number}
        yield from compare(ACCEPTANCE, where, {"counts": one.counts}, {"counts": due.get(one.pk, True)})


def _corrections(again: Recomputation) -> Iterator[Flaw]:
    for one in again.corrections:
        due = {"changed": again.changed[one.pk]}
        yield from compare(CORRECTION, {"correction": one.pk}, {"changed": one.changed}, due)


def _merged(again: Recomputation) -> Iterator[Flaw]:
    due = again.merged
    merged = Player.objects.filter(merged_into__isnull=False) | Player.objects.filter(pk__in=list(due))
    for one in merged.order_by("pk"):
        stored = {"merged_into": one.merged_into_id}
        yield from compare(PLAYER, {"player": one.pk}, stored, {"merged_into": due.get(one.pk)})
