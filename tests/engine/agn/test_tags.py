"""Tags: their syntax and allowed values (AGN-TAG-1 to AGN-TAG-7, AGN-FILE-2)."""

import tracemalloc

import pytest

from engine.agn.log import AgnError
from engine.agn.tags import read_tags
from engine.registry import RULESETS
from engine.verify import UNFINISHED
from tests.engine.agn.records import TAGS, fault_in, gave_up, not_over, rule_and_place, verdict_on, written

LINE_OF = {name: line for line, name in enumerate(TAGS, 1)}


def with_line(line: str) -> str:
    """Return a record with another first line."""
    return f"{line}\n{written()}"


# Syntax


@pytest.mark.parametrize("line", ['[a ""]', '[A_1b "x"] \t ', r'[A "\\"]', r'[A "\""]', '[A "]"]', '[A "[ä;{(\t"]'])
def test_well_formed_tag_is_accepted(line: str) -> None:
    assert verdict_on(with_line(line)).verdict == UNFINISHED


@pytest.mark.parametrize(
    "line",
    ['[A"x"]', '[A  "x"]', '[A\t"x"]', '[ A "x"]', '[A "x" ]', '[A "x"', "[A x]", "[A 'x']", '[1A "x"]', '[_A "x"]',
     '[A-B "x"]', '[Ä "x"]', '[A "x"] y', '[A "x"];', r'[A "\x"]', r'[A "x\"]', '[A "x"y"]', "[]", "[A]", "(A)",
     '[A "x"]\u00a0'],
)  # fmt: skip
def test_malformed_tag_is_rejected(line: str) -> None:
    damage = " It has a special space (U+00A0) instead of a plain one." if line.endswith("\u00a0") else ""
    assert rule_and_place(fault_in(with_line(line))) == (
        "AGN-TAG-1",
        1,
        1,
        f'This line is not a tag of the form [Name "value"].{damage}',
    )


def test_a_space_before_a_tag_is_refused() -> None:
    fault = fault_in(written().replace("[Red", " [Red"))

    assert (fault.rule, fault.line, fault.column, fault.ply) == ("AGN-TAG-1", LINE_OF["Red"], 1, None)


def test_duplicate_tag_is_rejected() -> None:
    assert rule_and_place(fault_in(written().replace("[Setup", '[Red "Eda"]\n[Setup'))) == (
        "AGN-TAG-1", LINE_OF["Setup"], 1, "Tag Red appears twice.",
    )  # fmt: skip


def test_a_line_of_quotation_marks_is_not_taken_apart() -> None:
    text = "[A " + '"' * 200_000
    tracemalloc.start()
    try:
        with pytest.raises(AgnError, match="This line is not a tag"):
            read_tags(text, 1)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(text)
    finally:
        tracemalloc.stop()


def test_names_are_read_however_many_were_read_before() -> None:
    games = [{f"Y{game}_{number}": "x" for number in range(60)} for game in range(40)]

    for tags in games + games:
        text = "\n".join([f'[{name} "{value}"]' for name, value in tags.items()])
        assert read_tags(text, 1)[0] == tags
        assert read_tags(f"{text} \t", 1) == (tags, False)


def test_escapes_are_resolved_and_written_again() -> None:
    verdict = verdict_on(written(Event='say "ant" \\ or [so]'))

    assert verdict.replay is not None
    assert verdict.replay.tags["Event"] == 'say "ant" \\ or [so]'
    assert verdict.text is not None
    assert r'[Event "say \"ant\" \\ or [so]"]' in verdict.text


@pytest.mark.parametrize(("name", "most"), [("Event", 255), ("Unknown", 255), ("Deck", 2000), ("Setup", 2000)])
def test_a_value_has_a_limit(name: str, most: int) -> None:
    sentence = f"The value of tag {name} has {most + 1} characters; at most {most} are allowed."

    assert fault_in(written(**{name: "ä" * (most + 1)})).message == sentence
    at_most = verdict_on(written(**{name: "ä" * most})).fault
    assert at_most is None or at_most.rule != "AGN-FILE-2"


def test_an_escape_counts_as_the_character_that_it_means() -> None:
    assert verdict_on(written(Event='"' * 255)).fault is None


def test_there_are_at_most_64_tags() -> None:
    more = {f"T{number}": "" for number in range(64 - len(TAGS))}

    assert verdict_on(written("1. NESW@0,2", **more)).verdict == UNFINISHED
    assert rule_and_place(fault_in(written("", **more, T99=""))) == (
        "AGN-FILE-2",
        65,
        1,
        "This game has too many tags: at most 64 are allowed.",
    )


def test_error_message_stays_short_for_a_long_tag_name() -> None:
    line = f'[{"A" * 100_000} "x"]'

    assert len(fault_in(with_line(f"{line}\n{line}")).message) < 100


# Values


@pytest.mark.parametrize("name", ["Game", "Rules", "Seats", "Setup", "Red", "Yellow", "Result"])
def test_missing_tag_is_named(name: str) -> None:
    assert rule_and_place(fault_in(written(**{name: None}))) == ("AGN-TAG-2", 1, 1, f"Tag {name} is missing.")


def test_missing_tag_is_reported_at_the_first_line_of_the_game() -> None:
    assert fault_in(f"\n\n{written(Red=None)}").line == 3


@pytest.mark.parametrize("game", ["Atta ants", "Atta  Ants", "atta_ants", "", "Chess"])
def test_unknown_game_is_rejected(game: str) -> None:
    games = ", ".join(dict.fromkeys(ruleset.game for ruleset in RULESETS))

    assert rule_and_place(fault_in(written(Game=game))) == (
        "AGN-TAG-3", 1, 1, f"Unknown game {game!r}. Known games: {games}.",
    )  # fmt: skip


@pytest.mark.parametrize("rules", ["Online", "2004", "standard", ""])
def test_unknown_rules_are_rejected(rules: str) -> None:
    assert rule_and_place(fault_in(written(Rules=rules))) == (
        "AGN-TAG-3", 2, 1, f"Unknown rules {rules!r} of Atta Ants. Known rules: online, 2003.",
    )  # fmt: skip


@pytest.mark.parametrize("seats", ["R", "R  Y", "R Y ", " R Y", "R R", "R,Y", "r y", "R G", "R Y O B R", "", "R\tY"])
def test_malformed_seat_order_is_rejected(seats: str) -> None:
    assert rule_and_place(fault_in(written(Seats=seats))) == (
        "AGN-TAG-4", 3, 1, f"Seats {seats!r} is not a seat order of Atta Ants, such as R Y.",
    )  # fmt: skip


def test_seats_may_be_in_any_order() -> None:
    verdict = verdict_on(written("NESW@0,2", Seats="B Y R", Brown="Dịu"))

    assert verdict.replay is not None
    assert verdict.replay.ruleset.to_act(verdict.replay.states[0]) == "B"
    assert list(verdict.replay.tags)[:6] == ["Game", "Rules", "Seats", "Brown", "Yellow", "Red"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "The name in tag Yellow has 0 characters; 1 to 64 are allowed."),
        ("x" * 65, "The name in tag Yellow has 65 characters; 1 to 64 are allowed."),
        (" B", "The name ' B' begins or ends with a space."),
        ("B ", "The name 'B ' begins or ends with a space."),
        ("a\tb", r"The name 'a\tb' contains a control character."),
        ("a\x7fb", r"The name 'a\x7fb' contains a control character."),
        ("a\x85b", r"The name 'a\x85b' contains a control character."),
        ("Ada", "Two seats have the same name, 'Ada'."),
        ("\u00a0\u3000", "The name in tag Yellow has 0 characters; 1 to 64 are allowed."),
        ("\u0958" * 33, "The name in tag Yellow has 66 characters; 1 to 64 are allowed."),
    ],
)
def test_invalid_or_duplicate_player_name_is_rejected(name: str, sentence: str) -> None:
    assert rule_and_place(fault_in(written(Yellow=name))) == ("AGN-TAG-5", LINE_OF["Yellow"], 1, sentence)


@pytest.mark.parametrize("name", ["x" * 64, "蟻" * 64, "e\u0301" * 64, "a b", "ada", "R", "\u200f"])
def test_a_name_may_be_almost_anything(name: str) -> None:
    assert verdict_on(written(Yellow=name)).verdict == UNFINISHED


def test_two_seats_never_have_one_name_in_two_forms() -> None:
    fault = fault_in(written(Red="Zo\u00eb  B", Yellow="Zoe\u0308\u2009B"))
    assert (fault.rule, fault.line) == ("AGN-TAG-5", LINE_OF["Yellow"])
    assert fault.message == "Two seats have the same name, 'Zo\u00eb B'."


def test_tag_of_an_unused_colour_is_ignored() -> None:
    verdict = verdict_on(written(Brown="Ada", Orange=""))

    assert verdict.verdict == UNFINISHED
    assert verdict.text is not None
    assert verdict.text.index("[Setup") < verdict.text.index("[Brown") < verdict.text.index("[Orange")


DATES = ["2026.11.21", "2026.11.??", "2026.??.??", "????.??.??", "????.02.29", "2024.02.29", "2000.02.29", "2026.??.31",
         "????.??.01", "0001.01.01", "9999.12.31"]  # fmt: skip
NO_DATES = ["", "2026.2.3", "2026-11-21", "26.11.21", "2026.11.00", "2026.00.01", "2026.13.01", "2025.02.29",
            "1900.02.29", "????.02.30", "2026.04.31", "????.04.31", "0000.01.01", "??.??.??", "2026.1?.01",
            "2026.11.21 ", "٢٠٢٦.11.21", "20?6.01.01"]  # fmt: skip


@pytest.mark.parametrize("tag", ["Date", "UTCDate"])
@pytest.mark.parametrize("date", DATES)
def test_possible_date_is_accepted(tag: str, date: str) -> None:
    assert verdict_on(written(**{tag: date})).verdict == UNFINISHED


@pytest.mark.parametrize("tag", ["Date", "UTCDate"])
@pytest.mark.parametrize("date", NO_DATES)
def test_impossible_date_is_rejected(tag: str, date: str) -> None:
    sentence = f"{tag} {date!r} is not a date such as 2026.11.21 or 2026.??.??."

    assert rule_and_place(fault_in(written(**{tag: date}))) == ("AGN-TAG-6", 9, 1, sentence)


@pytest.mark.parametrize("time", ["00:00:00", "23:59:59", "19:30:00"])
def test_valid_time_is_accepted(time: str) -> None:
    assert verdict_on(written(UTCTime=time)).verdict == UNFINISHED


@pytest.mark.parametrize("time", ["", "24:00:00", "12:60:00", "12:00:60", "1:00:00", "12:00", "12:??:00", "12.00.00"])
def test_invalid_time_is_rejected(time: str) -> None:
    sentence = f"UTCTime {time!r} is not a time such as 19:30:00."

    assert rule_and_place(fault_in(written(UTCTime=time))) == ("AGN-TAG-6", 9, 1, sentence)


def test_result_tag_that_contradicts_the_game_is_rejected() -> None:
    why = not_over(14) + gave_up("Yellow")
    assert rule_and_place(fault_in(written(Result="1-2"))) == (
        "AGN-TAG-7", LINE_OF["Result"], 1, f"The Result tag says '1-2', but the game ends with *. {why}",
    )  # fmt: skip


RESIGNED = "The game ended by ATTA-LEAVE-1: Red resigned."
ORDER = "The places stand in the order of Seats: Red and Yellow (AGN-RESULT-1)."
PLACES = (
    "A result has places, not points: 1 for who is first; those who share a place have the same number,"
    " and the places that they fill are left out after it (AGN-RESULT-1)."
)


@pytest.mark.parametrize(
    ("moves", "result", "rule", "sentence"),
    [
        (
            "1. NESW@0,2 resign:R",
            "1-2",
            "AGN-RESULT-1",
            f"Expected result 2-1, found 1-2. {ORDER} {RESIGNED}",
        ),
        ("1. NESW@0,2 resign:R", "1-1", "AGN-RESULT-1", f"Expected result 2-1, found 1-1. {RESIGNED}"),
        (
            "1. NESW@0,2 resign:R",
            "2-1-3",
            "AGN-RESULT-1",
            f"Expected result 2-1, found 2-1-3. It gives 3 places, but Red and Yellow play (AGN-RESULT-1). {RESIGNED}",
        ),
        ("1. NESW@0,2 resign:R", "02-1", "AGN-RESULT-1", f"Expected result 2-1, found 02-1. {PLACES} {RESIGNED}"),
        ("1. NESW@0,2 resign:R", "*", "AGN-RESULT-2", f"Expected result 2-1, found *. {RESIGNED}"),
        ("1. NESW@0,2", "2-1", "AGN-RESULT-2", f"Expected result *, found 2-1. {not_over()}{gave_up('Red')}"),
    ],
)
def test_result_that_does_not_follow_from_the_game_is_rejected(
    moves: str, result: str, rule: str, sentence: str
) -> None:
    fault = fault_in(written(moves, result))

    assert rule_and_place(fault) == (rule, 11, 1, sentence)
    assert (fault.ply, fault.token) == (moves.count(" "), result)


def test_a_wrong_result_is_judged_after_everything_else() -> None:
    assert fault_in(written("1. NESW@0,2 nonsense", "2-1")).rule == "AGN-MOVE-1"
