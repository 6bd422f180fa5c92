"""An unfinished record is read as far as possible, changed, and written back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.drafting import Change, Draft, UnreadableError, change, completions, read
from engine.verify import verify_bytes
from tests.engine.atta_ants.table import tags_of
from tests.strategies import Playout, comments, cut_short, playouts

HEAD = "".join(f'[{name} "{value}"]\n' for name, value in tags_of().items())
PLAYED = "1. NESW@0,2 R1:N+ R2:E / Y1:S Y2:N /"


def drafted(movetext: str, head: str = HEAD) -> Draft:
    return read(f"{head}\n{movetext}")


def canonical(playout: Playout, said: dict[int, str] | None = None) -> str:
    (verdict,) = verify_bytes(playout.text(said).encode())
    assert verdict.text is not None
    return verdict.text


def test_draft_without_a_result_has_no_fault() -> None:
    for end in ("", "*", "* "):
        draft = drafted(f"{PLAYED} {end}", HEAD.replace('[Result "*"]\n', ""))

        assert draft.fault is None
        assert draft.actions == tuple(PLAYED.split()[1:])


def test_draft_text_ends_before_the_fault() -> None:
    draft = drafted(f"{PLAYED} {{so far}} 2. R1:NN {{and then}} R2:E")

    assert (draft.fault and draft.fault.rule, draft.fault and draft.fault.ply) == ("ATTA-PHASE-1", 7)
    assert draft.text().endswith("\n1. NESW@0,2 R1:N+ R2:E / Y1:S Y2:N / {so far}\n*\n")
    assert (draft.fault.line, draft.fault.column) == (10, len(PLAYED) + 14)  # type: ignore[union-attr]


@pytest.mark.parametrize("before", ["{so far}", "; so far\n", "2. {so far}", "{so} {far}"])
def test_a_comment_right_before_the_fault_belongs_to_the_action_before_it(before: str) -> None:
    draft = drafted(f"{PLAYED} {before} R1:NN {{and then}} R2:E")

    assert draft.fault
    assert (draft.fault.token, draft.comments) == ("R1:NN", {6: "so far"})


def test_a_comment_right_before_the_fault_of_json_is_kept() -> None:
    actions = [*PLAYED.split()[1:], "R1:NN", "R2:E"]
    record = {"format": "agn/1", "tags": tags_of(), "actions": actions, "result": "*"}
    draft = read(json.dumps(record | {"comments": {"5": "five", "6": "so far", "7": "and then"}}))

    assert draft.fault
    assert (draft.fault.token, draft.comments) == ("R1:NN", {5: "five", 6: "so far"})


def test_missing_player_tag_does_not_hide_the_actions() -> None:
    draft = drafted(PLAYED, "".join(line for line in HEAD.splitlines(keepends=True) if not line.startswith("[Red ")))

    assert draft.fault
    assert draft.fault.message == "Tag Red is missing."
    assert len(draft.actions) == 7


def test_draft_without_a_valid_setup_has_no_position() -> None:
    draft = drafted(PLAYED, HEAD.replace("NS#", "NSX"))

    assert draft.states == ()
    assert draft.fault
    assert (draft.fault.rule, draft.fault.line) == ("ATTA-CARD-2", 7)


@pytest.mark.parametrize("text", ["", "R1:N", '[Game "Chess"]\n', "{", "[Game]", "\x00", "\ud800"])
def test_text_that_names_no_known_game_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError) as error:
        read(text)
    assert error.value.fault.line == 1


def test_every_action_has_its_line_and_column() -> None:
    draft = drafted("1. NESW@0,2 {a\nb} R1:N+\n  R2:E /")

    assert draft.places == ((10, 4), (11, 4), (12, 3), (12, 8))


@given(playouts(), comments)
def test_legal_record_is_written_back_unchanged(playout: Playout, said: dict[int, str]) -> None:
    text = canonical(playout, said)

    draft = read(text)

    assert draft.fault is None
    assert draft.text() == text
    assert draft.states == playout.states


@given(playouts(), comments)
def test_adding_an_action_gives_the_record_with_that_action(playout: Playout, said: dict[int, str]) -> None:
    if playout.tokens:
        before = {ply: text for ply, text in said.items() if ply < len(playout.tokens) - 1}
        draft = read(cut_short(playout, len(playout.tokens) - 1).text(before))

        added = read(change(draft, Change(play=playout.tokens[-1:])))

        assert added.text() == canonical(playout, before)


@given(playouts(), st.data())
def test_cutting_at_a_ply_and_replaying_gives_the_same_record(playout: Playout, data: st.DataObject) -> None:
    ply = data.draw(st.integers(0, len(playout.tokens)))
    draft = read(playout.text())

    assert read(change(draft, Change(at=ply, cut=True))).actions == playout.tokens[:ply]
    assert read(change(draft, Change(at=ply, play=playout.tokens[ply:]))).text() == canonical(playout)


def test_comments_and_tags_can_be_changed_and_removed() -> None:
    draft = drafted("{hello} NESW@0,2 {a card} R1:N")

    text = read(
        change(draft, Change(comments={0: "", 1: " two\nlines } "}, tags={"Event": 'a "club"', "Site": ""}))
    ).text()

    assert "\n{hello}\n1. NESW@0,2 R1:N {two lines )}\n*\n" in text
    assert '[Event "a \\"club\\""]' in text


def test_an_illegal_addition_is_the_fault_of_the_changed_text() -> None:
    changed = read(change(drafted("NESW@0,2"), Change(play=("R9:N",))))

    assert (changed.fault and changed.fault.token, len(changed.actions)) == ("R9:N", 1)


def test_completions_are_legal_actions_closest_to_the_input() -> None:
    legal = ["R1:N", "R1:NE", "R2:E", "NE@2,1", "/"]

    assert completions("R1:", legal)[:2] == ["R1:N", "R1:NE"]
    assert completions("R2:W", legal)[0] == "R2:E"
    assert completions("", legal) == ["/", "R1:N", "R2:E", "R1:NE"]


def test_the_captions_say_what_each_action_did() -> None:
    draft: Any = drafted("NESW@0,2 R1:N resign:R")

    assert [str(said) for said in draft.captions][1] == "R1 walks north."
    assert "resigns" in str(draft.captions[2])
