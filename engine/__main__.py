"""The command line: `python -m engine verify|replay|convert`."""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from engine.verify import REJECTED, verify_file


def main(arguments: list[str] | None = None) -> int:
    p = argparse.ArgumentParser()
    p.add_argument("command"); p.add_argument("--json", action="store_true"); p.add_argument("--to"); p.add_argument("files", nargs="+")
    o = p.parse_args(arguments)
    bad = 0
    first = True
    for f in o.files:
        with open(f, "rb") as s:
            for v in verify_file(s):
                bad |= v.verdict == REJECTED
                if o.command == "verify":
                    print(json.dumps({"file": f, **v.as_json()}, ensure_ascii=False))
                elif o.command == "replay":
                    if v.replay:
                        for i, st in enumerate(v.replay.states):
                            print(json.dumps({"file": f, "game": v.record.game, "ply": i, "token": v.replay.actions[i-1] if i else None, "state": v.ruleset.describe(st)}, ensure_ascii=False))
                elif v.text is not None:
                    if o.to == "json": print(json.dumps(v.replay.as_json(), ensure_ascii=False))
                    else:
                        if not first: print()
                        print(v.text, end=""); first = False
    return bad

sys.exit(main())
