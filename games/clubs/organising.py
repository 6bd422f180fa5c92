"""Clubs: what they say about themselves, who organises them, and the games they accept for their own ladders."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, Q, QuerySet

from engine.agn.names import name_key
from games.clubs.errors import ClubError
from games.clubs.locking import locked_club
from games.clubs.reads.clubs import may_review, owners_of, runs
from games.models import Act, Club, ClubMember, ClubWebhook, MoveLog, Upload
from games.platform.lookalikes import has_invisible, is_invisible
from games.platform.roles import is_moderator
from games.ratings.acceptance import make_records_due
from games.ratings.by_day import dates_changed
from games.records.reads.visibility import Viewer
from games.verification.reads import uploads_to_accept, uploads_to_begin
from games.webhooks.deliveries import forget_webhooks

WINDOW = 2_000
"""Records of an upload whose games are accepted in one transaction."""


RESERVED = frozenset({"new", "bots"})
"""Addresses of the site itself: where clubs are founded, and the club of bots."""
MOST_ORGANISERS = 100
"""Of a club: all of them are named on its page."""


class OnOrganiser(Protocol):
    """A change to a club's organisers."""

    def __call__(self, club: Club, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
        """Make the change. :raises ClubError: when it is not possible."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a club says about itself."""

    name: str
    about: str
    meets: str = ""
    main_ruleset: str = ""
    time_zone: str = ""
    """Its name by IANA; empty to leave it as it is."""


def check_runs(club: Club, by: Viewer) -> None:
    """Require an owner or organiser of a club. :raises ClubError: when `by` is neither."""
    if not runs(club, by):
        raise ClubError("not_organiser", "Only owners and organisers of the club can do this.")


def one_line(text: str, of: str, most: int = 200) -> str:
    """Return a name or place as it is stored, on one line.

    :param most: characters; what is beyond them is left out, since the composed form of a few letters is longer.
    :raises ClubError: when it has unseen characters.
    """
    return name_key(checked(text, of))[:most].rstrip(" ")


def checked(text: str, of: str) -> str:
    """Return a text without spaces around it.

    :param of: the parameter of the request that contains it.
    :raises ClubError: when it contains invisible or text-direction characters.
    """
    text = text.strip()
    if has_invisible(text) or (text and all(map(is_invisible, text))):
        error = ClubError(
            "unseen", "Names, places and descriptions cannot contain invisible or text-direction characters."
        )
        error.parameter = of
        raise error
    return text


@transaction.atomic
def found(
    *, slug: str, name: str, about: str, organiser: AbstractBaseUser, by: AbstractBaseUser | None = None, now: datetime
) -> Club:
    """Found a club with its first organiser. It is listed at once if it is founded for somebody else.

    :param by: the account that founds it; none when the operator does.
    :raises ClubError: when the address is taken by another club, or used by the site itself.
    """
    if slug in RESERVED:
        raise ClubError("slug_reserved", "The site itself uses this address. Choose another one.")
    is_reviewed = by is None or (by.pk != organiser.pk and is_moderator(by))
    club, fresh = Club.objects.get_or_create(
        slug=slug,
        defaults={
            "name": one_line(name, "name", 80),
            "about": checked(about, "about"),
            "created_at": now,
            "listed_at": now if is_reviewed else None,
        },
    )
    if not fresh:
        raise ClubError("slug_taken", "This address belongs to another club: {name}.", name=club.name)
    club.organisers.add(organiser.pk)
    _enter(club, organiser, ClubMember.Role.OWNER, now)
    _note(Act.Kind.CLUB_FOUNDED, club, organiser, by=by, now=now)
    return club


def _enter(club: Club, account: AbstractBaseUser, role: ClubMember.Role, now: datetime) -> None:
    """Give an account a role in a club; it becomes a member if it is not one yet."""
    values = {"role": role, "name": name_key(account.get_username()[:64]), "joined_at": now}
    ClubMember.objects.update_or_create(
        club=club, account_id=account.pk, defaults={"role": role}, create_defaults=values
    )


@transaction.atomic
def describe(club: Club, said: Description, *, by: AbstractBaseUser, now: datetime) -> None:
    """Change a club's name and description; its address stays.

    A listed club has to be reviewed again when its name, its description, or when and where it meets changes, unless
    somebody who may review it changes it.

    :raises ClubError: when a text has unseen characters.
    """
    club = locked_club(club.pk)
    reviewed = (club.name, club.about, club.meets)
    club.name, club.about = one_line(said.name, "name", 80), checked(said.about, "about")
    club.meets, club.main_ruleset = one_line(said.meets, "meets", 120), said.main_ruleset
    if said.time_zone not in ("", club.time_zone):
        club.time_zone = said.time_zone
        dates_changed(club)
    if reviewed != (club.name, club.about, club.meets) and not may_review(club, by):
        _have_reviewed_again(club, by, now)
    texts = ["name", "about", "meets", "main_ruleset", "time_zone"]
    club.save(update_fields=[*texts, "listed_at", "listed_by", "unlisted_for"])


def _have_reviewed_again(club: Club, by: AbstractBaseUser, now: datetime) -> None:
    """Take a club off the list until a moderator has reviewed its new texts."""
    if club.listed_at:
        reason, params = "Name, description, or when and where it meets changed.", {"club": club.pk}
        Act.objects.create(kind=Act.Kind.CLUB_UNLISTED, by_id=by.pk, at=now, reason=reason, params=params)
    club.listed_at, club.listed_by, club.unlisted_for = None, None, ""


@transaction.atomic
def name_organiser(club: Club, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
    """Make an account an organiser. It must have joined the club, unless a moderator names it.

    :raises ClubError: when it is one already, has not joined, or there are too many.
    """
    club = locked_club(club.pk)
    if club.organisers.filter(pk=account.pk).exists():
        raise ClubError("organiser", "{name} is already an organiser.", name=account.get_username())
    if club.organisers.count() >= MOST_ORGANISERS:
        raise ClubError("too_many_organisers", "A club may have at most {most} organisers.", most=MOST_ORGANISERS)
    if not is_moderator(by) and not club.members.filter(account=account.pk).exists():
        raise ClubError("no_member", "{name} has to join the club first.", name=account.get_username())
    club.organisers.add(account.pk)
    _enter(club, account, ClubMember.Role.ORGANISER, now)
    _note(Act.Kind.ORGANISER_NAMED, club, account, by=by, now=now)


def organised_alone(account: AbstractBaseUser) -> list[Club]:
    """Return the clubs of which an account is the only organiser."""
    clubs = Club.objects.annotate(others=Count("organisers", filter=~Q(organisers=account.pk)))
    return list(clubs.filter(organisers=account.pk, others=0).order_by("name"))


@transaction.atomic
def pass_on_clubs(account: AbstractBaseUser) -> None:
    """Make the longest-serving other organiser the owner of each club that only this account owns."""
    owned = ClubMember.objects.filter(account=account.pk, role=ClubMember.Role.OWNER).values("club")
    for club in Club.objects.select_for_update(no_key=True).filter(pk__in=owned).order_by("pk"):
        others = ClubMember.objects.filter(club=club.pk, account__isnull=False).exclude(account=account.pk)
        if others.filter(role=ClubMember.Role.OWNER).exists():
            continue
        oldest = others.filter(role=ClubMember.Role.ORGANISER).order_by("joined_at", "pk").first()
        if oldest:
            ClubMember.objects.filter(pk=oldest.pk).update(role=ClubMember.Role.OWNER)


@transaction.atomic
def dismiss_organiser(club: Club, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
    """Remove an organiser; the account stays a member.

    :raises ClubError: when it is not an organiser, no organiser or owner would be left, or `by` may not remove others.
    """
    club = locked_club(club.pk)
    if not club.organisers.filter(pk=account.pk).exists():
        raise ClubError("no_organiser", "{name} is not an organiser.", name=account.get_username())
    if club.organisers.count() == 1:
        raise ClubError("last_organiser", "A club needs an organiser: name another one first.")
    _check_owners(club, account, by)
    club.organisers.remove(account.pk)
    ClubMember.objects.filter(club=club.pk, account=account.pk).update(role=ClubMember.Role.MEMBER)
    forget_webhooks(ClubWebhook.objects.filter(club=club.pk, by=account.pk))  # it is signed with their secret
    _note(Act.Kind.ORGANISER_DISMISSED, club, account, by=by, now=now)


def _check_owners(club: Club, account: AbstractBaseUser, by: AbstractBaseUser) -> None:
    """Refuse to let anybody but an owner remove others where there are owners, and to remove the last owner."""
    owners = owners_of(club)
    if owners and account.pk != by.pk and by.pk not in owners:
        raise ClubError("not_owner", "Only an owner of the club can remove organisers.")
    if owners == {account.pk}:
        raise ClubError("last_owner", "A club needs an owner: make another member one first.")


def _note(
    kind: Act.Kind, club: Club, organiser: AbstractBaseUser, *, by: AbstractBaseUser | None, now: datetime
) -> None:
    params = {"club": club.pk, "organiser": organiser.pk}
    Act.objects.create(kind=kind, by_id=by.pk if by else None, at=now, params=params)


def accept_judged_uploads(*, now: datetime, has_time: Callable[[], bool]) -> None:
    """Accept the games of every upload for a club whose records are all verified, in the order of the file.

    Uploads are accepted one after another; one that another worker is accepting is skipped. A long file is begun while
    it is still being split.
    """
    while has_time() and (upload := uploads_to_accept().select_related("club").first()):
        if upload.club is None or not accept_some(upload.club, now):
            break
    for club in Club.objects.filter(pk__in=list(uploads_to_begin(WINDOW).values_list("club", flat=True))):
        while has_time() and accept_beginning(club, now):
            pass


@transaction.atomic
def accept_some(club: Club, now: datetime) -> bool:
    """Accept the games of the next records of the club's next upload.

    The club is locked meanwhile, so that each file's games are consecutive in the sequence.

    :returns: false when another worker is accepting it.
    """
    held = _next(uploads_to_accept(), club.pk)
    if held is None:
        return False
    upto = min(held.accepted_logs + WINDOW, held.split_logs)
    _accept(held, club, upto, now)
    return True


@transaction.atomic
def accept_beginning(club: Club, now: datetime) -> bool:
    """Accept the games of the next records of a club's file that is still being split, once all of them are judged.

    :returns: false when some of them wait, or another upload of the club, or another worker is accepting it.
    """
    held = _next(uploads_to_begin(WINDOW), club.pk)
    if held is None or uploads_to_accept().filter(club=club).exists():
        return False
    upto = held.accepted_logs + WINDOW
    if _any_waits(held, held.accepted_logs, upto):
        return False
    _accept(held, club, upto, now)
    return True


def _next(uploads: "QuerySet[Upload]", club: int) -> Upload | None:
    """Lock a club and return the first of its uploads, locked; none while another worker holds the club."""
    if not Club.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=club).exists():
        return None
    return uploads.filter(club=club).select_for_update(of=("self",), no_key=True).first()


def _any_waits(upload: Upload, after: int, upto: int) -> bool:
    """Return whether any of some records of an upload may still get a verdict."""
    open_ = (MoveLog.State.WAITING, MoveLog.State.RUNNING, MoveLog.State.HELD)
    return upload.logs.filter(number__gt=after, number__lte=upto, state__in=open_).exists()


def _accept(held: Upload, club: Club, upto: int, now: datetime) -> None:
    """Accept the games of a locked upload's next records. It is accepted when these are the last of a whole file."""
    make_records_due(held, club, after=held.accepted_logs, upto=upto, now=now)
    held.accepted_logs = upto
    held.accepted_at = now if held.done_at and upto == held.split_logs else None
    held.save(update_fields=["accepted_logs", "accepted_at"])
