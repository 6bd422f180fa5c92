"""The engine: file to verdicts, with canonical texts and digests, in one process."""

import io
from time import process_time

from bench.corpora import BROKEN, Corpus
from bench.rate import Rate
from engine.verify import REJECTED, verify_file

PASSES = 4
"""How often a corpus is read in one measurement, which then takes a good part of a second, as python-chess's does."""


def measure(corpus: Corpus) -> Rate:
    """Verify a corpus. CPU time, so that others on the machine do not count."""
    rejected = 0
    begun = process_time()
    for _ in range(PASSES):
        for verdict in verify_file(io.BytesIO(corpus.data)):
            rejected += verdict.verdict == REJECTED
    spent = process_time() - begun
    if rejected != PASSES * -(-corpus.games // BROKEN):
        raise SystemExit(f"{rejected} games of {PASSES} times {corpus.games} are rejected")
    return Rate(PASSES * corpus.plies / spent, PASSES * corpus.games / spent)
