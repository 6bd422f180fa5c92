"""Ant Trails, gathered for the registry."""

from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from engine.ant_trails import notation, rules
from engine.ant_trails.dealing import DEALER
from engine.ant_trails.evaluation import evaluate
from engine.ant_trails.likeness import likeness
from engine.ant_trails.openings import OPENINGS
from engine.ant_trails.positions import POSITIONS
from engine.ant_trails.results import explain
from engine.ant_trails.state import SEATS, Action, State, describe, round_of, to_act
from engine.ruleset import Ruleset, Seat, Tags
from engine.words import marked

if TYPE_CHECKING:
    from engine.shown import Shown


def _initial(tags: Tags) -> State:
    return rules.start(notation.parse_tiles(tags["Setup"]))


def _shown() -> "Shown[State, Action]":
    from engine.ant_trails.shown import SHOWN  # noqa: PLC0415 (`Ruleset.load_shown` says why)

    return SHOWN


ANT_TRAILS = Ruleset(
    slug="ant-trails-2020",
    game="Ant Trails",
    edition="2020",
    title=marked("Ant Trails"),
    seats=(Seat("B", "Black", "black"), Seat("R", "Red", "red")),
    seatings=frozenset({tuple(SEATS)}),
    minutes=20,
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
