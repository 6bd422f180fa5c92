"""The program that verifies a leaderboard shares no code with the app and finds the same digits."""

import ast
import json
import subprocess
import sys
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.apps import apps

from games.corrections.rerating import perform_waiting
from games.models import Club, Player, RatingEvent
from tests.games.evenings import annul, merge, play, season

PROGRAM = Path(__file__).parents[2] / "games" / "static" / "games" / "recompute.py"
NAMES = [f"Ant {n}" for n in range(12)]
DAY = timedelta(days=1)


def recompute(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run it as any user would: alone, without installed packages."""
    command = [sys.executable, "-I", "-S", str(PROGRAM), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_program_imports_only_the_standard_library() -> None:
    nodes = list(ast.walk(ast.parse(PROGRAM.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)


@pytest.mark.full
def test_program_matches_every_digit_with_ties_annulments_and_merges(now: datetime, live: str) -> None:
    games = play(season(150, NAMES), now)
    for game in games[10:60:7]:
        annul(game, now + DAY)
    merge("Ant 3", "Ant 4", now + DAY)
    play(season(50, NAMES, seed=2), now + DAY)
    club = Club.objects.create(slug="formica", name="Casa Formica", created_at=now)
    play(season(30, NAMES[:5], seed=3), now + DAY, club=club)
    assert RatingEvent.objects.filter(place=4).exists()

    for path in ("leaderboards", "clubs/formica/leaderboards"):
        for day in ("2026-03-14", "2026-03-15"):
            board = f"{live}/api/v1/{path}/atta-ants-online"
            done = recompute(f"{board}/games?as_of={day}", "--board", f"{board}?as_of={day}")
            assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "The leaderboard matches."), done.stdout


@pytest.mark.full
def test_program_matches_once_two_forms_of_a_name_are_one_player(now: datetime, live: str) -> None:
    play(season(60, NAMES), now)
    for name, typed in {"Ant 3": "Jose\u0301", "Ant 4": "Jos\u00e9", "Ant 5": "Zoe\u0308"}.items():
        Player.objects.filter(name=name).update(name=typed)
    import_module("games.migrations.0074_one_key_for_names").Merging(apps, "default").run()
    assert perform_waiting(now=now + DAY) == 1
    play([(("Jos\u00e9", "Ant 1"), (1, 2)), (("Zo\u00eb", "Ant 2"), (2, 1))], now + DAY)
    board = f"{live}/api/v1/leaderboards/atta-ants-online"
    for day in ("2026-03-14", "2026-03-15"):
        done = recompute(f"{board}/games?as_of={day}", "--board", f"{board}?as_of={day}")
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "The leaderboard matches."), done.stdout
        assert done.stdout.count("Jos") == (2 if day == "2026-03-14" else 1)


@pytest.mark.full
def test_program_checks_a_paged_leaderboard_from_a_file_of_games(now: datetime, live: str, tmp_path: Path) -> None:
    names = [f"Ant {n:03}" for n in range(230)]
    play([((one, other), (1, 2)) for one, other in zip(names[::2], names[1::2], strict=True)], now)
    board = f"{live}/api/v1/leaderboards/atta-ants-online"
    file = tmp_path / "games.ndjson"
    file.write_bytes(urlopen(f"{live}/leaderboards/atta-ants-online/games.ndjson?as_of=2026-03-14").read())

    done = recompute(str(file), "--board", f"{board}?as_of=2026-03-14", "--quiet")

    digest = json.loads(urlopen(f"{board}?as_of=2026-03-14").read())["digest"]
    assert done.stdout == f"115 games, 230 players, digest {digest}\nThe leaderboard matches.\n"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ('"place": 1', "the digest of the set of games"),
        ("mu", "there, (1, "),
        ("gone", "is not there"),
    ],
)
def test_every_discrepancy_is_reported(now: datetime, live: str, tmp_path: Path, change: str, says: str) -> None:
    play([(("Ada", "Bruno"), (1, 2)), (("Cleo", "Dora"), (1, 2))], now)
    board = f"{live}/api/v1/leaderboards/atta-ants-online"
    games = urlopen(f"{board}/games?as_of=2026-03-14").read().decode()
    stored = json.loads(urlopen(f"{board}?as_of=2026-03-14").read())
    if change == "mu":
        stored["rows"][0]["mu"] += 0.000001
    elif change == "gone":
        stored["rows"].pop()
    else:
        games = games.replace(change, '"place": 3', 1)
    (tmp_path / "games.ndjson").write_text(games)
    (tmp_path / "board.json").write_text(json.dumps(stored))

    done = recompute(str(tmp_path / "games.ndjson"), "--board", str(tmp_path / "board.json"))

    assert done.returncode == 1
    assert says in done.stdout
