"""The mail that brings an invitation."""

from datetime import datetime

from django.core.mail import EmailMessage
from django.utils.translation import gettext

from games.mail.account_mails import keep


def send_invitation(address: str, *, by: str, names: str, link: str, now: datetime) -> None:
    """Keep a mail with a link until the worker sends it."""
    text = gettext(
        "{by} uploaded ant games in which {names} played, and invites you to confirm them. Open this link to see the "
        "games, claim the name and confirm:\n\n{link}\n\nIf you do not know {by}, ignore this mail."
    )
    subject = gettext("Atta: {by} invites you to confirm games").format(by=by)
    keep(EmailMessage(subject, text.format(by=by, names=names, link=link) + "\n", None, [address]), now=now)
