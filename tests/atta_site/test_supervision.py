"""Dead parts are reported and restarted with growing delays; errors are shown."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from atta_site.supervision import CRASHES, Errands, Service, Watch, keep_evidence, stop_together


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


def shell(name: str, script: str, folder: Path) -> Service:
    """Return a shell script that was not started yet."""
    return Service(name, ["sh", "-c", script], folder / f"{name}.log", {"PATH": "/usr/bin:/bin"})


def until(condition: Callable[[], bool], watch: Watch | Errands) -> None:
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


def test_end_of_a_dead_parts_log_is_kept_as_evidence(tmp_path: Path) -> None:
    with watched("echo farewell", tmp_path) as (watch, said):
        until(lambda: len(said) >= 5, watch)
    kept = sorted((tmp_path / "crashes").iterdir())
    assert kept[0].name.endswith("Z-part.log")
    assert kept[0].read_text().startswith("farewell\n")


def test_only_the_newest_evidence_is_kept(tmp_path: Path) -> None:
    (tmp_path / "crashes").mkdir()
    for number in range(CRASHES):
        (tmp_path / "crashes" / f"20200101T0000{number:02}Z-part.log").touch()
    (tmp_path / "part.log").write_text("farewell\n")
    keep_evidence(tmp_path / "part.log")
    kept = sorted((tmp_path / "crashes").iterdir())
    assert (len(kept), kept[0].name, kept[-1].read_text()) == (CRASHES, "20200101T000001Z-part.log", "farewell\n")


def test_long_log_begins_anew_and_its_process_goes_on_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atta_site.supervision.LONGEST_LOG", 100)
    log = tmp_path / "part.log"
    with watched("sleep 60", tmp_path) as (watch, _), log.open("ab", buffering=0) as output:  # as processes write
        output.write(b"early\n" * 50)
        watch.look()
        output.write(b"late\n")
    assert log.read_bytes() == b"late\n"
    assert (tmp_path / "part.log.1").read_bytes() == b"early\n" * 50


def test_part_is_restarted_when_its_evidence_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("")  # simulates a full disk
    with watched("echo farewell", tmp_path) as (watch, said):
        until(lambda: "part runs again" in said, watch)
    assert said[2].startswith("The end of its log cannot be kept: ")


def test_long_log_begins_anew_when_it_cannot_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atta_site.supervision.LONGEST_LOG", 100)
    (tmp_path / "part.log.1").mkdir()  # simulates a full disk
    with watched("sleep 60", tmp_path) as (watch, said):
        (tmp_path / "part.log").write_bytes(b"early\n" * 50)
        watch.look()
    assert (tmp_path / "part.log").read_bytes() == b""
    assert said[0].startswith("The log of part cannot be kept whole: ")


def test_errands_are_done_one_after_another_and_a_failed_one_is_said(tmp_path: Path) -> None:
    said = list[str]()
    scripts = {"leaves": "sleep 0.1; echo 1 > done", "ants": "cat done; exit 1", "bees": "true"}
    errands = Errands([shell(name, f"cd {tmp_path}; {what}", tmp_path) for name, what in scripts.items()], said.append)
    until(lambda: len(said) == 3, errands)
    assert said[0].startswith("  leaves  ")
    assert said[1] == "  ants failed:\n    1"
    assert said[2].startswith("  bees  ")


def test_services_are_stopped_together_and_those_that_do_not_end_are_killed(tmp_path: Path) -> None:
    services = [
        shell("slow", "trap 'sleep 0.2; echo ended; exit' TERM; echo ready; while :; do sleep 0.01; done", tmp_path),
        shell("stubborn", "trap '' TERM; echo ready; while :; do sleep 0.01; done", tmp_path),
        shell("never started", "", tmp_path),
    ]
    for service in services[:2]:
        service.start()
        while service.log.read_text() != "ready\n":
            time.sleep(0.01)
    stop_together(services, patience=2)
    assert services[0].log.read_text() == "ready\nended\n"
    assert [service.is_alive() for service in services] == [False, False, False]
