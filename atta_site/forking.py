"""Forks the processes of `make run` from this one, which loads the site's code once for all of them.

A dozen processes that each load it keep two cores busy for ten seconds, and take three times the memory. One that is
started again loads the code by itself, for the code may have changed. Linux only.
"""

import atexit
import ctypes
import gc
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from atta_site.processes import ROOT

IS_POSSIBLE = sys.platform == "linux"
_LOADED = (
    *("celery.apps.beat", "celery.apps.worker", "celery.bin.celery", "celery.concurrency.prefork", "granian.cli"),
    *("atta_site.serving.handler", "atta_site.heartbeat", "atta_site.statics", "games.web.live.holding"),
    *("games.records.reads.versions", "django.core.management.commands.migrate"),
)
"""What the processes import themselves, besides the pages and the rules."""
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOOK_EVERY = 0.02
_DEATH_SIGNAL, _NAME = 1, 15
"""Parameters of Linux's `prctl`."""


class Forked:
    """A forked process, with what `subprocess.Popen` offers of the same names."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit status, if it has ended; that of a signal is negative."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status once it has ended. :raises subprocess.TimeoutExpired: when it has not in time."""
        until = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if until is not None and time.monotonic() >= until:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            time.sleep(_LOOK_EVERY)
        return status

    def send_signal(self, sig: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)


def load() -> None:
    """Load what the processes need, once the environment has their settings; nothing is connected to.

    Garbage is not looked for meanwhile, which takes a sixth less time. What was loaded stays out of that afterwards,
    so that the processes share its memory.
    """
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")
    import_module("django").setup()
    for name in _LOADED:
        import_module(name)
    import_module("atta_site.readying").make_ready()
    for ruleset in import_module("engine.registry").RULESETS:
        ruleset.load_shown()
    gc.freeze()
    gc.enable()


def fork(command: Sequence[str], output: int, *, name: str) -> Forked:
    """Start a command of this Python, `-m` with a module or a file, as `processes.spawn` does, in a forked process."""
    sys.stdout.flush()
    parent, libc = os.getpid(), ctypes.CDLL(None)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # or Ctrl-C would end in two processes what one began
    pid = os.fork()
    if pid == 0:
        with _nothing_after():
            _leave(output)
            libc.prctl(_DEATH_SIGNAL, signal.SIGTERM)
            libc.prctl(_NAME, name.encode())
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            if os.getppid() == parent:
                _run(command[1:])
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return Forked(pid)


@contextmanager
def _nothing_after() -> Iterator[None]:
    """End this process after what is done in it, so that it never goes on in what it was forked from.

    What was loaded is not taken apart, as `multiprocessing` leaves it, too.
    """
    status = 1
    try:
        yield
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException:  # noqa: BLE001 - whatever it is
        traceback.print_exc()
    finally:
        try:
            atexit._run_exitfuncs()  # noqa: SLF001 - as `multiprocessing` does since Python 3.13
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)


def _leave(output: int) -> None:
    """Leave the terminal, the files and the signals of the process before: its locks are not this one's."""
    for ending in _ENDING:
        signal.signal(ending, signal.default_int_handler if ending == signal.SIGINT else signal.SIG_DFL)
    atexit._clear()  # noqa: SLF001 - the same
    os.setsid()
    os.chdir(ROOT)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number, end in ((0, nothing), (1, output), (2, output)):
        os.dup2(end, number)
    for path in list(Path("/proc/self/fd").iterdir()):
        number = int(path.name)
        if number not in {0, 1, 2, nothing} and path.exists():  # unlike the one by which the folder was read
            os.dup2(nothing, number)
    multiprocessing.set_start_method("fork", force=True)  # for the web server's own processes


def _run(arguments: Sequence[str]) -> None:
    if arguments[0] == "-m":
        sys.argv = list(arguments[1:])
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(arguments)
        runpy.run_path(arguments[0], run_name="__main__")
