"""Measures the database statements behind pages, at any depth of paging: only the statements, not the rendering."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection

from games.ladders.reads import careers, ladders
from games.models import Game, Ladder, Player, Standing
from games.platform.paging import Span, mark_of
from games.records.reads import games
from games.records.reads.games import GameFilter


def measure(count: int) -> Iterator[str]:
    """Run every query many times, each time for another player, and then all of them again: the first run reads from
    disk, as the tables are larger than PostgreSQL's memory.

    :returns: a line for each query.
    """
    chance = Random(3)
    ladder = Ladder.objects.get()
    lines = list(Standing.objects.filter(player__in=_some(Player, count, chance)).select_related("player"))
    played = list(Game.objects.filter(pk__in=_some(Game, count, chance)))
    nobody = AnonymousUser()
    heads = "".join(
        f"{head:>8}" for head in ("first", "p90", "p99", "again", "p90", "p99", "count", "one", "p90", "p99")
    )
    yield f"{'statements, ms':<28}{heads}"

    def line(n: int) -> Standing:
        return lines[n % len(lines)]

    def before(n: int) -> Span:
        game = played[n % len(played)]
        return Span(before=mark_of(game.received_at, game.pk))

    def deep(n: int) -> Span:
        return Span(after=f"{line(n).value!r}_{line(n).player_id}", size=100)

    questions: dict[str, Callable[[int], object]] = {
        "top 100": lambda _: ladders.top_of(ladder, 100),
        "a live rank": lambda n: ladders.rank_of(line(n)),
        "100 lines after any": lambda n: ladders.part_of(ladder, deep(n)),
        "50 games after any": lambda n: games.list_games(GameFilter(), before(n), nobody),
        "50 of a player's after any": lambda n: games.list_games(
            GameFilter(player=f"#{line(n).player_id}"), before(n), nobody
        ),
        "a player's 50 last ratings": lambda n: careers.entries(line(n).player, ladder),
    }
    for name, question in questions.items():
        yield f"{name:<28}{_row(question, count)}"


def _some(model: Any, count: int, chance: Random) -> list[int]:  # noqa: ANN401 (any model)
    last = model.objects.order_by("-pk").values_list("pk", flat=True).first()
    return [chance.randint(1, last) for _ in range(count)]


def _row(question: Callable[[int], object], count: int) -> str:
    for n in range(10):
        question(-n)
    first, again = ([_times(question, n) for n in range(count)] for _ in range(2))
    opening = [times[:1] for times in again]
    return f"{_cuts(first)}{_cuts(again)}{len(again[-1]):8}{_cuts(opening)}"


def _times(question: Callable[[int], object], n: int) -> list[float]:
    with _timed() as times:
        question(n)
    return times


def _cuts(asked: list[list[float]]) -> str:
    cuts = quantiles([sum(times) * 1000 for times in asked], n=100)
    return f"{cuts[49]:8.2f}{cuts[89]:8.2f}{cuts[98]:8.2f}"


@contextmanager
def _timed() -> Iterator[list[float]]:
    """Return how long each statement takes, until its rows have arrived."""
    times: list[float] = []

    def timed(execute: Callable[..., Any], *what: Any) -> Any:  # noqa: ANN401 (Django's own)
        begun = perf_counter()
        try:
            return execute(*what)
        finally:
            times.append(perf_counter() - begun)

    with connection.execute_wrapper(timed):
        yield times
