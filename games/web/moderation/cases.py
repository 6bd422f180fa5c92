"""Cases for a moderator, one by one: disputes, claims, flags and corrections, settled or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.holds.reads.due_games import EARLY
from games.models import Challenge, Claim, Club, Correction, Dispute, Flag, Player
from games.web.labels import CLAIMS, CORRECTIONS, DISPUTES, Label
from games.web.links import Link, link_to_player
from games.web.lists import Part, part_of
from games.web.moderation.acts import case_link

KINDS: dict[str, Label] = {
    Flag.Kind.SAME_PERSON: _("One account in two seats"),
    Flag.Kind.REPEATED_PAIRING: _("Many games between the same opponents"),
    Flag.Kind.RESIGN_FARMING: _("Early resignations against one player"),
    Flag.Kind.NEW_ACCOUNT: _("New account"),
    Flag.Kind.LIKENESS: _("Same moves as an earlier game"),
    Flag.Kind.UNVOUCHED: _("Nobody independent vouches for a player"),
}
_SENTENCES: dict[str, Label] = {
    Flag.Kind.SAME_PERSON: _("Two seats of this game belong to one account, or to one player."),
    Flag.Kind.REPEATED_PAIRING: _("These two played {day} games within a day, {month} within thirty days."),
    Flag.Kind.RESIGN_FARMING: _(
        "In {week} games within a week, the same opponent resigned within {early} rounds or pairs of turns."
    ),
    Flag.Kind.LIKENESS: _(
        "The moves are the same: turned, mirrored, in other colours, or with cards written differently."
    ),
    Flag.Kind.UNVOUCHED: _(
        "No moderator or organiser vouches for the account, and no known player outside this game does."
    ),
}


@dataclass(frozen=True, slots=True)
class FlagCase:
    """What is unusual, and where."""

    number: int
    kind: Label
    sentence: str
    game: Link
    player: Link | None
    rival: Link | None
    """The other one of two."""
    at: datetime
    settled_at: datetime | None
    answer: str
    waits: bool
    """Whether the game waits for it, or was left unrated by it."""
    unrated: bool
    open: bool
    url: str
    """Where it is looked at and settled."""
    vouch: str
    """Where one can vouch for the player; empty where that does not help."""


@dataclass(frozen=True, slots=True)
class DisputeCase:
    """Who disputes which game, and why."""

    number: int
    game: Link
    by: str
    reason: str
    at: datetime
    open: bool
    state: Label
    answer: str


@dataclass(frozen=True, slots=True)
class ClaimCase:
    """Who says to be whom."""

    number: int
    player: Link
    source: str
    by: str
    reason: str
    at: datetime
    introduced_by: str
    """Who can decide as well, as the account that uploaded the name first."""
    state: Label


@dataclass(frozen=True, slots=True)
class CorrectionCase:
    """An act on the past that is done, or under way."""

    kind: Label
    what: Link
    reason: str
    by: str
    ordered_at: datetime
    done_at: datetime | None
    changed: int


@dataclass(frozen=True, slots=True)
class SeatingCase:
    """A game for whose moves uploads name different players."""

    game: Link
    by: str
    at: datetime
    holds: bool
    """Whether it is unrated for that."""


@dataclass(frozen=True, slots=True)
class ClubCase:
    """A club to review."""

    link: Link
    about: str
    meets: str


def club_case(club: Club) -> ClubCase:
    """Return what a club says about itself."""
    return ClubCase(Link(club.name, club.get_absolute_url()), club.about, club.meets)


def seating_case(challenge: Challenge) -> SeatingCase:
    """Return a game for whose moves uploads name different players."""
    by = challenge.raised_by.get_username() if challenge.raised_by else ""
    return SeatingCase(case_link(challenge.game), by, challenge.raised_at, challenge.holds)


def dispute_case(dispute: Dispute) -> DisputeCase:
    """Return who disputes which game, and why."""
    return DisputeCase(
        number=dispute.pk,
        game=case_link(dispute.game),
        by=dispute.account.get_username() if dispute.account else gettext("a deleted account"),
        reason=dispute.reason,
        at=dispute.raised_at,
        open=dispute.state == Dispute.State.OPEN,
        state=DISPUTES[dispute.state],
        answer=dispute.answer,
    )


def claim_case(claim: Claim) -> ClaimCase:
    """Return who says to be whom."""
    player, introduced_by = claim.player, claim.player.introduced_by
    return ClaimCase(
        number=claim.pk,
        player=link_to_player(player),
        source=player.source,
        by=claim.account.get_username(),
        reason=claim.reason,
        at=claim.made_at,
        introduced_by=introduced_by.get_username() if introduced_by and introduced_by != claim.account else "",
        state=CLAIMS[claim.state],
    )


def flag_cases(found: Sequence[Flag]) -> tuple[FlagCase, ...]:
    """Return what is unusual, in the order given."""
    rivals = Player.objects.in_bulk({flag.params["rival"] for flag in found if "rival" in flag.params})
    players = [flag.player_id for flag in found if flag.kind == Flag.Kind.UNVOUCHED]
    claims = Claim.objects.filter(player__in=players, state=Claim.State.APPROVED)
    claimed = dict(claims.values_list("player", "pk"))
    return tuple(
        _flag(flag, rivals.get(flag.params.get("rival", 0)), claimed.get(flag.player_id or 0)) for flag in found
    )


def part_of_flags(name: str, found: "QuerySet[Flag]", query: QueryDict) -> Part[FlagCase]:
    """Return the flags of a list that an address asks for."""
    part: Part[Flag] = part_of(name, found, lambda flag: flag, query)
    return Part(part.name, flag_cases(part.rows), part.previous, part.next)


def _flag(flag: Flag, rival: Player | None, claim: int | None) -> FlagCase:
    return FlagCase(
        number=flag.pk,
        kind=KINDS[flag.kind],
        sentence=_sentence(flag).format(**flag.params, early=EARLY),
        game=case_link(flag.game),
        player=link_to_player(flag.player) if flag.player else None,
        rival=link_to_player(rival) if rival else None,
        at=flag.raised_at,
        settled_at=flag.settled_at,
        answer=flag.answer,
        waits=flag.ladder_id is not None,
        unrated=flag.unrated,
        open=flag.settled_at is None,
        url=reverse("hold", args=[flag.pk]),
        vouch=reverse("claim", args=[claim]) if claim and flag.settled_at is None else "",
    )


def _sentence(flag: Flag) -> str:
    if "received" in flag.params:
        return gettext("In {received} games within a week, opponents resigned early to this player.")
    if "points" in flag.params:
        return gettext(
            "Somebody at this table has won {points} points at tables within a year, against opponents for whom nobody "
            "independent vouches. Somebody still has to vouch for this player."
        )
    if flag.kind != Flag.Kind.NEW_ACCOUNT:
        return str(_SENTENCES[flag.kind])
    if not flag.params["days"]:
        return gettext("The account was less than a day old when the game was due to be rated.")
    return ngettext(
        "The account was {days} day old when the game was due to be rated.",
        "The account was {days} days old when the game was due to be rated.",
        flag.params["days"],
    )


def correction_case(correction: Correction) -> CorrectionCase:
    """Return an act on the past that is done, or under way."""
    if correction.acceptance:
        what = case_link(correction.acceptance.game)
    else:
        player, into = correction.player, correction.into
        names = " → ".join(dict.fromkeys(one.name for one in (player, into) if one))
        what = Link(names, reverse("moderation-player", args=[correction.player_id]))
    return CorrectionCase(
        kind=CORRECTIONS[correction.kind],
        what=what,
        reason=correction.reason,
        by=correction.by.get_username() if correction.by else "",
        ordered_at=correction.ordered_at,
        done_at=correction.done_at,
        changed=correction.changed,
    )
