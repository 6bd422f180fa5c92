"""Promises: what a claimant says about games, which takes effect when the claim is approved."""

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser

from games.consent.confirmations import ConsentError, confirm, dispute
from games.models import Claim, Game, PromisedAnswer

Answers = Mapping[int, str]
"""What somebody says about games, by their numbers: what is wrong, or nothing for a confirmation."""


def promise(claim: Claim, answers: Answers) -> None:
    """Store what a claimant says about games; a later answer to the same game replaces an earlier one."""
    rows = [PromisedAnswer(claim=claim, game_id=game, dispute=wrong) for game, wrong in answers.items()]
    PromisedAnswer.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["claim", "game"], update_fields=["dispute"]
    )


def keep_promises(claim: Claim, *, now: datetime) -> None:
    """Give the answers that were promised with a claim that has just been approved."""
    promised = claim.promises.order_by("game")
    answers = {one.game_id: one.dispute for one in promised}
    if answers:
        give(claim.account, answers, now=now)
        promised.delete()


def give(account: AbstractBaseUser, answers: Answers, *, now: datetime) -> list[Game]:
    """Confirm or dispute games for an account, in the order in which they were uploaded.

    Games that can no longer be confirmed, such as those that became private, are passed over.

    :returns: the games that were answered.
    """
    games = Game.objects.filter(pk__in=answers).order_by("pk")
    return [game for game in games if _say(game, account, answers[game.pk], now)]


def _say(game: Game, account: AbstractBaseUser, wrong: str, now: datetime) -> bool:
    try:
        if wrong:
            dispute(game, account, reason=wrong, now=now)
        else:
            confirm(game, account, now=now)
    except ConsentError:
        return False
    return True
