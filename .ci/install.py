"""Install packages with uv, in a quarter of the time that pip takes: `.ci/install.py NAME …`, as for `uv pip install`.

Of uv itself, pip installs what requirements.lock names. uv reads no settings of pip, so it is told where pip looks for
packages on this machine, and which certificates it trusts; settings of uv itself (UV_…) come first.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"
UV = Path(sys.prefix) / "bin" / "uv"
TOLD = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_EXTRA_INDEX_URL",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
    "no-index": "UV_NO_INDEX",
}
"""Settings of pip, and the variables by which uv is told the same."""


def main() -> None:
    """Install, and print how long it took."""
    what, arguments, begin = sys.argv[1], sys.argv[2:], time.monotonic()
    have_uv()
    environment = settings() | os.environ
    command = [str(UV), "pip", "install", "--quiet", "--python", sys.executable, *arguments]
    if environment.pop("UV_NO_INDEX", "") not in {"", "0", "false", "no"}:
        command.append("--no-index")
    done = subprocess.run(command, cwd=LOCK.parent, env=environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    print(f"  {what:<28}{time.monotonic() - begin:>6.1f} s", flush=True)


def have_uv() -> None:
    """Have pip install uv in the version of the lock, with its hashes."""
    blocks = re.split(r"^(?=\S)", LOCK.read_text(), flags=re.MULTILINE)
    block = next(one for one in blocks if one.startswith("uv=="))
    try:
        if UV.exists() and block.startswith(f"uv=={version('uv')} "):
            return
    except PackageNotFoundError:
        pass
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "uv.lock"
        lock.write_text(block)
        pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", str(lock)], check=True)


def settings() -> dict[str, str]:
    """Return what pip's files and variables say, as variables of uv. Of several indexes any may have the version."""
    listed = [sys.executable, "-m", "pip", "config", "list"]
    lines = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for section in ("global.", "install.", ":env:."):  # each comes before those named first
        for line in (line.removeprefix(section) for line in lines if line.startswith(section)):
            name, _, value = line.partition("=")
            if told := TOLD.get(name.removeprefix("default-")):
                separator = "," if told == "UV_FIND_LINKS" else " "
                found[told] = separator.join(str(ast.literal_eval(value)).split())
    return found


if __name__ == "__main__":
    main()
