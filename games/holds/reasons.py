"""Reasons to hold games back: which due games somebody has to check before they are rated.

Called under the lock of the sequence, so that of two games that are one too many, or are the same play, the first is
rated and the other waits. Everything that holds a game back is a flag with its ladder; once none is open, the game is
released.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Coalesce

from games.holds.reads.due_games import Table, tables_of
from games.holds.reads.holds import LET_COUNT
from games.holds.reads.table_points import TablePoints
from games.holds.reads.vouching import known, standings_of, unvouched
from games.holds.thresholds import Counts
from games.models import Acceptance, Claim, Flag

NEW = timedelta(days=7)
"""An account younger than this is brand-new."""

Kind = Flag.Kind

_PERSONS = """ARRAY(
    SELECT coalesce(-whole.account_id, whole.id) FROM games_seating AS seating
    JOIN games_player AS named ON named.id = seating.player_id
    JOIN games_player AS whole ON whole.id = coalesce(named.merged_into_id, named.id)
    WHERE seating.game_id = {game}.id ORDER BY 1)"""
"""Who played: negative numbers are accounts, with all their names, the others players without one."""
# With fewer actions than seats, players may only have left or agreed to a draw. Then the play is the same only as
# that of the same persons, and one record with other names. How often the same two do that is counted below.
_LIKENESSES = f"""
SELECT due.id, game.likeness, game.digest,
    CASE WHEN seats.whole THEN '{{}}' ELSE {_PERSONS.format(game="game")} END, seats.whole
FROM games_acceptance AS due JOIN games_game AS game ON game.id = due.game_id
CROSS JOIN LATERAL (SELECT game.plies >= count(*) AS whole FROM games_seating WHERE game_id = game.id) AS seats
WHERE due.id = ANY(%s) AND game.likeness <> ''
"""  # noqa: S608 (made of constants)
# Of the games of each play those that have a place in a ladder, whatever became of it, and those that were left
# unrated, with any players; and of those places the ones that a moderator has given to other players.
_OF_PLAY = f"""
SELECT alike.likeness, placed.ladder_id, alike.id, alike.digest, {_PERSONS.format(game="alike")},
    NOT placed.counts AND coalesce((
    SELECT params ? 'instead' FROM games_act
    WHERE game_id = alike.id AND kind = 'game-annulled' AND (params->>'number')::bigint = placed.number
    ORDER BY id DESC LIMIT 1), false)
FROM games_game AS alike
CROSS JOIN LATERAL (SELECT * FROM games_acceptance WHERE game_id = alike.id AND number IS NOT NULL OFFSET 0) AS placed
WHERE alike.likeness = ANY(%(likenesses)s)
UNION ALL
SELECT alike.likeness, flag.ladder_id, alike.id, alike.digest, {_PERSONS.format(game="alike")}, false
FROM games_game AS alike
CROSS JOIN LATERAL (SELECT * FROM games_flag WHERE game_id = alike.id AND unrated OFFSET 0) AS flag
WHERE alike.likeness = ANY(%(likenesses)s)
"""  # noqa: S608 (made of constants)


class HoldReason(NamedTuple):
    """Why a game waits, and whom it concerns."""

    kind: Flag.Kind
    player: int | None
    params: dict[str, Any]


Key = tuple[str, int, int, int | None]
"""What a flag says of a game and a ladder, and of whom."""


def _key(reason: HoldReason, game: int, ladder: int) -> Key:
    return reason.kind, game, ladder, reason.player


def hold_back(due: Sequence[tuple[int, int, int]], at: datetime, *, now: datetime, watch: bool) -> set[int]:
    """Hold back the games that somebody has to check, and raise their flags.

    Called under the lock of the sequence. Each game is checked as if the games before it that need not wait already had
    their places.

    :param due: acceptance, ladder and game of each that is due, in order.
    :param at: the moment at which the others get their places; `now` is the clock's time.
    :param watch: whether to check who plays whom, too; not for made-up games.
    :returns: the acceptances that wait.
    """
    said, plays = _EarlierFlags([game for _, _, game in due]), _Plays(due)
    tables = {table.acceptance: table for table in tables_of(row[0] for row in due)} if watch else {}
    watched = _Watch(list(tables.values()), at) if tables else None
    flags, held = dict[Key, HoldReason](), set[int]()
    for acceptance, ladder, game in due:
        table = tables.get(acceptance)
        found = list(plays.before(acceptance, ladder))
        if watched and table:
            found += watched.look(table)
        unsettled = {_key(one, game, ladder): one for one in found if not said.lets(one, game, ladder)}
        if unsettled or (game, ladder) in said.waiting or (table and table.unsettled):
            held.add(acceptance)
            flags |= unsettled
        else:
            plays.add(acceptance, ladder)
            if watched and table:
                watched.add(table)
    said.raise_flags(flags, now)
    Acceptance.objects.filter(pk__in=held).update(held=True)
    return held


class _EarlierFlags:
    """Earlier flags on games: which somebody settled, which are still open, and which settled by themselves."""

    def __init__(self, games: Sequence[int]) -> None:
        rated = Coalesce("player__merged_into", "player")
        changed = Claim.objects.filter(
            player=OuterRef("rated"), state=Claim.State.APPROVED, decided_at__gt=OuterRef("settled_at")
        )
        flags = Flag.objects.filter(game__in=games, ladder__isnull=False).annotate(rated=rated)
        rows = flags.annotate(let=LET_COUNT, changed=Exists(changed)).values_list(
            "kind", "game", "ladder", "rated", "pk", "settled_at", "unrated", "let", "changed"
        )
        self._let, self._passed = set[Key](), dict[Key, int]()
        self.waiting = set[tuple[int, int | None]]()
        for kind, game, ladder, player, pk, settled_at, unrated, let, changed_hands in rows:
            if not settled_at or unrated:
                self.waiting.add((game, ladder))
            elif let and not changed_hands:
                self._let.add((kind, game, ladder, player))
            else:
                self._passed[kind, game, ladder, player] = pk

    def lets(self, reason: HoldReason, game: int, ladder: int) -> bool:
        """Return whether somebody settled this flag for the account that had the name then, and rated the game."""
        return _key(reason, game, ladder) in self._let

    def raise_flags(self, found: dict[Key, HoldReason], now: datetime) -> None:
        """Store why games wait; a flag that once settled by itself is raised again if its reason is back."""
        Flag.objects.filter(pk__in=[self._passed[key] for key in found if key in self._passed]).delete()
        Flag.objects.bulk_create(
            (
                Flag(kind=kind, game_id=game, ladder_id=ladder, player_id=player, params=one.params, raised_at=now)
                for (kind, game, ladder, player), one in found.items()
            ),
            ignore_conflicts=True,
        )


class _Play(NamedTuple):
    """A game, and what decides whether another is the same play."""

    game: int
    likeness: str
    digest: str
    persons: list[int]
    whole: bool = True
    """Whether enough was played to distinguish another record of it from another game that ended in the same way."""
    replaced: bool = False
    """Whether a moderator has given its place to other players of the same moves."""

    def is_repeated_by(self, later: "_Play") -> bool:
        """Return whether a game that is due later is the same."""
        if self.game == later.game:
            return False
        if self.digest == later.digest:
            return not self.replaced
        return later.whole or self.persons == later.persons


class _Plays:
    """The plays that have a place in ladders, get one now, or were left unrated.

    A game that waits holds back no other: otherwise anybody could stop a game by uploading it rotated before it counts.
    """

    def __init__(self, due: Sequence[tuple[int, int, int]]) -> None:
        self._known = defaultdict[tuple[str, int], list[_Play]](list)
        games = {acceptance: game for acceptance, _, game in due}
        with connection.cursor() as cursor:
            cursor.execute(_LIKENESSES, [list(games)])
            self._mine = {row[0]: _Play(games[row[0]], *row[1:]) for row in cursor.fetchall()}
            if not self._mine:
                return
            cursor.execute(_OF_PLAY, {"likenesses": list({play.likeness for play in self._mine.values()})})
            for likeness, ladder, game, digest, persons, replaced in cursor.fetchall():
                self._known[likeness, ladder].append(_Play(game, likeness, digest, persons, replaced=replaced))

    def before(self, acceptance: int, ladder: int) -> Iterator[HoldReason]:
        """Yield why a game waits whose play is the same as an earlier one's on the ladder, with any players."""
        if mine := self._mine.get(acceptance):
            known = self._known[mine.likeness, ladder]
            if first := min((other.game for other in known if other.is_repeated_by(mine)), default=None):
                yield HoldReason(Kind.LIKENESS, None, {"like": first})

    def add(self, acceptance: int, ladder: int) -> None:
        """Count a game for those that follow."""
        if mine := self._mine.get(acceptance):
            self._known[mine.likeness, ladder].append(mine)


def brand_new(accounts: Iterable[int], at: datetime) -> dict[int, int]:
    """Return brand-new accounts for whom neither a moderator nor an organiser vouches, with their age in days."""
    accounts = set(accounts)
    new = User.objects.filter(pk__in=accounts - known(accounts), date_joined__gt=at - NEW)
    return {user.pk: (at - user.date_joined).days for user in new}


class _Watch:
    """Checks the players of tables: whether they are known, and how often they meet."""

    def __init__(self, tables: list[Table], at: datetime) -> None:
        accounts = {account for table in tables for account in table.accounts.values()}
        self._standings = standings_of(player for table in tables for player in table.accounts)
        self._young, self._counts = _young(accounts, at), Counts(tables, at)
        self._points = TablePoints(tables, self._standings, at)

    def look(self, table: Table) -> Iterator[HoldReason]:
        """Yield why a table waits."""
        if len({seat.person for seat in table.seats}) < len(table.seats):
            yield HoldReason(Kind.SAME_PERSON, table.seats[0].player, {"seats": 2})
        yield from (HoldReason(*one) for one in self._counts.unusual(table))
        # The accounts themselves played at tables here, so few points need nobody to vouch.
        if self._points.is_played_here(table):
            for lacks in self._points.lacking(table):
                yield HoldReason(Kind.UNVOUCHED, lacks.player, lacks.params)
            return
        missing = unvouched(table.accounts, self._standings)
        for player, account in table.accounts.items():
            if player in missing:
                yield HoldReason(Kind.UNVOUCHED, player, {})
            elif account in self._young:
                yield HoldReason(Kind.NEW_ACCOUNT, player, {"days": self._young[account]})

    def add(self, table: Table) -> None:
        """Count a table for those that follow."""
        self._counts.add(table)
        self._points.add(table)


def _young(accounts: Iterable[int], at: datetime) -> dict[int, int]:
    """Return brand-new accounts with their age in days, except those with a game that somebody looked at and rated."""
    new = brand_new(accounts, at)
    seen = Flag.objects.filter(LET_COUNT, kind=Kind.NEW_ACCOUNT).annotate(
        account=Coalesce(F("player__merged_into__account"), F("player__account"))
    )
    looked_at = set(seen.filter(account__in=new).values_list("account", flat=True)) if new else set()
    return {account: days for account, days in new.items() if account not in looked_at}
