"""What programs for texts did to a record is named in the verdict, and repaired before anything else is suggested."""

import json
import re

import pytest

from engine.fixes import fixes_of
from engine.report import of_verdict, plain
from engine.suggesting import Suggestions, edited, suggest
from engine.verify import UNFINISHED, Verdict, verify, verify_bytes
from engine.words import untranslated
from tests.engine.agn.records import as_json, verdict_on, written

ARMY = """[Game "Army Ants"]
[Rules "standard"]
[Seats "R B"]
[Red "Ada"]
[Black "Bruno"]
[Setup "27.9A/35448/36689/AQ572/39Q45/66778/A2A98/24.35"]
[Result "1-2"]

1. a4~b4 a6~a7 2. {played} resign:B
1-2
"""
PLAIN = "a2~b2 b6~b7 3. d1~d2"


def of(text: str) -> Verdict:
    (verdict,) = verify_bytes(text.encode())
    return verdict


def suggested(verdict: Verdict) -> Suggestions:
    found = suggest(verdict)
    assert found
    return found


def after_first(verdict: Verdict) -> Verdict:
    """Return the verdict after the first suggestion."""
    return verify(verdict.record._replace(data=edited(verdict.record, suggested(verdict).found[0].edit)))


@pytest.mark.parametrize(
    ("opening", "closing", "space", "dash", "tilde"),
    [
        ("\u201c", "\u201d", " ", "-", "~"),
        ("\u201e", "\u201c", "\u00a0", "\u2013", "\u223c"),
        ("\u00ab", "\u00bb", "\u202f", "\u2014", "\uff5e"),
        ('"', '"', "\u3000", "\u2212", "~"),
    ],
)
def test_record_that_is_damaged_everywhere_is_repaired_first(
    opening: str, closing: str, space: str, dash: str, tilde: str
) -> None:
    whole = ARMY.format(played=PLAIN)
    quoted = re.sub('"(.*)"', rf"{opening}\1{closing}", whole)
    verdict = of(quoted.replace(" ", space).replace("-", dash).replace("~", tilde))
    found = suggested(verdict)

    assert found.best == found.found[0]
    assert found.found[0].edit.name == "repair:"
    assert str(found.sentence) == "With its writing repaired the whole game is legal."
    assert after_first(verdict).text == of(whole).text


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("Game", "army ants"), ("Game", "Army\u00a0Ants"), ("Rules", "Standard"), ("Seats", "R,B"), ("Seats", "r b"),
        ("Result", "1\u20132"), ("Result", "1 - 2"), ("Setup", "27.9a/35448/36689/aq572/39q45/66778/a2a98/24.35"),
        ("Setup", "27\u00b79A\uff0f35448/36689/AQ572/39Q45/66778/A2A98/24\u00b735"),
        ("Date", "2026\u201305\u201309"), ("Date", "2026,5,9"),
        ("UTCTime", "19.30.00"),
    ],
)  # fmt: skip
def test_damaged_tag_is_repaired(tag: str, value: str) -> None:
    good = f'[Date "2026.05.09"]\n[UTCTime "19:30:00"]\n{ARMY.format(played=PLAIN)}'
    verdict = of(re.sub(rf'\[{tag} ".*"\]', f'[{tag} "{value}"]', good))

    assert suggested(verdict).found[0].whole
    assert after_first(verdict).text == of(good).text


@pytest.mark.parametrize(("name", "written"), [("Game", "game"), ("Black", "BLACK"), ("Result", "\uff32esult")])
def test_name_of_a_tag_is_repaired(name: str, written: str) -> None:
    good = ARMY.format(played=PLAIN)
    verdict = of(good.replace(f"[{name} ", f"[{written} "))

    assert suggested(verdict).found[0].whole
    assert after_first(verdict).text == of(good).text


@pytest.mark.parametrize("leaving", ["Resign:B", "RESIGN:B", "resign: B", "resign : b", "Timeout:B", "timeout:b"])
def test_writing_of_leaving_is_repaired(leaving: str) -> None:
    found = suggested(of(ARMY.format(played=PLAIN).replace("resign:B", leaving)))

    assert found.found[0].edit.name == f"replace:{leaving[: leaving.index(':')].strip().lower()}:B"
    assert found.best == found.found[0]


@pytest.mark.parametrize("invisible", ["\u200b", '"', "\u201c\u201d", "\ufeff"])
def test_token_of_nothing_that_is_written_is_left_out(invisible: str) -> None:
    found = suggested(of(ARMY.format(played=f"a2~b2 {invisible} b6~b7 3. d1~d2")))

    assert [one.edit.name for one in found.found].count("delete:") == 1
    assert found.best == found.found[0]
    assert found.best.edit.name == "delete:"


@pytest.mark.parametrize("result", ["1:2", "1/2", "1 - 2", "1 \u2013 2"])
def test_another_sign_between_places_is_repaired(result: str) -> None:
    good = ARMY.format(played=PLAIN)
    for verdict in (of(good.replace("1-2", result)), of(good.removesuffix("1-2\n") + f"{result}\n")):
        assert suggested(verdict).found[0].whole
        assert after_first(verdict).text == of(good).text


@pytest.mark.parametrize(
    ("played", "repair"),
    [
        ("a2~b2 b6~b7 3, d1~d2", "replace:3."),
        ("a2 ~ b2 b6~b7 3. d1~d2", "replace:a2~b2"),
        ("b2~a2 b7~b6 3. d2~d1", "repair:"),
        ("a2~b2 b6~b7 3.d1~d2", "replace:3. d1~d2"),
        ("A2~B2 B6~B7 3. D1~D2", "repair:"),
        ("\u04302~b2 b6~b7 3. d1~d2", "replace:a2~b2"),
        ("a2~b2 b6~b7 3. c2-c2S1", "replace:c2S1"),
    ],
)
def test_writing_of_army_ants_is_repaired_before_other_moves_are_offered(played: str, repair: str) -> None:
    found = suggested(of(ARMY.format(played=played)))

    assert found.found[0].edit.name == repair
    assert "whole game is legal" in str(found.sentence)
    assert "legal actions" not in str(found.sentence) or not found.repair
    assert found.best in (found.found[0], None)


@pytest.mark.parametrize(
    ("card", "meant"),
    [
        ("NWSE@0,2", "NESW@0,2"), ("nesw@0,2", "NESW@0,2"), ("NESW\uff200\uff0c2", "NESW@0,2"),
        ("NESW@0.2", "NESW@0,2"),
        ("NESW@0,\u200b2", "NESW@0,2"), ("\uff2e\uff25\uff33\uff37@0,2", "NESW@0,2"),
    ],
)  # fmt: skip
def test_writing_of_a_card_is_repaired(card: str, meant: str) -> None:
    found = suggested(verdict_on(written(f"1. {card} R1:N R2:E / Y1:N Y2:E /")))

    assert found.best
    assert found.best.edit.name == f"replace:{meant}"


@pytest.mark.parametrize("moves", ["1. NESW@0,2 R1:NE", "1. NESW@0,2 R1:N R2:E / Y1:N Y2:E / S1:E NS@3,0"])
def test_another_way_or_place_is_no_repair(moves: str) -> None:
    assert suggested(verdict_on(written(moves))).repair is None


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        ("a2~b2\u00a0b6~b7", "It has a special space (U+00A0) instead of a plain one."),
        ("a2\u223cb2 b6~b7", "It has \u223c (U+223C) instead of ~."),
        ("\u201ca2~b2\u201d b6~b7", "It has the quotation mark \u201c (U+201C)."),
        ("a2~\u200bb2 b6~b7", "It has an invisible character (U+200B)."),
        ("\uff412~b2 b6~b7", "It has \uff41 (U+FF41) instead of a."),
        ("\u04302~b2 b6~b7", "It has \u0430 (U+0430) instead of a."),
    ],
)
def test_damage_is_named_in_the_verdict(damaged: str, said: str) -> None:
    fault = of(ARMY.format(played=damaged)).fault

    assert fault
    assert fault.message.endswith(f"is not an action of Army Ants. {said}")


@pytest.mark.parametrize("result", ["1\u20132", "1\u20142", "1\u22122", "\uff11-\uff12"])
def test_damage_in_a_result_is_named_and_repaired_first(result: str) -> None:
    verdict = of(ARMY.format(played=PLAIN).removesuffix("1-2\n") + f"{result}\n")

    assert verdict.fault
    assert "instead of" in verdict.fault.message
    assert suggested(verdict).found[0].edit.name == "replace:1-2"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Army Ants"', '"Army\u00a0Ants"', "It has a special space (U+00A0) instead of a plain one."),
        ('[Seats "R B"]', "[Seats \u201cR B\u201d]", "It has the quotation mark \u201c (U+201C)."),
        ('"R B"', '"R\u2009B"', "It has a special space (U+2009) instead of a plain one."),
        ("35448", "35\uff1448", "It has \uff14 (U+FF14) instead of 4."),
        ('[Result "1-2"]', '[Result "1\u20132"]', "It has \u2013 (U+2013) instead of -."),
    ],
)
def test_damage_in_a_tag_is_named_in_the_verdict(old: str, new: str, said: str) -> None:
    fault = of(ARMY.format(played=PLAIN).replace(old, new)).fault

    assert fault
    assert said in fault.message


def test_a_name_keeps_its_dashes_and_quotes() -> None:
    text = ARMY.format(played=PLAIN).replace("Ada", "Ada \u201cthe \u2013 ant\u201d").replace('"Army', '"army')

    played = after_first(of(text)).replay
    assert played
    assert played.names["R"] == "Ada \u201cthe \u2013 ant\u201d"


def test_comments_keep_their_characters() -> None:
    text = ARMY.format(played="a2\u223cb2 {so \u2013 \u201cso\u201d} b6\u223cb7 3. d1~d2")

    assert "{so \u2013 \u201cso\u201d}" in after_first(of(text)).record.data.decode()


def test_damaged_json_is_repaired() -> None:
    text = json.dumps(as_json(actions=["NESW@0,2", "R1\uff1aN"], result="\uff0a"), ensure_ascii=False)
    for damaged in (text, text.replace('"tags"', "\u201ctags\u201d")):
        verdict = of(damaged)

        assert suggested(verdict).found[0].edit.name == "repair:"
        assert after_first(verdict).verdict == UNFINISHED


def test_repair_of_a_tag_is_offered_on_the_page_and_in_the_report() -> None:
    verdict = of(ARMY.format(played=PLAIN).replace('"R B"', "\u201cR B\u201d"))
    fixes = fixes_of(verdict, suggested(verdict), untranslated)

    assert fixes
    assert fixes.best
    assert (fixes.best.name, fixes.best.label, fixes.best.whole) == ("repair:", "Repair the writing", True)
    assert "With its writing repaired the whole game is legal." in of_verdict("x", verdict, plain, suggested(verdict))


def test_work_for_repairs_is_bounded() -> None:
    verdict = of(ARMY.format(played="b2~a2 b7~b6 3. d2~d1"))

    assert suggest(verdict, enough=lambda: True) == Suggestions("b2~a2", suggested(verdict).legal, False, 0, (), True)


GOOD = f'[Date "2026.05.09"]\n{ARMY.format(played=PLAIN)}'


@pytest.mark.parametrize(
    ("leaving", "said"),
    [
        ("resign", "The letter of the seat is missing, as in resign:R."),
        ("resign:Black", "The seat is named by its letter, as in resign:R."),
        ("resign:bruno", "The seat is named by its letter, as in resign:R."),
        ("resign:Schwarz", "The seat is named by its letter, as in resign:R."),
        ("resigns:B", "The seat is named by its letter, as in resign:R."),
        ("resign B", ""), ("Black resigns", ""), ("black resigned", ""),
    ],
)  # fmt: skip
def test_player_who_leaves_is_named_by_a_letter(leaving: str, said: str) -> None:
    for word in ("resign", "timeout"):
        verdict = of(GOOD.replace("resign:B", leaving.replace("resign", word)))

        assert verdict.fault
        assert said.replace("resign", word) in verdict.fault.message
        assert suggested(verdict).found[0].edit.name == f"replace:{word}:B"
        assert suggested(verdict).found[0].whole


def test_another_seat_is_no_repair_of_the_one_that_leaves() -> None:
    assert suggested(of(GOOD.replace("resign:B", "resign:R"))).repair is None
    assert suggested(of(GOOD.replace("resign:B", "resign:Ada"))).repair is None


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("2)", "A number has a dot after it: 2."),
        ("2.)", ""),
        ("(2)", ""),
        ("2", "A number has a dot after it: 2."),
        ("2:", "A number has a single dot after it: 2."),
        ("2...", "A number has a single dot after it: 2."),
        ("2\u2026", ""),
    ],
)
def test_number_of_another_form_is_repaired_and_keeps_all_moves(number: str, said: str) -> None:
    for written_so in (GOOD.replace("2. a2", f"{number} a2"), GOOD.replace("2. a2", f"{number}a2")):
        verdict = of(written_so)

        assert suggested(verdict).found[0].whole
        assert after_first(verdict).text == of(GOOD).text
    fault = of(GOOD.replace("2. a2", f"{number} a2")).fault
    assert fault
    assert said in fault.message


@pytest.mark.parametrize(
    "date",
    [
        "2026-05-09", "2026/5/9", "2026. 5. 9.", "20260509", "2026-05-09T19:30:00Z", "9 May 2026", "May 9th, 2026",
        "9. Mai 2026", "09.05.2026", "9.5.2026", "09/05/2026",
    ],
)  # fmt: skip
def test_date_of_another_form_is_repaired(date: str) -> None:
    verdict = of(GOOD.replace("2026.05.09", date))

    assert suggested(verdict).found[0].edit.name == "repair:2026.05.09"
    assert str(suggested(verdict).sentence) == "With the date read as 2026.05.09 the whole game is legal."
    assert after_first(verdict).text == of(GOOD).text


def test_date_that_may_mean_two_days_is_said_to_and_offers_both() -> None:
    verdict = of(GOOD.replace("2026.05.09", "09.05.2026"))

    assert verdict.fault
    assert "It may be 2026.05.09 or 2026.09.05" in verdict.fault.message
    assert [one.edit.name for one in suggested(verdict).found] == ["repair:2026.05.09", "repair:2026.09.05"]


@pytest.mark.parametrize(
    ("date", "meant"),
    [
        ("29.05.2026", "2026.05.29"), ("05/29/2026", "2026.05.29"), ("2026", "2026.??.??"), ("2026-05", "2026.05.??"),
        ("Mai 2026", "2026.05.??"),
    ],
)  # fmt: skip
def test_date_that_can_mean_one_thing_only_offers_that(date: str, meant: str) -> None:
    assert [one.edit.name for one in suggested(of(GOOD.replace("2026.05.09", date))).found] == [f"repair:{meant}"]


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (GOOD.replace("\n", "\r"), "ends with a CR alone (U+000D), as on old Macs"),
        (GOOD.replace("\n\n", "\n"), "moves begin after an empty line"),
        (GOOD.replace('[Result "1-2"]\n', ""), "Tag Result is missing"),
        (GOOD.replace('[Result "1-2"]\n\n', ""), "moves begin after an empty line"),
        (GOOD.replace("b2 b6", "b2; b6"), "The ; on line 10 begins a comment: 'b6~b7 3. d1~d2 resign:B' is not read."),
        (GOOD.replace("2. a2", "; 2. a2"), "The ; on line 10 begins a comment: '2. a2~b2 b6~b7 3. d1~d2 resign:B' is"),
        (GOOD.replace("b2 b6", "b2&nbsp;b6"), "It has &nbsp;, as HTML writes a character."),
        (GOOD.replace('"', "&quot;"), "It has &quot;, as HTML writes a character."),
        (GOOD.replace("~", "\\~"), "It has a backslash, as Markdown writes some characters."),
        (f"```agn\n{GOOD}```\n", "It begins with ```, as in mails and Markdown."),
        ("".join(f"> {line}\n" for line in GOOD.splitlines()), "It begins with >, as in mails and Markdown."),
        (GOOD.replace("\n", "<br>\n"), "This line is not a tag"),
        (GOOD.replace("b2 b6", "b2, b6"), "Tokens are separated by spaces, without commas."),
        (GOOD.replace("a2~b2", "a2\u2013b2"), "It has \u2013 (U+2013) instead of -."),
    ],
)
def test_record_out_of_another_program_is_repaired_first(damaged: str, said: str) -> None:
    verdict = of(damaged)

    assert verdict.fault
    assert said in verdict.fault.message
    assert suggested(verdict).repair == suggested(verdict).found[0]
    assert after_first(verdict).text == of(GOOD).text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("\uff5bhi\uff5d", "{hi}"), (" \uff5bso it goes\uff5d", "{so it goes}"), (" \uff08hi\uff09", "{hi}"),
        (" (a good move)", "{a good move}"), ("!!", "{!!}"), (" ?!", "{?!}"), (" $1", "{$1}"),
        (" \uff1b hi\n", "{hi}"),
    ],
)  # fmt: skip
def test_comment_of_another_form_is_kept_as_one(said: str, kept: str) -> None:
    verdict = of(GOOD.replace("b2 b6", f"b2{said} b6"))

    assert suggested(verdict).found[0].edit.name == "repair:"
    assert after_first(verdict).text == of(GOOD.replace("b2 b6", f"b2 {kept} b6")).text


def test_comment_of_words_is_neither_blamed_nor_opened() -> None:
    verdict = of(GOOD.replace("b2 b6~b7", "b2 ; not b6\nb6~b9"))

    assert verdict.fault
    assert "comment" not in verdict.fault.message
    assert suggested(verdict).repair is None


def test_names_keep_what_looks_like_html_where_the_record_needs_no_such_repair() -> None:
    played = after_first(of(GOOD.replace("Ada", "R&amp;D").replace("2026.05.09", "2026-05-09"))).replay

    assert played
    assert played.names["R"] == "R&amp;D"


def test_signs_that_hide_something_by_the_thousand_are_repaired_one_after_the_other() -> None:
    verdict = of(GOOD.replace("2. a2", "R1:N;" * 5_000 + " 2. a2"))

    assert verdict.fault
    assert suggested(verdict).found
