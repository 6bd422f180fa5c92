"""Both ways of reading a movetext come to the same: byte by byte where it is canonical, and token by token."""

from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.agn.canonical import format_movetext, format_tags
from engine.agn.cut import cut
from engine.agn.log import AgnError, Record
from engine.agn.reading import read_head
from engine.agn.tags import check_tags
from engine.registry import RULESETS, find_ruleset
from engine.replay import Replay, replay, replay_written
from engine.replay.bytewise import _KEPT, read_lines, vocabulary
from engine.ruleset import RuleError, Termination
from engine.steps import Prepared
from tests.strategies import FIXTURES, AnyRuleset, package, recorded
from tests.tiers import Note, by_tier

VECTORS = Path(__file__).parents[3] / "shared" / "vectors"
MUTANTS = by_tier(quick=400, long=20_000)
PIECES = (
    " ", "  ", "\n", "\n\n", "\t", "1. ", "2.", "03. ", "/", "{x}", "; x\n", "(", "*", "1-2", "draw", "draw\n",
    "resign:R", "resign:B timeout:R", "pass", "QG", "R1:N", "c5", "d6>e6", "a1~b2", "NESW@0,2", "é", "\u1c7e", "-",
    "A" * 65,
)  # fmt: skip


def both(record: Record) -> tuple[Replay[Any, Any] | None, Replay[Any, Any]] | None:
    """Return what both ways make of a record; nothing where its tags are at fault already."""
    try:
        head = read_head(record)
        ruleset = find_ruleset(head.tags)
        seat_tags, start = check_tags(head.tags, ruleset), ruleset.initial(head.tags)
    except (AgnError, RuleError):
        return None
    return replay_written(ruleset, start, head, seat_tags), replay(ruleset, start, head.log(), seat_tags)


def records_in(folder: Path) -> Iterator[Record]:
    return chain.from_iterable(cut(BytesIO(path.read_bytes())) for path in sorted(folder.rglob("*.agn")))


def text_of(played: Replay[Any, Any]) -> Record:
    return Record(1, 1, "text", played.text().encode().rstrip(b"\n"))


def changed(text: str, random: Random) -> str:
    """Return a text with another piece somewhere in its movetext, or with two of its words exchanged."""
    begin = text.index("\n\n") + 2
    at = random.randrange(begin, len(text))
    if random.random() < 0.7:
        return text[:at] + random.choice(PIECES) + text[at + random.randrange(5) :]
    words = text[begin:].split(" ")
    one, other = random.randrange(len(words)), random.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return text[:begin] + " ".join(words)


@pytest.mark.parametrize("folder", [FIXTURES, VECTORS], ids=["fixtures", "vectors"])
def test_a_record_is_the_same_byte_by_byte_and_token_by_token(folder: Path) -> None:
    for found in filter(None, map(both, records_in(folder))):
        assert found[0] in (None, found[1])


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_a_changed_record_is_the_same_byte_by_byte_and_token_by_token(
    ruleset: AnyRuleset, record_property: Note
) -> None:
    record_property("changed records, read in both ways", MUTANTS)
    random, games = Random(ruleset.slug), [played.text() for played in recorded(ruleset)]

    for _ in range(MUTANTS):
        text = changed(random.choice(games), random)
        quick, thorough = both(Record(1, 1, "text", text.encode().rstrip(b"\n"))) or (None, None)
        assert quick in (None, thorough), text


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_legal_records_without_comments_are_read_byte_by_byte(ruleset: AnyRuleset) -> None:
    plain = [played for played in recorded(ruleset) if not played.comments and played.actions and not played.left_in]

    assert plain, package(ruleset)
    is_quick = isinstance(
        ruleset.step(ruleset.parse_action(plain[0].actions[0])), Prepared
    )  # other steps are read token by token
    assert all(((both(text_of(played)) or (None,))[0] == played) is is_quick for played in plain)


def test_a_round_that_begins_as_colonies_leave_is_read_byte_by_byte_without_its_number() -> None:
    played = next(one for one in recorded(RULESETS[0]) if len(one.start.table.seats) == 4)
    ply, state = next((at, one) for at, one in enumerate(played.states) if one.round == 2 and len(one.queue) == 1)
    actions = list(played.actions[:ply])
    while state.outcome is None:
        actions.append(f"resign:{played.ruleset.to_act(state)}")
        state = played.ruleset.leave(state, actions[-1][-1], Termination.RESIGNED)
    result = "-".join(map(str, state.outcome.placements))
    unnumbered = format_movetext(actions, (1, [at for at in played.turn_starts if at < ply]), {}, result)
    text = f"{format_tags({**played.tags, 'Result': result})}\n{unnumbered}"

    quick, thorough = both(Record(1, 1, "text", text.encode().rstrip(b"\n"))) or (None, None)

    assert quick is not None
    assert quick == thorough
    assert (" 3. " in unnumbered.replace("\n", " "), " 3. resign" in quick.movetext.replace("\n", " ")) == (False, True)


def test_tokens_are_read_rightly_after_more_of_them_than_are_remembered() -> None:
    online = RULESETS[0]
    known = vocabulary(online.parse_action, online.step)
    cards = [f"NESW@{x},{y}" for x in range(130) for y in range(130)]
    assert len(cards) > _KEPT

    for card in cards:
        known.learn(card.encode(), 0)
    lines = read_lines(b"1. NESW@0,2 R1:N /\n*", known)

    assert lines is not None
    assert (lines.text(), lines.tokens(0)) == ("NESW@0,2 R1:N /", ["NESW@0,2", "R1:N", "/"])


def test_a_character_outside_ascii_is_no_part_of_an_action() -> None:
    played = recorded(RULESETS[-1])[0]
    first = played.actions[0]
    text = played.text().replace(first, f"{first[0]}\u1c7e{first[1:]}", 1)

    quick, thorough = both(Record(1, 1, "text", text.encode().rstrip(b"\n"))) or (None, None)

    assert quick is None
    assert thorough is not None
    assert thorough.fault is not None
