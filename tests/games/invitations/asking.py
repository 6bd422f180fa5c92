"""An evening of games uploaded by an account, and the invitations to it."""

from datetime import datetime

from django.contrib.auth.models import User

from games.invitations.inviting import say_who
from games.invitations.reads.tokens import token_of
from games.models import Invitation, InvitedName, Player, Upload
from games.uploads.origin import SCORED, UploadOptions
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file


def evening(by: User, now: datetime, *, games: int = 3, options: UploadOptions = SCORED) -> Upload:
    """Upload and verify games of Ada and Bruno."""
    data = b"\n".join(duels(games))
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=by, filename="evening.agn", options=options)
    judge_all(now)
    return upload


def named(name: str) -> Player:
    """Return the player with a given name."""
    return Player.objects.get(name=name)


def invited(name: str, upload: Upload, by: User, now: datetime, *, me: str = "") -> InvitedName:
    """Return the invitation of a single name, after the uploader has chosen their own."""
    say_who(upload, by, me=named(me).pk if me else None, now=now)
    return InvitedName.objects.get(player__name=name, invitation__for_all=False, invitation__revoked_at=None)


def link(invitation: Invitation) -> str:
    """Return the path of an invitation."""
    return f"/i/{token_of(invitation.nonce, invitation.digest)}/"
