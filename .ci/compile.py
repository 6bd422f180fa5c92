"""Compile the modules in which verification spends its time with mypyc, from the same sources: `make compiled`.

The compiled modules are beside their sources, and Python prefers them. Without a C compiler, or without those modules,
everything runs as plain Python with the same results. Modules older than any source of the engine, or only some of
them, are removed, so that nobody tests outdated code.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MODULES = (
    "engine/agn/canonical.py",
    "engine/agn/cut.py",
    "engine/agn/reading.py",
    "engine/agn/tags.py",
    "engine/ant_trails/board.py",
    "engine/ant_trails/evaluation.py",
    "engine/ant_trails/notation.py",
    "engine/ant_trails/positions.py",
    "engine/ant_trails/rules/position.py",
    "engine/ant_trails/rules/setup.py",
    "engine/ant_trails/rules/steps.py",
    "engine/army_ants/board.py",
    "engine/army_ants/evaluation.py",
    "engine/army_ants/notation.py",
    "engine/army_ants/positions.py",
    "engine/army_ants/rules/actions.py",
    "engine/army_ants/rules/candidates.py",
    "engine/army_ants/rules/steps.py",
    "engine/atta_ants/board.py",
    "engine/atta_ants/evaluation.py",
    "engine/atta_ants/likeness.py",
    "engine/atta_ants/positions.py",
    "engine/atta_ants/rules/candidates.py",
    "engine/atta_ants/rules/ending.py",
    "engine/atta_ants/rules/position.py",
    "engine/atta_ants/rules/setup.py",
    "engine/atta_ants/rules/steps.py",
    "engine/atta_ants/state.py",
    "engine/replay/bytewise.py",
    "engine/replay/playing.py",
    "engine/steps.py",
    "engine/written.py",
)
"""Those in whose loops the time goes (`bench/`). mypyc makes lists of generator expressions: none may depend on it."""
SHARED = "engine.native"
"""The name of what all of them share."""


def main() -> None:
    """Run `make` (compile if possible and needed), `wheel` (package that) or `tidy` (only remove old modules)."""
    if not is_current():
        remove()
        if sys.argv[1:] != ["tidy"]:
            make()
    if sys.argv[1:] == ["wheel"]:
        wheel()


def is_current() -> bool:
    """Return whether all modules are compiled, and from the sources as they are: an ended run leaves only some."""
    made, sources = compiled(), list((PROJECT / "engine").rglob("*.py"))
    return len(made) == len(MODULES) + 1 and newest(made) >= newest(sources)  # with what they share


def compiled() -> list[Path]:
    """Return the compiled modules that exist."""
    return list((PROJECT / "engine").rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")))


def newest(paths: list[Path]) -> float:
    """Return when the newest of some files was written."""
    return max(path.stat().st_mtime for path in paths)


def remove() -> None:
    """Remove the compiled modules: plain Python runs again."""
    for path in compiled():
        path.unlink()


def make() -> None:
    """Compile, or say why it is not possible."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    if shutil.which(os.environ.get("CC", compiler)) is None or not header.exists():
        print("No C compiler or no Python.h here: the engine stays plain Python.")
        return
    print("Compiling the engine's quickest parts (about half a minute, once) ...", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        done = build(Path(folder))
        if done.returncode:
            print(f"Compiling failed, so the engine stays plain Python:\n{done.stdout[-2000:]}")
            return
        for path in (Path(folder) / "engine").rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")):
            shutil.copy(path, PROJECT / path.relative_to(folder))


def build(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Compile a copy of the engine and put the modules in place."""
    shutil.copytree(PROJECT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    options = ["--config-file=", "--strict", *MODULES]
    script = (
        "from mypyc.build import mypycify\nfrom setuptools import setup\n"
        f"setup(name='engine', packages=[], ext_modules=mypycify({options!r}, group_name={SHARED!r}, opt_level='3'))\n"
    )
    (folder / "setup.py").write_text(script)
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def wheel() -> None:
    """Build a wheel in `dist`: with compiled modules for this Python and kind of machine, without them for any."""
    shutil.rmtree(PROJECT / "build", ignore_errors=True)  # setuptools would package what an earlier build left there
    plain = {"--python-tag": "py3", "--plat-name": "any"}
    here = {
        "--python-tag": f"cp{sys.version_info.major}{sys.version_info.minor}",
        "--plat-name": sysconfig.get_platform().replace("-", "_").replace(".", "_"),
    }
    tags = [f"--config-settings=--build-option={name}={tag}" for name, tag in (here if compiled() else plain).items()]
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir=dist"]
    subprocess.run([*command, *tags, "."], cwd=PROJECT, check=True)
    print(*sorted(path.name for path in (PROJECT / "dist").glob("*.whl")))


if __name__ == "__main__":
    main()
