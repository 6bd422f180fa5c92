"""Recomputes all ratings from the accepted games' records and the corrections alone."""

from array import array
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from engine.fold import FRESH, Change, Ledger, Rated, merge_change, split_change
from engine.rating import Rating
from games.audit.reads import Accepted
from games.models import Acceptance, Correction
from games.ratings.ledger import COLUMNS, Entered, Entry
from games.ratings.standings import Line, StandingChanges

Kind = Correction.Kind

Key = tuple[int, int, int, int, int]
"""Where an entry is in the ledger: after which place, by which correction, of which ladder, game and seat."""

_SEAT = COLUMNS.index("seat")


@dataclass(frozen=True, slots=True)
class Played:
    """An accepted game, as its record has it."""

    row: Accepted
    players: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DueLine:
    """The expected row of a ladder."""

    counts: tuple[int, ...]
    """By `standings.COUNTED`."""
    rating: Rating
    last_number: int
    last_at: datetime | None


@dataclass(slots=True)
class UpcomingCorrections:
    """Which games a later correction may touch, so that only those are kept in memory."""

    corrections: list[Correction]
    from_number: dict[int, int] = field(init=False)
    """By ladder the first game that will be annulled or restored."""
    until: int = field(init=False)
    """The last place given before the last correction."""
    movers: frozenset[int] = field(init=False)
    """Who will be merged or split, or will get somebody's games."""
    _begun: set[int] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        """Look through the corrections."""
        self.until = max((one.after or 0 for one in self.corrections), default=0)
        self.movers = frozenset(who for one in self.corrections for who in (one.player_id, one.into_id) if who)
        self.from_number = {}
        for one in self.corrections:
            if one.acceptance:
                ladder, number = one.acceptance.ladder_id, one.acceptance.number or 0
                self.from_number[ladder] = min(number, self.from_number.get(ladder, number))

    def wants(self, game: Played) -> bool:
        """Return whether a game has to be kept."""
        number, ladder = game.row.number, game.row.ladder
        if number > self.until:
            return False
        if number >= self.from_number.get(ladder, number + 1) or not self.movers.isdisjoint(game.players):
            self._begun.add(ladder)
        return ladder in self._begun


@dataclass(slots=True)
class Recomputation:
    """A ledger being recomputed, and in the end everything that follows from it."""

    corrections: list[Correction]
    ledger: Ledger = field(default_factory=Ledger)
    changes: StandingChanges = field(default_factory=StandingChanges)
    changed: Counter[int] = field(default_factory=Counter)
    """Entries by correction."""
    annulled: dict[int, bool] = field(default_factory=dict)
    """By acceptance that was ever annulled or restored."""
    _foresight: UpcomingCorrections = field(init=False)
    _newest: dict[Line, tuple[int, datetime]] = field(default_factory=dict)
    _numbers: dict[Line, "array[int]"] = field(default_factory=dict)
    """The games that count of every line, as long as corrections may take one away."""
    _games: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of the games kept, acceptance and game by number."""

    def __post_init__(self) -> None:
        """Prepare the look ahead."""
        self._foresight = UpcomingCorrections(self.corrections)

    def run(self, games: Iterable[Played]) -> Iterator[tuple[Key, Entry]]:
        """Yield all entries of the ledger, in order."""
        waiting = iter([*self.corrections, None])
        correction = next(waiting)
        for game in games:
            while correction and (correction.after or 0) < game.row.number:
                yield from self._correction(correction)
                correction = next(waiting)
            yield from self._accept(game)
        while correction:
            yield from self._correction(correction)
            correction = next(waiting)

    def _accept(self, game: Played) -> Iterator[tuple[Key, Entry]]:
        row, keep = game.row, self._foresight.wants(game)
        rated = self.ledger.accept(row.ladder, row.number, game.players, game.places, keep=keep)
        self.changes.add(row.ladder, None, rated)
        self._follow(row.ladder, None, rated, row.accepted_at)
        if keep:
            self._games[row.number] = row.acceptance, row.game
        for entry in Entered(row.acceptance, row.ladder, row.game, None, rated).entries(row.accepted_at, None):
            yield (row.number, 0, 0, row.number, entry[_SEAT]), entry

    def _correction(self, correction: Correction) -> Iterator[tuple[Key, Entry]]:
        at = correction.done_at or correction.ordered_at
        for ladder, (old, new) in self.ledger.change(self._change_of(correction)):
            self.changes.add(ladder, old, new)
            self._follow(ladder, old, new, at)
            for entry in Entered(*self._of(ladder, new), old, new).entries(at, correction.pk):
                self.changed[correction.pk] += 1
                yield (correction.after or 0, correction.order or 0, ladder, new.number, entry[_SEAT]), entry
        if correction is self.corrections[-1]:
            self.ledger.games.clear()
            self._games.clear()

    def _of(self, ladder: int, game: Rated) -> tuple[int, int, int]:
        acceptance, played = self._games[game.number]
        return acceptance, ladder, played

    def _change_of(self, correction: Correction) -> Change:
        if correction.acceptance:
            self.annulled[correction.acceptance.pk] = correction.kind == Kind.ANNULMENT
            return Change(annulled={correction.acceptance.number or 0: correction.kind == Kind.ANNULMENT})
        player, into = correction.player_id or 0, correction.into_id or 0
        return merge_change(self.merged, player, into) if correction.kind == Kind.MERGE else split_change(player)

    @property
    def merged(self) -> dict[int, int]:
        """The merges so far, from player to player."""
        return {player: into for player, into in self.ledger.moved.items() if player != into}

    def _follow(self, ladder: int, old: Rated | None, new: Rated, at: datetime) -> None:
        """Remember each row's newest game that counts."""
        if old is None and new.counts:
            self._newest |= dict.fromkeys([(ladder, player) for player in new.players], (new.number, at))
        if new.number > self._foresight.until or (old and old.players == new.players and old.counts == new.counts):
            return
        for player in old.players if old and old.counts else ():
            numbers = self._numbers[ladder, player]
            del numbers[bisect_left(numbers, new.number)]
        for player in new.players if new.counts else ():
            insort(self._numbers.setdefault((ladder, player), array("Q")), new.number)

    def lines(self) -> dict[Line, DueLine]:
        """Return all lines of all ladders."""
        newest = self._newest | self._newest_again()
        return {
            line: DueLine(tuple(counts), self.ledger.current[line[0]].get(line[1], FRESH), *newest[line])
            for line, counts in sorted(self.changes.lines.items())
            if counts[0]
        }

    def _newest_again(self) -> dict[Line, tuple[int, datetime]]:
        """Return the newest games of rows that lost a game, or got an old one."""
        until = self._foresight.until
        shaken = [line for line in self.changes.shaken if self.changes.lines[line][0]]
        numbers = {
            line: self._numbers[line][-1]
            for line in shaken
            if line not in self._newest or self._newest[line][0] <= until
        }
        moments = dict(Acceptance.objects.filter(number__in=set(numbers.values())).values_list("number", "accepted_at"))
        return {line: (number, moments[number]) for line, number in numbers.items() if moments[number]}  # type: ignore[misc]
