"""Dealing at a table: a secret fixed before anybody joins and sealed until the game is over, and the deal from it."""

import secrets

from engine import chance
from engine.dealing import Deal, deal
from engine.registry import ruleset_by_slug
from engine.ruleset import First
from games.models import Table, TableSeat
from games.platform.sealing import seal, unseal
from games.playing.reads.secrets import PURPOSE

USUAL_DECK = "reconstruction-1"


def fix_secret(table: Table) -> None:
    """Give a new table its secret and the commitment."""
    secret = secrets.token_hex(32)
    table.commitment = chance.commitment(secret).digest
    table.sealed_secret = seal(secret, PURPOSE)
    if ruleset_by_slug(table.ruleset).dealer.has_deck:
        table.deck_tag = USUAL_DECK


def secret_of(table: Table) -> str:
    """Return a table's secret, to be shown only after the game."""
    return unseal(bytes(table.sealed_secret), PURPOSE)


def deal_table(table: Table, seats: list[TableSeat]) -> None:
    """Deal a table that is full: who begins, in which colours, the setup, and the order of the cards, which is sealed.

    :param seats: in the order of joining.
    """
    ruleset = ruleset_by_slug(table.ruleset)
    dealt = deal(ruleset, secret_of(table), [seat.entropy for seat in seats], table.deck_tag or None)
    first = _first(table, seats, dealt)
    _give_colours(table, seats, first)
    letters = [seat.letter for seat in seats]
    table.seats_line = " ".join(letters[first:] + letters[:first])
    if ruleset.dealer.lay:
        table.hand = dealt.setup
    else:
        table.setup = dealt.setup
    if dealt.deck is not None:
        table.sealed_deck = seal(" ".join(dealt.deck), PURPOSE)


def card_at(table: Table, number: int) -> str:
    """Return a card of the deck by its number, from 0, once it is to be turned up; empty when none is left."""
    deck = unseal(bytes(table.sealed_deck), PURPOSE).split(" ")
    return deck[number] if number < len(deck) else ""


def first_is_drawn(table: Table) -> bool:
    """Return whether chance decides who begins."""
    return table.first == First.DRAWN


def _first(table: Table, seats: list[TableSeat], dealt: Deal) -> int:
    if first_is_drawn(table):
        return dealt.first
    if table.first == First.OLDEST:
        return min(range(len(seats)), key=lambda at: seats[at].born or 9999)  # who does not say is the youngest
    if table.first == Table.First.TURNED:
        return _turned(table, seats)
    return 0


def _turned(table: Table, seats: list[TableSeat]) -> int:
    """Return who begins a rematch: the next after the first player of the game before who sits here, too."""
    before = table.rematch_of
    known = {_who(seat): at for at, seat in reversed(list(enumerate(seats)))}
    line = before.seats_line.split(" ") if before else []
    earlier = {seat.letter: seat for seat in before.seats.all()} if before else {}
    order = [known.get(_who(earlier[letter])) for letter in (*line[1:], *line[:1]) if letter in earlier]
    return next((at for at in order if at is not None), 0)


def _who(seat: TableSeat) -> tuple[int | None, str, str, str]:
    """Return what tells who sits in a seat; on one screen, that is the name."""
    person = seat.account_id, seat.guest, seat.bot
    return *person, "" if any(person) else seat.name


def _give_colours(table: Table, seats: list[TableSeat], first: int) -> None:
    """Set the colours: by turn order where the rules say so, else as chosen."""
    only = fixed_colours(table.ruleset, len(seats))
    if only:
        for at, letter in enumerate(only):
            seats[(first + at) % len(seats)].letter = letter


def fixed_colours(ruleset: str, places: int) -> tuple[str, ...] | None:
    """Return the colours in turn order, where the rules leave no choice."""
    lines = [line for line in ruleset_by_slug(ruleset).seatings if len(line) == places]
    return lines[0] if len(lines) == 1 else None
