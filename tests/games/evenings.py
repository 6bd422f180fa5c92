"""Series of games without records: players and places are all that ratings see."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from random import Random

from games.corrections.rerating import Instruction, order_annulment, order_merge, perform_waiting
from games.models import Acceptance, Club, Correction, Game, Player, Seating, Table
from games.ratings.acceptance import accept_due, make_due

RULESET = "atta-ants-online"
Played = tuple[Sequence[str], Sequence[int]]
"""Names in seat order, and their places."""


def play(evening: Iterable[Played], at: datetime, *, club: Club | None = None, ruleset: str = RULESET) -> list[Game]:
    """Rate games in this order as if they had been verified and confirmed."""
    games = [game_of(seats, at, ruleset) for seats in evening]
    make_due(games, now=at, club=club)
    while accept_due(now=at, watch=False):
        pass
    return games


def game_of(played: Played, at: datetime, ruleset: str = RULESET) -> Game:
    """Return one verified game."""
    digest = sha256(f"{Game.objects.count()}".encode()).hexdigest()
    game = Game.objects.create(
        ruleset=ruleset,
        verdict="verified",
        digest=digest,
        plies=9,
        received_at=at,
        played_from=at.date(),
        played_until=at.date(),
    )
    Seating.objects.bulk_create(
        Seating(game=game, seat=seat, letter="RYOB"[seat], player=player(name, at), place=place)
        for seat, (name, place) in enumerate(zip(*played, strict=True))
    )
    return game


def begin_at_table(game: Game, at: datetime) -> Table:
    """Return a table of this site at which a game began."""
    return Table.objects.create(
        key="table001", ruleset="army-ants", places=2, opened_at=at, begun_at=at, ended_at=at, seats_line="R B",
        state="finished", placements=[1, 2], commitment="0" * 64, sealed_secret=b"", first="drawn", game=game,
    )  # fmt: skip


def player(name: str, at: datetime) -> Player:
    """Return the player with a name."""
    return Player.objects.get_or_create(name=name, source="", defaults={"created_at": at})[0]


def annul(game: Game, at: datetime, reason: str = "Played twice.") -> Correction:
    """Annul a game from a given time on."""
    correction = order_annulment(Acceptance.objects.get(game=game), Instruction(None, reason, at))
    assert perform_waiting(now=at) == 1
    return correction


def merge(name: str, into: str, at: datetime) -> Correction:
    """Merge a player into another."""
    correction = order_merge(player(name, at), player(into, at), Instruction(None, "One person.", at))
    assert perform_waiting(now=at) == 1
    return correction


def season(count: int, names: Sequence[str], seed: int = 1) -> list[Played]:
    """Return games of two to four players, with some shared places."""
    random = Random(seed)
    return [_chance(random, names) for _ in range(count)]


def _chance(random: Random, names: Sequence[str]) -> Played:
    seats = random.sample(list(names), min(len(names), random.choice([2, 2, 3, 4])))
    merits = [random.randint(0, 5) for _ in seats]
    return seats, [1 + sum(other > merit for other in merits) for merit in merits]
