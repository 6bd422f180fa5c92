"""The compiled engine behaves like the sources and is up to date with them."""

import importlib.util
import shutil
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

from tests.copies import copy_to, run
from tests.tiers import LONG

PROJECT = Path(__file__).parents[2]
ENGINE = PROJECT / "engine"
COMPILED = list(ENGINE.rglob("*.so"))


def compiling() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compiling", PROJECT / ".ci" / "compile.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def modules() -> list[str]:
    return list(compiling().MODULES)


def test_every_module_to_be_compiled_exists() -> None:
    assert [module for module in modules() if not (PROJECT / module).is_file()] == []


def test_either_all_listed_modules_are_compiled_or_none() -> None:
    compiled = {path.relative_to(PROJECT).as_posix().split(".")[0] + ".py" for path in ENGINE.rglob("*.so")}

    assert compiled - {"engine/native__mypyc.py"} in (set(), set(modules()))


def test_compiled_modules_are_newer_than_their_sources() -> None:
    compiled = [path.stat().st_mtime for path in ENGINE.rglob("*.so")]

    assert not compiled or max(compiled) >= max(path.stat().st_mtime for path in ENGINE.rglob("*.py")), "make compiled"


@pytest.mark.full
def test_some_of_the_modules_without_the_others_are_removed(tmp_path: Path) -> None:
    """A run that was ended leaves only some, and interpreted classes cannot inherit from these."""
    house = copy_to(tmp_path)
    some = house / "engine" / f"steps{sysconfig.get_config_var('EXT_SUFFIX')}"
    some.touch()

    run(house, ".ci/compile.py", "tidy")

    assert not some.exists()


@pytest.mark.full
def test_what_was_compiled_ahead_is_put_in_place_only_for_the_same_sources(tmp_path: Path) -> None:
    house, suffix = copy_to(tmp_path), sysconfig.get_config_var("EXT_SUFFIX")
    made = house / "var" / "compiled" / compiling().made().name
    for module in ("engine/native__mypyc.py", *modules()):
        (made / module).parent.mkdir(parents=True, exist_ok=True)
        (made / module).with_suffix(suffix).touch()

    run(house, ".ci/compile.py", "take")
    assert len(list((house / "engine").rglob(f"*{suffix}"))) == len(modules()) + 1

    with (house / "engine" / "steps.py").open("a") as source:
        source.write("# a leaf\n")
    run(house, ".ci/compile.py", "take")
    assert list((house / "engine").rglob(f"*{suffix}")) == []


@pytest.mark.full
@pytest.mark.skipif(
    not COMPILED, reason="nothing is compiled here (`make test` does it), so all tests are of plain Python"
)
def test_plain_python_gives_the_same_results(tmp_path: Path) -> None:
    """The tests of the compiled engine are repeated for plain Python: records, golden files and states."""
    house = copy_to(tmp_path)

    chosen = "test_fixtures or states_that_were_played"
    said = run(
        house, "-m", "pytest", "-q", "tests/engine/test_fixtures.py", "tests/engine/test_every_game.py", "-k", chosen
    )

    assert not any((house / "engine").rglob("*.so"))
    assert int(said.split(" passed")[0].split()[-1]) > 800


@pytest.mark.skipif(not LONG, reason="a wheel is built for a release, after the long tier")
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled here: `make test` does it where there is a C compiler")
def test_wheel_contains_compiled_modules_that_python_uses(tmp_path: Path) -> None:
    house, unpacked = copy_to(tmp_path), tmp_path / "unpacked"
    for path in (*COMPILED, PROJECT / "README.md", PROJECT / "LICENSE"):
        shutil.copy2(path, house / path.relative_to(PROJECT))

    name = run(house, ".ci/compile.py", "wheel").split()[-1]
    shutil.unpack_archive(house / "dist" / name, unpacked, "zip")
    said = run(unpacked, "-c", "from engine.agn import cut; print(cut.__file__)")

    assert name.endswith(f"-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}.whl")
    assert Path(said.strip()).suffix == ".so"
