"""`manage.py make_moderator NAME`: make an account a moderator, who decides disputes and claims."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from engine.agn.names import name_key
from games.moderation import moderators


class Command(BaseCommand):
    help = "Make an account a moderator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the account's name")
        parser.add_argument("--remove", action="store_true", help="make the account no longer a moderator")

    def handle(self, *_: Any, name: str, remove: bool, **__: Any) -> None:
        user = User.objects.filter(username__iexact=name_key(name)).first()
        if user is None:
            raise CommandError(f"No account has the name {name!r}.")
        turn = moderators.unmake_moderator if remove else moderators.make_moderator
        turn(user, now=timezone.now())
        self.stdout.write(f"{user.username} is {'no longer a moderator' if remove else 'a moderator'}.")
