"""Reading what clubs accepted: their ladders and games."""

from collections.abc import Iterable
from heapq import nlargest

from games.models import Acceptance, Club, Game, Ladder, Upload
from games.records.reads.games import with_seats


def ladders_of(club: Club) -> list[Ladder]:
    """Return a club's ladders for which games count."""
    return list(club.ladders.order_by("ruleset"))


def newest_games(club: Club, count: int) -> list[Game]:
    """Return the newest public games that a club has accepted."""
    found = nlargest(count, _newest(ladders_of(club), count), key=lambda acceptance: acceptance.number or 0)
    games = with_seats(Game.objects.filter(pk__in=[acceptance.game_id for acceptance in found], private=False))
    order = {acceptance.game_id: -(acceptance.number or 0) for acceptance in found}
    return sorted(games, key=lambda game: order[game.pk])


def _newest(ladders: Iterable[Ladder], count: int) -> list[Acceptance]:
    """Return the newest games of each ladder, read ladder by ladder because no index orders them across ladders."""
    return [
        acceptance
        for ladder in ladders
        for acceptance in ladder.acceptances.filter(number__isnull=False).order_by("-number")[:count]
    ]


def games_for_club(upload: Upload) -> int:
    """Return how many games of an upload count, or counted, for its club."""
    mine = Acceptance.objects.filter(ladder__club=upload.club_id, game__logs__upload=upload)
    return mine.values("game").distinct().count()
