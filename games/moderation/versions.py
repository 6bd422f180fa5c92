"""The version of a case: a moderator decides about a game or a player as they read it."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from games.consent.challenges import hold_seatings
from games.models import Act, Claim, Game, Player
from games.moderation.decisions import ModerationError, lock_players
from games.moderation.reads.pending import disputed_seatings


def game_version(game: Game) -> str:
    """Return a text that changes with a game's disputes, seatings and ladders, and with every decision about it."""
    return _version(
        Game.objects.filter(pk=game.pk).values_list("upheld", "private"),
        game.disputes.order_by("pk").values_list("pk", "state"),
        game.acceptances.order_by("pk").values_list("pk", "number", "counts", "held"),
        sorted(disputed_seatings(game)),
        Act.objects.filter(game=game).order_by("pk").values_list("pk"),
    )


def player_version(player: Player) -> str:
    """Return a text that changes with a player's account, claims and merges, and with every decision about them."""
    return _version(
        Player.objects.filter(pk=player.pk).values_list("account", "is_bot", "merged_into"),
        Claim.objects.filter(player=player).order_by("pk").values_list("pk", "state"),
        Act.objects.filter(player=player).order_by("pk").values_list("pk"),
    )


def hold_game(game: Game, read: str) -> None:
    """Lock a game for a decision about the version that was read. :raises ModerationError: when it is another by now.

    Within the transaction of the decision: another decision at the same moment waits, and then finds another version.
    """
    hold_seatings(game)
    _check_unchanged(read, game_version(game))


def hold_player(player: Player, read: str, *others: int) -> None:
    """Lock a player in the same way, and others by id, whom the decision locks too.

    :raises ModerationError: when the version of the player is another by now.
    """
    lock_players([player.pk, *others])
    _check_unchanged(read, player_version(player))


def _check_unchanged(read: str, version: str) -> None:
    if read != version:
        raise ModerationError(
            "changed_meanwhile", "Something about this case has changed since you read it. Read it again, then decide."
        )


def _version(*rows: Iterable[Any]) -> str:
    return sha256(repr([list(one) for one in rows]).encode()).hexdigest()[:16]
