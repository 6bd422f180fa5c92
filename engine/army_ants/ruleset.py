"""The rules of Army Ants, standard and free, gathered for the registry."""

from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from engine.army_ants import notation, rules
from engine.army_ants.dealing import DEALER
from engine.army_ants.evaluation import evaluate
from engine.army_ants.likeness import likeness
from engine.army_ants.openings import OPENINGS
from engine.army_ants.positions import POSITIONS
from engine.army_ants.results import explain
from engine.army_ants.state import Action, State, describe, round_of, to_act
from engine.ruleset import Ruleset, Seat, Tags
from engine.words import marked

if TYPE_CHECKING:
    from engine.shown import Shown

SEATS = (Seat("R", "Red", "red"), Seat("B", "Black", "black", is_at_head=True))


def _initial(tags: Tags) -> State:
    return rules.start(notation.parse_deal(tags["Setup"]))


def _shown() -> "Shown[State, Action]":
    from engine.army_ants.shown import SHOWN  # noqa: PLC0415 (`Ruleset.load_shown` says why)

    return SHOWN


ARMY_ANTS: Ruleset[State, Action] = Ruleset(
    slug="army-ants",
    game="Army Ants",
    edition="standard",
    title=marked("Army Ants"),
    seats=SEATS,
    seatings=frozenset({("R", "B")}),
    minutes=15,
    rules=Path(__file__).parent / "RULES.md",
    initial=_initial,
    parse_action=notation.parse_action,
    format_action=notation.format_action,
    apply=rules.apply,
    step=rules.step,
    play=rules.play,
    legal_actions=rules.legal_actions,
    to_act=to_act,
    number=attrgetter("pair"),
    round=round_of,
    leave=rules.leave,
    agree_draw=rules.agree_draw,
    outcome=attrgetter("outcome"),
    explain=explain,
    likeness=likeness,
    positions=POSITIONS,
    openings=OPENINGS,
    dealer=DEALER,
    evaluate=evaluate,
    describe=describe,
    load_shown=_shown,
)
FREE_ARMY_ANTS = replace(
    ARMY_ANTS,
    slug="army-ants-free",
    edition="free",
    title=marked("Army Ants, free paths"),
    parse_action=notation.parse_free_action,
    legal_actions=partial(rules.legal_actions, free=True),
)
"""Cards move out along any path of empty cells (ARMY-OUT-1)."""
