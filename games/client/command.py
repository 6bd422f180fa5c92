"""The command line of the client: `atta upload FILE…`."""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, cast
from urllib.parse import quote

from games.bundles import bundle_folder, filename_of
from games.client.following import Json, fetch_report, printable, report_lines, wait_for
from games.client.sending import Notes, send
from games.client.site import ClientError, Site, once_key

if TYPE_CHECKING:
    from tqdm import tqdm

FINE, REJECTED, UNREADABLE, TROUBLE, INTERRUPTED = 0, 1, 2, 3, 130

_EPILOG = """\
Make a token on your account's page. It is read from ATTA_TOKEN, or from --token-file (default:
~/.config/atta/token). ATTA_SERVER names the site if --server does not. Files may be plain, or compressed with
gzip, zstd or zip. An interrupted upload resumes when the same command is run again.

exit status: 0 nothing was rejected, 1 something was (known with --wait, --report and --check), 2 a file could not be
read or written, 3 the site refused it or did not answer
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Upload files and return the exit status."""
    options = _parser().parse_args(arguments)
    status = FINE
    try:
        with closing(site_of(options)) as site:
            for name in options.files:
                status = max(status, _upload(site, name, options))
    except ClientError as error:
        sys.stderr.write(f"atta: {error}\n")
        return error.status
    except KeyboardInterrupt:
        sys.stderr.write("\natta: stopped. Run the same command again to resume.\n")
        return INTERRUPTED
    return status


def _parser() -> argparse.ArgumentParser:
    """Return the options. Long because each has its sentence."""
    parser = argparse.ArgumentParser(
        prog="atta upload",
        description="Upload files of games to a site, which checks every move.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a file of records, or a folder of such files; - is standard input"
    )
    add_site(parser)
    parser.add_argument("--club", metavar="NAME", default="", help="count the games for a club that you organise")
    parser.add_argument(
        "--private", action="store_true", help="visible only to you and players whose claim you approved; not rated"
    )
    parser.add_argument("--training", action="store_true", help="training games, never rated")
    parser.add_argument("--webhook", metavar="URL", default="", help="an address to notify when it is done")
    parser.add_argument(
        "--check", action="store_true", help="check only: wait, print what is wrong with which game, publish nothing"
    )
    parser.add_argument(
        "--suggest", action="store_true", help="with --check: also suggest corrections for rejected games"
    )
    parser.add_argument(
        "--corrects",
        metavar="UPLOAD/GAME",
        default="",
        help="FILE is the corrected text of this rejected game, as ID/129; other options are those of its upload",
    )
    parser.add_argument("--wait", action="store_true", help="wait for the verdicts and count them")
    parser.add_argument(
        "--report", metavar="FILE", type=Path, help="wait, and write one JSON object for each record to FILE"
    )
    parser.add_argument(
        "--sort",
        choices=["file"],
        default="",
        help="with --report and --check: by the names of the files in an archive",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")
    return parser


def add_site(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the site and the token."""
    parser.add_argument("--server", metavar="URL", default=os.environ.get("ATTA_SERVER", ""), help="the site")
    parser.add_argument("--token-file", metavar="FILE", type=Path, help="a file with the token")


def site_of(options: argparse.Namespace) -> Site:
    """Return the site that options name. :raises ClientError: when none is named, or there is no token."""
    return Site(options.server or _no_server(), _token(options.token_file))


def _no_server() -> NoReturn:
    raise ClientError("Which site? Give --server URL or set ATTA_SERVER.", UNREADABLE)


def _token(file: Path | None) -> str:
    """Return the token. :raises ClientError: when there is none."""
    if file is None and (upload_json := os.environ.get("ATTA_TOKEN", "").strip()):
        return upload_json
    path = file or Path.home() / ".config" / "atta" / "token"
    try:
        found = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        found = ""
    if not found or not found.isprintable():
        raise ClientError(f"No token in ATTA_TOKEN or in {path}. Create one on your account page.", UNREADABLE)
    return found


def _upload(site: Site, name: str, options: argparse.Namespace) -> int:
    """Upload one file, and wait for its results if asked to."""
    upload = _corrected(site, name, options) if options.corrects else _sent(site, name, options)
    if not (options.wait or options.check) and options.report is None:
        sys.stdout.write(f"{name}: uploaded  {site.address(f'/uploads/{upload}/')}\n")
        return FINE
    with _bar(options, unit=" games", desc=name) as bar:
        upload_json = wait_for(site, upload, lambda progress: _follow(bar, progress))
    if options.report is not None:
        fetch_report(site, upload_json["id"], options.report, options.sort)
    if options.check:
        _complain(site, name, upload_json["id"], options)
    if upload_json.get("corrections"):
        _say_corrected(site, name, upload_json["id"])
    return _tell(name, upload_json, site.address(f"/uploads/{upload_json['id']}/"))


def _corrected(site: Site, name: str, options: argparse.Namespace) -> str:
    """Send a file as the corrected text of a rejected game. :returns: the number of its upload."""
    upload, _, index = options.corrects.rstrip("/").rpartition("/")
    path = f"/api/v1/uploads/{quote(upload.rpartition('/')[2], safe='')}/logs/{quote(index, safe='')}/correction"
    with _opened(name) as file:
        headers = {"Content-Type": "text/plain", **once_key()}
        return str(site.ask("POST", path, file.read(), headers).json["id"])


def _sent(site: Site, name: str, options: argparse.Namespace) -> str:
    """Send a file. :returns: the number of its upload."""
    wanted = {
        "filename": filename_of(name),
        "scored": "false" if options.training else "",
        "private": "true" if options.private else "",
        "club": options.club,
        "webhook": options.webhook,
        "dry_run": "true" if options.check else "",
    }
    with _opened(name) as file, _bar(options, unit="B", unit_scale=True, desc=name) as bar:
        notes = Notes(_cache(), site.server, Path(name), file, wanted)
        _total(bar, os.fstat(file.fileno()).st_size)
        return send(site, file, wanted, notes, lambda done: _reach(bar, done))


def _complain(site: Site, name: str, upload: str, options: argparse.Namespace) -> None:
    """Print a line for each rejected game in the style of compilers, and suggested corrections if asked to."""
    for line in report_lines(site, upload, verdict="rejected", sort=options.sort):
        found = json.loads(line)
        file = f"{name}/{found['file']}" if found["file"] else name
        said = f"{file}:{found['fault_line']}:{found['column']}: {found['code']}: {found['message']}"
        sys.stdout.write(f"{printable(said)}\n")
        if options.suggest:
            answer = site.ask("GET", f"/api/v1/uploads/{upload}/logs/{found['index']}/suggestions").json
            sys.stdout.write(f"    {printable(answer['message'] or 'No change here makes this game legal.')}\n")


def _say_corrected(site: Site, name: str, upload: str) -> None:
    """Print a line for each game about which the file corrected facts."""
    for line in report_lines(site, upload):
        if corrected := (found := json.loads(line)).get("corrected"):
            file = f"{name}/{found['file']}" if found["file"] else name
            sys.stdout.write(f"{file}:{found['line']}: {printable(corrected['sentence'])}\n")


def _tell(name: str, upload_json: Json, page: str) -> int:
    """Print the result of a file. :returns: the exit status."""
    progress, checked = upload_json["progress"], "checked only: " if upload_json.get("dry_run") else ""
    kinds = ("verified", "unfinished", "rejected", "corrected", "quarantined", "cancelled")
    games = f"{progress['total']} game{'' if progress['total'] == 1 else 's'}"
    counts = ", ".join(f"{progress[kind]} {kind}" for kind in kinds if progress.get(kind))
    sys.stdout.write(f"{name}: {checked}{games}: {counts or 'none'}  {page}\n")
    for warning in upload_json.get("warnings", ()):
        sys.stdout.write(f"{name}: warning: {printable(warning)}\n")
    refusal = upload_json.get("refusal") or {}
    if upload_json["state"] != "done":
        sys.stderr.write(f"atta: {name}: {refusal.get('message') or upload_json['state']}\n")
        return TROUBLE
    return REJECTED if progress["rejected"] or progress.get("quarantined") else FINE


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Open a file; a folder and standard input are saved to a file until it is sent."""
    try:
        if name != "-" and not Path(name).is_dir():
            with Path(name).open("rb") as file:
                yield file
            return
        with tempfile.TemporaryFile(prefix="atta-") as kept:
            if name == "-":
                shutil.copyfileobj(sys.stdin.buffer, kept)
            else:
                bundle_folder(Path(name), kept)
            kept.flush()
            kept.seek(0)
            yield cast("BinaryIO", kept)
    except OSError as error:
        raise ClientError(f"{name}: {error.strerror or error}", UNREADABLE) from None


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "atta"


# Progress


@contextmanager
def _bar(options: argparse.Namespace, **how: Any) -> Iterator["tqdm[NoReturn] | None"]:  # noqa: ANN401 (tqdm's own)
    """Return a progress bar for a terminal."""
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm  # noqa: PLC0415 (only needed where one is shown)

    with tqdm(total=0, leave=False, dynamic_ncols=True, **how) as bar:
        yield bar


def _total(bar: "tqdm[NoReturn] | None", total: int) -> None:
    if bar is not None:
        bar.total = total
        bar.refresh()


def _reach(bar: "tqdm[NoReturn] | None", done: int) -> None:
    if bar is not None:
        bar.update(done - bar.n)


def _follow(bar: "tqdm[NoReturn] | None", progress: Json) -> None:
    _total(bar, progress["total"])
    _reach(bar, progress["done"])
