"""Dead parts are reported and restarted with growing delays; errors are shown."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from atta_site.supervision import Service, Watch


@contextmanager
def watched(script: str, folder: Path) -> Iterator[tuple[Watch, list[str]]]:
    """Watch a shell script; yield the watch and its output."""
    service = Service("part", ["sh", "-c", script], folder / "part.log", {"PATH": "/usr/bin:/bin"})
    service.start()
    said: list[str] = []
    try:
        yield Watch(service, said.append), said
    finally:
        service.stop()


def until(condition: Callable[[], bool], watch: Watch) -> None:
    """Check until a condition holds."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        watch.look()
        time.sleep(0.02)


def test_running_part_is_left_alone(tmp_path: Path) -> None:
    with watched("sleep 60", tmp_path) as (watch, said):
        watch.look()
        assert said == []


def test_dead_part_is_reported_and_restarted_after_growing_delays(tmp_path: Path) -> None:
    with watched("echo farewell", tmp_path) as (watch, said):
        until(lambda: len(said) >= 5, watch)
    assert said[:2] == ["part ended unasked; it starts again in 1 s. Its last lines:", "    farewell"]
    assert said[2] == "part runs again"
    assert said[3] == "part ended unasked; it starts again in 2 s. Its last lines:"


def test_only_errors_in_a_log_are_shown(tmp_path: Path) -> None:
    lines = ['{"event": "fine", "level": "info"}', "no json", '{"event": "leaf lost", "level": "error"}', "[1]"]
    with watched(f"printf '%s\\n' {' '.join(repr(line) for line in lines)}; sleep 60", tmp_path) as (watch, said):
        watch.read = 0
        until(lambda: bool(said), watch)
    assert said == ["part: leaf lost (part.log)"]


def test_incomplete_log_line_is_read_once_it_is_complete(tmp_path: Path) -> None:
    with watched("sleep 60", tmp_path) as (watch, said):
        log = tmp_path / "part.log"
        log.write_text('{"event": "half", "lev')
        watch.look()
        log.write_text('{"event": "half", "level": "critical"}\n')
        watch.look()
    assert said == ["part: half (part.log)"]


def test_log_of_the_previous_run_is_kept(tmp_path: Path) -> None:
    (tmp_path / "part.log").write_text("before\n")
    with watched("sleep 60", tmp_path):
        assert (tmp_path / "part.log.1").read_text() == "before\n"
        assert (tmp_path / "part.log").read_text() == ""
