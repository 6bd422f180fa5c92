"""A forked process is as separate from the one before as a new one: its files, its signals and its end are its own."""

import subprocess
import sys
import time
from pathlib import Path

from atta_site import processes

PATIENCE = 60.0
BEGIN = """
import os, signal, sys, time
from pathlib import Path
from atta_site import embedded, forking, supervision
folder = Path(sys.argv[1])
def forked(program):
    (folder / "program.py").write_text(program)
    part = supervision.Service("leaf", [sys.executable, str(folder / "program.py")], folder / "log", {}, forked=True)
    part.start()
    return part
"""


def run(program: str, folder: Path) -> str:
    """Return what a program prints that may fork: pytest's own processes have threads."""
    command = [sys.executable, "-c", BEGIN + program, str(folder)]
    done = subprocess.run(command, cwd=processes.ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def runs(number: int) -> bool:
    """Return whether a process runs, and does not only wait for somebody to ask how it ended."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_what_it_prints_goes_to_its_log_and_its_status_is_known(tmp_path: Path) -> None:
    said = run("print(forked('print(42); raise SystemExit(3)').process.wait())", tmp_path)
    assert (said, (tmp_path / "log").read_text()) == ("3\n", "42\n")


def test_its_error_ends_only_itself(tmp_path: Path) -> None:
    said = run("try: print(forked('1 / 0').process.wait())\nfinally: print('after')", tmp_path)
    assert said == "1\nafter\n"
    assert "ZeroDivisionError" in (tmp_path / "log").read_text()


def test_it_does_not_do_at_its_end_what_the_one_before_would(tmp_path: Path) -> None:
    said = run("import atexit; atexit.register(print, 'end'); forked('pass').process.wait()", tmp_path)
    assert (said, (tmp_path / "log").read_text()) == ("end\n", "")


def test_it_does_at_its_end_what_it_was_asked_for(tmp_path: Path) -> None:
    run("forked('import atexit; atexit.register(print, \"end\")').process.wait()", tmp_path)
    assert (tmp_path / "log").read_text() == "end\n"


def test_it_holds_no_lock_of_the_one_before(tmp_path: Path) -> None:
    program = """
with embedded.only_us(folder / "lock"):
    part = forked("import time; print(1, flush=True); time.sleep(60)")
    while not part.log.read_text():
        time.sleep(0.01)
with embedded.only_us(folder / "lock"):
    print(part.is_alive())
part.stop()
"""
    assert run(program, tmp_path) == "True\n"


def test_it_ends_by_a_signal_although_the_one_before_ignores_it(tmp_path: Path) -> None:
    program = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
part = forked("import time; print(1, flush=True); time.sleep(60)")
while not part.log.read_text():
    time.sleep(0.01)
part.stop()
print(part.process.poll() == -signal.SIGTERM)
"""
    assert run(program, tmp_path) == "True\n"


def test_it_ends_when_the_one_before_is_killed(tmp_path: Path) -> None:
    program = """
part = forked("import time; print(1, flush=True); time.sleep(60)")
while not part.log.read_text():
    time.sleep(0.01)
print(part.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    command = [sys.executable, "-c", BEGIN + program, str(tmp_path)]
    done = subprocess.run(command, cwd=processes.ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    number = int(done.stdout)
    deadline = time.monotonic() + PATIENCE
    while runs(number):
        assert time.monotonic() < deadline, "it goes on"
        time.sleep(0.01)


def test_started_again_it_is_a_new_python(tmp_path: Path) -> None:
    program = """
part = forked("import sys; print('atta_site.forking' in sys.modules, flush=True)")
part.process.wait()
part.start()
part.process.wait()
"""
    run(program, tmp_path)
    assert (tmp_path / "log").read_text() == "True\nFalse\n"
