"""The sample games, uploaded like any others: for a club, and confirmed by their players.

Every step checks what is there, so that it can be repeated after an interruption.
"""

from datetime import datetime
from pathlib import Path

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import QuerySet

from games.clubs import organising
from games.consent.confirmations import confirm
from games.models import Acceptance, Club, Game, Player, Upload
from games.models.records import VerdictKind
from games.players.claims import decide_claim, make_claim
from games.uploads.origin import Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import submit

FOLDER = Path(__file__).resolve().with_name("samples")
_SUFFIX = " (sample)"
"""No account that people make for themselves may have brackets in its name."""
_STEWARD = "Steward"
_ANSWER = "Known at the club."


def upload(*, now: datetime) -> list[Upload]:
    """Upload the sample files as the club's steward, unless that was done before.

    :returns: all uploads of samples.
    """
    steward = _account(_STEWARD)
    origin = Origin(Upload.Via.COMMAND, steward, _options(_club(steward, now), steward))
    known = set(_uploads().values_list("filename", flat=True))
    for path in sorted(FOLDER.glob("*.agn")):
        if path.name not in known:
            submit(Source.of(path.read_bytes(), path.name), origin, now=now)
    return list(_uploads())


def let_players_confirm(*, now: datetime) -> int:
    """Let the sample players claim their names, the steward approve, and each player confirm their games.

    :returns: how many games were confirmed.
    """
    games = list(_unconfirmed())
    unclaimed = Player.objects.filter(seatings__game__in=games, claims=None, account=None, is_pseudonym=False)
    for player in unclaimed.distinct().order_by("pk"):
        _claim(player, now)
    return sum(_confirm(game, now) for game in games)


def _club(steward: AbstractBaseUser, now: datetime) -> Club:
    club = Club.objects.filter(slug="casa-formica").first()
    return club or organising.found(
        slug="casa-formica",
        name="Casa Formica",
        about="The club whose games come with this site, to look at and to try things out with.",
        organiser=steward,
        now=now,
    )


def _options(club: Club, steward: AbstractBaseUser) -> UploadOptions:
    """Return that the games count for the club, unless other accounts organise it now."""
    return UploadOptions(club=club) if club.organisers.filter(pk=steward.pk).exists() else UploadOptions()


def _uploads() -> "QuerySet[Upload]":
    return Upload.objects.filter(uploader__username=_STEWARD + _SUFFIX, via=Upload.Via.COMMAND)


def _unconfirmed() -> "QuerySet[Game]":
    """Return the games that could count for the site and do not yet, in the order of play."""
    could = Game.objects.filter(logs__upload__in=_uploads(), verdict=VerdictKind.VERIFIED, scored=True, private=False)
    counted = Acceptance.objects.filter(ladder__club=None)
    return could.exclude(pk__in=counted.values("game")).distinct().order_by("played_from", "pk")


def _claim(player: Player, now: datetime) -> None:
    """Claim a name. The steward cannot approve one that a stranger first uploaded: then a moderator decides."""
    claim = make_claim(player, _account(player.name), now=now)
    steward = _account(_STEWARD)
    if player.introduced_by_id == steward.pk:
        decide_claim(claim, approve=True, by=steward, answer=_ANSWER, now=now)


def _confirm(game: Game, now: datetime) -> bool:
    """Confirm a game for every sample account in it; other people's seats are left alone."""
    seatings = game.seatings.select_related("player__merged_into")
    accounts = get_user_model().objects.filter(pk__in={seating.player.rated_account_id for seating in seatings})
    words = [confirm(game, account, now=now) for account in accounts.filter(username__endswith=_SUFFIX).order_by("pk")]
    return bool(words) and words[-1].complete


def _account(name: str) -> AbstractBaseUser:
    """Return an account that nobody can sign in to."""
    fresh = {"password": make_password(None)}
    return get_user_model().objects.get_or_create(username=name + _SUFFIX, defaults=fresh)[0]
