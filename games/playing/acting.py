"""Acting at a table: an action is checked, stored and announced in one transaction before it is acknowledged."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from engine.ruleset import IllegalMoveError, MoveSyntaxError, Outcome, RuleError, TagError
from games.models import Table, TableAction, TableSeat
from games.notices import events as notices
from games.platform.idempotency import LONGEST
from games.playing import calls, clocks, dealing, events, finishing
from games.playing.errors import ConflictError, IllegalError, PlayError
from games.playing.reads.people import Person
from games.playing.reads.position import BrokenGameError, Position, position_of, tokens_of
from games.playing.reads.seats import seat_with, seats_of
from games.playing.rows import locked

SETUP_PLY = -1
"""For which ply the first player lays the setup, where the rules have it so: before the first action."""


@dataclass(frozen=True, slots=True)
class Acted:
    """A table after an action, and whether the request was a repeat."""

    table: Table
    again: bool = False


def act(key: str, person: Person, *, ply: int, token: str, request_key: str = "", now: datetime) -> Acted:
    """Perform an action of the seat to act.

    :param ply: how many actions were before it, as its sender knows: one that is meant for another position is refused.
    :param request_key: names the request: one that comes again does nothing more, and is answered as the first.
    :raises Table.DoesNotExist: when there is no such table.
    :raises ConflictError: when it comes late, or is not for this seat.
    :raises IllegalError: when it breaks a rule.
    """
    if len(request_key) > LONGEST or not request_key.isprintable():
        raise PlayError("bad_key", "An Idempotency-Key has 1 to {most} printable characters.", most=LONGEST)
    with transaction.atomic():
        table = locked(key)
        if again := _answered(table, person, ply, token, request_key):
            return again
        problem = _problem(table, person, ply, now)
        if problem is None:
            try:
                _do(table, ply, token, request_key, now)
            except BrokenGameError as error:
                finishing.break_off(table, str(error), now=now)
                problem = ConflictError("broken", "This game was stopped: its stored moves were altered.")
    if problem:  # raised outside, so that the end of the game by time is not rolled back
        raise problem
    return Acted(table)


def may_act(table: Table, person: Person, letter: str) -> bool:
    """Return whether somebody acts for a colour at a table. On one screen the opener of the table acts for all."""
    if not letter:
        return False
    seat = seat_with(table, letter)
    return person.sits_in(seat) or (table.hot_seat and person.opened(table))


def _answered(table: Table, person: Person, ply: int, token: str, request_key: str) -> Acted | None:
    """Return the answer to a repeated request. :raises ConflictError: when the key was used for another one."""
    if ply == SETUP_PLY and request_key and token == table.setup and may_act(table, person, table.seats_line[:1]):
        return Acted(table, again=True)
    found = table.actions.filter(key=request_key).order_by("ply") if request_key else table.actions.none()
    for action in found:
        if may_act(table, person, action.letter):
            if (action.ply, action.token) != (ply, token):
                raise ConflictError("key_used", "This Idempotency-Key was used for another action.")
            return Acted(table, again=True)
    return None


def _problem(table: Table, person: Person, ply: int, now: datetime) -> ConflictError | None:
    if table.state != Table.State.PLAYING:
        return ConflictError("not_playing", "No game is being played at this table.")
    if clocks.is_overdue(table, now):
        late = _late(mine=may_act(table, person, table.turn))
        leave_game(table, "timeout", table.turn, now=now)
        return late
    if not may_act(table, person, table.turn):
        return ConflictError("not_your_turn", "It is not your turn.")
    due = table.plies if table.setup else SETUP_PLY
    if ply != due:
        return ConflictError("other_ply", "This was meant for ply {ply}, but the game is at ply {due}.",
                             ply=ply, due=due)  # fmt: skip
    return None


def _late(*, mine: bool) -> ConflictError:
    if mine:
        return ConflictError("time_out", "Your time was up.")
    return ConflictError("time_out", "The time of the seat to act is up.")


def _do(table: Table, ply: int, token: str, request_key: str, now: datetime) -> None:
    if ply == SETUP_PLY:
        _lay_setup(table, token, now)
        return
    position = position_of(table)
    after = _after(position, token, table.drawn)
    write(table, after, token, now=now, request_key=request_key)


def _after(position: Position, token: str, drawn: str) -> Position:
    """Return the position after an action. :raises IllegalError: when the rules refuse it."""
    try:
        state = _applied(position, token, drawn)
    except (IllegalMoveError, MoveSyntaxError) as error:
        raise _illegal(error) from error
    return Position(position.ruleset, position.tags, (*position.tokens, token), state)


def _applied(position: Position, token: str, drawn: str) -> Any:  # noqa: ANN401 (each game its own)
    ruleset = position.ruleset
    action = ruleset.parse_action(token)
    if ruleset.format_action(action) != token:
        raise MoveSyntaxError("AGN-MOVE-1", "{token!r} is not the canonical form of an action.", token=token)
    if drawn and not position.plays(token, drawn):
        raise IllegalMoveError("DEAL-DECK-1", "The next card is {drawn}.", drawn=drawn)
    return ruleset.apply(position.state, action)


def _illegal(error: RuleError) -> IllegalError:
    refused = IllegalError("illegal", error.template, **error.params)
    refused.rule = error.rule
    return refused


def _lay_setup(table: Table, setup: str, now: datetime) -> None:
    """Lay the setup with the cards dealt (the first player of an edition that has it so)."""
    if not finishing.ruleset_of(table).dealer.is_setup(table.hand, setup):
        raise _illegal(TagError("Setup", "DEAL-SETUP-1", "The setup must use the cards dealt: {hand}.",
                                hand=table.hand))  # fmt: skip
    table.setup = setup
    try:
        position = position_of(table, ())
    except BrokenGameError as error:
        cause = error.__cause__
        raise _illegal(cause) if isinstance(cause, RuleError) else error from error
    seat = seat_with(table, table.turn)
    clocks.charge(table, seat, passes=position.turn != table.turn, now=now)
    seat.save(update_fields=["clock"])
    _pass_on(table, position, now)
    turn_card_up(table)
    events.append(table, "setup", {"setup": setup} | turn_state(table), now=now)
    table.save()


def turn_card_up(table: Table, position: Position | None = None) -> None:
    """Turn up the card to lay now, if there is one: from now on everybody may see it."""
    if not table.setup:
        return
    position = position or position_of(table)
    table.drawn = dealing.card_at(table, position.cards_played) if position.lays_card else ""


def turn_state(table: Table) -> dict[str, Any]:
    """Return the state that every event of a game includes."""
    clocks_left = {seat.letter: seat.clock for seat in seats_of(table)}
    return {
        "turn": table.turn or None,
        "drawn": table.drawn or None,
        "clocks": clocks_left if table.time_kind == Table.Time.MINUTES else None,
        "deadline": table.deadline.isoformat() if table.deadline else None,
    }


def write(table: Table, after: Position, token: str, *, letter: str = "", now: datetime, request_key: str = "") -> None:
    """Store an action and announce it; the caller holds the table's lock.

    :param letter: the seat that acts; the one whose turn it is if empty.
    """
    letter, turn, ply = letter or table.turn, table.turn, table.plies
    seat = seat_with(table, turn)
    clocks.charge(table, seat, passes=after.turn != turn, now=now)
    seat.save(update_fields=["clock"])
    clock = seat_with(table, letter).clock
    TableAction.objects.create(table=table, ply=ply, token=token, letter=letter, at=now, clock=clock, key=request_key)
    table.plies = ply + 1
    if turn != after.turn == table.draw_offered:
        table.draw_offered = ""  # it lapses as the turn of the seat that offered begins
    outcome = after.outcome
    if outcome is None:
        _pass_on(table, after, now)
        turn_card_up(table, after)
    else:
        clocks.stop(table)
        table.drawn = ""
        _end(table, outcome, now)
    events.append(table, "act", {"ply": ply, "token": token, "seat": letter} | turn_state(table), now=now)
    if outcome:
        finishing.finish(table, after, now=now)
    table.save()


def _end(table: Table, outcome: Outcome, now: datetime) -> None:
    table.state, table.ended_at, table.draw_offered = Table.State.FINISHED, now, ""
    table.placements, table.ended = list(outcome.placements), outcome.rule
    table.termination = outcome.termination


def _pass_on(table: Table, after: Position, now: datetime) -> None:
    turn = after.turn or ""
    seat, anew = seat_with(table, turn), turn != table.turn
    clocks.start(table, seat, anew=anew, now=now)
    if anew:
        notify_of_turn(table, seat, now=now)
    calls.call_bot(seat)


def notify_of_turn(table: Table, seat: TableSeat, *, now: datetime) -> None:
    """Notify an account that its turn has begun, at a table where it need not be present all the time."""
    if seat.account_id and table.time_kind != Table.Time.MINUTES:
        notices.turn_passed(table, seat.account_id, now=now)


# A seat leaves


def leave_game(table: Table, how: str, letter: str, *, now: datetime) -> None:
    """Let a seat resign, or the seat to act run out of time; the caller holds the table's lock.

    A record has no action before its setup. If that is still to be laid, it is laid as it is suggested.

    :param how: `resign` or `timeout`.
    """
    seat = seat_with(table, letter)
    seat.left_at = now
    seat.save(update_fields=["left_at"])
    table.setup = table.setup or finishing.suggested_setup(table)
    token = f"{how}:{letter}"
    try:
        write(table, position_of(table, (*tokens_of(table), token)), token, letter=letter, now=now)
    except BrokenGameError as error:
        finishing.break_off(table, str(error), now=now)
