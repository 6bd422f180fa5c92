"""`manage.py decide dispute|claim|challenge|flag NUMBER …`: decide a case to which every moderator is a party."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from engine.rating import shown
from games import tasks
from games.corrections.previews import RANKED, annulling, falling_with, preview
from games.models import Challenge, Claim, Dispute, Flag, Game
from games.moderation.decisions import Decision, choose_seating, settle_dispute, settle_flag
from games.platform.errors import RefusedError
from games.players.claims import decide_claim, vouch

_SAID = {
    "dispute": {"uphold": "The dispute is upheld.", "dismiss": "The dispute is dismissed."},
    "claim": {
        "approve": "The claim is approved.",
        "refuse": "The claim is refused.",
        "vouch": "The name is vouched for.",
    },
    "challenge": {"uphold": "The challenge is upheld.", "dismiss": "The challenge is dismissed."},
    "flag": {
        "count": "The game counts, unless something else holds it.",
        "leave": "The game is left unrated.",
        "settle": "The flag is settled.",
    },
}
"""The possible decisions by kind of case, and what is printed of each."""


class Command(BaseCommand):
    help = (
        "Decide a dispute, a claim, a challenge or a flag, or vouch for a name, as the operator: "
        "for cases in which every moderator is involved."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("matter", choices=_SAID)
        parser.add_argument("number", type=int, help="its id, as the API gives it")
        parser.add_argument("word", choices=sorted({word for words in _SAID.values() for word in words}))
        parser.add_argument("--reason", required=True, metavar="TEXT", help="shown to the people affected")
        parser.add_argument("--check", action="store_true", help="show what upholding would change, and change nothing")

    def handle(self, *_: Any, matter: str, number: int, word: str, reason: str, check: bool, **__: Any) -> None:
        if word not in _SAID[matter]:
            *first, last = _SAID[matter]
            raise CommandError(f"Decide a {matter} by {', '.join(first)} or {last}.")
        try:
            if check and word == "count":
                self.stdout.write("The game would be rated next, unless another flag holds it.")
                return
            if check:
                self._check(_upheld(matter, number, word))
                return
            {"dispute": _settle, "claim": _decide, "challenge": _choose, "flag": _look}[matter](number, word, reason)
        except (Challenge.DoesNotExist, Claim.DoesNotExist, Dispute.DoesNotExist, Flag.DoesNotExist):
            raise CommandError(f"There is no {matter} {number}.") from None
        except RefusedError as error:
            raise CommandError(error.sentence) from None
        tasks.wake_workers(wait=5)
        self.stdout.write(_SAID[matter][word])

    def _check(self, upheld: Game | None) -> None:
        falling = falling_with(upheld) if upheld else None
        if falling is None:
            self.stdout.write("No rating would change.")
            return
        found = preview(annulling(falling))
        games, ratings = found.games, len(found.changes)
        self.stdout.write(
            f"{games} game{'s' * (games != 1)} would be rated differently, "
            f"{ratings} rating{'s' * (ratings != 1)} would change:"
        )
        for one in found.changes[:RANKED]:
            said = f"{shown(one.before.value)} -> {shown(one.after.value)}"
            self.stdout.write(f"{one.player}: {said}, rank {one.rank_before or '-'} -> {one.rank_after or '-'}")


def _upheld(matter: str, number: int, word: str) -> Game | None:
    """Return the game that falls if a dispute of it, or a challenge to its seating, is upheld."""
    if word != "uphold":
        return None
    return Dispute.objects.get(pk=number).game if matter == "dispute" else Challenge.objects.get(pk=number).game


def _settle(number: int, word: str, reason: str) -> None:
    dispute = Dispute.objects.select_related("game").get(pk=number)
    settle_dispute(dispute, Decision(None, timezone.now(), reason), upheld=word == "uphold")


def _decide(number: int, word: str, reason: str) -> None:
    claim = Claim.objects.select_related("player").get(pk=number)
    if word == "vouch":
        vouch(claim, by=None, reason=reason, now=timezone.now())
        return
    decide_claim(claim, approve=word == "approve", by=None, answer=reason, now=timezone.now())


def _choose(number: int, word: str, reason: str) -> None:
    challenge = Challenge.objects.select_related("game", "rival").get(pk=number)
    choose_seating(challenge.rival if word == "uphold" else challenge.game, Decision(None, timezone.now(), reason))


def _look(number: int, word: str, reason: str) -> None:
    flag = Flag.objects.select_related("game", "player").get(pk=number)
    if flag.ladder_id and word == "settle":
        raise CommandError("A game waits for this flag: decide by count or leave.")
    if not flag.ladder_id and word != "settle":
        raise CommandError("No game waits for this flag: decide by settle.")
    settle_flag(flag, Decision(None, timezone.now(), reason), unrated=word == "leave")
