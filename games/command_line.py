"""The program `atta`: the engine's commands, and `upload`, which needs more than the engine."""

import sys

_ALSO = """
another command:
    upload    upload files to a site, which checks every move: atta upload --help
"""


def main() -> int:
    """Run a command and return the exit status."""
    words = sys.argv[1:]
    if words[:1] == ["upload"]:
        from games.client.command import main as upload  # noqa: PLC0415 (each command loads only what it needs)

        return upload(words[1:])
    from engine.__main__ import main as engine  # noqa: PLC0415

    try:
        return engine(words)
    finally:
        if words in (["-h"], ["--help"]):
            sys.stdout.write(_ALSO)
