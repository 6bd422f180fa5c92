"""How quickly games are verified: by the engine alone, by python-chess beside it, and end to end through the worker."""

import argparse
import platform
from importlib.metadata import version

from bench import chess_beside, engine_alone, through_worker


def main() -> None:
    """Take the figures and print them."""
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("--rounds", type=int, default=7, help="of each figure the best of so many")
    options.add_argument("--games", type=int, default=2000, help="through the worker")
    options.add_argument("--engine-only", action="store_true")
    chosen = options.parse_args()
    print(machine())
    ours, theirs = [], []
    for _ in range(chosen.rounds):  # in turns, so that a busy minute slows both
        ours.append(engine_alone.measure())
        theirs.append(chess_beside.measure())
    atta, chess = max(ours), max(theirs)
    print(f"engine alone        {atta}")
    print(f"python-chess {version('chess'):<7}{chess}   (read_game: parse, legality, game tree)")
    print(f"ratio               {atta.plies / chess.plies:.2f} x python-chess's plies per second")
    if not chosen.engine_only:
        print(f"through the worker  {through_worker.measure(chosen.games)}")


def machine() -> str:
    """What the figures were taken on."""
    with open("/proc/cpuinfo") as file:  # noqa: PTH123 (no path of ours)
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{len(models)} x {models[0]}, Python {platform.python_version()}, {platform.platform(terse=True)}"


if __name__ == "__main__":
    main()
