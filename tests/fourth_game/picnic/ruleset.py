"""Picnic, assembled for the registry."""

from itertools import permutations
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from engine.ruleset import Ruleset, Seat, Tags
from engine.words import marked

from . import notation, rules
from .dealing import DEALER
from .evaluation import evaluate
from .likeness import likeness
from .positions import POSITIONS
from .results import explain
from .state import Action, State, describe, round_of, to_act

if TYPE_CHECKING:
    from engine.shown import Shown

SEATS = Seat("B", "Black", "black"), Seat("R", "Red", "red"), Seat("O", "Orange", "orange")


def _initial(tags: Tags) -> State:
    return rules.start(tuple(tags["Seats"].split(" ")), notation.parse_row(tags["Setup"]))


def _shown() -> "Shown[State, Action]":
    from .shown import SHOWN  # noqa: PLC0415 (`Ruleset.load_shown` says why)

    return SHOWN


PICNIC = Ruleset(
    slug="picnic-1",
    game="Picnic",
    edition="1",
    title=marked("Picnic"),
    seats=SEATS,
    seatings=frozenset(line for count in (2, 3) for line in permutations("BRO", count)),
    minutes=10,
    rules=Path(__file__).parent / "RULES.md",
    initial=_initial,
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
    dealer=DEALER,
    evaluate=evaluate,
    describe=describe,
    load_shown=_shown,
)
