"""The engine: text to verdict, with canonical text and digests, in one process."""

import io
from functools import cache
from time import process_time

from bench.rate import Rate
from bench.samples import SAMPLES
from engine.verify import REJECTED, verify_file

LEGAL = ("club-evenings.agn", "rules-of-2003.agn")


@cache
def corpus() -> bytes:
    """The legal sample games, as one file."""
    return b"\n".join((SAMPLES / name).read_bytes() for name in LEGAL)


def measure() -> Rate:
    """Verify the corpus once. CPU time, so that others on the machine do not count."""
    plies = games = 0
    begun = process_time()
    for verdict in verify_file(io.BytesIO(corpus())):
        if verdict.verdict == REJECTED:
            raise SystemExit(f"a sample game is rejected: {verdict.fault}")
        plies += verdict.plies or 0
        games += 1
    spent = process_time() - begun
    return Rate(plies / spent, games / spent)
