"""Many made-up games as rows: clubs whose members mostly play each other, with realistic results.

Their records can be read and have valid digests, but their moves are arbitrary words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from random import Random
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Field, Model

from engine.agn.canonical import game_digest, record_digest
from engine.registry import find_ruleset
from games.models import Acceptance, Club, Game, Ladder, MoveLog, Player, Seating, Upload
from games.models.records import VerdictKind
from games.packing import pack
from tests.agn_text import format_text

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GAME, EDITION, SITE = "Atta Ants", "online", "fabricated"
LETTERS = ("R", "Y", "O", "B")
SETUP = "E NESW* SW ESW* NESW* NE NESW NW"
PLIES = 60


@dataclass(frozen=True)
class Played:
    """One game: its players and their places."""

    players: tuple[int, ...]
    places: tuple[int, ...]


def evenings(games: int, players: int, random: Random, *, club: int = 20) -> Iterator[Played]:
    """Yield games of clubs, one in ten with a guest. Members play unequally often; players count from 0."""
    clubs = [range(begin, min(begin + club, players)) for begin in range(0, players, club)]
    strength = [random.gauss(0, 1) for _ in range(players)]
    often = [list(accumulate(1 / (1 + place) for place in range(len(members)))) for members in clubs]
    while games:
        at = random.randrange(len(clubs))
        seats = random.choices((2, 3, 4), (70, 15, 15))[0]
        table = dict.fromkeys(random.choices(clubs[at], cum_weights=often[at], k=3 * seats))
        seated = (*table, *clubs[at])[:seats] if len(table) < seats else tuple(table)[:seats]
        if random.random() < 0.1 and (guest := random.randrange(players)) not in seated:
            seated = (guest, *seated[1:])
        if len(set(seated)) == seats:
            games -= 1
            yield Played(tuple(seated), _places([strength[one] + random.gauss(0, 1) for one in seated], random))


def _places(shown: list[float], random: Random) -> tuple[int, ...]:
    step = 0.7 if random.random() < 0.15 else 1e-9  # a coarse count of ants produces ties
    merits = [round(merit / step) for merit in shown]
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def fabricate(played: Iterable[Played], players: int, *, first: int = 0, club: Club | None = None) -> list[int]:
    """Store games as due on a ladder of the site or a club, in this order.

    :param first: the number of the first game, so that no two are the same.
    :returns: the ids of all players, in order.
    """
    ruleset = find_ruleset({"Game": GAME, "Rules": EDITION})
    ladder = Ladder.objects.get_or_create(ruleset=ruleset.slug, club=club)[0].pk
    upload = Upload.objects.get_or_create(pk=UUID(int=1), via=Upload.Via.COMMAND, defaults={"received_at": NOW})[0].pk
    people = _people(players)
    games = list(played)
    begin = _next(Game)
    ids = range(begin, begin + len(games))
    names = [f"Player {one:07}" for one in range(players)]
    texts = [_text(game, number, names) for number, game in enumerate(games, first)]
    copy_rows(Game, ("id", "key", "ruleset", "verdict", "digest", "plies", "result", "received_at"), (
        (one, f"{one:08d}"[-8:], ruleset.slug, VerdictKind.VERIFIED, digest, PLIES, _result(game), NOW)
        for one, game, (_, digest) in zip(ids, games, texts, strict=True)
    ))  # fmt: skip
    copy_rows(
        MoveLog,
        ("upload_id", "number", "line", "form", "data", "state", "queued_at", "game_id", "text", "game_digest",
         "record_digest"),
        ((upload, number, 1, "text", b"", "judged", NOW, one, pack(text.encode()), digest, record_digest(text))
         for number, (one, (text, digest)) in enumerate(zip(ids, texts, strict=True), first)),
    )  # fmt: skip
    copy_rows(Seating, ("game_id", "seat", "letter", "player_id", "place"), (
        (one, seat, LETTERS[seat], people[player], place)
        for one, game in zip(ids, games, strict=True)
        for seat, (player, place) in enumerate(zip(game.players, game.places, strict=True))
    ))  # fmt: skip
    copy_rows(Acceptance, ("game_id", "ladder_id", "due_at"), ((one, ladder, NOW) for one in ids))
    return people


def _people(count: int) -> list[int]:
    known = Player.objects.filter(source=SITE).count()
    copy_rows(
        Player, ("name", "source", "created_at"), ((f"Player {one:07}", SITE, NOW) for one in range(known, count))
    )
    return list(Player.objects.filter(source=SITE).order_by("name").values_list("pk", flat=True))


def _text(game: Played, number: int, names: Sequence[str]) -> tuple[str, str]:
    letters = LETTERS[: len(game.players)]
    tags = {"Game": GAME, "Rules": EDITION, "Seats": " ".join(letters)}
    tags |= {
        name: names[player] for name, player in zip(("Red", "Yellow", "Orange", "Brown"), game.players, strict=False)
    }
    result = _result(game)
    tags |= {"Site": SITE, "Setup": SETUP, "Result": result}
    actions = [f"R{number % 7}:{number:x}", *["N+E@1,2"] * (PLIES - 1)]
    text = format_text(tags, actions, [1 + ply // 10 for ply in range(PLIES)], {}, result)
    return text, game_digest(tags, " ".join(actions), result)


def _result(game: Played) -> str:
    return "-".join(map(str, game.places))


def _next(model: type[Model]) -> int:
    last = model._default_manager.order_by("-pk").values_list("pk", flat=True).first()
    return int(last or 0) + 1


def copy_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Copy rows into a model's table; columns that are not named get their defaults."""
    fields = [one for one in model._meta.concrete_fields if not one.generated and not one.primary_key]
    others = [one for one in fields if one.column not in columns]
    rest = [_default(one) for one in others]
    names = ", ".join(f'"{name}"' for name in (*columns, *[one.column for one in others]))
    table = model._meta.db_table
    with connection.cursor() as cursor:
        with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row((*row, *rest))
        cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")


def _default(field: "Field[Any, Any]") -> object:
    return None if field.null else field.get_db_prep_save(field.get_default(), connection)
