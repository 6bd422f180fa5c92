"""The worker's tasks, and how it is woken. Tasks are interfaces: a call or two, no logic.

All are in one module, because Celery names tasks by their module, and older workers know them by these names.
"""

from collections.abc import Mapping
from time import monotonic, sleep

import structlog
from celery import Task, shared_task
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from games import time_slices
from games.accounts import cleaning
from games.bots import acting as bots
from games.bots import exhibiting
from games.bots import reads as bot_turns
from games.clubs import announcing
from games.clubs.reads.news import news_of
from games.daily import choosing
from games.films import cleaning as old_films
from games.films import making as films
from games.films.reads import films_due
from games.holds import flags
from games.ladders import snapshots
from games.ladders.reads.snapshots import boards_wait
from games.mail import account_mails, delivery
from games.models import Delivery
from games.notices import events
from games.notices.reads import anything_to_send
from games.platform import idempotency, processes, rate_limits
from games.platform.waking import wake
from games.players import claims
from games.playing import leaving, linking
from games.push import delivery as pushes
from games.push.reads import pushes_due
from games.ratings import means
from games.ratings.by_day import ladders_behind, refresh_behind
from games.ratings.reads.ledger import games_without_means
from games.records import dump_files
from games.search import events as search_events
from games.search import indexing, merging
from games.search.reads.due import games_without_events, games_without_tension, unindexed_games
from games.search.reads.runs import many_runs_wait, numbering_is_outdated, runs_wait
from games.uploads import dry_runs, files, splitting
from games.uploads.reads.event import event_of
from games.verification import queue
from games.verification.at_once import AtOnce
from games.verification.reads import anything_waits
from games.webhooks import deliveries
from games.webhooks.reads import anything_to_deliver

_log = structlog.get_logger()

SMALL = "small"
"""The kind of the processes that judge small uploads, and their queue."""
AFTER_SMALL = 0.1
"""Seconds after which the other workers are called where such a process runs."""
_MONTH_ENDS = 600.0
"""Seconds after which no other board of a month's end is begun."""
_RENUMBERING = 67
"""The migration that came with `renumber_positions`: older workers do not know this task."""


@shared_task
def verify_waiting() -> int:
    """Judge logs until none waits or time is up, rate what counts, and index new games.

    :returns: how many were judged.
    """
    judged = time_slices.judge_waiting(call=call_workers)
    if splitting.anything_to_split():
        split_waiting.apply_async(expires=60)
    time_slices.rate(call=call_workers)
    time_slices.index(call=call_workers)
    return judged


@shared_task
def verify_small() -> int:
    """Judge the first records of uploads, a few at a time, so that no small upload waits for a large one.

    Rating them is left to the other workers, which are called.

    :returns: how many were judged.
    """
    until, judged = monotonic() + time_slices.LONGEST, 0
    while claims := queue.claim_in_lane():
        judged += time_slices.judge(claims)
        if monotonic() > until:
            call_workers()
            break
    if judged:
        verify_waiting.apply_async(expires=60)
    return judged


@shared_task(soft_time_limit=300, time_limit=310)
def split_waiting() -> int:
    """Split an upload until its end or time is up; what waits of others is judged meanwhile.

    Its own records are judged at once where other workers have enough to do.

    :returns: how many logs.
    """
    splitter = splitting.claim()
    if splitter is None:
        return 0
    others, until, split = time_slices.Interleaver(splitter, call=call_workers), 0.0, 0
    judge = AtOnce(time_slices.others_are_busy)
    for logs in splitting.split(splitter, clock=timezone.now, pulse=others.have_their_turn, judge=judge):
        split += logs
        until = until or monotonic() + time_slices.SPLITTING
        others.are_called()
        while splitter.is_full():
            splitter.renew()
            others.are_served_with_the_file()
        if monotonic() > until:
            splitter.let_go()
            break
    call_workers()
    return split


@shared_task
def sweep() -> None:
    """Find what a lost message or a killed worker left behind."""
    queue.quarantine_lapsed(now=timezone.now())
    linking.raise_alarms_for_quarantined(now=timezone.now())
    leaving.time_out_due(now=timezone.now())
    splitting.refuse_lapsed(now=timezone.now())
    if anything_waits() or splitting.anything_to_split() or unindexed_games().exists():
        call_workers()
    if boards_wait() or ladders_behind(timezone.now()):
        make_boards.apply_async(expires=5)
    if anything_to_send(timezone.now()) or account_mails.due(timezone.now()).exists():
        send_mails.apply_async(expires=5)
    if pushes_due(timezone.now()).exists():
        push.apply_async(expires=5)
    announcing.announce_games(now=timezone.now())
    if anything_to_deliver(timezone.now()):
        deliver.apply_async(expires=5)
    _sweep_index()
    _sweep_other_queues()


def _sweep_index() -> None:
    if runs_wait():
        merge_runs.apply_async(expires=5)
    if games_without_events().exists() or games_without_tension().exists() or games_without_means().exists():
        find_events.apply_async(expires=5)
    if numbering_is_outdated() and processes.workers_know(_RENUMBERING):
        renumber_positions.apply_async(expires=5)


def _sweep_other_queues() -> None:
    call_if_served("bots", exhibit, expires=5)
    if bot_turns.anything_waits():
        call_if_served("bots", play_bots, expires=5)
    if films_due(timezone.now()).exists():
        call_if_served("films", make_films, expires=5)


@shared_task
def play_bots() -> int:
    """Have bots act wherever people wait for them, until time is up. :returns: how often."""
    until = monotonic() + time_slices.LONGEST
    acted = bots.act_waiting(now=timezone.now, has_time=lambda: monotonic() < until)
    if monotonic() >= until:
        wake_bots()
    return acted


@shared_task(soft_time_limit=240, time_limit=250)
def make_films() -> int:
    """Make the films that were asked for, until time is up, and make room for them. :returns: how many."""
    until = monotonic() + time_slices.LONGEST
    made = films.make_due(now=timezone.now, has_time=lambda: monotonic() < until)
    old_films.make_room()
    return made


@shared_task
def exhibit() -> int:
    """Have the bots go on with the games that they play among themselves, an action each. :returns: how many."""
    until = monotonic() + time_slices.LONGEST
    exhibiting.keep_going(settings.BOT_EXHIBITIONS, now=timezone.now())
    return bots.act_in_exhibitions(now=timezone.now, has_time=lambda: monotonic() < until)


@shared_task(soft_time_limit=1800, time_limit=1810)
def make_boards() -> int:
    """Compute leaderboards of large ladders that were asked for, then ledgers by day played that are behind.

    :returns: how many leaderboards.
    """
    made = snapshots.make_waiting(now=timezone.now())
    refresh_behind(now=timezone.now)
    return made


@shared_task(soft_time_limit=1800, time_limit=1810)
def make_month_ends() -> int:
    """Compute the leaderboards of the ends of months and years, while time is left and nothing urgent waits.

    :returns: how many.
    """
    return snapshots.make_past_ends(now=timezone.now(), has_time=time_slices.while_nothing_is_urgent(_MONTH_ENDS))


@shared_task(soft_time_limit=4 * 3600, time_limit=4 * 3600 + 60)
def make_dumps() -> int:
    """Write the dumps of months that are over, and rewrite those that are outdated. :returns: how many."""
    return dump_files.make_due(now=timezone.now())


@shared_task(soft_time_limit=1800, time_limit=1810)
def merge_runs() -> int:
    """Merge runs of the index, until time is up or, unless very many are to be merged, something urgent waits.

    :returns: how often.
    """
    until = monotonic() + time_slices.LONGEST
    return merging.merge_runs(
        has_time=lambda: monotonic() < until and (many_runs_wait() or not time_slices.anything_urgent())
    )


@shared_task(soft_time_limit=1800, time_limit=1810)
def renumber_positions() -> int:
    """Index games that an earlier version numbered otherwise, until time is up or something urgent waits.

    :returns: how many.
    """
    return indexing.renumber(has_time=time_slices.while_nothing_is_urgent(time_slices.LONGEST))


@shared_task(soft_time_limit=1800, time_limit=1810)
def find_events() -> int:
    """Find out which events happened in new games, how exciting they were and how strong their players.

    Until time is up or something urgent waits.

    :returns: in how many games.
    """
    found = search_events.find_events(has_time=time_slices.while_nothing_is_urgent(time_slices.LONGEST))
    return found + means.read_means(has_time=time_slices.while_nothing_is_urgent(time_slices.LONGEST))


@shared_task
def choose_game_of_the_day() -> None:
    """Choose the game of the day, unless it is chosen."""
    choosing.choose(now=timezone.now())


@shared_task
def send_mails() -> int:
    """Send the mails that are due, until time is up. :returns: how many."""
    until = monotonic() + time_slices.LONGEST

    def has_time() -> bool:
        return monotonic() < until

    for notify in (events.notify_of_uploads, events.notify_of_comments, events.notify_of_studies):
        notify(now=timezone.now(), has_time=has_time)
    return delivery.send_due(now=timezone.now(), has_time=has_time)


@shared_task(soft_time_limit=60, time_limit=70)
def push() -> int:
    """Notify browsers of turns, until time is up. :returns: how many notices push services took."""
    until = monotonic() + time_slices.LONGEST
    return pushes.push_due(
        has_time=lambda: monotonic() < until, meanwhile=lambda: time_slices.judge_some(fresh_first=True)
    )


def message_of(delivery: Delivery) -> Mapping[str, object]:
    """Return what a webhook sends: a club's news, or that an upload is done."""
    return news_of(delivery) if delivery.webhook_id else event_of(delivery)


@shared_task(soft_time_limit=60, time_limit=70)
def deliver() -> int:
    """Notify webhooks of uploads that are done and of clubs' news, until time is up.

    :returns: how many were delivered.
    """
    until = monotonic() + time_slices.LONGEST
    return deliveries.deliver_due(
        message_of, has_time=lambda: monotonic() < until, meanwhile=lambda: time_slices.judge_some(fresh_first=True)
    )


@shared_task
def tidy() -> None:
    """Approve uncontested claims, release games that nothing holds any more, and remove what is over.

    How long each table is kept is in docs/reference/retention.md.
    """
    rate_limits.forget_old(now=timezone.now())
    idempotency.forget_old(now=timezone.now())
    processes.forget_ended()
    until = monotonic() + time_slices.LONGEST
    claims.approve_uncontested(now=timezone.now(), has_time=lambda: monotonic() < until)
    flags.look_again(now=timezone.now(), has_time=lambda: monotonic() < until)
    dry_runs.forget_dry_runs(now=timezone.now(), has_time=lambda: monotonic() < until)
    snapshots.forget_unasked()
    files.forget_unfinished(now=timezone.now())
    old_films.forget_old(now=timezone.now())
    cleaning.forget_unconfirmed(now=timezone.now())
    cleaning.forget_former_names(now=timezone.now())
    events.forget_old(now=timezone.now())
    deliveries.forget_old(now=timezone.now())
    call_command("clearsessions")
    cleaning.forget_expired_tokens(now=timezone.now())
    cleaning.forget_ended_sessions()


def wake_workers(*, wait: float = 0) -> None:
    """Tell the workers that somebody's upload waits. This returns at once, whatever the broker does.

    The others are called a moment after the process for small uploads: a single game is judged by then, and they would
    compete with it for the processor only to find nothing left to do.

    :param wait: seconds that a process which is about to end waits for each message to be sent.
    """
    wake(SMALL, call_small, wait)
    wake("logs", call_others_after_small, wait)


def call_workers() -> None:
    """Have other workers go on with what this one leaves, all at once. This returns at once, as `wake_workers`."""
    wake(SMALL, call_small)
    wake("workers", call_others)


def call_small() -> None:
    """Call the process for small uploads. Where none runs, the other workers judge these as well."""
    if processes.is_served(SMALL, unknown=False):
        verify_small.apply_async(expires=60)


def call_others() -> None:
    """Call the other workers."""
    verify_waiting.apply_async(expires=60)


def call_others_after_small() -> None:
    """Call the other workers, a moment later where a process for small uploads runs."""
    if processes.is_served(SMALL, unknown=False):
        sleep(AFTER_SMALL)
    call_others()


def wake_bots() -> None:
    """Tell the bots that people wait for them. This returns at once, whatever the broker does."""
    wake("bots", lambda: call_if_served("bots", play_bots, expires=60))


def wake_film_makers() -> None:
    """Tell the workers of films that one was asked for. This returns at once, whatever the broker does."""
    wake("films", lambda: call_if_served("films", make_films, expires=60))


def call_if_served(kind: str, task: "Task[[], int]", *, expires: float) -> None:
    """Call processes of a kind that a site may do without; messages that nobody takes would pile up in the broker."""
    if processes.is_served(kind):
        task.apply_async(expires=expires)
