"""The command line: `python -m engine verify|replay|story|convert|perft|touches|choose|deal`, also called `atta`."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, BinaryIO

from engine import report, verify_command
from engine.agn.lines import json_line
from engine.choose_command import ChoiceError, add_options, bot_of
from engine.deal_command import LineError, deals
from engine.perft import divide, perft
from engine.quoting import printable
from engine.recranks import Provenance, RecranksError, recranks
from engine.replay import Replay
from engine.session import STANDARD_INPUT, UNREADABLE, Session, painter, progress_bar
from engine.verify import REJECTED, Verdict

PIPE_CLOSED, INTERRUPTED = 141, 130
"""What a shell reports for a program that these signals ended."""

_EXAMPLES = """\
examples:
  %(prog)s verify club-night.agn               check every game, and explain what is not legal
  %(prog)s verify --json *.agn > verdicts.json one object a game, for programs
  %(prog)s verify --suggest typed.agn          also suggest corrections for rejected games
  %(prog)s replay club-night.agn | less        every position, drawn as text
  %(prog)s replay --json -                     every state of a record from standard input
  %(prog)s story club-night.agn                the important events, and who led when
  %(prog)s convert --to text old.agn           the records in canonical form
  %(prog)s convert --to recranks *.agn         results of finished games, for rating sites
  %(prog)s perft --depth 3 opening.agn         count the sequences of three actions that can follow
  %(prog)s choose --strength greedy game.agn   what a bot would do next
  %(prog)s deal --json < secrets.ndjson        the deals that follow from secrets and entropies

exit status: 0 nothing was rejected or left out, 1 something was, 2 a file could not be read
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status."""
    options = _parser().parse_args(arguments)
    _write_utf8()
    try:
        status = _COMMANDS[options.command](Session(options, progress_bar(options)))
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        _drop_output()
        sys.stderr.write(f"atta: {error.strerror or error}\n")
        return UNREADABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="atta",
        description="Verifies, replays and converts records of ant games in AGN, as text or JSON.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    verify = commands.add_parser("verify", help="check every game, and explain what is not legal")
    verify_command.add_options(verify)
    replay = commands.add_parser("replay", help="show every position of every game")
    replay.add_argument("--json", action="store_true", help="print one JSON object for each position")
    summing = commands.add_parser("story", help="list the important events, and sum up every game")
    summing.add_argument("--json", action="store_true", help="print one JSON object for each game, with all figures")
    convert = commands.add_parser("convert", help="print every game that is not rejected in another format")
    convert.add_argument("--to", choices=_FORMS, required=True, help=_FORMS_HELP)
    perft = commands.add_parser("perft", help="count the legal sequences of actions from a game's last position")
    perft.add_argument("--depth", type=_depth, required=True, metavar="N", help="count sequences of 1 to N actions")
    perft.add_argument("--divide", action="store_true", help="also count the sequences of N actions by first action")
    perft.add_argument("--json", action="store_true", help="print one JSON object for each length")
    touching = commands.add_parser("touches", help="list the legal actions at a position, and what to touch for each")
    touching.add_argument("--json", action="store_true", help="print the position with the tree of touches")
    touching.add_argument("--ply", type=_ply, metavar="N", help="the position after N actions; default: the last one")
    touching.add_argument("--drawn", metavar="CARD", help="the card that is drawn, in any rotation")
    choosing = commands.add_parser("choose", help="print what a built-in bot would do next in each game")
    add_options(choosing)
    for command in (verify, replay, summing, convert, perft, touching, choosing):
        command.add_argument("-q", "--quiet", action="store_true", help=_QUIET_HELP)
        command.add_argument("files", nargs="+", metavar="FILE", help="a file of records; - is standard input")
    deal = commands.add_parser("deal", help="print the deal that follows from a secret and the players' entropies")
    deal.add_argument("--json", action="store_true", required=True, help="print one JSON object for each line read")
    deal.add_argument("files", nargs="*", default=[STANDARD_INPUT], metavar="FILE", help=_DEAL_HELP)
    deal.set_defaults(quiet=True)
    return parser


_DEAL_HELP = "a file with one object a line: game, rules, secret, entropies, deck; default: standard input"


_FORMS = ("text", "json", "recranks")
_FORMS_HELP = "canonical text; JSON, one object a line; or results in AbstractPlay's recranks shape, one a line"
_QUIET_HELP = "no progress bar; verify lists rejected games only, the other commands do not explain them"


def _depth(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of actions")
    return int(text)


def _ply(text: str) -> int:
    return 0 if text == "0" else _depth(text)


def _drop_output() -> None:
    """Discard buffered output that nobody reads any more: closing the stream would raise an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_utf8() -> None:
    """Print UTF-8 whatever the locale, and write every line at once."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # File names may contain bytes that are not UTF-8; escaped like this they are valid JSON, too.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True)


def _replay(session: Session) -> int:
    show = _as_json if session.options.json else _as_text
    for file, verdict in session.verdicts():
        if verdict.replay:
            for text in show(file, verdict.record.game, verdict.replay):
                session.say(text)
        _complain(session, file, verdict)
    return session.status


def _as_json(file: str, game: int, replay: Replay[Any, Any]) -> Iterator[str]:
    for ply, state in enumerate(replay.states):
        token = replay.actions[ply - 1] if ply else None
        shown = replay.ruleset.describe(state)
        yield json_line({"file": file, "game": game, "ply": ply, "token": token, "state": shown})


def _as_text(file: str, game: int, replay: Replay[Any, Any]) -> Iterator[str]:
    paint = painter()
    yield report.heading(file, replay, game)
    for ply in range(len(replay.states)):
        yield report.step(replay, ply, paint)
    yield "\n"


def _story(session: Session) -> int:
    from engine.story_command import story  # noqa: PLC0415 (what draws is loaded only where something is drawn)

    for file, verdict in session.verdicts():
        if verdict.replay:
            session.say(story(file, verdict.record.game, verdict.replay, as_json=session.options.json))
        _complain(session, file, verdict)
    return session.status


def _convert(session: Session) -> int:
    between = ""
    for file, verdict in session.verdicts():
        if verdict.text is not None and session.options.to == "text":
            session.say(between + verdict.text)
            between = "\n"
        elif verdict.replay and not verdict.fault:
            _say_as_json(session, file, verdict, verdict.replay)
        _complain(session, file, verdict)
    return session.status


def _say_as_json(session: Session, file: str, verdict: Verdict, replay: Replay[Any, Any]) -> None:
    if session.options.to == "json":
        session.say(json_line(replay.as_json()))
        return
    try:
        session.say(json_line(recranks(verdict, Provenance(generated=datetime.now(UTC)))))
    except RecranksError as error:
        session.left_out += 1
        if not session.options.quiet:
            session.say(f"{printable(file)}:{verdict.record.line}: {error}\n", sys.stderr)


def _perft(session: Session) -> int:
    show = _counts_as_json if session.options.json else _counts_as_text
    for file, verdict in session.verdicts():
        if verdict.replay and not verdict.fault:
            for text in show(session.options, file, verdict.record.game, verdict.replay):
                session.say(text)
        _complain(session, file, verdict)
    return session.status


def _touches(session: Session) -> int:
    from engine.touches_command import touches  # noqa: PLC0415 (as for stories)

    options = session.options
    for file, verdict in session.verdicts():
        if verdict.replay:
            found = verdict.record.game, verdict.replay, options.ply, options.drawn
            session.say(touches(file, *found, as_json=options.json))
        _complain(session, file, verdict)
    return session.status


def _counts_as_json(options: argparse.Namespace, file: str, game: int, replay: Replay[Any, Any]) -> Iterator[str]:
    for depth, sequences, by_first in _counts(options, replay):
        row = {"file": file, "game": game, "depth": depth, "sequences": sequences}
        yield json_line(row | ({"divide": by_first} if by_first is not None else {}))


def _counts_as_text(options: argparse.Namespace, file: str, game: int, replay: Replay[Any, Any]) -> Iterator[str]:
    yield report.heading(file, replay, game)
    for depth, sequences, by_first in _counts(options, replay):
        yield "".join(f"  {token} {count}\n" for token, count in (by_first or {}).items())
        yield f"{depth}: {sequences}\n"
    yield "\n"


def _counts(options: argparse.Namespace, replay: Replay[Any, Any]) -> Iterator[tuple[int, int, dict[str, int] | None]]:
    """Return the number of sequences for each length and, on request, for each first action."""
    ruleset, state = replay.ruleset, replay.last
    for depth in range(1, options.depth + 1):
        if options.divide and depth == options.depth:
            by_first = dict(divide(ruleset, state, depth))
            yield depth, sum(by_first.values()), by_first
        else:
            yield depth, perft(ruleset, state, depth), None


def _deal(session: Session) -> int:
    return _answer_lines(session, deals)


def _answer_lines(session: Session, answers: Callable[[BinaryIO], Iterator[dict[str, Any] | LineError]]) -> int:
    for file in session.options.files:
        for answer in session.read(file, answers):
            session.counts[REJECTED] += isinstance(answer, LineError)
            session.say(json_line({"file": file, **answer.as_json()} if isinstance(answer, LineError) else answer))
    return session.status


def _choose(session: Session) -> int:
    options, bot = session.options, bot_of(session.options)
    if options.lines:
        return _answer_lines(session, bot.answers)
    for file, verdict in session.verdicts():
        about = {"file": file, "game": verdict.record.game}
        try:
            session.say(json_line(about | bot.choice(verdict, options.drawn)))
        except ChoiceError as error:
            session.left_out += 1
            session.say(json_line(about | error.as_json()))
    return session.status


def _complain(session: Session, file: str, verdict: Verdict) -> None:
    """Report a rejected game on standard error: standard output holds its replay or its other form."""
    if verdict.fault and not session.options.quiet:
        session.say(report.complaint(file, verdict) + "\n", sys.stderr)


_COMMANDS = {
    "verify": verify_command.run,
    "replay": _replay,
    "story": _story,
    "convert": _convert,
    "perft": _perft,
    "touches": _touches,
    "deal": _deal,
    "choose": _choose,
}

if __name__ == "__main__":
    sys.exit(main())
