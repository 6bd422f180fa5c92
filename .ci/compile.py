"""Compile the modules in which verification spends its time with mypyc, from the same sources: `make compiled`.

The compiled modules are beside their sources, and Python prefers them. Without a C compiler, or without those modules,
everything runs as plain Python with the same results. Modules older than any source of the engine, or only some of
them, are removed, so that nobody tests outdated code.

They are made in `var/compiled`, and put in place when all are there. `make run` makes them while the site runs, and
puts them in place before the next start: what has loaded some modules as plain Python must not load others compiled.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from hashlib import sha256
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MADE = PROJECT / "var" / "compiled"
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
    """Run what is named: `make`, `wheel` (make, and package that), `ahead` (make what `take` puts in place), or `tidy`.

    `tidy` only removes old modules.
    """
    mode = sys.argv[1] if sys.argv[1:] else "make"
    if mode == "ahead":
        os.nice(19)
        sys.exit(0 if make() else 1)
    if not is_current():
        remove()
        if mode == "take" or (mode != "tidy" and make()):
            take()
    if mode == "wheel":
        wheel()


def is_current() -> bool:
    """Return whether all modules are compiled, and from the sources as they are: an ended run leaves only some."""
    modules, sources = compiled(), list((PROJECT / "engine").rglob("*.py"))
    return len(modules) == len(MODULES) + 1 and newest(modules) >= newest(sources)  # with what they share


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


def made() -> Path:
    """Return the folder of what is compiled from the sources as they are."""
    whole = sha256(sysconfig.get_config_var("EXT_SUFFIX").encode())
    for path in (Path(__file__), *sorted((PROJECT / "engine").rglob("*.py"))):
        whole.update(f"{path.name}\0{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return MADE / whole.hexdigest()[:16]


def take() -> None:
    """Put in place what was made, if it was."""
    for path in made().rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")):
        shutil.copy(path, PROJECT / path.relative_to(made()))


def make() -> bool:
    """Compile in `made()`, unless that was done; return whether it is there, and say why not."""
    if made().exists():
        return True
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    if shutil.which(os.environ.get("CC", compiler)) is None or not header.exists():
        print("No C compiler or no Python.h here: the engine stays plain Python.")
        return False
    print("Compiling the engine's quickest parts (about a minute, once) ...", flush=True)
    shutil.rmtree(MADE, ignore_errors=True)
    due, unfinished = made(), MADE / "unfinished"
    done = build(unfinished / "build")
    if done.returncode:
        print(f"Compiling failed, so the engine stays plain Python:\n{done.stdout[-2000:]}")
        return False
    for path in (unfinished / "build" / "engine").rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")):
        there = unfinished / "made" / path.relative_to(unfinished / "build")
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, there)
    (unfinished / "made").rename(due)
    shutil.rmtree(unfinished)
    return True


def build(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Compile a copy of the engine in a folder."""
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
