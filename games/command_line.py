"""The program `atta`: the engine's commands, and those of a site, which need more than the engine."""

import sys

_ALSO = """
commands of a site:
    upload        upload files to a site, which checks every move: atta upload --help
    leaderboard   print a leaderboard, also of a past day, by either order: atta leaderboard --help
    career        print a player's rating after every game: atta career --help
"""


def main() -> int:
    """Run a command and return the exit status."""
    words = sys.argv[1:]
    if words[:1] == ["upload"]:
        from games.client.command import main as upload  # noqa: PLC0415 (each command loads only what it needs)

        return upload(words[1:])
    if words[:1] in (["leaderboard"], ["career"]):
        from games.client.ladders_command import main as ladders  # noqa: PLC0415

        return ladders(words[0], words[1:])
    from engine.__main__ import main as engine  # noqa: PLC0415

    try:
        return engine(words)
    finally:
        if words in (["-h"], ["--help"]):
            sys.stdout.write(_ALSO)
