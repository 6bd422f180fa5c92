"""Reading challenges: the seatings of a game that uploads name, and who can say which is right."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Challenge, Confirmation, Game, Seating, SeatingChoice
from games.selectors.consent import players_of, seated_accounts
from games.selectors.games import with_seats
from games.selectors.paging import Page, Span, newest_first

_OPEN = Challenge.State.OPEN


def upheld_of(game: Game) -> Game | None:
    """The public game of the same moves whose seating applies; none where there is none, as with private games."""
    if game.private or game.digest is None:
        return None
    return game if game.upheld else Game.objects.filter(digest=game.digest, upheld=True, private=False).first()


def open_challenges(game: Game) -> "QuerySet[Challenge]":
    """The challenges to a game's seating that nobody has settled."""
    return Challenge.objects.filter(game=game, state=_OPEN)


def rivals_of(game: Game, span: Span) -> Page[Challenge]:
    """A page of the seatings that challenge a game's, the newest first.

    :raises CursorError: when the span's mark is none.
    """
    rivals = open_challenges(game).select_related("raised_by")
    page = newest_first(rivals, "raised_at", span)
    games = with_seats(Game.objects.filter(pk__in=[challenge.rival_id for challenge in page.rows])).in_bulk()
    for challenge in page.rows:
        challenge.rival = games[challenge.rival_id]
    return page


def find_seating(game: Game, key: str) -> Game:
    """Find the public game of the same moves as another by its key. :raises Game.DoesNotExist: when there is none."""
    if game.digest is None or game.private:
        raise Game.DoesNotExist(key)
    return with_seats(Game.objects.filter(digest=game.digest, private=False)).get(key=key)


def is_named(game: Game, account: int) -> bool:
    """Whether the seating of a game, or one that challenges it, names a player of an account."""
    mine = Seating.objects.filter(player__in=players_of(account))
    rivals = open_challenges(game).values("rival")
    return mine.filter(Q(game=game) | Q(game__in=rivals)).exists()


def choice_of(game: Game, account: int) -> int | None:
    """The seating that an account has chosen for the moves of a game."""
    choices = SeatingChoice.objects.filter(digest=game.digest or "", account=account)
    return choices.values_list("game", flat=True).first()


def choices_of(game: Game, games: Iterable[int], *, now: datetime) -> dict[int, int]:
    """Which of some seatings of a game each account has chosen last, by a choice or by a confirmation."""
    words = Confirmation.objects.filter(game__in=games, withdrawn_at=None, until__gt=now, account__isnull=False)
    said = [*words.values_list("at", "account", "game")]
    said += SeatingChoice.objects.filter(digest=game.digest or "").values_list("at", "account", "game")
    return {account: chosen for _, account, chosen in sorted(said) if account}


@dataclass(frozen=True, slots=True)
class Contest:
    """Who is named in the seatings of a game that are to be settled, and what they have said."""

    seatings: frozenset[int]
    """The numbers of the games that tell them, of rivals those that name an account."""
    named: frozenset[tuple[int, int]]
    """Seatings with the accounts whose names they tell."""
    choices: dict[int, int]
    """By account."""

    @property
    def accounts(self) -> frozenset[int]:
        """Who can settle it by agreeing."""
        return frozenset(account for _, account in self.named)

    @property
    def agreed(self) -> int | None:
        """The seating that all of them have chosen and in which each seat is one of theirs; none while they differ."""
        chosen = {self.choices.get(account) for account in self.accounts}
        only = chosen.pop() if len(chosen) == 1 else None
        if only not in self.seatings:
            return None
        named = sum(game == only for game, _ in self.named)
        return only if named == Seating.objects.filter(game=only).count() else None


def contest_of(game: Game, *, now: datetime) -> Contest:
    """The contest for the seating of a game that applies so far.

    Seatings that name nobody's account, of which strangers make up any number, are not read: nobody can agree on one.
    """
    owned = Q(player__account__isnull=False) | Q(player__merged_into__account__isnull=False)
    naming = Seating.objects.filter(owned, game=OuterRef("rival"))
    rivals = open_challenges(game).filter(Exists(naming)).values_list("rival", flat=True)
    seatings = frozenset([game.pk, *rivals])
    return Contest(seatings, frozenset(seated_accounts(seatings)), choices_of(game, seatings, now=now))


def seatings_to_settle(account: int, span: Span) -> Page[Game]:
    """A page of the games whose seating an account is asked about, the newest first.

    :raises CursorError: when the span's mark is none.
    """
    return newest_first(with_seats(asked_to_settle(account)), "received_at", span)


def asked_to_settle(account: int) -> "QuerySet[Game]":
    """Games with an open challenge that name a player of the account, here or there, and on which it said nothing."""
    mine = Seating.objects.filter(player__in=players_of(account))
    challenged = Challenge.objects.filter(
        Q(game__in=mine.values("game")) | Q(rival__in=mine.values("game")), state=_OPEN
    )
    said = SeatingChoice.objects.filter(account=account, digest=OuterRef("digest"))
    return Game.objects.filter(~Exists(said), pk__in=challenged.values("game"), private=False)


def games_contested() -> "QuerySet[Challenge]":
    """The first open challenge to each game whose seating nobody has settled, the oldest first."""
    earlier = Challenge.objects.filter(game=OuterRef("game"), state=_OPEN, pk__lt=OuterRef("pk"))
    found = Challenge.objects.filter(~Exists(earlier), state=_OPEN).select_related("game", "raised_by")
    return found.order_by("raised_at", "pk")
