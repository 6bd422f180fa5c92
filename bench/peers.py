"""Compares the engine with other readers that check every move of a file of chess games, as far as they are installed.

`make peers` installs what pip can install; pgn-extract is a Debian package. All read the same games as python-chess.
The CPU time of reading is measured; for pgn-extract, that of the whole process.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

from bench import chess_beside
from bench.peer_readers import READERS
from bench.played import KEPT
from bench.rate import Rate

PGN_EXTRACT = "pgn-extract"
_PATH = f"{os.environ['PATH']}:/usr/games"
"""Debian's place for it is often not on the path."""
_PYTHON = KEPT.parent / "peers" / "bin" / "python"
_READERS = Path(__file__).with_name("peer_readers.py")


def ready() -> list[str]:
    """Return the installed readers, and print which are missing."""
    here = [PGN_EXTRACT] if shutil.which(PGN_EXTRACT, path=_PATH) else []
    here += json.loads(_read()) if _PYTHON.exists() else []
    absent = [name for name in (PGN_EXTRACT, *READERS) if name not in here]
    if absent:
        print(f"not here: {', '.join(absent)} (`make peers`; apt-get install {PGN_EXTRACT})", flush=True)
    return here


def measure(name: str) -> Rate:
    """Let a reader read the corpus once. :raises SystemExit: when it finds other games or plies."""
    path, (text, plies) = KEPT / "chess.pgn", chess_beside.corpus()
    KEPT.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if name == PGN_EXTRACT:
        spent = _extract(path)
    else:
        spent, *counted = json.loads(_read(name, str(path)))
        if counted != [chess_beside.GAMES, plies]:
            raise SystemExit(f"{name} read {counted} games and plies")
    return Rate(plies / spent, chess_beside.GAMES / spent)


def _read(*words: str) -> bytes:
    return subprocess.run([_PYTHON, _READERS, *words], stdout=subprocess.PIPE, check=True).stdout


def _extract(path: Path) -> float:
    program = shutil.which(PGN_EXTRACT, path=_PATH) or PGN_EXTRACT
    process = subprocess.Popen([program, "-r", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    report = process.stderr.read().decode() if process.stderr else ""
    _, status, used = os.wait4(process.pid, 0)
    if status or f"{chess_beside.GAMES} games matched" not in report:
        raise SystemExit(f"{PGN_EXTRACT} did not read all games: {report[-500:]}")
    return used.ru_utime + used.ru_stime
