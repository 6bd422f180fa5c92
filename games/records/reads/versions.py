"""The versions of games' public pages: while a game keeps its version, what strangers see of it stays the same."""

from collections.abc import Collection

from games.models import Game


def versions_of(keys: Collection[str]) -> dict[str, int]:
    """Return the versions of games by their keys, in one statement; strangers see nothing of games without one."""
    shown = Game.objects.filter(key__in=keys, private=False, same_as=None)
    return dict(shown.values_list("key", "version"))
