"""The way from a player's page to a table with that player."""

from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.urls import reverse

from games.models import Player
from games.records.reads.visibility import Viewer


def invitation_address(player: Player, viewer: Viewer) -> str:
    """Return where a reader with an account opens a table for a player; empty where the account is not known by name.

    The account of a claimed name is nobody's business, unless both have the same name, as at tables here.
    """
    account = player.rated_account_id
    if account is None or player.is_bot or not viewer.is_authenticated or account == viewer.pk:
        return ""
    if not get_user_model().objects.filter(pk=account, username=player.name, is_active=True).exists():
        return ""
    return f"{reverse('play')}?{urlencode({'visibility': 'names', 'names': player.name})}#new"
