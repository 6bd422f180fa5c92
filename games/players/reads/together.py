"""Reading the games at which two players, or an account and a player, sat together, and who finished ahead."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, FilteredRelation, Q, QuerySet

from engine.registry import RULESETS
from games.models import Game, Player
from games.models.records import VerdictKind
from games.platform.patience import patience
from games.records.reads.games import GameFilter, games_wanted, with_seats
from games.records.reads.visibility import Viewer, games_for


class Meeting(NamedTuple):
    """A game of an account and a player, and their places."""

    game: Game
    own: int
    other: int


class Score(NamedTuple):
    """How often a player finished ahead of another, level and behind."""

    ahead: int
    level: int
    behind: int

    @property
    def games(self) -> int:
        """Return how many games there were."""
        return sum(self)


@dataclass(frozen=True, slots=True)
class Together:
    """The score of an account against a player, and their newest games."""

    own: tuple[Player, ...]
    """The account's players, without those that were merged into another."""
    score: Score
    newest: tuple[Meeting, ...]


class SeatScore(NamedTuple):
    """The score of the games at which a player sat at one seat."""

    seat: str
    """In turn order from 1, or the seat's letter."""
    score: Score


@dataclass(frozen=True, slots=True)
class RulesetScore:
    """The score of two players in the games of one ruleset, as the first of them has it."""

    ruleset: str
    score: Score
    by_turn: tuple[SeatScore, ...]
    """By when the player acts: first, second and so on."""
    by_seat: tuple[SeatScore, ...]
    """By colour."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The score of two players, as the first of them has it."""

    score: Score
    rulesets: tuple[RulesetScore, ...]
    """Those of which they have games."""


class _Tally(NamedTuple):
    """The score of the games of a ruleset at which a player sat at one seat."""

    ruleset: str
    seat: int
    letter: str
    score: Score


_PATIENCE = 3_000
"""Milliseconds in which the database has to count the games of two players."""


def asked_of_both(player: Player, opponent: Player) -> dict[str, str]:
    """Return how lists of games are asked for the verified games of two players."""
    return {
        "player": f"#{player.rated_id}", "opponent": f"#{opponent.rated_id}", "verdict": VerdictKind.VERIFIED.value,
    }  # fmt: skip


def score_of_both(player: Player, opponent: Player, wanted: GameFilter, viewer: Viewer) -> Pair:
    """Return the score of two players in games that a viewer may see.

    :param wanted: a filter that asks, at least, for `asked_of_both`.
    :raises TooSlowError: when they are not counted in time.
    """
    games = _seated(games_wanted(wanted, viewer), _names_of(player), _names_of(opponent))
    seats = games.annotate(seat=F("mine__seat"), letter=F("mine__letter")).values_list("ruleset", "seat", "letter")
    with patience(_PATIENCE):
        rows = seats.annotate(**_counts()).order_by()
        tallies = [_Tally(slug, seat, letter, Score(*counts)) for slug, seat, letter, *counts in rows]
    slugs = [one.slug for one in RULESETS]
    tallies.sort(key=lambda one: slugs.index(one.ruleset))
    rulesets = [_of_ruleset(slug, list(found)) for slug, found in groupby(tallies, lambda one: one.ruleset)]
    return Pair(_sum(tallies), tuple(rulesets))


def _of_ruleset(slug: str, tallies: list[_Tally]) -> RulesetScore:
    return RulesetScore(
        slug,
        _sum(tallies),
        _by(tallies, lambda one: str(one.seat + 1)),
        _by(tallies, lambda one: one.letter),
    )


def _by(tallies: list[_Tally], seat: Callable[[_Tally], str]) -> tuple[SeatScore, ...]:
    seats = sorted({*map(seat, tallies)})
    return tuple(SeatScore(one, _sum(tally for tally in tallies if seat(tally) == one)) for one in seats)


def _sum(tallies: Iterable[_Tally]) -> Score:
    scores = [tally.score for tally in tallies]
    return Score(*map(sum, zip(*scores, strict=True))) if scores else Score(0, 0, 0)


def together(player: Player, viewer: Viewer, *, newest: int) -> Together | None:
    """Return the verified games that a viewer may see and at which they sat with a player; nothing of their own player.

    :param newest: how many of the newest games are wanted.
    """
    if isinstance(viewer, AnonymousUser) or player.rated_account_id == viewer.pk:
        return None
    own = list(Player.objects.filter(Q(account=viewer.pk) | Q(merged_into__account=viewer.pk)).order_by("name", "pk"))
    if not own:
        return None
    games = _games(own, player, viewer)
    score = Score(**games.aggregate(**_counts()))
    placed = games.annotate(own=F("mine__place"), other=F("theirs__place"))
    rows = with_seats(placed).order_by("-received_at", "-pk")[:newest]
    meetings = tuple(Meeting(game, game.own, game.other) for game in rows)  # type: ignore[attr-defined]
    kept = tuple(one for one in own if one.merged_into_id is None)
    return Together(kept, score, meetings) if meetings else None


def _games(own: list[Player], player: Player, viewer: Viewer) -> "QuerySet[Game]":
    shown = Game.objects.filter(games_for(viewer), verdict=VerdictKind.VERIFIED, same_as=None)
    return _seated(shown, [one.pk for one in own], _names_of(player))


def _names_of(player: Player) -> list[int]:
    """Return the ids of a player and of the names merged into it."""
    names = Player.objects.filter(Q(pk=player.rated_id) | Q(merged_into=player.rated_id))
    return list(names.values_list("pk", flat=True))


def _seated(games: "QuerySet[Game]", mine: list[int], theirs: list[int]) -> "QuerySet[Game]":
    """Return games with a seat of each: `mine` and `theirs`."""
    joined = {
        name: FilteredRelation("seatings", condition=Q(seatings__player__in=players))
        for name, players in (("mine", mine), ("theirs", theirs))
    }
    return games.annotate(**joined).filter(Q(mine__place__isnull=False) & Q(theirs__place__isnull=False))


def _counts() -> dict[str, Count]:
    """Return how games with a seat of each are counted."""
    return {
        "ahead": Count("pk", filter=Q(mine__place__lt=F("theirs__place"))),
        "level": Count("pk", filter=Q(mine__place=F("theirs__place"))),
        "behind": Count("pk", filter=Q(mine__place__gt=F("theirs__place"))),
    }
