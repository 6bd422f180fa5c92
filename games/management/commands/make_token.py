"""`manage.py make_token NAME`: make a token with which programs may write."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from engine.agn.names import name_key
from games.accounts import tokens
from games.platform.lookalikes import is_held


class Command(BaseCommand):
    help = "Print a new API token for an account, which is created if it does not exist."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="operator", help="the account's name (default: operator)")
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--play", action="store_true", help="valid for playing at tables only, for bots")
        only.add_argument("--moderate", action="store_true", help="valid for moderating only")

    def handle(self, *_: Any, name: str, play: bool, moderate: bool, **__: Any) -> None:
        users, name = get_user_model(), name_key(name)
        if is_held(name, now=timezone.now()) and not users.objects.filter(username__iexact=name).exists():
            raise CommandError(f"The name {name!r} was that of an account that was deleted less than a year ago.")
        user, created = users.objects.get_or_create(username__iexact=name, defaults={"username": name})
        if created:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        scope = tokens.Scope.PLAY if play else tokens.Scope.MODERATE if moderate else tokens.Scope.ALL
        self.stdout.write(tokens.make_token(user, scope))
