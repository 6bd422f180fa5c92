"""Members known by name only: what becomes of a name when its account is deleted."""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower

from games.models import ClubMember, Player, Standing


def rename_members(account: AbstractBaseUser, players: Mapping[Player, str], instead: str) -> None:
    """Replace the names of a departing account where a club has them as members without an account.

    A player's name is replaced in every club whose games name no other player like that; the account's own name only
    in its clubs, for everybody could take the name of somebody else's member and leave again.

    :param players: the account's players, with the names that take the place of theirs.
    :param instead: what takes the place of the account's own name.
    """
    becomes = {account.get_username().lower(): instead} | {one.name.lower(): new for one, new in players.items()}
    others = Standing.objects.filter(ladder__club=OuterRef("club"), player__name__iexact=OuterRef("name"))
    of_player = Q(low__in=[one.name.lower() for one in players]) & ~Exists(others.exclude(player__in=list(players)))
    of_account = Q(low=account.get_username().lower(), club__members__account=account.pk)
    named = ClubMember.objects.annotate(low=Lower("name")).filter(of_player | of_account, account=None)
    for member in ClubMember.objects.filter(pk__in=named.values("pk")).select_for_update(no_key=True).order_by("pk"):
        member.name = becomes[member.name.lower()]
        member.save(update_fields=["name"])
