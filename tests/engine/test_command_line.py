"""The command line: its output, streams and exit status. One long file because it is one program."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine import session
from engine.__main__ import main
from engine.registry import RULESETS
from tests.engine.agn.records import TAGS, as_json, written
from tests.strategies import FIXTURES, AnyRuleset, recorded

PROJECT = Path(__file__).parents[2]
BROKEN = FIXTURES / "atta_ants" / "broken" / "ATTA-MOVE-3-no-trail-around-the-corner.agn"
WON = written("1. NESW@0,2 resign:R", "2-1")
GOOD = written()
BAD = written("1. NESW@0,2 R1:NE")
ENDED = "Red resigned."
COUNTED = ["1: 168", "2: 6175"]
FIELDS = ["file", "game", "verdict", "rule", "line", "column", "ply", "token", "message", "legal", "placements",
          "plies", "digest", "record_digest", "likeness", "dealing"]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with three files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    for name, text in (("won.agn", WON), ("good.agn", GOOD), ("bad.agn", BAD)):
        (tmp_path / name).write_text(text)
    return tmp_path


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a text on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


# Status


@pytest.mark.parametrize(
    "command",
    [
        ["verify"],
        ["verify", "--json"],
        ["replay"],
        ["replay", "--json"],
        ["convert", "--to", "text"],
        ["perft", "--depth", "1"],
        ["perft", "--depth", "2", "--divide", "--json"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("files", "status"),
    [
        (["won.agn"], 0),
        (["won.agn", "good.agn"], 0),
        (["good.agn", "bad.agn", "won.agn"], 1),
        (["missing.agn"], 2),
        (["missing.agn", "bad.agn"], 2),
        (["."], 2),
    ],
)
@pytest.mark.usefixtures("folder")
def test_exit_status_reflects_the_worst_result(command: list[str], files: list[str], status: int) -> None:
    assert main([*command, *files]) == status


def test_unreadable_file_is_named_and_the_others_are_processed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--json", "missing.agn", "good.agn"]) == 2

    printed = capsys.readouterr()
    assert printed.err == "missing.agn: No such file or directory\n"
    assert json.loads(printed.out)["file"] == "good.agn"


def test_file_with_a_read_error_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Torn:
        def __init__(self) -> None:
            self.buffer = self

        def readline(self, _: int) -> bytes:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", Torn())

    assert main(["verify", "-", "won.agn"]) == 2
    printed = capsys.readouterr()
    assert printed.err == "-: Input/output error\n"
    assert printed.out.endswith("1 game: 1 verified; 1 file could not be read.\n")


def test_command_line_without_a_command_prints_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2
    assert "usage: atta" in capsys.readouterr().err


def test_help_shows_usage_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "atta verify --json *.agn > verdicts.json" in capsys.readouterr().out


# verify


def test_verify_prints_one_json_object_per_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "all.agn").write_text(f"{WON}\n{BAD}\n{GOOD}")

    main(["verify", "--json", "all.agn"])

    won, bad, good = lines_of(capsys)
    assert list(won) == list(bad) == list(good) == FIELDS
    assert [row["game"] for row in (won, bad, good)] == [1, 2, 3]
    assert (won["verdict"], won["placements"], won["plies"], won["rule"]) == ("verified", [2, 1], 2, None)
    assert (good["verdict"], good["placements"], good["plies"], good["legal"]) == ("unfinished", None, 8, None)
    assert (bad["verdict"], bad["rule"], bad["line"], bad["column"]) == ("rejected", "ATTA-MOVE-3", 22, 13)
    assert (bad["ply"], bad["token"], bad["plies"], bad["digest"]) == (1, "R1:NE", None, None)
    assert len(bad["legal"]) == 20
    assert bad["message"] == "Ant R1 cannot take a second step: no trail leads east."


def test_verify_reads_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, WON)

    main(["verify", "--json", "good.agn", "-"])

    assert [(row["file"], row["verdict"]) for row in lines_of(capsys)] == [
        ("good.agn", "unfinished"),
        ("-", "verified"),
    ]


def test_verify_prints_one_line_per_game_and_a_summary(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", "won.agn", "good.agn"])

    assert capsys.readouterr().out.splitlines() == [
        f"✓ verified   won.agn, game 1: 1. Bruno (yellow), 2. Ada (red) · 2 actions · {ENDED}",
        "… unfinished good.agn, game 1: legal so far, 8 actions, yellow to act",
        "2 games: 1 verified, 1 unfinished.",
    ]


def test_verify_points_at_the_fault(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", "bad.agn"])

    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "✗ rejected   bad.agn, game 1",
        "    bad.agn:10:13: ATTA-MOVE-3: Ant R1 cannot take a second step: no trail leads east.",
        "    10 | 1. NESW@0,2 R1:NE",
        "       |             ^^^^^",
    ]
    assert lines[4].startswith("    Legal here: R1:N R1:+N") or lines[4].startswith("    Legal here: R1:N R1:N+ R1:E")
    assert lines[4].endswith(" …")
    assert "    Round 1, ants: R to act, R first player, 14 cards in the deck." in lines
    assert lines[-1] == "1 game: 1 rejected."


def test_quiet_verify_prints_only_rejected_games(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "-q", "won.agn"]) == 0
    assert capsys.readouterr().out == ""

    main(["verify", "--quiet", "--json", "won.agn", "bad.agn"])
    assert [row["file"] for row in lines_of(capsys)] == ["bad.agn"]


def test_empty_file_contains_no_games(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty.agn").write_bytes(b"")

    assert main(["verify", "empty.agn"]) == 0
    assert capsys.readouterr().out == "0 games.\n"


# replay


def test_replay_prints_one_json_object_per_state(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["replay", "--json", "won.agn", "bad.agn"])

    rows = lines_of(capsys)
    assert [(row["file"], row["game"], row["ply"], row["token"]) for row in rows] == [
        ("won.agn", 1, 0, None),
        ("won.agn", 1, 1, "NESW@0,2"),
        ("won.agn", 1, 2, "resign:R"),
        ("bad.agn", 1, 0, None),
        ("bad.agn", 1, 1, "NESW@0,2"),
    ]
    assert [row["state"]["phase"] for row in rows] == ["place", "ants", "over", "place", "ants"]


def test_replay_of_a_game_with_invalid_tags_prints_only_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, written(Rules="none"))

    assert main(["replay", "--json", "-"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "-:2:1: AGN-TAG-3: Unknown rules 'none' of Atta Ants. Known rules: online, 2003.\n"


def test_replay_draws_every_position(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["replay", "bad.agn"])

    printed = capsys.readouterr()
    assert printed.out.startswith("bad.agn, game 1 · Atta Ants, online rules · Ada (red), Bruno (yellow)\n")
    assert printed.out.count("\nply ") == 2
    assert "\nply 1 · 1. NESW@0,2\n" in printed.out
    assert printed.err.startswith("bad.agn:10:13: ATTA-MOVE-3: ")


# convert


def test_text_is_converted_to_json_and_back(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["convert", "--to", "text", "won.agn", "good.agn"])
    text = capsys.readouterr().out
    feed(monkeypatch, text)
    main(["convert", "--to", "json", "-"])
    as_lines = capsys.readouterr().out
    feed(monkeypatch, as_lines)
    main(["convert", "--to", "text", "-"])

    assert capsys.readouterr().out == text
    assert text.count("\n\n[Game") == 1
    assert json.loads(as_lines.splitlines()[1])["tags"] == TAGS


def test_convert_skips_rejected_records_and_reports_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--to", "text", "bad.agn", "won.agn", "bad.agn", "good.agn"]) == 1

    printed = capsys.readouterr()
    assert printed.out.count("[Game") == 2
    assert "\n\n\n" not in printed.out
    assert printed.err.count("bad.agn:10:13: ATTA-MOVE-3: ") == 2


def test_quiet_convert_prints_no_errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["convert", "--quiet", "--to", "json", "bad.agn"])

    assert capsys.readouterr() == ("", "")


def test_converted_json_line_contains_no_unicode_line_breaks(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, json.dumps(as_json(comments={"0": "a\u2028b\u2029c\x85d 蟻"})))

    main(["convert", "--to", "json", "-"])

    (row,) = capsys.readouterr().out.splitlines()
    assert "蟻" in row
    assert json.loads(row)["comments"] == {"0": "a\u2028b\u2029c\x85d 蟻"}


def test_convert_writes_results_in_the_recranks_format(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "dated.agn").write_text(written("NESW@0,2 resign:R", "2-1", UTCDate="2026.11.19", Site="The nest"))

    assert main(["convert", "--to", "recranks", "dated.agn"]) == 0

    (result,) = lines_of(capsys)
    assert result["moves"] == [["NESW@0,2 resign:R", None]]
    assert result["header"]["site"] == {"name": "The nest"}
    assert result["header"]["date-end"] == "2026-11-19T00:00:00Z"
    assert [player["result"] for player in result["header"]["players"]] == [0, 1]


def test_convert_to_recranks_skips_games_without_a_result_and_reports_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", "--to", "recranks", "good.agn", "won.agn"]) == 1

    assert capsys.readouterr().err.splitlines() == [
        "good.agn:1: Only finished games have a result; this one stops at action 8.",
        "won.agn:1: A result needs a date, but neither UTCDate nor Date gives the year of play.",
    ]
    assert main(["convert", "--quiet", "--to", "recranks", "good.agn"]) == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_game_of_each_ruleset_converts_to_every_format(
    ruleset: AnyRuleset, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = next(replay for replay in recorded(ruleset) if replay.finished and "UTCDate" not in replay.tags)
    feed(monkeypatch, replay.text().replace("\n\n", '\n[UTCDate "2026.11.19"]\n\n', 1))
    main(["convert", "--to", "text", "-"])
    text = capsys.readouterr().out
    feed(monkeypatch, text)
    main(["convert", "--to", "json", "-"])
    (record,) = lines_of(capsys)
    feed(monkeypatch, json.dumps(record))
    main(["convert", "--to", "recranks", "-"])
    (result,) = lines_of(capsys)

    assert text.replace('[UTCDate "2026.11.19"]\n', "") == replay.text()
    assert tuple(record["actions"]) == replay.actions
    assert result["header"]["game"] == {"name": ruleset.game, "variants": [ruleset.edition]}


# perft


def test_perft_counts_the_sequences_that_may_follow(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--depth", "2", "won.agn", "good.agn"]) == 0

    won, good, rest = capsys.readouterr().out.split("\n\n")
    assert won.splitlines()[1:] == ["1: 0", "2: 0"]
    assert good.splitlines() == ["good.agn, game 1 · Atta Ants, online rules · Ada (red), Bruno (yellow)", *COUNTED]
    assert rest == ""


def test_perft_divide_counts_sequences_per_first_action(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["perft", "--depth", "2", "--divide", "--json", "good.agn"])

    one, two = lines_of(capsys)
    assert one == {"file": "good.agn", "game": 1, "depth": 1, "sequences": len(two["divide"])}
    assert list(two) == ["file", "game", "depth", "sequences", "divide"]
    assert sum(two["divide"].values()) == two["sequences"]


def test_perft_does_not_count_from_a_rejected_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--depth", "1", "bad.agn"]) == 1

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("bad.agn:10:13: ATTA-MOVE-3: ")


@pytest.mark.parametrize("depth", ["0", "-1", "two", "²"])
def test_perft_rejects_an_invalid_depth(depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["perft", f"--depth={depth}", "good.agn"])

    assert ended.value.code == 2
    assert f"argument --depth: {depth!r} is not a number of actions" in capsys.readouterr().err


# deal

GIVEN: dict[str, Any] = {
    "game": "Army Ants",
    "rules": "standard",
    "secret": "5" * 64,
    "entropies": ["3e9f1c", "!"],
    "deck": None,
}
DEALT = {
    "commitment": "c8d82fc775f73370ed787fd3379d6d60a03211da5d134a308355332593df8193",
    "seed": "ce5c2463ec20b46bdbe70e29713bd9b8e672541ede8dd80d0b43425bd9cbca2d",
    "first": 0,
    "setup": "27.AA/56826/94853/Q7349/36924/27AA7/49Q85/86.35",
    "deck": None,
}


def test_deal_prints_one_deal_per_input_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, f"{json.dumps(GIVEN)}\n\n{json.dumps(GIVEN | {'game': 'Atta Ants', 'rules': '2003'})}")

    assert main(["deal", "--json"]) == 0

    army, atta = lines_of(capsys)
    assert army == DEALT
    assert list(atta) == list(DEALT)
    assert (len(atta["setup"].split(" ")), len(atta["deck"])) == (8, 15)


@pytest.mark.parametrize(
    ("line", "what", "why"),
    [
        ("[]", "line", "This is not a JSON object."),
        ("{", "line", "This is not valid JSON: Expecting property name enclosed in double quotes: line 1 column 2"),
        ('{"game": 1, "game": 1}', "line", "This is not valid JSON: a key appears twice."),
        ("[" * 60_000, "line", "This JSON is nested too deeply."),
        (" " * 70_000 + "{}", "line", "This line is too long: at most 65536 bytes are allowed."),
        ("\udcff", "line", "Byte 1 of the line is not UTF-8."),
        ({"secret": "", "deck": "LEFT OUT"}, "deck", "Key deck is missing."),
        ({"dek": 1}, "line", "Unknown key 'dek'. Known keys: game, rules, secret, entropies, deck."),
        ({"game": "Chess"}, "game", "Unknown game 'Chess'. Known games: "),
        ({"game": None}, "game", "This is not a string."),
        ({"rules": "2020"}, "rules", "Unknown rules '2020' of Army Ants. Known rules: standard, free."),
        ({"secret": 5}, "secret", "This is not a string."),
        ({"secret": "5"}, "secret", "secret must be 64 hexadecimal digits in lower case."),
        ({"entropies": "ab"}, "entropies", "This is not a list of strings."),
        ({"entropies": ["a", 1]}, "entropies", "This is not a list of strings."),
        ({"entropies": ["a", "\ud800"]}, "entropies", "Entropy 2 must be 1 to 64 characters from ! to ~."),
        ({"deck": ["N"]}, "deck", "This is neither null nor a string."),
        ({"deck": "N"}, "deck", "This game has no deck."),
    ],
)
def test_invalid_deal_line_gets_an_error_and_does_not_stop_the_others(
    line: str | dict[str, Any], what: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if isinstance(line, dict):
        line = json.dumps({key: value for key, value in (GIVEN | line).items() if value != "LEFT OUT"})
    file = tmp_path / "given.ndjson"
    file.write_bytes(f"{json.dumps(GIVEN)}\n{line}\n{json.dumps(GIVEN)}\n".encode(errors="surrogateescape"))

    assert main(["deal", "--json", str(file)]) == 1

    before, refused, after = lines_of(capsys)
    assert before == after == DEALT
    assert (refused["file"], refused["line"], refused["error"]["what"]) == (str(file), 2, what)
    assert refused["error"]["why"].startswith(why)


def test_deal_names_a_missing_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "--json", "missing.ndjson"]) == 2
    assert capsys.readouterr().err == "missing.ndjson: No such file or directory\n"


# Terminals and pipes


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@dataclass
class Screens:
    """A terminal with separate output and error streams."""

    out: Terminal = field(default_factory=Terminal)
    err: Terminal = field(default_factory=Terminal)

    def main(self, *arguments: str) -> None:
        """Run a command on it; pytest would replace streams that were set earlier."""
        with redirect_stdout(self.out), redirect_stderr(self.err):
            main(arguments)


@pytest.fixture
def terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Screens:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    return Screens()


def test_terminal_output_is_coloured(terminal: Screens) -> None:
    terminal.main("verify", "won.agn", "bad.agn")

    assert "\x1b[32m✓ verified  \x1b[0m won.agn" in terminal.out.getvalue()
    assert "\x1b[31m            ^^^^^\x1b[0m" in terminal.out.getvalue()


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_are_turned_off_by_the_environment(
    terminal: Screens, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)

    terminal.main("verify", "won.agn")

    assert "\x1b" not in terminal.out.getvalue()


def test_a_long_input_has_a_progress_bar_on_a_terminal(
    terminal: Screens, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "PATIENCE", 1e-9)
    (folder / "long.agn").write_text("\n".join([WON] * 500))

    terminal.main("verify", "--json", "long.agn")

    assert "long.agn" in terminal.out.getvalue()
    assert "B/s" in terminal.err.getvalue()
    assert terminal.err.getvalue().endswith("\r")


def test_input_of_unknown_length_shows_a_progress_bar(
    terminal: Screens, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "PATIENCE", 1e-9)
    feed(monkeypatch, "\n".join([WON] * 50))

    terminal.main("verify", "-", "missing.agn")

    assert terminal.out.getvalue().endswith("1 file could not be read.\n")
    assert "B/s" in terminal.err.getvalue()


def test_empty_input_shows_no_progress_bar(terminal: Screens, folder: Path) -> None:
    (folder / "empty.agn").write_bytes(b"")

    terminal.main("verify", "empty.agn")

    assert (terminal.out.getvalue(), terminal.err.getvalue()) == ("0 games.\n", "")


def test_short_input_shows_no_progress_bar(terminal: Screens) -> None:
    terminal.main("verify", "won.agn")

    assert terminal.err.getvalue() == ""


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "engine", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, check=False, **more)


def test_output_is_utf8_in_every_locale() -> None:
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}

    done = run("verify", "-", input=written(Red="蟻").encode(), env=environment)

    assert done.returncode == 0
    assert "… unfinished -, game 1" in done.stdout.decode()


def test_file_name_with_invalid_utf8_is_accepted(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/w\xffn.agn"
    Path(os.fsdecode(name)).write_text(WON)

    done = run("verify", "--json", os.fsdecode(name))

    assert json.loads(done.stdout)["file"] == os.fsdecode(name)


def test_closed_output_pipe_ends_the_program_quietly() -> None:
    command = [sys.executable, "-m", "engine", "replay", "--json", *[str(BROKEN)] * 2_000]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read().decode().splitlines()

    assert json.loads(first)["ply"] == 0
    assert process.returncode == 141
    assert all("ATTA-MOVE-3" in line for line in complaints)


def test_full_output_disk_is_reported() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "engine", "verify", str(BROKEN)]
        done = subprocess.run(command, cwd=PROJECT, stdout=full, stderr=subprocess.PIPE, check=False)

    assert (done.returncode, done.stderr) == (2, b"atta: No space left on device\n")


def test_each_game_is_reported_before_the_next_one_is_read() -> None:
    command = [sys.executable, "-m", "engine", "verify", "--json", "-"]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(as_json()).encode() + b"\n")
        process.stdin.flush()
        row = json.loads(process.stdout.readline())
        process.stdin.close()

    assert (row["verdict"], process.wait()) == ("unfinished", 0)


def test_program_is_installed_as_atta() -> None:
    atta = Path(sys.executable).with_name("atta")
    if not atta.exists():
        pytest.skip("the project is not installed here")

    done = subprocess.run([atta, "verify", "-q", "-"], input=BAD.encode(), capture_output=True, check=False)

    assert done.returncode == 1


def test_program_runs_without_installed_packages() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "engine", "verify", "-"],
        cwd=PROJECT,
        input=WON.encode(),
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_suggestions_are_printed_on_request(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = str(PROJECT / "games" / "samples" / "with-mistakes.agn")

    main(["verify", "--suggest", sample])
    printed = capsys.readouterr().out
    main(["verify", "--suggest", "--json", sample, "good.agn"])
    found = [line["suggestions"] for line in lines_of(capsys)]

    assert "    Of 12 legal actions, only O1:S makes the whole game legal.\n      replace O1:S " in printed
    assert found[0]["suggestions"][0]["token"] == "O1:S"
    assert found[-1] is None
