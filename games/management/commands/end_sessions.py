"""`manage.py end_sessions NAME`: sign an account out everywhere, as when somebody else has got into it."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from knox.models import AuthToken

from engine.agn.names import name_key
from games.accounts.sessions import end_sessions


class Command(BaseCommand):
    help = "Sign an account out everywhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the account's name")
        parser.add_argument("--tokens", action="store_true", help="revoke its API tokens, too")

    def handle(self, *_: Any, name: str, tokens: bool, **__: Any) -> None:
        user = User.objects.filter(username__iexact=name_key(name)).first()
        if user is None:
            raise CommandError(f"No account has the name {name!r}.")
        self.stdout.write(f"Sessions ended: {end_sessions(user)}.")
        if tokens:
            tokens_of = AuthToken.objects.filter(user=user)
            self.stdout.write(f"Tokens revoked: {tokens_of.count()}.")
            tokens_of.delete()
