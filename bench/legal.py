"""How long it takes to list the legal actions of a position, by ruleset: `make bench OF=legal`.

Positions are every fifth one of all games in `fixtures/`. Rulesets of one game list the same positions, so that they
can be compared.
"""

import argparse
from statistics import median
from time import perf_counter

from engine.registry import RULESETS
from tests.strategies import AnyRuleset, recorded

EVERY = 5
TIMES = 5


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench.legal", description=__doc__)
    options.add_argument("--only", action="append", default=[], help="the slug of a ruleset")
    only = options.parse_args().only
    print(f"{'ruleset':<18} {'positions':>9} {'actions':>8} {'µs a list':>10} {'µs an action':>13}")
    for ruleset in RULESETS:
        if not only or ruleset.slug in only:
            measure(ruleset)


def measure(ruleset: AnyRuleset) -> None:
    of_game = [other for other in RULESETS if other.game == ruleset.game]
    states = [state for other in of_game for replay in recorded(other) for state in replay.states[::EVERY]]
    counts = [sum(1 for _ in ruleset.legal_actions(state)) for state in states]
    taken = []
    for _ in range(TIMES):
        begin = perf_counter()
        for state in states:
            for _action in ruleset.legal_actions(state):
                pass
        taken.append(perf_counter() - begin)
    each = median(taken) / len(states) * 1e6
    mean = sum(counts) / len(counts)
    print(f"{ruleset.slug:<18} {len(states):>9,} {mean:>8.1f} {each:>10.1f} {each / mean:>13.2f}")


if __name__ == "__main__":
    main()
