"""Measures the engine of one tree: a separate program, so that `bench.against` can run that of another commit.

`tree_reader.py FOLDER` reads requests from standard input, a line each, and answers each with a line of JSON:
`verify FILE` and `states FILE` with CPU seconds, `verdicts FILE` with a digest of all verdicts, and `modules` with the
number of compiled ones. It imports only what every commit since the first release has.
"""

import hashlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any


def main() -> None:
    """Answer requests until standard input ends."""
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    from engine.verify import verify_file  # noqa: PLC0415 (the engine of that folder)

    answers: dict[str, Callable[[Any], object]] = {"verify": _verify, "states": _states, "verdicts": _verdicts}
    for line in sys.stdin:
        what, _, path = line.rstrip("\n").partition(" ")
        if what == "modules":
            answer: object = len([name for name, one in sys.modules.items() if _is_compiled(name, one)])
        else:
            data = Path(path).read_bytes()
            answer = answers[what](lambda data=data: verify_file(io.BytesIO(data)))
        print(json.dumps(answer), flush=True)


def _is_compiled(name: str, module: object) -> bool:
    return name.startswith("engine.") and not str(getattr(module, "__file__", ".py")).endswith(".py")


def _verify(verdicts: Callable[[], Any]) -> float:
    """Return the CPU seconds from bytes to verdicts."""
    begun = process_time()
    for _ in verdicts():
        pass
    return process_time() - begun


def _states(verdicts: Callable[[], Any]) -> float:
    """Return the CPU seconds for every position of games that are verified already."""
    replays = [verdict.replay for verdict in verdicts() if verdict.replay]
    begun = process_time()
    for replay in replays:
        _ = replay.states
    return process_time() - begun


def _verdicts(verdicts: Callable[[], Any]) -> str:
    """Return a digest of everything that the command line prints about each record."""
    found = hashlib.sha256()
    for verdict in verdicts():
        found.update(json.dumps(verdict.as_json(), sort_keys=True).encode())
    return found.hexdigest()


if __name__ == "__main__":
    main()
