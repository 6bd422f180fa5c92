"""The two editions of Atta Ants, gathered for the registry."""

from functools import cache, partial
from itertools import permutations
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from engine.atta_ants import notation, rules
from engine.atta_ants.dealing import RING_DRAWN, RING_LAID_BY_HAND
from engine.atta_ants.evaluation import evaluate
from engine.atta_ants.likeness import likeness
from engine.atta_ants.openings import OPENINGS
from engine.atta_ants.positions import POSITIONS
from engine.atta_ants.results import explain
from engine.atta_ants.state import Action, Edition, State, Table, describe, round_of, to_act
from engine.ruleset import Dealer, Ruleset, Seat, Tags
from engine.words import marked

if TYPE_CHECKING:
    from engine.shown import Shown

SEATS = (
    Seat("R", "Red", "red"),
    Seat("Y", "Yellow", "yellow"),
    Seat("O", "Orange", "orange"),
    Seat("B", "Brown", "brown"),
)
ONLINE = Edition("online", last_colony_wins=True, eaten_decides=True)
PRINTED_2003 = Edition("2003", last_colony_wins=False, eaten_decides=False)


def _initial(edition: Edition, tags: Tags) -> State:
    by_code, stock = notation.parse_deck(tags.get("Deck"))
    return rules.start(_table(edition, tags["Seats"], by_code), stock, notation.parse_ring(tags["Setup"]))


@cache
def _table(edition: Edition, seats: str, by_code: bool) -> Table:  # noqa: FBT001 (as `Table` says it)
    return Table(edition, tuple(seats.split(" ")), by_code=by_code)


def _shown() -> "Shown[State, Action]":
    from engine.atta_ants.shown import SHOWN  # noqa: PLC0415 (`Ruleset.load_shown` says why)

    return SHOWN


def _ruleset(edition: Edition, title: str, dealer: Dealer) -> Ruleset[State, Action]:
    letters = [seat.letter for seat in SEATS]
    return Ruleset(
        slug=f"atta-ants-{edition.name}",
        game="Atta Ants",
        edition=edition.name,
        title=title,
        seats=SEATS,
        seatings=frozenset(line for count in (2, 3, 4) for line in permutations(letters, count)),
        minutes=30,
        rules=Path(__file__).parent / "RULES.md",
        initial=partial(_initial, edition),
        parse_action=notation.parse_action,
        format_action=notation.format_action,
        apply=rules.apply,
        step=rules.step,
        play=rules.play,
        legal_actions=rules.legal_actions,
        to_act=to_act,
        number=attrgetter("round"),
        round=round_of,
        leave=rules.leave,
        agree_draw=rules.agree_draw,
        outcome=attrgetter("outcome"),
        explain=explain,
        likeness=likeness,
        positions=POSITIONS,
        openings=OPENINGS,
        dealer=dealer,
        evaluate=evaluate,
        describe=describe,
        load_shown=_shown,
    )


ATTA_ANTS = (
    _ruleset(ONLINE, marked("Atta Ants, online rules"), RING_DRAWN),
    _ruleset(PRINTED_2003, marked("Atta Ants, rules of 2003"), RING_LAID_BY_HAND),
)
