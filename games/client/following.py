"""Following an upload until it is done, and fetching the report."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from games.client.site import ClientError, Site

_FIRST, _SLOWEST = 0.3, 3.0
"""Seconds between two requests: longer each time."""
_NONE = 10**9
"""No record has a higher number: the page of results is empty, and only the progress is returned."""
_MOST = 20_000
"""Records of a report that are fetched at a time: so a connection that breaks costs no more than these."""
_OVER = frozenset({"done", "cancelled", "refused"})

Json = dict[str, Any]


def wait_for(site: Site, upload: str, show: Callable[[Json], object]) -> Json:
    """Wait until an upload is done.

    :returns: the finished upload; for a file that was uploaded before, the earlier one.
    """
    wait = _FIRST
    while True:
        upload_json: Json = site.ask("GET", f"/api/v1/uploads/{upload}?start={_NONE}").json
        if upload_json.get("duplicate_of"):
            upload = upload_json["duplicate_of"].rstrip("/").rsplit("/", 1)[-1]
            continue
        show(upload_json["progress"])
        if upload_json["state"] in _OVER and not upload_json["progress"]["waiting"]:
            return upload_json
        time.sleep(wait)
        wait = min(wait * 1.3, _SLOWEST)


def fetch_report(site: Site, upload: str, into: Path, sort: str = "") -> int:
    """Write the report to a file, completely or not at all. :returns: the number of records in it."""
    beside, records = into.with_name(f".{into.name}.part"), 0
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            for line in report_lines(site, upload, sort=sort):
                file.write(f"{line}\n")
                records += 1
        beside.replace(into)
    except OSError as error:
        raise ClientError(f"{into}: {error.strerror or error}", 2) from None
    finally:
        beside.unlink(missing_ok=True)
    return records


def printable(text: str) -> str:
    """Return a text that is safe to print: control characters are made visible."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def report_lines(site: Site, upload: str, verdict: str = "", sort: str = "") -> Iterator[str]:
    """Yield the lines of a report, without the line that marks its end; they are asked for in parts.

    :param verdict: only records with this verdict; empty for all.
    :param sort: `file` for the order of the files' names; empty for the order of the records.
    """
    said = (("verdict", verdict), ("sort", sort))
    after, chosen = 0, "".join(f"&{name}={quote(value)}" for name, value in said if value)
    while True:
        path = f"/api/v1/uploads/{upload}/report?most={_MOST}&after={after}{chosen}"
        # Lines end with LF only: other line separators may be part of a text.
        *lines, last = site.ask("GET", path).body.decode().strip().split("\n")
        end = json.loads(last).get("end")
        if end is None:
            raise ClientError("The report is incomplete. Run the command again.")
        yield from lines
        if not end.get("next") or not lines:
            return
        after = json.loads(lines[-1])["index"]
