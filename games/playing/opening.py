"""Opening a table, taking and leaving its seats, and dealing once it is full."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.crypto import salted_hmac

from engine.registry import RULESETS, ruleset_by_slug
from engine.searching import Strength
from games.models import Table, TableSeat
from games.playing import acting, calls, clocks, dealing, events, finishing
from games.playing.errors import ConflictError, PlayError
from games.playing.reads.aborted import LAST, MOST, unrated_until
from games.playing.reads.people import Person
from games.playing.reads.seats import seats_of
from games.playing.rows import locked
from games.playing.site_names import check_own_name, name_of

_ENTROPY = re.compile(r"[!-~]{1,64}")
_DAY = 24 * 60 * 60
_LONGEST = {Table.Time.DAYS: 30 * _DAY, Table.Time.MINUTES: 24 * 60 * 60}
_LONGEST_STEP = 60 * 60
_MOST_OPEN = 20
"""Tables that one account or guest may have open at a time."""
_YEARS = range(1900, 2101)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """How a table is opened."""

    ruleset: str
    places: int = 2
    first: str = ""
    """Who begins, as `Table.First`; the edition's usual way if empty."""
    rated: bool = False
    hot_seat: bool = False
    time_kind: str = Table.Time.NONE
    time_base: int = 0
    time_step: int = 0
    visibility: str = Table.Visibility.OPEN
    invited: Sequence[AbstractBaseUser] = ()
    bots: Sequence[str] = field(default=())
    """Built-in bots that sit down after the opener of the table."""


@dataclass(frozen=True, slots=True)
class Addition:
    """The details of taking a seat."""

    entropy: str
    """What the player adds to the deal; it cannot be changed afterwards."""
    letter: str = ""
    """The colour, where there is a choice; the first that is free if empty."""
    born: int | None = None
    """The year of birth, if the oldest player begins."""


BOTS_ADDITION, _SAME_SCREEN = Addition("bot"), Addition("same-screen")
"""What seats without a person add: the text for the deal is always the same, so that nobody can influence it."""


def fresh_entropy() -> str:
    """Return a text for the deal for a page without scripts; a player's own is safer."""
    return secrets.token_hex(16)


def open_table(
    options: TableOptions, person: Person, *, network: str = "", now: datetime, rematch_of: Table | None = None
) -> Table:
    """Open a table and publish its commitment; nobody sits there yet.

    :param network: from where a guest asks; a keyed digest of it is kept while the table is open.
    :raises PlayError: when the options do not fit the rules or each other.
    """
    _check(options, person, now, is_rematch=rematch_of is not None)
    is_guest = person.account is None and bool(person.guest)
    table = Table(
        ruleset=options.ruleset,
        places=options.places,
        first=options.first or ruleset_by_slug(options.ruleset).dealer.first(options.places)[0],
        rated=options.rated,
        hot_seat=options.hot_seat,
        time_kind=options.time_kind,
        time_base=options.time_base,
        time_step=options.time_step,
        visibility=options.visibility,
        bots=list(options.bots),
        opened_by_id=person.account.pk if person.account else None,
        opened_by_guest=person.guest,
        opened_from=salted_hmac("games.tables", network).hexdigest()[:32] if is_guest and network else "",
        opened_at=now,
        rematch_of=rematch_of,
    )
    dealing.fix_secret(table)
    with transaction.atomic():
        table.save()
        table.invited.set([one.pk for one in options.invited])
        events.append(table, "opened", {"commitment": table.commitment}, now=now)
        table.save(update_fields=["last_event"])
    return table


def _check(options: TableOptions, person: Person, now: datetime, *, is_rematch: bool) -> None:
    if options.ruleset not in {ruleset.slug for ruleset in RULESETS}:
        raise PlayError("no_ruleset", "There is no ruleset {slug}.", slug=options.ruleset)
    ruleset = ruleset_by_slug(options.ruleset)
    places = sorted({len(line) for line in ruleset.seatings})
    if options.places not in places:
        raise PlayError("places", "{game} is for {places} players, not for {count}.", game=ruleset.game,
                        places="/".join(map(str, places)), count=options.places)  # fmt: skip
    ways = (*ruleset.dealer.first(options.places), *([Table.First.TURNED] if is_rematch else []))
    if options.first and options.first not in ways:
        raise PlayError("first", "Under these rules the first player is chosen in another way: {ways}.",
                        ways=", ".join(ways))  # fmt: skip
    _check_time(options)
    _check_who(options, person, now)


def _check_time(options: TableOptions) -> None:
    if options.time_kind not in Table.Time.values:
        raise PlayError("time", "The time must be none, days or minutes.")
    if options.time_kind == Table.Time.NONE:
        if options.time_base or options.time_step:
            raise PlayError("time", "A game without a time limit has neither a base time nor an increment.")
        return
    if not 1 <= options.time_base <= _LONGEST[Table.Time(options.time_kind)]:
        raise PlayError("time", "The base time must be 1 to {most} seconds.",
                        most=_LONGEST[Table.Time(options.time_kind)])  # fmt: skip
    if options.time_step and options.time_kind == Table.Time.DAYS:
        raise PlayError("time", "A game with days for each turn has no increment.")
    if not 0 <= options.time_step <= _LONGEST_STEP:
        raise PlayError("time", "The increment must be 0 to {most} seconds.", most=_LONGEST_STEP)


def _check_who(options: TableOptions, person: Person, now: datetime) -> None:
    if options.visibility not in Table.Visibility.values:
        raise PlayError("visibility", "The visibility must be open, link or names.")
    _check_account(person, rated=options.rated and not person.bot, now=now)
    if options.rated and (options.hot_seat or options.bots) and not person.bot:
        raise PlayError("rated_training", "Games against bots and on one screen are training games.")
    if options.hot_seat and (options.bots or options.visibility == Table.Visibility.NAMES):
        raise PlayError("hot_seat", "Nobody else can take a seat in a game on one screen.")
    if len(options.bots) >= options.places:
        raise PlayError("bots", "Leave a seat for yourself: at most {most} bots.", most=options.places - 1)
    unknown = next((name for name in options.bots if name not in set(Strength)), None)
    if unknown is not None:
        raise PlayError("no_bot", "There is no bot {name}. Bots: {bots}.", name=unknown, bots=", ".join(Strength))
    if options.visibility == Table.Visibility.NAMES and len(options.invited) > options.places - 1:
        raise PlayError("invited", "More players are invited than there are seats.")
    _check_few_open(person)


def _check_account(person: Person, *, rated: bool, now: datetime) -> None:
    if not person.is_somebody:
        raise PlayError("nobody", "Sign in, or play as a guest.")
    if rated and person.account is None:
        raise PlayError("rated_needs_account", "Rated games need an account. Sign in, or play a training game.")
    if rated and person.account and (until := unrated_until(person.account.pk, now=now)):
        raise ConflictError(
            "aborted_often",
            "You aborted {most} of your last {last} rated games, so you play training games until {until} UTC.",
            most=MOST,
            last=LAST,
            until=f"{until:%Y-%m-%d %H:%M}",
        )


def _check_few_open(person: Person) -> None:
    if person.bot:
        return
    opened = Table.objects.filter(state=Table.State.OPEN)
    mine = opened.filter(opened_by=person.account.pk) if person.account else opened.filter(opened_by_guest=person.guest)
    if mine.count() >= _MOST_OPEN:
        raise PlayError("too_many", "You have {most} open tables. Cancel one first.", most=_MOST_OPEN)


@transaction.atomic
def join(key: str, person: Person, addition: Addition, *, now: datetime) -> TableSeat:
    """Take a seat; once the last is taken the game is dealt and begins.

    At a rated table this is the account's consent that the game is rated.

    :raises Table.DoesNotExist: when there is no such table.
    :raises PlayError: when this one may not join, or not so.
    """
    table = locked(key)
    seats = seats_of(table)
    _check_may_join(table, seats, person, now)
    _check_addition(addition)
    seat = _sit(table, seats, person, addition, now)
    if len(seats) == 1:
        _fill(table, seats, now)
    if len(seats) == table.places:
        _begin(table, seats, now)
    table.save()
    return seat


def _check_may_join(table: Table, seats: list[TableSeat], person: Person, now: datetime) -> None:
    among_bots = bool(person.bot) and person.opened(table)
    _check_account(person, rated=table.rated and not among_bots, now=now)
    if table.state != Table.State.OPEN:
        raise ConflictError("not_open", "This table takes no more players.")
    if any(person.sits_in(seat) for seat in seats) and not person.bot:
        raise ConflictError("seated", "You already have a seat at this table.")
    if not seats and not person.opened(table):
        raise PlayError("opener_first", "The player who opened the table takes the first seat.")
    if table.rated and person.account:
        check_own_name(person.account)
    invited = table.invited.filter(pk=person.account.pk).exists() if person.account else False
    if table.visibility == Table.Visibility.NAMES and seats and not (invited or person.bot):
        raise PlayError("not_invited", "This table is for invited players.")


def _check_addition(addition: Addition) -> None:
    if _ENTROPY.fullmatch(addition.entropy) is None:
        raise PlayError("entropy", "Your part of the deal must be 1 to 64 characters from ! to ~.")
    if addition.born is not None and addition.born not in _YEARS:
        raise PlayError("born", "The year of birth must be a year such as 1980.")


def _sit(table: Table, seats: list[TableSeat], person: Person, addition: Addition, now: datetime) -> TableSeat:
    seat = TableSeat.objects.create(
        table=table,
        joined=len(seats),
        letter=_colour(table, seats, addition.letter),
        account_id=person.account.pk if person.account else None,
        guest=person.guest,
        bot=person.bot,
        name=name_of(person, [one.name for one in seats]),
        entropy=addition.entropy,
        born=addition.born if table.first == Table.First.OLDEST else None,
        joined_at=now,
    )
    seats.append(seat)
    events.append(table, "joined", {"name": seat.name, "letter": seat.letter, "bot": seat.bot}, now=now)
    return seat


def _colour(table: Table, seats: list[TableSeat], letter: str) -> str:
    if dealing.fixed_colours(table.ruleset, table.places):
        if letter:
            raise PlayError("colour", "In this game the colours depend on who begins.")
        return ""
    colours = [seat.letter for seat in ruleset_by_slug(table.ruleset).seats]
    free = [one for one in colours if one not in {seat.letter for seat in seats}]
    if letter and letter not in colours:
        raise PlayError("colour", "{letter} is not a colour of this game. Colours: {colours}.",
                        letter=letter, colours=", ".join(colours))  # fmt: skip
    if letter and letter not in free:
        raise ConflictError("colour_taken", "Somebody else has this colour.")
    return letter or free[0]


def _fill(table: Table, seats: list[TableSeat], now: datetime) -> None:
    """Seat the bots of a table, and all players on one screen.

    What they add to the deal is known to all beforehand, so that nobody can steer the deal by it.
    """
    for name in table.bots:
        _sit(table, seats, Person(bot=name), BOTS_ADDITION, now)
    while table.hot_seat and len(seats) < table.places:
        _sit(table, seats, Person(), _SAME_SCREEN, now)


def _begin(table: Table, seats: list[TableSeat], now: datetime) -> None:
    """Deal, and have the first player act."""
    dealing.deal_table(table, seats)
    clocks.wind(table, seats)
    table.state, table.begun_at, table.opened_from = Table.State.PLAYING, now, ""
    for seat in seats:
        seat.born = None
    TableSeat.objects.bulk_update(seats, ["letter", "clock", "born"])
    first = next(seat for seat in seats if seat.letter == table.seats_line.split(" ")[0])
    clocks.start(table, first, anew=True, now=now)
    acting.notify_of_turn(table, first, now=now)
    calls.call_bot(first)
    acting.turn_card_up(table)
    events.append(table, "begun", begun_body(table, seats), now=now)


def begun_body(table: Table, seats: list[TableSeat]) -> dict[str, object]:
    """Return the event at the start of a game: the seats, and each player's text for the deal."""
    joined = [{"letter": seat.letter, "name": seat.name, "bot": seat.bot, "entropy": seat.entropy} for seat in seats]
    return {"joined": joined, "seats": table.seats_line, "setup": table.setup, "hand": table.hand} | acting.turn_state(
        table
    )


@transaction.atomic
def leave(key: str, person: Person, *, now: datetime) -> Table:
    """Give up a seat before the game begins; the opener of the table cancels it instead.

    :raises PlayError: when this one has no seat there, or the game has begun.
    """
    table = locked(key)
    if table.state != Table.State.OPEN:
        raise ConflictError("begun", "The game has begun: resign instead.")
    seats = seats_of(table)
    own = next((seat for seat in seats if person.sits_in(seat)), None)
    if own is None:
        raise PlayError("not_seated", "You have no seat at this table.")
    if person.opened(table):
        raise PlayError("opener_cancels", "You opened this table: cancel it instead.")
    events.append(table, "left", {"name": own.name}, now=now)
    own.delete()
    for seat in seats[own.joined + 1 :]:
        TableSeat.objects.filter(pk=seat.pk).update(joined=seat.joined - 1)
    table.save(update_fields=["last_event"])
    return table


@transaction.atomic
def cancel(key: str, person: Person, *, now: datetime) -> Table:
    """Cancel a table at which no game has begun. :raises PlayError: for others than its opener, or after the start."""
    table = locked(key)
    if not person.opened(table):
        raise PlayError("not_yours", "Only the player who opened the table can cancel it.")
    if table.state != Table.State.OPEN:
        raise ConflictError("begun", "The game has begun: it can be aborted until somebody has moved.")
    finishing.close(table, now=now)
    return table
