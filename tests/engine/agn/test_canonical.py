"""Canonical text, the JSON form and the two digests."""

import hashlib

from engine.agn.canonical import order_tags
from tests.engine.agn.records import ACTIONS, TAGS, verdict_on, written

PLAIN = """\
[Game "Atta Ants"]
[Rules "online"]
[Seats "R Y"]
[Red "Ada"]
[Yellow "Bruno"]
[Deck "reconstruction-1"]
[Setup "N NS* ES ESW NSW* NS# NE* NW"]
[Result "*"]

1. NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E
*
"""


def text_of(record: str) -> str:
    text = verdict_on(record).text
    assert text is not None
    return text


def test_canonical_text_has_one_round_per_line_and_single_spaces() -> None:
    record = written("\n NESW@0,2\n\nR1:N\t R2:E / Y1:N Y2:E /\nS1:E").replace("\n", "\r\n") + "\n\n"

    assert text_of(record) == PLAIN


def test_a_round_begins_with_its_number() -> None:
    text = text_of(written("NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E NS@0,3 / / 3."))

    assert text.splitlines()[9:] == ["1. NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E", "2. NS@0,3 / /", "*"]


def test_tags_are_written_in_a_fixed_order_and_unknown_ones_by_name() -> None:
    others = {"b": "", "B": "", "Annotator": "", "Zoo": "", "a2": "", "Termination": "", "Event": "", "Site": "",
              "Date": "2026.??.??", "UTCDate": "2026.03.14", "UTCTime": "00:00:00", "Round": "",
              "Brown": ""}  # fmt: skip

    names = [line[1:].split(" ")[0] for line in text_of(written(**others)).splitlines() if line.startswith("[")]

    assert names == ["Game", "Rules", "Seats", "Red", "Yellow", "Event", "Site", "Date", "UTCDate", "UTCTime", "Round",
                     "Deck", "Setup", "Termination", "Annotator", "B", "Brown", "Zoo", "a2", "b", "Result"]  # fmt: skip


def test_new_names_of_tags_are_ordered_without_comparing_each_with_each() -> None:
    class Name(str):
        compared = 0
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str.__eq__(self, other)

    names = [Name(f"Compared{number:02}") for number in range(60)]

    assert list(order_tags(dict.fromkeys(names[::-1], ""), ("Red", "Black"))) == names
    assert Name.compared < 10 * len(names)


def test_comments_follow_their_action_and_the_opening_one_gets_its_own_line() -> None:
    text = text_of(written("{opening} NESW@0,2 {a} R1:N R2:E / Y1:N Y2:E / S1:E {b}"))

    assert text.splitlines()[9:] == ["{opening}", "1. NESW@0,2 {a} R1:N R2:E / Y1:N Y2:E / S1:E {b}", "*"]


def test_a_record_without_an_action_has_no_round() -> None:
    assert text_of(written("1. {nothing yet}")).splitlines()[8:] == ["", "{nothing yet}", "*"]


def test_resignation_is_written_in_the_next_round() -> None:
    text = text_of(written("NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E resign:Y", "1-2"))

    assert text.splitlines()[9:] == ["1. NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E", "2. resign:Y", "1-2"]


def test_json_form_holds_the_same_content_as_the_text() -> None:
    replay = verdict_on(written("{opening} NESW@0,2 {a}", Event="x")).replay
    assert replay is not None

    assert replay.as_json() == {
        "format": "agn/1",
        "tags": {**TAGS, "Event": "x"},
        "actions": ["NESW@0,2"],
        "comments": {"-1": "opening", "0": "a"},
        "result": "*",
    }
    assert list(replay.as_json()["tags"])[5] == "Event"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_record_digest_is_that_of_the_canonical_text() -> None:
    assert verdict_on(written()).record_digest == sha256(PLAIN)


def test_game_digest_covers_only_what_defines_the_game() -> None:
    start = "Atta Ants\nonline\nR Y\nreconstruction-1\nN NS* ES ESW NSW* NS# NE* NW\n"

    assert verdict_on(written(Event="x", Red="y")).digest == sha256(f"{start}{' '.join(ACTIONS)}\n*")


def test_missing_deck_is_an_empty_line_in_the_game_digest() -> None:
    start = "Atta Ants\nonline\nR Y\n\nN NS* ES ESW NSW* NS# NE* NW\n"

    assert verdict_on(written(Deck=None)).digest == sha256(f"{start}{' '.join(ACTIONS)}\n*")
    assert verdict_on(written(Deck="printed")).digest != verdict_on(written(Deck=None)).digest


def test_rejected_record_has_no_digests_or_canonical_text() -> None:
    verdict = verdict_on(written("nonsense"))

    assert (verdict.digest, verdict.record_digest, verdict.text, verdict.plies) == (None, None, None, None)
