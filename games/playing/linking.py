"""The verdicts on games played here: link the game, let a rated one count, or raise an alarm."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from engine.dealing import BROKEN
from engine.verify import verify
from games.consent.challenges import uphold_played
from games.consent.confirmations import confirm_seats
from games.consent.reads.eligibility import is_bot, seatings_of
from games.models import Club, Game, MoveLog, Player, Table, TableAlarm
from games.models.records import VerdictKind
from games.players.home import home_source
from games.playing import events
from games.playing.finishing import raise_alarm
from games.playing.reads.alarms import quarantined_without_alarm
from games.playing.reads.judged import next_to_link
from games.playing.reads.position import stored_tokens
from games.playing.reads.seats import seats_of
from games.playing.site_names import own_name
from games.ratings.acceptance import make_due
from games.records.reads.replays import record_of

BOTS = "bots"
"""The address of the club of bots (decision 66)."""
_DUE = {Table.State.FINISHED: VerdictKind.VERIFIED, Table.State.ABORTED: VerdictKind.UNFINISHED}


def link_judged(*, now: datetime, has_time: Callable[[], bool]) -> int:
    """Link tables with their verified games. :returns: how many."""
    count = 0
    while has_time() and _link_next(now):
        count += 1
    return count


@transaction.atomic
def _link_next(now: datetime) -> bool:
    found = next_to_link()
    if found is None:
        return False
    table = Table.objects.select_for_update(no_key=True, of=("self",)).get(pk=found.table)
    log = MoveLog.objects.select_related("game").get(pk=found.log)
    if log.game is None:
        return False
    if table.game_id is None:
        table.game = log.game
        _judge(table, log, log.game, now)
        events.append(table, "judged", {"game": log.game.key, "verdict": log.verdict}, now=now)
        table.save(update_fields=["game", "last_event"])
    return True


@transaction.atomic
def raise_alarms_for_quarantined(*, now: datetime) -> int:
    """Raise an alarm for records of played games that verification set aside. :returns: for how many."""
    found = list(quarantined_without_alarm())
    for log in found:
        message = f"The record was set aside. {log.failure}".strip()
        raise_alarm(log.upload.table, TableAlarm.Kind.NOT_VERIFIED, message, now=now)
    return len(found)


def _judge(table: Table, log: MoveLog, game: Game, now: datetime) -> None:
    _own_names(table, now)
    due = _DUE[Table.State(table.state)]
    if log.verdict != due:
        message = f"The record is {log.verdict}, not {due}: {log.rule}".removesuffix(": ")
        raise_alarm(table, TableAlarm.Kind.NOT_VERIFIED, message, now=now)
        return
    if table.placements and game.result != "-".join(map(str, table.placements)):
        raise_alarm(table, TableAlarm.Kind.OTHER_RESULT, f"The record ends with {game.result}.", now=now)
    verdict = verify(record_of(log))
    if verdict.replay is None or verdict.replay.actions != stored_tokens(table):
        raise_alarm(table, TableAlarm.Kind.ALTERED, "The record and the table have other actions.", now=now)
    dealing = verdict.dealing
    if dealing is None or dealing.status == BROKEN:
        message = f"{dealing.rule}: {dealing.message}" if dealing else "The record does not speak of its deal."
        raise_alarm(table, TableAlarm.Kind.DEALING_BROKEN, message, now=now)
    elif table.rated and table.state == Table.State.FINISHED:
        if all(is_bot(seating.player) for seating in seatings_of(game)):
            make_due([game], club=club_of_bots(now), now=now)
        else:
            _count(table, game, now)


def club_of_bots(now: datetime) -> Club:
    """Return the club whose ladders are those of bots. It has no organisers: nothing else can count there."""
    about = "Games that bots played against each other at tables here."
    defaults = {"name": "Bots", "about": about, "created_at": now, "listed_at": now}
    return Club.objects.get_or_create(slug=BOTS, defaults=defaults)[0]


def _count(table: Table, game: Game, now: datetime) -> None:
    """Let a rated game count by the consent that players gave by taking their seats."""
    letters = table.seats_line.split(" ")
    accounts = {letters.index(seat.letter): seat.account_id for seat in seats_of(table) if seat.account_id}
    if not uphold_played(game, now=now):
        message = "Somebody uploaded the same moves with other players before."
        raise_alarm(table, TableAlarm.Kind.OTHER_PLAYERS, message, now=now)
    confirm_seats(game, accounts, now=now)


def _own_names(table: Table, now: datetime) -> None:
    """Give the names at a table to the accounts that played there; mark bots as bots."""
    for seat in seats_of(table):
        if seat.account:
            own_name(seat.account, now=now)
    bots = [seat.name for seat in seats_of(table) if seat.bot]
    Player.objects.filter(source=home_source(), name__in=bots).update(is_bot=True)
