"""What may be compiled is the same engine, and what is compiled is what stands in the sources."""

import importlib.util
import shutil
import sysconfig
from pathlib import Path

import pytest

from tests.copies import copy_to, run

PROJECT = Path(__file__).parents[2]
ENGINE = PROJECT / "engine"
CAN_COMPILE = shutil.which("gcc") is not None and (Path(sysconfig.get_paths()["include"]) / "Python.h").exists()


def modules() -> list[str]:
    spec = importlib.util.spec_from_file_location("compiling", PROJECT / ".ci" / "compile.py")
    assert spec is not None
    assert spec.loader is not None
    compiling = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compiling)
    return list(compiling.MODULES)


def test_what_is_to_be_compiled_is_there() -> None:
    assert [module for module in modules() if not (PROJECT / module).is_file()] == []


def test_all_of_it_is_compiled_or_nothing() -> None:
    compiled = {path.relative_to(PROJECT).as_posix().split(".")[0] + ".py" for path in ENGINE.rglob("*.so")}

    assert compiled - {"engine/native__mypyc.py"} in (set(), set(modules()))


def test_what_is_compiled_is_no_older_than_the_sources() -> None:
    compiled = [path.stat().st_mtime for path in ENGINE.rglob("*.so")]

    assert not compiled or max(compiled) >= max(path.stat().st_mtime for path in ENGINE.rglob("*.py")), "make compiled"


@pytest.mark.skipif(not CAN_COMPILE, reason="there is no C compiler with Python.h here")
@pytest.mark.skipif(any(ENGINE.rglob("*.so")), reason="all of these tests are of the compiled engine")
def test_the_engines_tests_hold_when_it_is_compiled(tmp_path: Path) -> None:
    house = copy_to(tmp_path)

    run(house, ".ci/compile.py", "make")
    said = run(house, "-m", "pytest", "-q", "tests/engine", "--deselect", "tests/engine/test_perft.py")

    assert any((house / "engine").rglob("*.so"))
    assert int(said.split(" passed")[0].split()[-1]) > 1_000
    assert_packed(house, tmp_path / "unpacked")


def assert_packed(house: Path, unpacked: Path) -> None:
    """A wheel of it has the compiled modules, and Python takes them."""
    for file in ("README.md", "LICENSE"):
        shutil.copy(PROJECT / file, house)
    name = run(house, ".ci/compile.py", "wheel").split()[-1]
    shutil.unpack_archive(house / "dist" / name, unpacked, "zip")

    said = run(unpacked, "-c", "from engine.agn import cut; print(cut.__file__)")

    assert name.endswith(f"-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}.whl")
    assert Path(said.strip()).suffix == ".so"
