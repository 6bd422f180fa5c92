"""Recognition: the game of which a log tells. It may be there already; a new one gets its players and their places.

Everything here is done for many logs at once, in a bounded number of statements. Rows that others may add at the same
moment are added in an order of their own, so that no two transactions wait for each other.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db import connection

from engine.scene.values import Count
from engine.verify import Verdict as EngineVerdict
from games.models import Game, Player, Seating, Upload
from games.models.records import new_key
from games.services.columns import columns

_FACTS = ("ruleset", "verdict", "plies", "result", "ended", "played_on")
_KNOWN_GAMES = "SELECT digest, id FROM games_game WHERE digest = ANY(%s)"
_NEXT_GAMES = "SELECT nextval(pg_get_serial_sequence('games_game', 'id')) FROM generate_series(1, %s)"
_ADD_GAMES = f"""
INSERT INTO games_game (id, key, digest, received_at, scored, private, {", ".join(_FACTS)})
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::timestamptz[], %s::bool[], %s::bool[],
                     %s::text[], %s::text[], %s::int[], %s::text[], %s::text[], %s::date[])
ON CONFLICT DO NOTHING RETURNING id
"""  # noqa: S608 (names of columns of ours)
# Held, in order: whoever changes names at this moment is waited for, and does it afterwards or has done it.
_KNOWN_PLAYERS = """
SELECT source, name, id FROM games_player JOIN unnest(%s::text[], %s::text[]) AS named (source, name)
USING (source, name) ORDER BY id FOR KEY SHARE OF games_player
"""
_ADD_SEATINGS = "COPY games_seating (game_id, seat, letter, player_id, place, sheet) FROM STDIN"

Told = str | int
"""What a game is known by: its digest, or, when it was rejected, the number of the log that tells it."""
Name = tuple[str, str]
"""Who a player is: source and name."""


@dataclass(slots=True)
class Case:
    """A log that is held, what the engine found in it, and its game once that is known."""

    log: int
    upload: Upload
    found: EngineVerdict
    names: dict[str, str]
    """The players' names by seat letter, as far as the record tells them."""
    before: int
    """The game for which an earlier engine took it; 0 when it is judged for the first time."""
    game: int = 0
    is_new: bool = False
    """Whether the game is new, or legal for the first time: its players take their seats."""

    @property
    def told(self) -> Told:
        """What its game is known by."""
        return self.found.digest or self.log


def names_of(found: EngineVerdict) -> dict[str, str]:
    """The players' names by seat letter, as far as the record tells them."""
    if found.replay is None:
        return {}
    tags, ruleset = found.replay.tags, found.replay.ruleset
    return {letter: tags[ruleset.seat(letter).tag] for letter in tags["Seats"].split(" ")}


def recognise(cases: Sequence[Case]) -> None:
    """Gives each case its game: the one that is there, or a new one, as the first log that tells it has it."""
    first: dict[Told, Case] = {}
    for case in cases:
        first.setdefault(case.told, case)
    games: dict[Told, int] = {}
    while missing := {told: case for told, case in first.items() if told not in games}:
        games |= _known(missing)
        # What another transaction adds just now is not added, and known when we look again; so is a key that is taken.
        games |= _add({told: case for told, case in missing.items() if told not in games})
    for case in cases:
        case.game = games[case.told]


def _known(told: Iterable[Told]) -> dict[Told, int]:
    digests = [digest for digest in told if isinstance(digest, str)]
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN_GAMES, [digests])
        return dict(cursor)


def _add(first: Mapping[Told, Case]) -> dict[Told, int]:
    """Adds games, numbered in the order of their logs, in the order of their digests. :returns: those that were new."""
    if not first:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_NEXT_GAMES, [len(first)])
        cases = {number: case for (number,), case in zip(cursor, first.values(), strict=True)}
        rows = sorted(_rows(cases), key=lambda row: row[2] or "")
        cursor.execute(_ADD_GAMES, columns(rows, 6 + len(_FACTS)))
        added = {number: cases[number] for (number,) in cursor}
    for case in added.values():
        case.is_new = True
    return {case.told: number for number, case in added.items()}


def _rows(cases: Mapping[int, Case]) -> Iterator[tuple[Any, ...]]:
    for number, case in cases.items():
        upload, facts = case.upload, facts_of(case.found)
        yield (
            *(number, new_key(), case.found.digest, upload.received_at, upload.scored, upload.private),
            *(facts[name] for name in _FACTS),
        )


def facts_of(found: EngineVerdict) -> dict[str, Any]:
    """What a game's row says of how it was played."""
    return {
        "ruleset": found.ruleset.slug if found.ruleset else "",
        "verdict": found.verdict,
        "plies": len(found.replay.actions) if found.replay else 0,
        "result": found.replay.result if found.replay and not found.fault else "",
        "ended": found.outcome.rule if found.outcome else "",
        "played_on": _played_on(found),
    }


def _played_on(found: EngineVerdict) -> date | None:
    tag = found.replay.tags.get("Date", "?") if found.replay else "?"
    return None if "?" in tag else date(*map(int, tag.split(".")))


def recognise_again(case: Case) -> None:
    """Gives a case the game that a later engine finds in its log; the one of before keeps its address."""
    known = Game.objects.filter(digest=case.found.digest).first() if case.found.digest else None
    if known:
        # An address of a game that is another one now leads on.
        Game.objects.filter(pk=case.before).exclude(pk=known.pk).update(same_as=known)
        case.game = known.pk
    else:
        _rethink(case, Game.objects.select_for_update().get(pk=case.before))


def _rethink(case: Case, own: Game) -> None:
    facts = facts_of(case.found)
    case.game, case.is_new = own.pk, case.found.digest is not None and own.digest is None
    if case.is_new:
        facts["digest"] = case.found.digest
    if own.logs.order_by("pk").values_list("pk", flat=True).first() == case.log:
        Game.objects.filter(pk=own.pk).update(**facts)


# The players


def seat(cases: Iterable[Case], *, now: datetime) -> None:
    """Seats the players of new games that are legal; who is named in a rejected record has not played it."""
    if legal := [case for case in cases if case.is_new and case.found.digest]:
        _seat_players(legal, now)


def _seat_players(cases: Sequence[Case], now: datetime) -> None:
    players = _players(cases, now)
    with connection.cursor() as cursor, cursor.copy(_ADD_SEATINGS) as copy:
        for case in cases:
            for row in _seatings(case, players):
                copy.write_row(row)


def seat_anew(case: Case, *, now: datetime) -> None:
    """Seats whom this log names in place of those who sit there; who is known from this game alone is forgotten.

    For games by whose seats nothing is rated.
    """
    seatings = Seating.objects.filter(game=case.game)
    before = list(seatings.values_list("player", flat=True))
    seatings.delete()
    _seat_players([case], now)
    Player.objects.filter(pk__in=before, seatings=None, account=None, claims=None, merged=None, acts=None).delete()


def _seatings(case: Case, players: Mapping[Name, int]) -> Iterator[tuple[Any, ...]]:
    found, replay = case.found, case.found.replay
    if replay:
        sheets = replay.ruleset.sheets(replay.last)
        for at, (letter, name) in enumerate(case.names.items()):
            place = found.outcome.placements[at] if found.outcome else None
            yield case.game, at, letter, players[_source(found), name], place, _sheet(tuple(sheets[at]))


@lru_cache(maxsize=10_000)
def _sheet(counts: tuple[Count, ...]) -> str:
    """A seat's score sheet, in JSON: by what is counted, in the engine's own words."""
    return json.dumps({count.label.template: count.value for count in counts})


def _players(cases: Iterable[Case], now: datetime) -> dict[Name, int]:
    """The players of some games by source and name, made where new, as the first upload's that names them."""
    first: dict[Name, Upload] = {}
    for case in cases:
        for name in case.names.values():
            first.setdefault((_source(case.found), name), case.upload)
    players: dict[Name, int] = {}
    while missing := sorted(name for name in first if name not in players):
        players |= _known_players(missing)
        Player.objects.bulk_create(
            (
                Player(source=source, name=name, introduced_by_id=first[source, name].uploader_id, created_at=now)
                for source, name in missing
                if (source, name) not in players
            ),
            ignore_conflicts=True,
        )
    return players


def _known_players(names: list[Name]) -> dict[Name, int]:
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN_PLAYERS, columns(names, 2))
        return {(source, name): player for source, name, player in cursor}


def _source(found: EngineVerdict) -> str:
    return found.replay.tags.get("Site", "") if found.replay else ""
