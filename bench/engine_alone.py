"""Measures the engine alone: file to verdicts, with canonical texts and digests, in one process."""

import io
from time import process_time

from bench.corpora import Corpus
from bench.distinct import BROKEN
from bench.rate import Rate
from engine.verify import REJECTED, verify_file


def measure(corpus: Corpus) -> Rate:
    """Verify a corpus, and measure the CPU time, so that other processes do not matter."""
    rejected = 0
    begun = process_time()
    for verdict in verify_file(io.BytesIO(corpus.data)):
        rejected += verdict.verdict == REJECTED
    spent = process_time() - begun
    if rejected != -(-corpus.games // BROKEN):
        raise SystemExit(f"{rejected} games of {corpus.games} are rejected")
    return Rate(corpus.plies / spent, corpus.games / spent)
