"""What a worker does in turns, each for a slice of time: it judges, rates and indexes, and splits files meanwhile.

`call` wakes other processes: where time is up before all is done, one of them goes on.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from time import monotonic, sleep
from uuid import UUID

from django.utils import timezone

from games import run as rating
from games.search import waiting
from games.uploads import splitting
from games.verification import queue
from games.verification.reads import logs_wait

Call = Callable[[], object]

LONGEST = 10.0
"""Seconds after which a task makes room for the next, far below its time limit."""
SPLITTING, _TURN = 30.0, 0.5
"""The same for a task that splits, counted from its first batch, because it first unpacks what is split already; and
how long other uploads wait meanwhile."""
_RATING, _RATING_WHILE_LOGS_WAIT = 4.0, 1.0
"""Seconds after which a task begins to rate nothing more."""
_JUDGING_WHILE_FILES_WAIT = 1.0
"""The same for a task that judges, while a file waits to be split."""
_JUDGING_WHILE_GAMES_WAIT = 2.0
"""The same while a club's games wait to be rated, so that a long file is rated while it is judged."""
_INDEXING = 1.0
"""Seconds after which a task begins to index nothing more."""


def judge_waiting(*, call: Call) -> int:
    """Judge logs until none waits or time is up. :returns: how many."""
    begun, judged, called, turns = monotonic(), 0, False, count()
    while claims := queue.claim(fresh_first=next(turns) % 2 > 0):
        only_one = len(claims) == 1 and claims[0].attempt == 1
        if not (called or only_one) and logs_wait():
            call()  # another process can help, and calls the next
            called = True
        judged += judge(claims)
        if not _time_to_judge(monotonic() - begun):
            call()
            break
    return judged


def _time_to_judge(spent: float) -> bool:
    if spent < _JUDGING_WHILE_FILES_WAIT:
        return True
    if spent > LONGEST or splitting.anything_to_split():
        return False
    return spent < _JUDGING_WHILE_GAMES_WAIT or not rating.anything_to_rate()


def judge_some(*, fresh_first: bool, except_upload: UUID | None = None) -> int:
    """Judge a batch of logs, if any waits. :returns: how many.

    :param except_upload: an upload whose logs are left to other processes.
    """
    claims = queue.claim(fresh_first=fresh_first, except_upload=except_upload)
    return judge(claims) if claims else 0


def judge(claims: list[queue.Lease]) -> int:
    """Judge claimed logs. :returns: how many."""
    claimed = monotonic()
    if len(claims) > 1 or claims[0].attempt == 1:
        return queue.judge_together(claims, now=timezone.now(), spent=lambda: monotonic() - claimed)
    with suppress(Exception):  # MemoryError and the like would end the worker; the row already has the log's next state
        return queue.judge(claims[0], now=timezone.now())
    return 0


def rate(*, call: Call) -> None:
    """Rate what counts, until time is up."""
    begun = monotonic()
    rating.rate_waiting(now=timezone.now, has_time=lambda: _time_to_rate(monotonic() - begun))
    if not _time_to_rate(monotonic() - begun):
        call()


def _time_to_rate(spent: float) -> bool:
    return spent < _RATING_WHILE_LOGS_WAIT or (spent < _RATING and not logs_wait())


class Rarely:
    """Says yes once in so many seconds."""

    def __init__(self, seconds: float) -> None:
        """Say yes at once, and then after so many seconds."""
        self._seconds, self._due = seconds, 0.0

    def __call__(self) -> bool:
        """Return whether the time has come again."""
        due = monotonic() >= self._due
        if due:
            self._due = monotonic() + self._seconds
        return due


_indexes_in_any_case = Rarely(LONGEST)
"""So that new games are indexed on any site, however busy it is: a batch."""


def index(*, call: Call) -> None:
    """Index new games, until time is up or something urgent waits."""
    begun = monotonic()
    if _indexes_in_any_case() or not anything_urgent():
        waiting.index_waiting(has_time=while_nothing_is_urgent(_INDEXING))
    if monotonic() - begun >= _INDEXING:
        call()


def while_nothing_is_urgent(seconds: float) -> Callable[[], bool]:
    """Return whether there is time for what can wait: the first time always, so that some is done on any site."""
    until, turns = monotonic() + seconds, count()
    return lambda: next(turns) == 0 or (monotonic() < until and not anything_urgent())


def anything_urgent() -> bool:
    """Return whether anything waits to be verified or rated."""
    return others_are_busy() or splitting.anything_to_split()


def others_are_busy() -> bool:
    """Return whether those that do not split a file have enough to do: records to judge, or games to rate."""
    return logs_wait() or rating.anything_to_rate()


class Interleaver:
    """Serves other uploads while a file is split, so that a large file keeps nobody waiting."""

    def __init__(self, splitter: splitting.Splitter, *, call: Call) -> None:
        """Serve them beside the splitting of a file."""
        self._splitter, self._call = splitter, call
        self._turn = self._rated = monotonic()
        self._called = 0.0
        self._turns = count()

    def are_called(self) -> None:
        """Wake other processes to help, at most once a second."""
        if monotonic() - self._called > 1:
            self._call()
            self._called = monotonic()

    def have_their_turn(self) -> None:
        """Serve others if they were not served for a while."""
        if monotonic() - self._turn > _TURN:
            self._are_served(except_upload=self._splitter.upload)

    def are_served_with_the_file(self) -> None:
        """Serve others, and judge what waits of the file itself."""
        if not self._are_served():
            sleep(0.05)  # other processes are doing it

    def _are_served(self, except_upload: UUID | None = None) -> int:
        """Split a small file, judge some of what waits and, at times, rate what counts.

        :returns: how many were judged.
        """
        self._split_small()
        judged = judge_some(fresh_first=next(self._turns) % 2 == 0, except_upload=except_upload)
        self._turn = monotonic()
        if self._turn - self._rated > LONGEST:
            self._rate()
        return judged

    def _rate(self) -> None:
        """Rate what counts, after judging what no other process has taken: a file is rated in its order."""
        judge_some(fresh_first=True)
        rate(call=self._call)
        self._rated = monotonic()

    def _split_small(self) -> None:
        """Split a small file that waits, or its beginning, so that it does not wait for the end of a large one."""
        splitter, until = splitting.claim(small=True), monotonic() + _TURN
        if splitter is None:
            return
        for _ in splitting.split(splitter, clock=timezone.now, pulse=self._splitter.renew):
            if monotonic() > until or splitter.is_full():
                splitter.let_go()
                break
