"""A few games for benchmarks, played once per run."""

from collections.abc import Callable

import pytest

from bench import played
from bench.archive import Games
from bench.played import SOURCES


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Games]:
    """Return a generator of the same games: at least 70 of each ruleset, from one that was played."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(played, "BATCH", 1)
        played.play(dict.fromkeys(SOURCES, 1), folder)

    def made() -> Games:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(played, "BATCH", 1)
            return Games(dict.fromkeys(SOURCES, 70), folder)

    return made
