"""Names at tables: an account plays under its own name, which is its own at this site without a claim."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser, User

from engine.agn.names import name_key
from games.models import Claim, Player
from games.platform.without_account import names_without_account
from games.players.handing_over import hand_over
from games.players.home import home_source
from games.playing.errors import PlayError
from games.playing.reads.people import Person

_LONGEST = 64


def accounts_named(names: Iterable[str]) -> list[User]:
    """Return the accounts with some names, however they are typed, in their order and each once.

    :raises PlayError: when a name is no account's.
    """
    typed = {name_key(name): name for name in names}
    found = {one.get_username(): one for one in User.objects.filter(username__in=typed, is_active=True)}
    for key, name in typed.items():
        if key not in found:
            raise PlayError("no_account", "There is no account called {name}.", name=name)
    return [found[key] for key in typed]


def _name(account: AbstractBaseUser) -> str:
    """Return the name under which an account plays here, as players' names are stored."""
    return name_key(name_key(account.get_username())[:_LONGEST])


def name_of(person: Person, taken: list[str]) -> str:
    """Return under which name somebody plays. Guests and bots have brackets in theirs, which no account may have."""
    if person.account:
        return _name(person.account)
    return next(name for name in names_without_account(person.bot) if name not in taken)


def check_own_name(account: AbstractBaseUser) -> None:
    """Refuse an account whose name was given to another one here.

    :raises PlayError: with whom to ask.
    """
    found = Player.objects.filter(source=home_source(), name=_name(account)).first()
    if found and found.rated_account_id not in (None, account.pk):
        raise PlayError("name_taken", "Your name belongs to another account here. Ask a moderator for help.")


def own_name(account: AbstractBaseUser, *, now: datetime) -> Player | None:
    """Make the name under which an account plays here its own, within the transaction under way.

    :returns: the player; none where the name belongs to another account.
    """
    name = {"source": home_source(), "name": _name(account)}
    Player.objects.bulk_create([Player(**name, created_at=now)], ignore_conflicts=True)
    player = Player.objects.select_for_update(of=("self",), no_key=True).select_related("merged_into").get(**name)
    if player.rated_account_id not in (None, account.pk):
        return None
    if player.account_id is None and player.merged_into is None:
        Claim.objects.filter(player=player, account=account.pk, state=Claim.State.OPEN).delete()
        Claim.objects.create(
            player=player, account_id=account.pk, made_at=now, state=Claim.State.APPROVED, decided_at=now
        )
        hand_over(player, account.pk, now)
    return player
