"""Reading the flags that hold due games back on a ladder."""

from collections.abc import Iterable

from django.db.models import OuterRef, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Acceptance, Club, Flag, Game

HOLDS: dict[str, str | Promise] = {
    Flag.Kind.LIKENESS: _("the same play was accepted before, possibly written differently"),
    Flag.Kind.UNVOUCHED: _("no independent player has vouched for one of the players yet"),
    Flag.Kind.NEW_ACCOUNT: _("one of the accounts is less than a week old"),
    Flag.Kind.SAME_PERSON: _("two seats belong to one account or one player"),
    Flag.Kind.REPEATED_PAIRING: _("the same two players have played unusually many games in a short time"),
    Flag.Kind.RESIGN_FARMING: _("the same player has resigned early several times within a week"),
}
"""Why a game waits before it counts, as everybody may read it."""
LET_COUNT = Q(settled_at__isnull=False, unrated=False) & ~Q(answer="")
"""What somebody has looked at and let count, with a reason. Flags that passed by themselves have none."""
_HOLDS = Q(ladder__isnull=False) & (Q(settled_at=None) | Q(unrated=True))


def holds_of(game: Game) -> "QuerySet[Flag]":
    """Return the flags that hold a game back, or left it unrated, on any ladder."""
    return Flag.objects.filter(_HOLDS, game=game).select_related("player", "ladder__club").order_by("pk")


def open_holds(club: Club | OuterRef) -> "QuerySet[Flag]":
    """Return what waits for a club's organisers, oldest first."""
    return _open().filter(ladder__club=club)


def open_holds_for(organiser: int) -> "QuerySet[Flag]":
    """Return what waits for an organiser in all clubs, oldest first."""
    return _open().filter(ladder__club__organisers=organiser)


def _open() -> "QuerySet[Flag]":
    waiting = Flag.objects.filter(settled_at=None, ladder__isnull=False)
    return waiting.select_related("game", "player", "ladder__club").order_by("raised_at", "pk")


def game_before(flag: Flag) -> Game | None:
    """Return the game that came before one of the same play."""
    return Game.objects.filter(pk=flag.params.get("like", 0)).first()


def games_before(flags: Iterable[Flag]) -> dict[int, Game]:
    """Return the games that came before those of the same play, by number."""
    return Game.objects.in_bulk({first for flag in flags if (first := flag.params.get("like"))})


def acceptances_for(flag: Flag, games: Iterable[Game]) -> dict[int, Acceptance]:
    """Return the acceptances of some games for the ladder of a flag, by game."""
    found = Acceptance.objects.filter(game__in=list(games), ladder=flag.ladder)
    return {acceptance.game_id: acceptance for acceptance in found}
