"""`atta verify` in several processes prints what it prints in one."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from engine import verify_command
from engine.__main__ import main
from engine.agn.cut import Stream, cut
from engine.agn.log import Record
from tests.engine.agn.records import written

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "games" / "samples").glob("*.agn"))
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with batches of a few records; return its status and what it printed."""
    monkeypatch.setattr(verify_command, "_BATCH_BYTES", 3_000)

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return run


@pytest.mark.parametrize("options", [(), ("--json",), ("--json", "--suggest"), ("--quiet",)], ids=" ".join)
def test_two_processes_print_what_one_prints(run: Run, options: tuple[str, ...]) -> None:
    command = ["verify", *options, *SAMPLES]

    assert run(*command, "--jobs", 2) == run(*command)


def test_what_was_read_before_an_error_is_printed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "two.agn").write_text(f"{written()}\n{written()}")

    def failing(stream: Stream) -> Iterator[Record]:
        yield from cut(stream)
        raise OSError("the disk was taken away")

    monkeypatch.setattr(verify_command, "cut", failing)
    status, printed, errors = run("verify", "--jobs", 2, tmp_path / "two.agn")

    assert status == 2
    assert printed.endswith("2 games: 2 unfinished; 1 file could not be read.\n")
    assert errors.endswith("two.agn: the disk was taken away\n")


def test_a_killed_process_is_reported(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "many.agn").write_text("\n".join([written()] * 40))

    def killing(stream: Stream) -> Iterator[Record]:
        for record in cut(stream):
            if record.game == 30:
                for process in active_children():
                    process.kill()
            yield record

    monkeypatch.setattr(verify_command, "cut", killing)
    status, _, errors = run("verify", "--jobs", 2, tmp_path / "many.agn")

    assert status == 2
    assert errors.endswith("many.agn: a process that verified games was killed\n")


@pytest.mark.full
def test_nobody_reading_ends_all_processes(tmp_path: Path) -> None:
    (tmp_path / "many.agn").write_text("\n".join(path.read_text() for path in SAMPLES) * 50)
    command = f"{sys.executable} -m engine verify --jobs 2 {tmp_path / 'many.agn'} | head -1; echo ${{PIPESTATUS[0]}}"

    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)

    assert done.stdout.splitlines()[-1] == "141"
    assert done.stderr == ""


@pytest.mark.parametrize("number", ["0", "-1", "two", "257", "²"])
def test_the_number_of_processes_is_checked(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", f"--jobs={number}", "any.agn"])

    assert f"'{number}' is not a number of processes from 1 to 256" in capsys.readouterr().err


def test_what_draws_and_suggests_is_not_loaded_to_verify() -> None:
    rooms = "scene shown story suggesting touches touching"
    program = f"""
import sys
from engine.__main__ import main
main(["verify", "--json", *sys.argv[1:]])
print([name for name in sys.modules if name.startswith("engine.") and set(name.split(".")) & set("{rooms}".split())])
"""
    command = [sys.executable, "-c", program, *map(str, SAMPLES)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout

    assert printed.splitlines()[-1] == "[]"
