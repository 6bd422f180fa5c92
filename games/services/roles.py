"""Making somebody a moderator, and taking it back."""

from django.contrib.auth.models import Group, Permission, User

from games.selectors.roles import MODERATORS


def make_moderator(user: User) -> None:
    """Lets an account moderate from its next request on."""
    user.groups.add(_moderators())


def unmake_moderator(user: User) -> None:
    """Takes it back."""
    user.groups.remove(_moderators())


def _moderators() -> Group:
    """The group; should somebody have removed it, it is made again."""
    group, made = Group.objects.get_or_create(name=MODERATORS)
    if made:
        group.permissions.set(Permission.objects.filter(content_type__app_label="games", codename="moderate"))
    return group
