"""Short records for format tests, and their verdicts."""

from collections.abc import Mapping
from typing import Any

from engine.replay import Fault
from engine.verify import Verdict, verify_bytes
from tests.strategies import escaped

TAGS = {
    "Game": "Atta Ants",
    "Rules": "online",
    "Seats": "R Y",
    "Red": "Ada",
    "Yellow": "Bruno",
    "Deck": "reconstruction-1",
    "Setup": "N NS* ES ESW NSW* NS# NE* NW",
    "Result": "*",
}
MOVES = "1. NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E"
ACTIONS = [word for word in MOVES.split(" ") if word != "1."]


def not_over(cards: int | None = None) -> str:
    """Return what is said of a game that goes on: within its first round, or with cards left in the deck."""
    if cards is None:
        said = "it can end only at the end of a round, and round 1 goes on (ATTA-END-2 to ATTA-END-4)."
    else:
        said = f"no colony has all six ants in play (ATTA-END-3), and the deck still has {cards} cards (ATTA-END-4)."
    return f"The game is not over: {said}"


def gave_up(colour: str) -> str:
    """Return the hint for a record whose result says that a colour of two has lost, before the game is over."""
    return f" If {colour} gave up, the action before the result is resign:{colour[0]} (AGN-ADMIN-1)."


def written(moves: str = MOVES, result: str | None = None, /, **tags: str | None) -> str:
    """Return a record; a tag set to None is omitted, and the result is also used as the tag."""
    values = {**TAGS, **({} if result is None else {"Result": result}), **tags}
    head = "".join(f'[{name} "{escaped(value)}"]\n' for name, value in values.items() if value is not None)
    return f"{head}\n{moves}\n{'*' if result is None else result}\n"


def as_json(**changes: Any) -> dict[str, Any]:
    """Return the same record as an object; a key set to None is omitted."""
    record = {"format": "agn/1", "tags": TAGS, "actions": ACTIONS, "comments": {}, "result": "*", **changes}
    return {key: value for key, value in record.items() if value is not None}


def verdict_on(text: str | bytes) -> Verdict:
    """Return the verdict on a text with one record."""
    (verdict,) = verify_bytes(text if isinstance(text, bytes) else text.encode())
    return verdict


def fault_in(text: str | bytes) -> Fault:
    """Return the fault of a record."""
    fault = verdict_on(text).fault
    assert fault is not None, "nothing is wrong with it"
    return fault


def rule_and_place(fault: Fault) -> tuple[str, int, int, str]:
    """Return a fault's rule, line, column and message."""
    return fault.rule, fault.line, fault.column, fault.message


def comments_of(text: str | bytes) -> Mapping[int, str]:
    """Return the comments of a record without a fault."""
    verdict = verdict_on(text)
    assert verdict.fault is None, verdict.fault
    assert verdict.replay is not None
    return verdict.replay.comments
