"""`manage.py make_token NAME`: make a token with which programs may write."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand

from games.accounts import tokens


class Command(BaseCommand):
    help = "Print a new API token for an account, which is created if it does not exist."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="operator", help="the account's name (default: operator)")
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--play", action="store_true", help="valid for playing at tables only, for bots")
        only.add_argument("--moderate", action="store_true", help="valid for moderating only")

    def handle(self, *_: Any, name: str, play: bool, moderate: bool, **__: Any) -> None:
        users = get_user_model()
        user, created = users.objects.get_or_create(username__iexact=name, defaults={"username": name})
        if created:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        scope = tokens.Scope.PLAY if play else tokens.Scope.MODERATE if moderate else tokens.Scope.ALL
        self.stdout.write(tokens.make_token(user, scope))
