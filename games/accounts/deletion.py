"""Deletion of an account: its players become pseudonyms, and the games stay for the others.

Names are rewritten wherever the account's players sit: in the rows of players and in the records as they were sent.
No game digest knows a name, and the ledger names players by their numbers, so neither changes. What others wrote in
comments and in other tags stays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F, Q, QuerySet

from engine.agn.log import AgnError
from engine.agn.names import name_key, site_of
from engine.agn.reading import parse
from engine.registry import RULESETS
from games.accounts.sessions import end_sessions
from games.clubs.errors import ClubError
from games.clubs.identity import rename_members
from games.clubs.organising import organised_alone, pass_on_clubs
from games.consent import confirmations
from games.models import Acceptance, Act, Entry, Follow, Game, MoveLog, Player, Study, Upload
from games.models.records import VerdictKind, new_key
from games.platform.lookalikes import hold
from games.playing import account_deletion
from games.records.pseudonyms import replace_names
from games.records.reads.replays import record_of
from games.studies.writing import delete as delete_study
from games.uploads import controls
from games.verification.known_games import digest_seatings_again

_CHUNK = 500
"""Logs written at once."""
_TRIES = 3
"""Of deleting an account that is used meanwhile."""
_LETTERS = frozenset(seat.letter for ruleset in RULESETS for seat in ruleset.seats)


@dataclass(frozen=True, slots=True)
class Departure:
    """A player's name, and the pseudonym that replaces it."""

    player: Player
    was: str
    becomes: str


def delete_account(user: User, *, now: datetime) -> None:
    """Delete an account with everything that belongs to it; its players stay, as pseudonyms.

    Again, where something of the account's was written meanwhile, so that the database could not let it go.

    :raises ClubError: while a club has no other organiser.
    """
    for left in reversed(range(_TRIES)):
        try:
            _delete(User.objects.get(pk=user.pk), now)
        except (IntegrityError, OperationalError):
            if not left:
                raise
        else:
            return


@transaction.atomic
def _delete(user: User, now: datetime) -> None:
    if alone := organised_alone(user):
        names = ", ".join(club.name for club in alone)
        raise ClubError("sole_organiser", "Name another organiser first: nobody else organises {names}.", names=names)
    pass_on_clubs(user)
    account_deletion.leave_tables(user, now=now)
    _forget_files(user, now)  # first of all: verifiers that hold an upload may wait for the locks taken below
    departures = [_departure(player) for player in _players_of(user)]
    due = _due_games(user)
    _rewrite(departures)
    for one in departures:
        Player.objects.filter(pk=one.player.pk).update(name=one.becomes, is_pseudonym=True)
        Act.objects.create(kind=Act.Kind.ACCOUNT_DELETED, by_id=user.pk, at=now, player=one.player)
    Follow.objects.filter(player__in=[one.player.pk for one in departures]).delete()  # who followed knew the name
    Entry.objects.filter(upload__uploader=user).update(name="")
    Upload.objects.filter(uploader=user).update(filename="")
    digest_seatings_again([one.player.pk for one in departures])
    rename_members(user, {one.player: one.becomes for one in departures}, _pseudonym())
    account_deletion.rename(user, _pseudonym())
    _delete_studies(user)
    end_sessions(user)
    hold(user.get_username(), now=now)
    user.delete()
    for game in due:
        confirmations.settle(game, now=now)


def _forget_files(user: User, now: datetime) -> None:
    """Cancel files that are not split yet: names cannot be removed from their bytes."""
    for upload in Upload.objects.filter(uploader=user, state__in=Upload.UNSPLIT).order_by("pk"):
        controls.cancel(upload, now=now)


def _players_of(user: User) -> "list[Player]":
    """Return the account's players, and who was merged into them: all are one person."""
    theirs = Q(account=user) | Q(merged_into__account=user)
    return list(Player.objects.select_for_update(of=("self",), no_key=True).filter(theirs).order_by("pk"))


def _departure(player: Player) -> Departure:
    return Departure(player, name_key(player.name), _pseudonym())


def _pseudonym() -> str:
    return f"Former player {new_key()}"


def _due_games(user: User) -> list[Game]:
    """Return, locked, the games about to count by a confirmation of the account; their holders wait for no account."""
    due = Acceptance.objects.filter(number=None, game__confirmations__account=user)
    return list(Game.objects.select_for_update(no_key=True).filter(pk__in=due.values("game")).order_by("pk"))


def _delete_studies(user: User) -> None:
    """Delete the studies that others copied, so that copies of hidden ones stay private."""
    for study in Study.objects.filter(owner=user, forks__isnull=False).order_by("pk").distinct():
        delete_study(study, by=user)


# The records


def _rewrite(departures: list[Departure]) -> None:
    """Write the new names into every record that has the old ones."""
    if not departures:
        return
    changed: list[MoveLog] = []
    for log, names in _records_naming(departures):
        replace_names(log, names)
        changed.append(log)
        if len(changed) == _CHUNK:
            _save(changed)
            changed = []
    _save(changed)


def _records_naming(departures: list[Departure]) -> Iterator[tuple[MoveLog, dict[str, str]]]:
    """Yield the records that name the players, with the new names by seat letter."""
    by_player = {one.player.pk: one for one in departures}
    seated = MoveLog.objects.filter(game__seatings__player__in=by_player).distinct()
    for log in _locked(seated).prefetch_related("game__seatings").iterator(_CHUNK):
        seatings = log.game.seatings.all() if log.game else ()
        here = {seating.letter: by_player[seating.player_id] for seating in seatings if seating.player_id in by_player}
        if names := {letter: one.becomes for letter, one in here.items() if log.names.get(letter) == one.was}:
            yield log, names
    yield from _rejected_records_naming(departures)


def _rejected_records_naming(departures: list[Departure]) -> Iterator[tuple[MoveLog, dict[str, str]]]:
    """Yield the same for rejected records, which have no seats: there, name and source must match."""
    by_name = {(name_key(one.player.source), one.was): one.becomes for one in departures}
    naming = (Q(seats__contains=[[letter, one.was]]) for one in departures for letter in sorted(_LETTERS))
    rejected = MoveLog.objects.filter(reduce(or_, naming), game__verdict=VerdictKind.REJECTED)
    for log in _locked(rejected).iterator(_CHUNK):
        source = _source(log)
        if names := {letter: by_name[source, name] for letter, name in log.names.items() if (source, name) in by_name}:
            yield log, names


def _locked(logs: "QuerySet[MoveLog]") -> "QuerySet[MoveLog]":
    """Return them locked, so that no worker writes an old name meanwhile."""
    return MoveLog.objects.filter(pk__in=logs.values("pk")).select_for_update(of=("self",)).select_related("game")


def _source(log: MoveLog) -> str:
    try:
        return site_of(parse(record_of(log)).tags)
    except AgnError:
        return ""


def _save(logs: list[MoveLog]) -> None:
    MoveLog.objects.bulk_update(logs, ["data", "seats", "text", "record_digest"])
    # A worker in progress has read the old names: its results are not stored, and another verifies again.
    running = MoveLog.objects.filter(pk__in=[log.pk for log in logs], state=MoveLog.State.RUNNING)
    running.update(state=MoveLog.State.WAITING, leased_until=None, fence=F("fence") + 1)
