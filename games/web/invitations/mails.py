"""The mail that brings an invitation."""

from datetime import datetime

from django.core.mail import EmailMessage
from django.utils.translation import gettext, ngettext

from games.mail.account_mails import keep


def send_invitation(address: str, *, by: str, games: int, link: str, now: datetime) -> None:
    """Keep a mail with a link until the worker sends it.

    It contains no players' names, because the person who typed the address may have made them up.
    """
    text = ngettext(
        "{by} uploaded {games} ant game and invites you to confirm it. Open this link to see the game, claim your "
        "name and confirm:\n\n{link}\n\nIf you do not know {by}, ignore this mail.",
        "{by} uploaded {games} ant games and invites you to confirm them. Open this link to see the games, claim your "
        "name and confirm:\n\n{link}\n\nIf you do not know {by}, ignore this mail.",
        games,
    )
    subject = gettext("Atta: {by} invites you to confirm games").format(by=by)
    keep(EmailMessage(subject, text.format(by=by, games=games, link=link) + "\n", None, [address]), now=now)
