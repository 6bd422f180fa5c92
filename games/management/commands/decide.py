"""`manage.py decide dispute|claim NUMBER …`: what no moderator may decide, because it is his own."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import tasks
from games.models import Claim, Dispute
from games.services.claims import decide_claim
from games.services.moderation import Decision, settle_dispute
from games.services.refusals import RefusedError

_WORDS = {"dispute": ("uphold", "dismiss"), "claim": ("approve", "refuse")}


class Command(BaseCommand):
    help = "Decides a dispute or a claim in the name of nobody: for what would be a moderator's own matter."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("matter", choices=_WORDS)
        parser.add_argument("number", type=int, help="its number, as the interface tells it")
        parser.add_argument("word", choices=[word for words in _WORDS.values() for word in words])
        parser.add_argument("--reason", required=True, metavar="TEXT", help="shown to those whom it concerns")

    def handle(self, *_: Any, matter: str, number: int, word: str, reason: str, **__: Any) -> None:
        if word not in _WORDS[matter]:
            raise CommandError(f"Of a {matter} say {' or '.join(_WORDS[matter])}.")
        try:
            (_settle if matter == "dispute" else _decide)(number, word, reason)
        except (Claim.DoesNotExist, Dispute.DoesNotExist):
            raise CommandError(f"There is no {matter} {number}.") from None
        except RefusedError as error:
            raise CommandError(error.sentence) from None
        tasks.ring(wait=5)
        self.stdout.write(f"The {matter} is {'upheld' if word == 'uphold' else word.rstrip('e') + 'ed'}.")


def _settle(number: int, word: str, reason: str) -> None:
    dispute = Dispute.objects.select_related("game").get(pk=number)
    settle_dispute(dispute, Decision(None, timezone.now(), reason), upheld=word == "uphold")


def _decide(number: int, word: str, reason: str) -> None:
    claim = Claim.objects.select_related("player").get(pk=number)
    decide_claim(claim, approve=word == "approve", by=None, answer=reason, now=timezone.now())
