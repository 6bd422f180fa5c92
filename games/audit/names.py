"""Comparison of stored names with the keys by which names are looked up: nobody may be stored twice under one key."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q

from engine.agn.names import name_key
from games.audit.flaws import MEMBER, PLAYER, Flaw, compare
from games.models import ClubMember, Correction, Player

_TYPED = "[^ -~]|^ | $|  "
"""What a name has that may have another key: other characters than those of ASCII, or spaces beside others."""
_CHUNK = 5000
"""Rows fetched at once."""


def check_names() -> Iterator[Flaw]:
    """Yield the players and members whose names are stored in another form than they are looked up.

    A player who was merged, or soon will be, keeps the form of the time before, if the name leads to the same person.
    """
    typed = Player.objects.filter(Q(name__regex=_TYPED) | Q(source__regex=_TYPED))
    merges = Correction.objects.filter(kind=Correction.Kind.MERGE, order=None, player=OuterRef("pk"))
    for player in typed.annotate(leaves=Exists(merges)).order_by("pk").iterator(_CHUNK):
        stored = {"source": player.source, "name": player.name}
        due = {"source": name_key(player.source), "name": name_key(player.name)}
        if stored != due and not player.leaves and not _leads_to_the_same(player, due):
            yield from compare(PLAYER, {"player": player.pk}, stored, due)
    for member in ClubMember.objects.filter(name__regex=_TYPED).order_by("pk").iterator(_CHUNK):
        yield from compare(MEMBER, {"member": member.pk}, {"name": member.name}, {"name": name_key(member.name)})


def _leads_to_the_same(player: Player, key: dict[str, str]) -> bool:
    """Return whether a name was merged, and whoever has it as it is looked up is the same person."""
    whole = Player.objects.filter(**key).first()
    return player.merged_into_id is not None and (whole is None or whole.rated_id == player.rated_id)
