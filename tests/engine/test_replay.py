"""A log becomes states up to its end or first fault; shown with a counting game that has almost no rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.agn.cut import cut
from engine.agn.log import MAX_ACTIONS
from engine.agn.reading import parse
from engine.events import StoryParts, Turning
from engine.positions import PositionParts, Weights
from engine.replay import LEGAL_SHOWN, Replay, replay
from engine.replay.positions import position_numbers
from engine.rounds import Round
from engine.ruleset import Dealer, Dealt, IllegalMoveError, MoveSyntaxError, Outcome, Ruleset, Seat, one_by_one
from engine.shown import Shown
from engine.touches import Touching
from engine.words import NOTHING_SAID, words
from tests.engine.agn.records import written
from tests.engine.agn.streams import Generated

TAGS = ("Red", "Yellow")
ENDS_AT = 10_000


def _parse(token: str) -> int:
    if not token.startswith("+"):
        raise MoveSyntaxError("COUNT-MOVE-1", "{token!r} adds nothing.", token=token)
    return int(token)


def _apply(state: int, action: int) -> int:
    if action > 100:
        raise IllegalMoveError("COUNT-MOVE-2", "{action} is more than 100.", action=action)
    return state + action


def _number(state: int) -> int:
    return state // 1000 + 1


def _legal(_: int) -> Iterator[int]:
    return iter(range(1, 101))


def _outcome(state: int) -> Outcome | None:
    return Outcome((1, 2), "COUNT-END-1", words("It is enough.")) if state >= ENDS_AT else None


COUNTING: Ruleset[int, int] = Ruleset(
    slug="counting",
    game="Counting",
    edition="plain",
    title="Counting",
    seats=(Seat("R", "Red", "red"), Seat("Y", "Yellow", "yellow")),
    seatings=frozenset({("R", "Y")}),
    minutes=1,
    rules=Path("nowhere"),
    initial=lambda _: 0,
    parse_action=_parse,
    format_action=lambda action: f"+{action}",
    apply=_apply,
    step=lambda action: (action,),
    play=one_by_one(_apply, _number),
    legal_actions=_legal,
    to_act=lambda state: None if state >= ENDS_AT else "RY"[state % 2],
    number=_number,
    round=lambda state: Round(words("Round {number}", number=_number(state)), ()),
    leave=lambda *_: ENDS_AT,
    evaluate=lambda _, __: 0.0,
    agree_draw=lambda _: ENDS_AT,
    outcome=_outcome,
    explain=lambda _: [words("Somebody counts.")],
    likeness=lambda _, written: written.text,
    positions=PositionParts(weights=Weights((str,)), marks=lambda state: (str(state),), beside=lambda _: ()),
    dealer=Dealer(deal=lambda _, __: Dealt("")),
    describe=lambda state: {"count": state},
    load_shown=lambda: Shown(
        picture=str,
        caption=lambda *_: NOTHING_SAID,
        touching=Touching(spell=lambda *_: ()),
        scene=lambda state: state,
        story=StoryParts(
            kinds=(),
            events=lambda *_: (),
            chart="",
            merits=lambda _: (),
            when=lambda _: NOTHING_SAID,
            turning=Turning("", lambda *_: NOTHING_SAID),
        ),
        counts=(),
        sheets=lambda _: ((), ()),
    ),
)


def count(moves: str, result: str | None = None) -> Replay[int, int]:
    (record,) = cut(Generated(written(moves, result).encode().splitlines(keepends=True)))
    return replay(COUNTING, 0, parse(record), TAGS)


def rule(played: Replay[Any, Any]) -> str | None:
    return played.fault.rule if played.fault else None


def test_replay_has_one_more_state_than_actions() -> None:
    played = count("1. +1 +2 {three} +4")

    assert (played.fault, played.finished) == (None, False)
    assert (played.states, played.actions, played.numbers) == ((0, 1, 3, 7), ("+1", "+2", "+4"), (1, 1, 1))
    assert (played.comments, played.result) == ({1: "three"}, "*")


def test_replay_stops_at_the_first_fault_and_keeps_the_legal_actions() -> None:
    played = count("1. +1 +200 +300")

    assert (played.states, played.actions) == ((0, 1), ("+1",))
    assert played.fault is not None
    assert (played.fault.message, played.fault.ply, played.fault.token) == ("200 is more than 100.", 1, "+200")


def test_fault_lists_a_limited_number_of_legal_actions() -> None:
    fault = count("+200").fault

    assert fault is not None
    assert fault.legal == tuple(f"+{number}" for number in range(1, LEGAL_SHOWN + 1))


def test_a_number_belongs_to_the_action_after_it() -> None:
    assert rule(count(" ".join(["1.", *["+100"] * 10, "2. +1"]))) is None
    assert rule(count(" ".join(["1.", *["+100"] * 10, "1. +1"]))) == "AGN-MOVE-2"


def test_5000_actions_are_played() -> None:
    played = count(" ".join(["+1"] * MAX_ACTIONS))

    assert played.fault is None
    assert played.states[-1] == MAX_ACTIONS


def test_the_5001st_action_is_not_played() -> None:
    played = count(" ".join(["+1", "{x}", "1."] + ["+1"] * MAX_ACTIONS))

    assert played.states[-1] == MAX_ACTIONS
    assert played.fault is not None
    assert (played.fault.rule, played.fault.message) == (
        "AGN-FILE-2",
        "This game has too many actions: at most 5000 are allowed.",
    )
    assert (played.fault.line, played.fault.column, played.fault.ply) == (10, 11 + 3 * (MAX_ACTIONS - 1), MAX_ACTIONS)


def test_move_numbers_and_the_result_do_not_count_as_actions() -> None:
    assert count("1. " * 20_000 + " ".join(["+1"] * MAX_ACTIONS)).fault is None


def test_replay_stops_at_the_action_limit() -> None:
    assert rule(count(" ".join(["+1"] * (MAX_ACTIONS + 1)) + " nonsense (")) == "AGN-FILE-2"


def test_replay_records_the_round_in_which_a_seat_left() -> None:
    assert count("1. +1 resign:Y", "1-2").left_in == {"Y": 1}
    assert count(" ".join(["1.", *["+100"] * 10, "2. +1 timeout:Y"]), "1-2").left_in == {"Y": 2}
    assert count("1. +1 +2").left_in == {}


def test_positions_of_a_game_without_a_quick_way_are_numbered_one_by_one() -> None:
    there, by_another_way = (position_numbers(count(moves, "*")) for moves in ("1. +3 +4 +1", "1. +1 +6 +2"))

    assert len(there) == 4
    assert [set(there).intersection({number}) != set() for number in by_another_way] == [True, False, True, False]
