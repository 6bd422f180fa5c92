"""Reads a file of chess games with another project's reader, every move checked: a separate program, run by var/peers.

`peer_readers.py NAME FILE` prints the CPU seconds, the games and the plies as JSON; without arguments, the names of the
installed readers.
"""

import json
import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import process_time

Count = tuple[int, int]
"""Games and plies."""


def shakmaty(text: str) -> Count:
    """Read with rust-pgn-reader and shakmaty in one thread, which return arrays of all moves and boards."""
    from rust_pgn_reader_python_binding import parse_games_from_strings  # noqa: PLC0415

    games = parse_games_from_strings(_games(text), num_threads=1)
    if not all(game.is_valid for game in games):
        raise SystemExit("a legal game is invalid")
    return len(games), games.num_moves


def open_spiel(text: str) -> Count:
    """Read with OpenSpiel's chess, move by move."""
    import pyspiel  # noqa: PLC0415

    chess, plies = pyspiel.load_game("chess"), 0
    games = _games(text)
    for game in games:
        state = chess.new_initial_state()
        for word in re.sub(r"\[.*\]|\d+\.+", " ", game).split()[:-1]:
            state.apply_action(state.string_to_action(word))
            plies += 1
    return len(games), plies


def _games(text: str) -> list[str]:
    return re.split(r"\n\n(?=\[Event )", text.strip())


READERS: dict[str, tuple[str, Callable[[str], Count]]] = {
    "rust-pgn-reader (shakmaty)": ("rust_pgn_reader_python_binding", shakmaty),
    "OpenSpiel": ("pyspiel", open_spiel),
}
"""The module without which each cannot be, and how it reads."""


def main() -> None:
    """Read a file, or name the installed readers."""
    if len(sys.argv) == 1:
        print(json.dumps([name for name, (module, _) in READERS.items() if find_spec(module)]))
        return
    name, path = sys.argv[1:]
    text, read = Path(path).read_text(), READERS[name][1]
    read(text[: text.index("\n\n[Event ", 1)])  # what is loaded once
    begun = process_time()
    games, plies = read(text)
    print(json.dumps([process_time() - begun, games, plies]))


if __name__ == "__main__":
    main()
