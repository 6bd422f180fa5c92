"""Introductions: whose public upload named a player first. Private uploads introduce nobody.

Where the only public game of a name is hidden, whoever named it next in public takes that place, or nobody.
"""

from collections.abc import Iterable

from django.db import connection
from django.db.models import F

from games.models import MoveLog, Player, Seating

# Held in order: who introduces others at this moment is waited for. A name in a public game is known already, if only
# by an upload without an account.
_UNKNOWN = """
SELECT id FROM games_player AS player
WHERE id = ANY(%s) AND introduced_by_id IS NULL AND NOT EXISTS (
    SELECT FROM games_seating AS seating JOIN games_game AS game ON game.id = seating.game_id
    WHERE seating.player_id = player.id AND NOT game.private AND game.id <> %s)
ORDER BY id FOR NO KEY UPDATE
"""


def introduce(players: Iterable[int], account: int | None, *, by_game: int = 0) -> None:
    """Note who has named some players in public, of those whom no public game has named.

    :param by_game: the game that names them, where it has its seats already.
    """
    players = sorted(players)
    if account is None or not players:
        return
    with connection.cursor() as cursor:
        cursor.execute(_UNKNOWN, [players, by_game])
        unknown = [player for (player,) in cursor.fetchall()]
    if unknown:
        Player.objects.filter(pk__in=unknown).update(introduced_by=account)


def introduce_seats(game: int, account: int | None) -> None:
    """Do the same for the players of a game that has become public."""
    introduce(_players_of(game), account, by_game=game)


def take_back(game: int, account: int) -> None:
    """Note who named the players next in public whom an account introduced by a game that is private now."""
    for player in Player.objects.filter(pk__in=_players_of(game), introduced_by=account).order_by("pk"):
        public = MoveLog.objects.filter(game__private=False, game__seatings__player=player)
        first = public.order_by("pk").values_list(F("upload__uploader"), flat=True).first()
        Player.objects.filter(pk=player.pk).update(introduced_by=first)


def _players_of(game: int) -> list[int]:
    return list(Seating.objects.filter(game=game).values_list("player", flat=True))
