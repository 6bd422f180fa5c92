"""Standings: the tables that follow from the ledger, kept up with it in the same transaction."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import floor

from django.db import connection
from django.db.models import F

from engine.fold import Rated
from engine.rating import MU, SIGMA, Rating, beaten
from games.models import BestRank, Ladder, Standing
from games.selectors.ladders import players_above, rank_at
from games.selectors.ledger import newest_games

PLACES = ("first", "second", "third", "fourth")
COUNTED = ("games", "wins", "draws", "losses", *PLACES, "beaten")

Line = tuple[int, int]
"""A line of a ladder: the ladder's number and the player's."""
Changes = Sequence[tuple[int, Rated | None, Rated]]
"""Ladder, and a game as it stood in the ledger, if it did, and as it stands now."""


def current_ratings(lines: Iterable[Line]) -> dict[Line, Rating]:
    """The ratings of those who have one."""
    return {line: standing.rating for line, standing in _standings(lines).items()}


def _standings(lines: Iterable[Line]) -> dict[Line, Standing]:
    by_ladder: dict[int, set[int]] = defaultdict(set)
    for ladder, player in lines:
        by_ladder[ladder].add(player)
    return {
        (ladder, standing.player_id): standing
        for ladder, players in by_ladder.items()
        for standing in Standing.objects.filter(ladder=ladder, player__in=players)
    }


def update_standings(changes: Changes, ratings: Mapping[Line, Rating], *, at: datetime, again: bool = False) -> None:
    """Brings the ladders up to date with games that changed.

    :param ratings: of every line whose rating is another now.
    :param again: whether games were rated before, so that the newest one of a player may be another now.
    """
    tallies = _tallies(changes)
    lines = tallies.keys() | ratings.keys()
    known = _standings(lines)
    was = {line: standing.value for line, standing in known.items()}
    kept: list[Standing] = []
    gone: list[Standing] = []
    for line in sorted(lines):
        standing = _brought_up(line, known.get(line), tallies.get(line, Counter()), ratings.get(line))
        (kept if standing.games else gone).append(standing)
    _set_newest(kept, changes, at, again=again)
    _write(kept, [standing for standing in gone if standing.pk])
    _move_in_buckets(was, kept)
    _count_ladders(changes, [*kept, *gone], was)
    note_best_ranks(kept, at=at)


def _tallies(changes: Changes) -> dict[Line, Counter[str]]:
    tallies: dict[Line, Counter[str]] = defaultdict(Counter)
    for ladder, old, new in changes:
        for game, sign in ((old, -1), (new, 1)):
            if game and game.counts:
                for player, counts in _counted(game, sign):
                    tallies[ladder, player].update(counts)
    return tallies


def _counted(game: Rated, sign: int) -> Iterator[tuple[int, dict[str, int]]]:
    """What a game adds to its players' counts: a win is a first place alone, a draw one that is shared."""
    for player, place, share in zip(game.players, game.places, beaten(game.places), strict=True):
        result = "losses" if place > 1 else "wins" if game.places.count(1) == 1 else "draws"
        yield player, {"games": sign, result: sign, PLACES[place - 1]: sign, "beaten": sign * share}


def _brought_up(line: Line, standing: Standing | None, tally: Counter[str], rating: Rating | None) -> Standing:
    ladder, player = line
    standing = standing or Standing(ladder_id=ladder, player_id=player, mu=MU, sigma=SIGMA)
    for name, count in tally.items():
        setattr(standing, name, getattr(standing, name) + count)
    if rating:
        standing.mu, standing.sigma = rating.mu, rating.sigma
    return standing


def _set_newest(kept: list[Standing], changes: Changes, at: datetime, *, again: bool) -> None:
    """Says of each line which of the player's games that count is the newest."""
    numbers = {(ladder, player): new.number for ladder, _, new in changes if new.counts for player in new.players}
    by_ladder = defaultdict(list)
    for standing in kept:
        by_ladder[standing.ladder_id].append(standing)
    for ladder, standings in by_ladder.items():
        found = newest_games(ladder, [standing.player_id for standing in standings]) if again else {}
        for standing in standings:
            player = standing.player_id
            if newest := found.get(player) or ((numbers[ladder, player], at) if (ladder, player) in numbers else None):
                standing.last_number, standing.last_at = newest


def _write(kept: list[Standing], gone: list[Standing]) -> None:
    Standing.objects.filter(pk__in=[standing.pk for standing in gone]).delete()
    Standing.objects.bulk_create(
        kept,
        update_conflicts=True,
        unique_fields=["ladder", "player"],
        update_fields=[*COUNTED, "mu", "sigma", "last_number", "last_at"],
    )


def _move_in_buckets(was: Mapping[Line, float], kept: Iterable[Standing]) -> None:
    """Moves each line from the bucket of its former rating to that of the new one."""
    moves: Counter[tuple[int, int]] = Counter()
    moves.subtract((ladder, floor(value)) for (ladder, _), value in was.items())
    moves.update((standing.ladder_id, floor(standing.rating.value)) for standing in kept)
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO games_rankbucket (ladder_id, points, players) VALUES (%s, %s, 0) ON CONFLICT DO NOTHING",
            sorted(moves),
        )
        cursor.executemany(
            "UPDATE games_rankbucket SET players = players + %s WHERE ladder_id = %s AND points = %s",
            [(count, *bucket) for bucket, count in sorted(moves.items()) if count],
        )


def _count_ladders(changes: Changes, standings: Iterable[Standing], was: Mapping[Line, float]) -> None:
    players, games = Counter[int](), Counter[int]()
    for standing in standings:
        players[standing.ladder_id] += bool(standing.games) - ((standing.ladder_id, standing.player_id) in was)
    for ladder, old, new in changes:
        games[ladder] += new.counts - bool(old and old.counts)
    for ladder in players.keys() | games.keys():
        Ladder.objects.filter(pk=ladder).update(
            players=F("players") + players[ladder], games=F("games") + games[ladder]
        )


def note_best_ranks(standings: Iterable[Standing], *, at: datetime) -> None:
    """Remembers who stands better than ever. Most do not, which the buckets alone tell."""
    by_ladder = defaultdict(list)
    for standing in standings:
        by_ladder[standing.ladder_id].append(standing)
    better = [one for ladder, lines in by_ladder.items() for one in _better_ranks(ladder, lines, at)]
    BestRank.objects.bulk_create(
        better,
        update_conflicts=True,
        unique_fields=["ladder", "player"],
        update_fields=["rank", "number", "at"],
    )


def _better_ranks(ladder: int, standings: list[Standing], at: datetime) -> Iterator[BestRank]:
    players = [standing.player_id for standing in standings]
    best = dict(BestRank.objects.filter(ladder=ladder, player__in=players).values_list("player", "rank"))
    above = players_above(ladder)
    for standing in standings:
        value, so_far = standing.rating.value, best.get(standing.player_id)
        if so_far is not None and above(floor(value)) + 1 >= so_far:
            continue
        rank = rank_at(ladder, value)
        if so_far is None or rank < so_far:
            yield BestRank(
                ladder_id=ladder, player_id=standing.player_id, rank=rank, number=standing.last_number, at=at
            )
