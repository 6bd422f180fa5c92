"""Games for figures, a few of them: played once a run."""

from collections.abc import Callable

import pytest

from bench import played
from bench.archive import Games
from bench.played import SOURCES


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Games]:
    """Makes the same games anew: 70 of each ruleset at least, of one that was played."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(played, "BATCH", 1)
        played.play(dict.fromkeys(SOURCES, 1), folder)

    def made() -> Games:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(played, "BATCH", 1)
            return Games(dict.fromkeys(SOURCES, 70), folder)

    return made
