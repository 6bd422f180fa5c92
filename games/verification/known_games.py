"""Recognition: finds the game of a log. It may exist already; a new one gets its players and their places.

A game is identified by its moves and players: a public upload of the same moves with other players makes a game of
its own, which challenges the seating of the first. A private game belongs to its owner, even if others have its moves.

Everything here is done for many logs at once, in a bounded number of statements. Rows that others may add at the same
moment are added in an order of their own, so that no two transactions wait for each other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import connection

from engine.agn.dates import days_played
from engine.agn.names import name_key
from engine.verify import Verdict as EngineVerdict
from games.models import Game, Upload
from games.models.records import SEATING_LENGTH, new_key
from games.platform.bulk_sql import columns
from games.records.facts import days_changed
from games.records.pseudonyms import NewLog, same_but_for_pseudonyms
from games.records.reads.facts import is_telling

DAYS = ("played_from", "played_until")
"""The columns of the days on which a game may have been played."""
_FACTS = ("ruleset", "verdict", "plies", "result", "ended", "termination", "likeness", *DAYS)
_OF_THE_PLAY = ("ended", "termination", "likeness")
"""What is the same for all logs of one digest, whatever their format."""
# Public games by their moves: the one whose seating applies, and those that name the same players. Of an account that
# uploaded each, the private game that names the same, and one that does not. Strangers can make up any number of
# others.
_KNOWN_GAMES = """
SELECT id, digest, seating, 0, upheld FROM games_game WHERE digest = ANY(%(digests)s) AND upheld AND NOT private
UNION ALL
SELECT id, digest, seating, 0, upheld FROM games_game
JOIN unnest(%(digests)s::text[], %(seatings)s::text[]) AS given (digest, seating) USING (digest, seating)
WHERE NOT upheld AND NOT private
UNION ALL
SELECT own.* FROM unnest(%(owners)s::int[], %(digests)s::text[], %(seatings)s::text[]) AS given (owner, digest, seating)
CROSS JOIN LATERAL (
    (SELECT id, digest, seating, owner_id, upheld FROM games_game
     WHERE owner_id = given.owner AND digest = given.digest AND seating = given.seating AND same_as_id IS NULL LIMIT 1)
    UNION ALL
    (SELECT id, digest, seating, owner_id, upheld FROM games_game
     WHERE owner_id = given.owner AND digest = given.digest AND same_as_id IS NULL LIMIT 1)) AS own
WHERE given.owner > 0
"""
_NEXT_GAMES = "SELECT nextval(pg_get_serial_sequence('games_game', 'id')) FROM generate_series(1, %s)"
_ADD_GAMES = f"""
INSERT INTO games_game (id, key, digest, received_at, scored, private, owner_id, seating, upheld, same_as_id,
                        {", ".join(_FACTS)})
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::timestamptz[], %s::bool[], %s::bool[], %s::int[],
                     %s::text[], %s::bool[], %s::bigint[],
                     %s::text[], %s::text[], %s::int[], %s::text[], %s::text[], %s::text[], %s::text[],
                     %s::date[], %s::date[])
ON CONFLICT DO NOTHING RETURNING id
"""  # noqa: S608 (our own column names)
_SEATS = """
SELECT game_id, min(source), array_agg(letter ORDER BY seat), array_agg(name ORDER BY seat)
FROM games_seating JOIN games_player AS player ON player.id = player_id
WHERE game_id IN (SELECT game_id FROM games_seating WHERE player_id = ANY(%s)) GROUP BY game_id
"""
_SEAT_AGAIN = """
UPDATE games_game AS game SET seating = given.seating
FROM unnest(%s::bigint[], %s::text[]) AS given (id, seating) WHERE game.id = given.id AND game.seating <> ''
"""


class Same(NamedTuple):
    """What all logs of a legal game have in common."""

    digest: str
    seating: str
    owner: int
    """Whose private game it is; 0 of a public one."""


Identity = Same | int
"""What identifies a game: its moves and players, or the number of its only log."""


@dataclass(slots=True)
class Case:
    """A locked log, what the engine found in it, and its game once that is known."""

    log: int
    upload: Upload
    found: EngineVerdict
    names: dict[str, str] = field(init=False)
    """The players' names by seat letter; none where nothing of the record could be read."""
    before: int
    """The game that an earlier engine found; 0 when it is judged for the first time."""
    game: int = 0
    is_new: bool = False
    """Whether the game is new, or legal for the first time: its players take their seats."""

    shows: bool = False
    """Whether the game is a private one of the uploader's own that becomes public by this upload."""

    pseudonyms: dict[str, str] = field(default_factory=dict)
    """By seat letter what is to be written into the log instead of its names."""

    def __post_init__(self) -> None:
        """Read the names."""
        self.names = self.found.replay.names if self.found.replay else {}

    @property
    def identity(self) -> Identity:
        """Return the key of its game. A private one whose owner has gone is known by its log alone."""
        owner = self.upload.uploader_id or 0
        if self.found.digest is None or (self.upload.private and not owner):
            return self.log
        return Same(self.found.digest, self.seating, owner if self.upload.private else 0)

    @property
    def seating(self) -> str:
        """Return a digest of who sat where; empty if the record is rejected."""
        return seating_of(source_of(self.found), self.names) if self.found.digest else ""


def seating_of(source: str, names: Mapping[str, str]) -> str:
    """Return the digest of who sat where: players' names by seat letter in turn order, and where they come from."""
    identity = "\n".join([source, *(letter + name for letter, name in names.items())])
    return sha256(identity.encode()).hexdigest()[:SEATING_LENGTH]


def digest_seatings_again(players: Sequence[int]) -> None:
    """Digest the seatings of all games in which some players sit, who have other names now."""
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, [list(players)])
        seatings = [
            (game, seating_of(name_key(source), dict(zip(letters, map(name_key, names), strict=True))))
            for game, source, letters, names in cursor.fetchall()
        ]
        cursor.execute(_SEAT_AGAIN, columns(seatings, 2))


class Known(NamedTuple):
    """The existing games of some moves."""

    games: dict[Identity, int]
    upheld: dict[str, int]
    """By digest the public game whose seating applies."""
    owned: set[tuple[str, int]]
    """Digests with the accounts that have private games of them."""

    def has_own(self, case: Case) -> bool:
        """Return whether the uploader has a private game of the same moves, with any players."""
        return (case.found.digest or "", case.upload.uploader_id or 0) in self.owned


def recognise(cases: Sequence[Case]) -> None:
    """Give each case its game: the existing one, or a new one made from its first log.

    A case that affects more than its own game gets none here (0): it challenges the seating of a game, or makes a
    private one public.
    """
    first: dict[Identity, Case] = {}
    for case in cases:
        first.setdefault(case.identity, case)
    games: dict[Identity, int] = {}
    while missing := {identity: case for identity, case in first.items() if identity not in games}:
        known = _known(missing.values())
        games |= {identity: game for identity, game in known.games.items() if identity in missing}
        new, apart = _parted({identity: case for identity, case in missing.items() if identity not in games}, known)
        games |= dict.fromkeys(apart, 0)
        # Rows that another transaction is adding at the same time are skipped here and found later; so are keys that
        # are taken.
        games |= _add(new)
    for case in cases:
        case.game = games[case.identity]


def _parted(missing: Mapping[Identity, Case], known: Known) -> tuple[dict[Identity, Case], list[Identity]]:
    """Return the cases of new games, and the cases that must be handled alone."""
    new, apart, digests = dict[Identity, Case](), list[Identity](), set[str]()
    for identity, case in missing.items():
        if isinstance(identity, Same):
            if known.has_own(case) or (not identity.owner and identity.digest in digests | known.upheld.keys()):
                apart.append(identity)
                continue
            if not identity.owner:
                digests.add(identity.digest)
        new[identity] = case
    return new, apart


def recognise_alone(case: Case, *, names_are_certain: bool = False) -> None:
    """Recognise one case, whatever it changes: it may challenge, or publish a private game of its uploader's.

    :param names_are_certain: whether it names others than pseudonyms for certain.
    """
    while not case.game:
        known = _known([case])
        if found := known.games.get(case.identity):
            case.game = found
        elif not names_are_certain and _is_same_but_for_pseudonyms(case):
            return
        elif (
            isinstance(case.identity, Same)
            and not case.identity.owner
            and (first := known.upheld.get(case.identity.digest))
        ):
            _add({case.identity: case}, rival_of=first)
        elif own := known.games.get(_own(case)):
            case.game, case.shows = own, True
        else:
            _add({case.identity: case})
        if case.is_new:
            return


def _is_same_but_for_pseudonyms(case: Case) -> bool:
    """Give a case the game that differs only in pseudonyms, and return whether there is one."""
    if not isinstance(case.identity, Same):
        return False
    upload = case.upload
    asked = NewLog(case.identity.digest, source_of(case.found), case.names, upload.uploader_id, upload.private)
    if known := same_but_for_pseudonyms(asked):
        case.game, case.pseudonyms = known.game, known.pseudonyms
        case.shows = known.private and not upload.private
    return bool(case.game)


def _own(case: Case) -> Identity:
    """Return the key of the uploader's private game of the same play."""
    return Same(case.found.digest or "", case.seating, case.upload.uploader_id or 0)


def _known(cases: Iterable[Case]) -> Known:
    identity = sorted(
        {(case.upload.uploader_id or 0, case.found.digest, case.seating) for case in cases if case.found.digest}
    )
    asked: dict[str, Any] = {
        "owners": [account for account, _, _ in identity],
        "digests": [digest for _, digest, _ in identity],
        "seatings": [seating for _, _, seating in identity],
    }
    known = Known({}, {}, set())
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN_GAMES, asked)
        for game, digest, seating, owner, upheld in cursor:
            known.games[Same(digest, seating, owner)] = game
            if owner:
                known.owned.add((digest, owner))
            elif upheld:
                known.upheld[digest] = game
    return known


def _add(first: Mapping[Identity, Case], *, rival_of: int | None = None) -> dict[Identity, int]:
    """Add games, numbered in the order of their logs, in the order of their digests. :returns: those that were new.

    :param rival_of: the game of the same moves whose seating applies; none where theirs does.
    """
    if not first:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_NEXT_GAMES, [len(first)])
        cases = {number: case for (number,), case in zip(cursor, first.values(), strict=True)}
        rows = sorted(_rows(cases, rival_of), key=lambda row: row[2] or "")
        cursor.execute(_ADD_GAMES, columns(rows, 10 + len(_FACTS)))
        added = {number: cases[number] for (number,) in cursor}
    for number, case in added.items():
        case.game, case.is_new = number, True
    return {case.identity: number for number, case in added.items()}


def _rows(cases: Mapping[int, Case], rival_of: int | None) -> Iterator[tuple[Any, ...]]:
    for number, case in cases.items():
        upload, facts = case.upload, facts_of(case.found)
        owner = upload.uploader_id if upload.private else None
        yield (
            *(number, new_key(), case.found.digest, upload.received_at, upload.scored, upload.private),
            *(owner, case.seating, rival_of is None, rival_of),
            *(facts[name] for name in _FACTS),
        )


def facts_of(found: EngineVerdict) -> dict[str, Any]:
    """Return what a game's row says of how it was played."""
    days = days_played(found.replay.tags, found.record.day) if found.replay else None
    return {
        "ruleset": found.ruleset.slug if found.ruleset else "",
        "verdict": found.verdict,
        "plies": len(found.replay.actions) if found.replay else 0,
        "result": found.replay.result if found.replay and not found.fault else "",
        "ended": found.outcome.rule if found.outcome else "",
        "termination": found.outcome.termination.value if found.outcome else "",
        "likeness": found.likeness or "",
        "played_from": days and days.first,
        "played_until": days and days.last,
    }


def recognise_again(case: Case) -> None:
    """Give a case the game that a later engine finds in its log; the earlier one keeps its address."""
    own = Game.objects.select_for_update().get(pk=case.before)
    if case.found.digest and case.found.digest == own.digest:
        case.game = own.pk
        _say_anew(own, case)
        return
    known = _known([case])
    if found := known.games.get(case.identity):
        # The address of a merged game redirects.
        Game.objects.filter(pk=case.before).exclude(pk=found).update(same_as=found)
        case.game = found
        _say_anew(Game.objects.get(pk=found), case)
    else:
        _rethink(case, own, known.upheld.get(case.found.digest or ""))


def _say_anew(game: Game, case: Case) -> None:
    """Record what a later engine says of the same play, or an earlier one did not say; the days if it tells them."""
    facts, tells = facts_of(case.found), is_telling(game, case.log)
    now = {name: facts[name] for name in (*_OF_THE_PLAY, *(DAYS if tells else ()))}
    if now != {name: getattr(game, name) for name in now}:
        _write(game, now)


def _write(game: Game, facts: Mapping[str, Any]) -> None:
    Game.objects.filter(pk=game.pk).update(**facts)
    if any(name in facts and facts[name] != getattr(game, name) for name in DAYS):
        days_changed(game.pk)


def _rethink(case: Case, own: Game, upheld: int | None) -> None:
    facts = facts_of(case.found)
    case.game, case.is_new = own.pk, case.found.digest is not None and own.digest is None
    if case.is_new:
        facts |= {"digest": case.found.digest, "seating": case.seating}
        if upheld and not own.private:
            facts |= {"upheld": False, "same_as": upheld}
    if is_telling(own, case.log):
        _write(own, facts)


def source_of(found: EngineVerdict) -> str:
    """Return where a record's names come from."""
    return found.replay.site if found.replay else ""
