"""Fills every text that people write with its longest value, without a place to break it."""

from itertools import count

from django.db.models import CharField, TextField

from games.models import (
    Claim,
    Club,
    ClubMember,
    Collection,
    Dispute,
    Entry,
    Evening,
    GameComment,
    Player,
    Season,
    Study,
    StudyChapter,
    TableSeat,
    Upload,
)  # fmt: skip

TEXTS = {
    Claim: ("reason", "answer"),
    Club: ("name", "about", "meets"),
    ClubMember: ("name",),
    Collection: ("name",),
    Dispute: ("reason", "answer"),
    Entry: ("name",),
    Evening: ("place",),
    GameComment: ("text",),
    Player: ("name", "source"),
    Season: ("name",),
    Study: ("title",),
    StudyChapter: ("title",),
    TableSeat: ("name",),
    Upload: ("filename",),
}
_NUMBERS = count(100)
"""Names are unique: each ends in another number."""


def fill() -> None:
    """Give each row its longest texts."""
    for model, names in TEXTS.items():
        for row in model._default_manager.all():
            changed = {name: _longest(model._meta.get_field(name)) for name in names if getattr(row, name)}
            if changed:
                model._default_manager.filter(pk=row.pk).update(**changed)


def _longest(field: object) -> str:
    assert isinstance(field, (CharField, TextField))
    assert field.max_length
    return "W" * (field.max_length - 3) + str(next(_NUMBERS))
