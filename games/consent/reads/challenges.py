"""Reading challenges: the seatings of a game that uploads name, and who can say which is right."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.consent.reads.eligibility import players_of, seated_accounts, sole_uploader
from games.holds.reads.due_games import played_here
from games.holds.reads.ineligible import lapsing_from
from games.models import Act, Challenge, Confirmation, Game, Seating, SeatingChoice
from games.platform.paging import Page, Span, newest_first
from games.records.reads.games import with_seats

_OPEN = Challenge.State.OPEN


def upheld_of(game: Game) -> Game | None:
    """Return the public game of the same moves whose seating applies; none for private games."""
    if game.private or game.digest is None:
        return None
    return game if game.upheld else Game.objects.filter(digest=game.digest, upheld=True, private=False).first()


def open_challenges(game: Game) -> "QuerySet[Challenge]":
    """Return the open challenges to a game's seating."""
    return Challenge.objects.filter(game=game, state=_OPEN)


def is_decided(upheld: Game) -> bool:
    """Return whether only a moderator can change the seating that applies.

    A moderator chose it, or the game was played at a rated table here.
    """
    chosen = Act.objects.filter(game=upheld, kind=Act.Kind.SEATING_CHOSEN).exists()
    return chosen or bool(played_here([upheld.pk]))


def rivals_of(game: Game, span: Span) -> Page[Challenge]:
    """Return a page of the seatings that challenge a game's, the newest first.

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


def may_choose(game: Game, account: int) -> bool:
    """Return whether an account is asked who played a game: its own players are named, or nobody else has uploaded it.

    :param game: the one whose seating applies.
    """
    mine = Seating.objects.filter(player__in=players_of(account))
    rivals = open_challenges(game).values("rival")
    return mine.filter(Q(game=game) | Q(game__in=rivals)).exists() or sole_uploader(game) == account


def choice_of(game: Game, account: int) -> int | None:
    """Return the seating that an account has chosen for the moves of a game."""
    choices = SeatingChoice.objects.filter(digest=game.digest or "", account=account)
    return choices.values_list("game", flat=True).first()


def choices_of(game: Game, games: Iterable[int], *, now: datetime) -> dict[int, int]:
    """Return which of some seatings of a game each account has chosen last, by a choice or by a confirmation."""
    lapsed = lapsing_from(game, now=now)
    given = Confirmation.objects.filter(game__in=games, withdrawn_at=None, until__gt=lapsed, account__isnull=False)
    said = [*given.values_list("at", "account", "game")]
    said += SeatingChoice.objects.filter(digest=game.digest or "").values_list("at", "account", "game")
    return {account: chosen for _, account, chosen in sorted(said) if account}


@dataclass(frozen=True, slots=True)
class Contest:
    """Who is named in the seatings of a game that are to be settled, and what they have said."""

    applies: int
    """The number of the game whose seating applies so far."""
    rivals: frozenset[int]
    """Of those of its rivals that name an account."""
    named: frozenset[tuple[int, int]]
    """Seatings with the accounts whose names they contain."""
    uploader: int | None
    """The account that uploaded the applying seating, if nobody else did."""
    choices: dict[int, int]
    """By account."""

    @property
    def accounts(self) -> frozenset[int]:
        """The accounts that have to agree."""
        return frozenset(account for _, account in self.named)

    @property
    def agreed(self) -> int | None:
        """The seating that all of them have chosen and in which each seat is one of theirs; none while they differ.

        Players without accounts have not agreed that others sat in their seats: for them speaks who alone uploaded it.
        """
        chosen = {self.choices.get(account) for account in self.accounts}
        only = chosen.pop() if len(chosen) == 1 else None
        if only is None or only not in self.rivals | {self.applies} or not self._is_owned(only):
            return None
        may_turn = self._is_owned(self.applies) or (self.uploader and self.choices.get(self.uploader) == only)
        return only if only == self.applies or may_turn else None

    def _is_owned(self, game: int) -> bool:
        """Return whether each seat of a seating belongs to an account of its own."""
        return sum(one == game for one, _ in self.named) == Seating.objects.filter(game=game).count()


def contest_of(game: Game, *, now: datetime) -> Contest:
    """Return the contest for the seating of a game that applies so far.

    While challenges hold the game back, those that do not are left to moderators: strangers who name themselves in one
    cannot keep the players from agreeing. Seatings that name nobody's account, of which strangers make up any number,
    are not read: nobody can agree on one.
    """
    owned = Q(player__account__isnull=False) | Q(player__merged_into__account__isnull=False)
    challenges = open_challenges(game)
    if (holding := challenges.filter(holds=True)).exists():
        challenges = holding
    naming = Seating.objects.filter(owned, game=OuterRef("rival"))
    rivals = frozenset(challenges.filter(Exists(naming)).values_list("rival", flat=True))
    named = frozenset(seated_accounts(rivals | {game.pk}))
    return Contest(game.pk, rivals, named, sole_uploader(game), choices_of(game, rivals | {game.pk}, now=now))


def seatings_to_settle(account: int, span: Span) -> Page[Game]:
    """Return a page of the games whose seating an account is asked about, the newest first.

    :raises CursorError: when the span's mark is none.
    """
    return newest_first(with_seats(asked_to_settle(account)), "received_at", span)


def asked_to_settle(account: int) -> "QuerySet[Game]":
    """Return games with an open challenge that name an account's player and on which it has not chosen."""
    mine = Seating.objects.filter(player__in=players_of(account))
    challenged = Challenge.objects.filter(
        Q(game__in=mine.values("game")) | Q(rival__in=mine.values("game")), state=_OPEN
    )
    said = SeatingChoice.objects.filter(account=account, digest=OuterRef("digest"))
    return Game.objects.filter(~Exists(said), pk__in=challenged.values("game"), private=False)


def games_contested() -> "QuerySet[Challenge]":
    """Return the first open challenge to each game, oldest first."""
    earlier = Challenge.objects.filter(game=OuterRef("game"), state=_OPEN, pk__lt=OuterRef("pk"))
    found = Challenge.objects.filter(~Exists(earlier), state=_OPEN).select_related("game", "raised_by")
    return found.order_by("raised_at", "pk")
