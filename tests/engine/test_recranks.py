"""Finished games in the result format of AbstractPlay's recranks."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.recranks import Provenance, RecranksError, recranks
from engine.verify import VERIFIED, Verdict
from tests.engine.agn.records import MOVES, verdict_on, written
from tests.golden import records, verdicts

SCHEMA = Draft202012Validator(json.loads((Path(__file__).parent / "recranks.schema.json").read_text()))
NOW = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)
ALONE = Provenance(generated=NOW)
LATER = Provenance(generated=NOW, received=datetime(2026, 11, 20, 9, 30, tzinfo=UTC))
KEPT = Provenance(
    generated=NOW, site="ants.example", gameid="a2b3c4d5", userids={"R": "7", "Y": "8"}, received=LATER.received
)
ENDED = f"{MOVES} 2. NS@0,3 resign:Y"
DAY = {"Date": "2026.11.19"}
TRIO = {"Seats": "R Y O", "Orange": "Chris"}

each = pytest.mark.parametrize


def finished(kind: str = "games") -> Iterator[Verdict]:
    return (verdict for path in records(kind) for verdict in verdicts(path) if verdict.verdict == VERIFIED)


def of(moves: str = "NESW@0,2 resign:R", result: str = "2-1", provenance: Provenance = ALONE, **tags: str) -> Any:
    verdict = verdict_on(written(moves, result, **{**DAY, **tags}))
    assert verdict.fault is None
    return recranks(verdict, provenance)


def in_order_of_play(row: list[Any]) -> list[str]:
    """Return the entries of a row in order of play."""
    said = [entry if isinstance(entry, dict) else {"move": entry} for entry in row if entry is not None]
    return [entry["move"] for entry in sorted(said, key=lambda entry: entry.get("sequence", 0))]


def test_every_finished_game_fits_the_schema() -> None:
    for verdict in (*finished("games"), *finished("shown")):
        document = json.loads(json.dumps(recranks(verdict, LATER)))

        assert [error.message for error in SCHEMA.iter_errors(document)] == []
        for name in ("date-start", "date-end", "date-generated"):
            assert datetime.fromisoformat(document["header"][name]).tzinfo


def test_every_action_is_kept_in_order() -> None:
    for verdict in (*finished("games"), *finished("shown")):
        assert verdict.replay
        moves = recranks(verdict, LATER)["moves"]
        seats = len(verdict.replay.tags["Seats"].split(" "))

        assert {len(row) for row in moves} == {seats}
        assert " ".join(entry for row in moves for entry in in_order_of_play(row)) == " ".join(verdict.replay.actions)


def test_header_names_game_edition_site_and_start_position() -> None:
    header = of(Site="The nest", Id="17")["header"]

    assert header["game"] == {"name": "Atta Ants", "variants": ["online"]}
    assert header["site"] == {"name": "The nest", "gameid": "17"}
    assert header["startingPosition"] == "Deck: reconstruction-1\nSetup: N NS* ES ESW NSW* NS# NE* NW"
    assert header["date-generated"] == "2026-11-21T20:15:00+00:00"
    assert len(header["digest"]) == 64


def test_site_of_a_record_without_a_site_is_a_question_mark() -> None:
    assert of()["header"]["site"] == {"name": "?"}


def test_service_replaces_site_and_player_ids_with_its_own() -> None:
    header = of(Site="The nest", Id="17", provenance=KEPT)["header"]

    assert header["site"] == {"name": "ants.example", "gameid": "a2b3c4d5"}
    assert [player.get("userid") for player in header["players"]] == ["7", "8"]


def test_players_are_listed_in_seat_order_and_better_results_are_higher() -> None:
    assert of()["header"]["players"] == [
        {"name": "Ada", "result": 0, "seat": "R", "place": 2},
        {"name": "Bruno", "result": 1, "seat": "Y", "place": 1},
    ]


@each(
    ("moves", "result", "tags", "results"),
    [
        ("NESW@0,2 resign:R", "2-1", {}, [0, 1]),
        ("draw", "1-1", {}, [0, 0]),
        ("resign:R resign:Y", "3-2-1", TRIO, [0, 1, 2]),
    ],
)
def test_result_is_the_number_of_players_beaten(
    moves: str, result: str, tags: dict[str, str], results: list[int]
) -> None:
    assert [player["result"] for player in of(moves, result, ALONE, **tags)["header"]["players"]] == results


def test_players_sharing_a_place_have_the_same_result() -> None:
    for verdict in finished():
        assert verdict.outcome
        players = recranks(verdict, LATER)["header"]["players"]
        pairs = {(player["place"], player["result"]) for player in players}

        assert len(pairs) == len(set(verdict.outcome.placements))
        assert sorted(pairs, reverse=True) == sorted(pairs, key=lambda pair: pair[1])


# Moves


def test_row_is_a_round_with_one_entry_per_seat() -> None:
    assert of("NESW@0,2 R1:N R2:E / resign:Y", "1-2")["moves"] == [["NESW@0,2 R1:N R2:E /", "resign:Y"]]


def test_second_turn_of_a_seat_in_a_round_starts_a_new_row() -> None:
    first, spiders, second = of(ENDED, "1-2")["moves"]

    assert first == ["NESW@0,2 R1:N R2:E /", "Y1:N Y2:E /"]
    assert spiders == ["S1:E", None]
    assert second == [None, "NS@0,3 resign:Y"]


def test_entries_out_of_seat_order_carry_their_sequence_number() -> None:
    rows = [row for verdict in finished() for row in recranks(verdict, LATER)["moves"]]
    numbered = [row for row in rows if any(isinstance(entry, dict) for entry in row)]

    assert numbered
    for row in numbered:
        places = [entry["sequence"] for entry in row if entry is not None]
        assert sorted(places) == list(range(1, len(places) + 1)) != places


def test_comments_are_not_exported_with_the_moves() -> None:
    assert of("{ hm } NESW@0,2 {bold} resign:R")["moves"] == [["NESW@0,2 resign:R", None]]


# Dates and events


@each(
    ("tags", "start", "source"),
    [
        ({"Date": "2026.11.19"}, "2026-11-19T00:00:00Z", "Date"),
        ({"UTCDate": "2026.11.18", "Date": "2026.11.19"}, "2026-11-18T00:00:00Z", "UTCDate"),
        ({"UTCDate": "2026.11.18", "UTCTime": "19:30:05"}, "2026-11-18T19:30:05Z", "UTCDate"),
        ({"Date": "2026.11.19", "UTCTime": "19:30:05"}, "2026-11-19T00:00:00Z", "Date"),
        ({"UTCDate": "2026.11.??", "Date": "2026.11.19"}, "2026-11-19T00:00:00Z", "Date"),
        ({"Date": "????.11.19"}, "2026-11-20T09:30:00+00:00", "received"),
        ({"Date": "2999.01.01"}, "2026-11-20T09:30:00+00:00", "received"),
        ({"Date": "2999.01.01", "UTCDate": "2026.11.18"}, "2026-11-18T00:00:00Z", "UTCDate"),
    ],
)
def test_date_comes_from_the_record_or_from_the_upload(tags: dict[str, str], start: str, source: str) -> None:
    header = of(provenance=LATER, **tags)["header"]

    assert (header["date-start"], header["date-end"], header["dates-from"]) == (start, start, source)


def test_a_partly_known_date_is_written_as_its_first_and_last_day() -> None:
    header = of(provenance=LATER, Date="2026.11.??", UTCTime="19:30:05")["header"]

    dates = ("2026-11-01T00:00:00Z", "2026-11-30T00:00:00Z", "Date")
    assert (header["date-start"], header["date-end"], header["dates-from"]) == dates


def test_event_and_round_are_exported_only_together() -> None:
    both = of(Event="Club", Round="3")["header"]

    assert (both["event"], both["round"]) == ("Club", "3")
    assert "event" not in of(Event="Club")["header"]
    assert "round" not in of(Round="3")["header"]


def test_only_unrated_games_are_marked_unrated() -> None:
    assert "unrated" not in of()["header"]
    assert of(provenance=Provenance(generated=NOW, rated=False))["header"]["unrated"] is True


# Games without a result


@each(
    ("text", "code", "sentence"),
    [
        (written(**DAY), "unfinished", "Only finished games have a result; this one stops at action 8."),
        (
            written("NESW@0,2 R1:NE", **DAY),
            "rejected",
            "Only legal games have a result; this one breaks ATTA-MOVE-3 on line 11.",
        ),
        (
            written("resign:R", "2-1"),
            "no_date",
            "A result needs a date, but neither UTCDate nor Date gives the year of play.",
        ),
    ],
)
def test_record_that_cannot_be_exported_gets_a_reason(text: str, code: str, sentence: str) -> None:
    with pytest.raises(RecranksError) as refused:
        recranks(verdict_on(text), ALONE)

    assert (refused.value.code, str(refused.value)) == (code, sentence)
