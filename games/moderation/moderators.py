"""Making somebody a moderator, and taking it back."""

from datetime import datetime

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction

from games.models import Act
from games.platform.roles import MODERATORS


@transaction.atomic
def make_moderator(user: User, *, now: datetime) -> bool:
    """Make an account a moderator from its next request on. :returns: whether it was none before."""
    group = _moderators()
    if fresh := not user.groups.filter(pk=group.pk).exists():
        user.groups.add(group)
        _note(Act.Kind.MODERATOR_NAMED, user, now)
    return fresh


@transaction.atomic
def unmake_moderator(user: User, *, now: datetime) -> bool:
    """End an account's moderation. :returns: whether it was a moderator."""
    group = _moderators()
    if was := user.groups.filter(pk=group.pk).exists():
        user.groups.remove(group)
        _note(Act.Kind.MODERATOR_DISMISSED, user, now)
    return was


def _note(kind: Act.Kind, user: User, now: datetime) -> None:
    """Record the act without an account: the operator did it."""
    Act.objects.create(kind=kind, at=now, params={"account": user.pk})


def _moderators() -> Group:
    """Return the group; it is made again if somebody removed it."""
    group, made = Group.objects.get_or_create(name=MODERATORS)
    if made:
        group.permissions.set(Permission.objects.filter(content_type__app_label="games", codename="moderate"))
    return group
