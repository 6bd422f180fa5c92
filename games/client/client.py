"""A typed client for Python programs: uploads, reports, studies, pictures, films, collections, comments, players.

It needs Python's standard library and nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self
from urllib.parse import quote, urlencode

from games.bundles import bundle_folder, filename_of
from games.client.collections import Collections
from games.client.comments import Comments
from games.client.films import Films, Theme, game_key
from games.client.following import Json, report_lines, wait_for
from games.client.ladders import Ladders
from games.client.moderation import Moderation
from games.client.players import Players
from games.client.sending import send
from games.client.site import Site, once_key

Verdict = Literal["", "verified", "unfinished", "rejected", "quarantined"]
Sort = Literal["newest", "length", "lead_changes", "closeness", "rating", "comments"]
_AT_ONCE = "/api/v1/account/uploads"


@dataclass(frozen=True, slots=True)
class Progress:
    """How many records of an upload there are, by state."""

    total: int
    done: int
    verified: int
    unfinished: int
    rejected: int
    quarantined: int
    cancelled: int
    corrected: int
    """Of the rejected ones."""
    removed: int
    """Rejected ones that their uploader removed; the total is without them."""


@dataclass(frozen=True, slots=True)
class RecordResult:
    """The result of one record of an upload."""

    index: int
    """The record's number in the file, from 1."""
    file: str
    """Its entry in the archive; empty for a plain file."""
    line: int
    """The line on which it begins."""
    verdict: str | None
    """None while it has no verdict."""
    code: str | None
    """The rule that a rejected record breaks."""
    message: str | None
    """What is wrong with it, in a sentence."""
    fault_line: int | None
    column: int | None
    game: str | None
    """The address of its game."""
    duplicate_of: str | None
    corrected: Mapping[str, Any] | None
    """Which facts about its game it corrected: `changes`, `comments` and a `sentence`."""
    correction: str | None
    """The address of the record that corrects this rejected one."""
    correction_of: str | None
    """The address of the rejected record that this one corrects."""
    json: Mapping[str, Any]
    """All that the report says of it."""


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file, in its state at the time of the request."""

    id: str
    filename: str
    received_at: datetime
    state: str
    progress: Progress
    page: str
    """The page with its results."""
    duplicate_of: str | None
    """The address of the earlier upload of the same file, which has the results."""


@dataclass(frozen=True, slots=True)
class ListedUpload:
    """An upload in the list of an account's own."""

    id: str
    filename: str
    received_at: datetime
    state: str
    games: int
    """How many records it has so far."""
    private: bool
    scored: bool
    page: str


AnyUpload = Upload | ListedUpload | str
"""An upload, or its id."""


class Client:
    """A site, used with the token of an account."""

    def __init__(self, server: str, token: str) -> None:
        """Use a site. :raises ClientError: when address or token is invalid, or the token would go unencrypted."""
        self._site = Site(server, token)
        self.films = Films(self._site)
        self.collections = Collections(self._site)
        self.comments = Comments(self._site)
        self.moderation = Moderation(self._site)
        self.players = Players(self._site)
        self.ladders = Ladders(self._site)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._site.close()

    def upload(
        self,
        file: Path | str | bytes,
        *,
        scored: bool = True,
        private: bool = False,
        club: str = "",
        check_only: bool = False,
        webhook: str = "",
    ) -> Upload:
        """Upload a file, given by its path or its bytes, of any size: it is sent in pieces. A folder is one upload.

        :param scored: whether the games may be rated; false for training games.
        :param club: the address of a club that the account organises.
        :param check_only: check only; nothing is published.
        :raises ClientError: when the site refuses it.
        """
        options = {
            "filename": "" if isinstance(file, bytes) else filename_of(str(file)),
            "scored": "" if scored else "false",
            "private": "true" if private else "",
            "club": club,
            "dry_run": "true" if check_only else "",
            "webhook": webhook,
        }
        with _opened(file) as opened:
            return self.get(send(self._site, opened, options, _Forgetful(), lambda _: None))

    def get(self, upload: AnyUpload) -> Upload:
        """Return an upload as it is now. :raises ClientError: when it does not exist."""
        return _upload(self._site.ask("GET", f"/api/v1/uploads/{_id(upload)}?start={10**9}").json)

    def wait(self, upload: AnyUpload) -> Upload:
        """Wait until every record has its verdict. For a file that was uploaded before, return the earlier upload."""
        return _upload(wait_for(self._site, _id(upload), lambda _: None))

    def report(
        self, upload: AnyUpload, verdict: Verdict = "", *, sort: Literal["", "file"] = ""
    ) -> Iterator[RecordResult]:
        """Yield the result of each record in order; if `verdict` is given, only of records with that verdict.

        :param sort: `file` orders the records of an archive by the names of its files.
        """
        return map(_record, map(json.loads, report_lines(self._site, _id(upload), verdict, sort)))

    def correct(self, upload: AnyUpload, index: int, record: Path | str | bytes, *, publish: bool = False) -> Upload:
        """Upload the corrected text of a rejected record, given by a path or its bytes, with the options of its upload.

        :param index: the rejected record's number, as the report says it.
        :param publish: whether a record that was only checked is published now.
        :raises ClientError: when the text is not one legal record.
        """
        data = record if isinstance(record, bytes) else Path(record).read_bytes()
        path = f"/api/v1/uploads/{_id(upload)}/logs/{index}/correction?publish={str(publish).lower()}"
        headers = {"Content-Type": "text/plain", **once_key()}
        return self.get(str(self._site.ask("POST", path, data, headers).json["id"]))

    def remove_rejected(self, upload: AnyUpload) -> int:
        """Remove the rejected records of an upload that are not corrected. :returns: how many.

        :raises ClientError: when some records have no verdict yet, or the upload is not the account's own.
        """
        answer = self._site.ask("POST", f"/api/v1/uploads/{_id(upload)}/remove-rejected").json
        return int(answer["removed"])

    def restore_removed(self, upload: AnyUpload) -> int:
        """Bring the removed records of an upload back. :returns: how many.

        :raises ClientError: when the upload is not the account's own.
        """
        return int(self._site.ask("POST", f"/api/v1/uploads/{_id(upload)}/restore-removed").json["restored"])

    def import_study(self, file: Path | str | bytes, *, title: str = "", visibility: str = "private") -> str:
        """Create a study from a file, AGN with variations or JSON. :returns: the address of its page.

        :param visibility: `public`, `unlisted` or `private`.
        :raises ClientError: when a variation is not legal, with the sentence of the rule.
        """
        query = urlencode({"title": title, "visibility": visibility})
        data = file if isinstance(file, bytes) else Path(file).read_bytes()
        page: str = self._site.ask("POST", f"/api/v1/studies/import?{query}", data, once_key()).json["page"]
        return page

    def study(self, key: str, format: Literal["agn", "json"] = "json") -> bytes:  # noqa: A002 - as the API names it
        """Return a study as a file. :raises ClientError: when it does not exist."""
        return self._site.ask("GET", f"/api/v1/studies/{quote(key)}/file?format={format}").body

    def picture(
        self,
        game: str,
        ply: int | None = None,
        *,
        format: Literal["svg", "png"] = "svg",  # noqa: A002 - as the API names it
        size: int = 800,
        theme: Theme = "light",
        labels: bool = True,
    ) -> bytes:
        """Return a picture of one position of a game, given by its key or the address of its page.

        :param ply: the number of actions before the position; without it the last position.
        :param size: the length of the longer side, in pixels.
        :param labels: whether the letters and numbers at the board's edges are drawn.
        :raises ClientError: when nothing of the game could be played.
        """
        at: Json = {} if ply is None else {"ply": ply}
        query = urlencode({**at, "format": format, "size": size, "theme": theme, "labels": str(labels).lower()})
        return self._site.ask("GET", f"/api/v1/games/{quote(game_key(game))}/picture?{query}").body

    def games(self, *, sort: Sort = "newest", **wanted: object) -> Iterator[Json]:
        """Yield the games that match a filter, each as `GET /api/v1/games` describes it.

        :param sort: the most of this first; games that have no such value are left out.
        :param wanted: the filter, by the names of that address, such as `player="Ada"`.
        :raises ClientError: when there is no such filter.
        """
        before: str | None = ""
        while before is not None:
            query = urlencode({**wanted, "sort": sort, "before": before})
            page: Json = self._site.ask("GET", f"/api/v1/games?{query}").json
            yield from page["games"]
            before = page["older"]

    def uploads(self) -> Iterator[ListedUpload]:
        """Yield the account's uploads, newest first."""
        start = 0
        while True:
            page: Json = self._site.ask("GET", f"{_AT_ONCE}?start={start}").json
            yield from map(_listed, page["uploads"])
            start += len(page["uploads"])
            if not page["next"]:
                return


@contextmanager
def _opened(file: Path | str | bytes) -> Iterator[BinaryIO]:
    if isinstance(file, bytes):
        yield BytesIO(file)
    elif Path(file).is_dir():
        with TemporaryFile() as opened:
            bundle_folder(Path(file), opened)
            yield opened
    else:
        with Path(file).open("rb") as opened:
            yield opened


class _Forgetful:
    """Remembers no unfinished file: when a program is started again, its uploads start from the beginning."""

    path: str | None = None

    def keep(self, path: str) -> None:
        """Do nothing."""

    def forget(self) -> None:
        """Do nothing."""


def _id(upload: AnyUpload) -> str:
    return quote(upload if isinstance(upload, str) else upload.id, safe="")


def _upload(found: Json) -> Upload:
    return Upload(
        id=found["id"],
        filename=found["filename"],
        received_at=datetime.fromisoformat(found["received_at"]),
        state=found["state"],
        progress=Progress(**{name: found["progress"].get(name, 0) for name in Progress.__dataclass_fields__}),
        page=found["page"],
        duplicate_of=found["duplicate_of"],
    )


def _listed(found: Json) -> ListedUpload:
    plain = ("id", "filename", "state", "games", "private", "scored", "page")
    at = datetime.fromisoformat(found["received_at"])
    return ListedUpload(received_at=at, **{name: found[name] for name in plain})


def _record(line: Json) -> RecordResult:
    names = set(RecordResult.__dataclass_fields__) - {"json"}
    told = {
        "corrected": None,
        "correction": None,
        "correction_of": None,
        **line,
    }  # a site of an earlier version does not say it
    return RecordResult(**{name: told[name] for name in names}, json=line)
