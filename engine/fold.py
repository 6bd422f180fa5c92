"""A ladder as a pure fold over games in the order of acceptance, and recomputation after a correction.

It works with numbers only: a game's place in the sequence, players, places. The caller gives the sequence; no clock is
read, and folding the same acts gives the same ledger, byte for byte.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from engine.rating import Rating, rate

FRESH = Rating()


@dataclass(frozen=True, slots=True)
class Rated:
    """A game as it is in the ledger. All tuples are in seat order."""

    number: int
    """Its place in the order."""
    seated: tuple[int, ...]
    """Who sat there, as recorded."""
    players: tuple[int, ...]
    """Who is rated for it: others than recorded where two were found to be one."""
    places: tuple[int, ...]
    annulled: bool
    before: tuple[Rating, ...]
    after: tuple[Rating, ...]

    @property
    def counts(self) -> bool:
        """Whether it is rated: not if it was annulled, or if a player would be rated against themself."""
        return not self.annulled and len(set(self.players)) == len(self.players)


@dataclass(frozen=True, slots=True)
class Change:
    """An act that changes the past: games are annulled or restored, or players are merged or split."""

    annulled: Mapping[int, bool] = field(default_factory=dict)
    """By place in the order: whether the game is annulled from now on."""
    moved: Mapping[int, int] = field(default_factory=dict)
    """By who sat there: under whom they are rated from now on."""

    @property
    def arriving(self) -> frozenset[int]:
        """The players who take over games of others."""
        return frozenset(self.moved.values())


def merge_change(merged: Mapping[int, int], player: int, into: int) -> Change:
    """Return the change that merges a player, and all who were merged into them, into another.

    :param merged: the merges so far, from player to player; no target is itself merged.
    """
    into = merged.get(into, into)
    moving = [player, *[one for one, other in merged.items() if other == player]]
    return Change(moved={one: into for one in sorted(moving) if one != into})


def split_change(player: int) -> Change:
    """Return the change that makes a merged player separate again."""
    return Change(moved={player: player})


Changed = tuple[Rated, Rated]
"""A game before and after a change."""


def rate_next(
    current: Mapping[int, Rating],
    number: int,
    seated: tuple[int, ...],
    players: tuple[int, ...],
    places: tuple[int, ...],
) -> Rated:
    """Return the next game of a ladder, rated.

    :param current: the ratings before it, by player; a player who is missing has their first game.
    """
    before = tuple([current.get(player, FRESH) for player in players])
    return _rated(number, seated, players, places, before, annulled=False)


def _rated(
    number: int,
    seated: tuple[int, ...],
    players: tuple[int, ...],
    places: tuple[int, ...],
    before: tuple[Rating, ...],
    *,
    annulled: bool,
) -> Rated:
    """Return a game with new ratings, computed from those before it."""
    counts = not annulled and len(set(players)) == len(players)
    after = tuple(rate(before, places)) if counts else before
    return Rated(number, seated, players, places, annulled, before, after)


@dataclass(slots=True)
class Refold:
    """Recomputes the games of a ladder after a change.

    It keeps track of the players whose ratings differ and skips games without them, so a change costs reading all games
    but rating only those it affects.
    """

    change: Change
    start: Mapping[int, Rating]
    """The ratings of all `arriving` before the first game that the change touches."""
    differs: dict[int, Rating] = field(default_factory=dict)
    """The ratings that are not what the ledger says, after the games so far; in the end, after all games."""
    published: dict[int, Rating] = field(default_factory=dict)
    """What the ledger says of them then."""

    def run(self, games: Iterable[Rated]) -> Iterator[Changed]:
        """Yield the games that are different now.

        :param games: of one ladder, as in the ledger and in order, beginning with the first that the change touches.
        """
        self.differs |= self.start
        self.published |= self.start
        for old in games:
            new = self._again(old)
            if new is not old:
                self._follow(old, new)
            if new != old:
                yield old, new

    def _again(self, old: Rated) -> Rated:
        """Return a game recomputed; the same object if nothing about it has changed."""
        moved, differs = self.change.moved, self.differs
        players = old.players
        if moved:
            players = tuple([moved.get(seat, player) for seat, player in zip(old.seated, players, strict=True)])
        annulled = self.change.annulled.get(old.number, old.annulled)
        if players == old.players and annulled == old.annulled and differs.keys().isdisjoint(players):
            return old
        # A player who takes over another's game is in `differs` from the start: the ratings are never equal.
        before = tuple([differs.get(player, was) for player, was in zip(players, old.before, strict=True)])
        return _rated(old.number, old.seated, players, old.places, before, annulled=annulled)

    def _follow(self, old: Rated, new: Rated) -> None:
        """Keep track of whose ratings differ after a game."""
        known = dict(zip(old.players, old.after, strict=True))
        now = dict(zip(new.players, new.after, strict=True))
        self.published |= known
        for player, was in zip(old.players, old.before, strict=True):
            if player not in now:  # no longer in this game: the rating stays as it was before it
                self.differs.setdefault(player, was)
        for player, rating in now.items():
            if player in self.start or known.get(player) != rating:  # not in its ledger entry yet
                self.differs[player] = rating
            else:
                self.differs.pop(player, None)


@dataclass(slots=True)
class Ledger:
    """All ladders, computed from the acts alone; a stored ledger must agree with this one.

    Of past games it keeps only those that a later change may need, as the caller, who knows all acts, says; of the
    others only the current ratings remain.
    """

    current: dict[int, dict[int, Rating]] = field(default_factory=dict)
    """By ladder: the ratings of everybody ever rated on it, by player."""
    games: dict[int, list[Rated]] = field(default_factory=dict)
    """By ladder, in order: those that are kept."""
    moved: dict[int, int] = field(default_factory=dict)
    """By who sat there: under whom they are rated; as themselves where nothing is said."""

    def accept(
        self, ladder: int, number: int, seated: tuple[int, ...], places: tuple[int, ...], *, keep: bool = True
    ) -> Rated:
        """Rate the next game of a ladder.

        :param keep: whether a later change may need it: from the first game on that a change touches, or with a player
            who will be merged or split.
        """
        current = self.current.setdefault(ladder, {})
        players = tuple([self.moved.get(player, player) for player in seated])
        game = rate_next(current, number, seated, players, places)
        current.update(zip(game.players, game.after, strict=True))
        if keep:
            self.games.setdefault(ladder, []).append(game)
        return game

    def change(self, change: Change) -> Iterator[tuple[int, Changed]]:
        """Change the past. :returns: for each game that is different now, its ladder, and the game before and after."""
        for ladder in sorted(self.games):
            yield from ((ladder, changed) for changed in self._change(ladder, change))
        self.moved |= change.moved

    def _change(self, ladder: int, change: Change) -> Iterator[Changed]:
        games = self.games[ladder]
        first = next((at for at, game in enumerate(games) if touches(change, game)), None)
        if first is None:
            return
        again = Refold(change, {player: _rating_before(games, first, player) for player in change.arriving})
        place = first
        for old, new in again.run(islice(games, first, None)):
            place = bisect_left(games, new.number, place, key=_number)
            games[place] = new
            yield old, new
        self.current[ladder] |= again.differs


def touches(change: Change, game: Rated) -> bool:
    """Return whether a change concerns this very game."""
    return game.number in change.annulled or not change.moved.keys().isdisjoint(game.seated)


def _number(game: Rated) -> int:
    return game.number


def _rating_before(games: list[Rated], place: int, player: int) -> Rating:
    for game in reversed(games[:place]):
        if player in game.players:
            return game.after[game.players.index(player)]
    return FRESH
