"""Cutting a small plain file into its records while its sender waits."""

from io import BytesIO
from itertools import islice

from engine.agn.cut import cut
from engine.agn.log import Record
from engine.words import marked
from games.uploads.origin import IntakeError
from games.uploads.source import MAX_BYTES, Source
from games.uploads.unpacking.errors import UnpackError
from games.uploads.unpacking.formats import Format, format_of

MAX_GAMES = 2_000
"""In a file that is cut in the request."""
MAX_LINES = 200_000
"""In such a file: each costs a moment of the request, and no game has many."""


class NotAtOnceError(IntakeError):
    """A file that cannot be cut while its sender waits. A worker can split it, if it may be stored."""


def cut_at_once(source: Source) -> list[tuple[str, Record]]:
    """Return the records of a small plain file, or of several, each with the name of its file among several.

    :raises NotAtOnceError: when it is packed, or too long to be cut in the request.
    :raises IntakeError: when there is no game in it, or it is packed in a way that nothing here unpacks.
    """
    if not source.is_whole:
        said = marked("Without an account an upload may have at most {most} bytes.")
        raise NotAtOnceError("too_large", said, most=MAX_BYTES)
    parts = source.parts
    if any(_format(part.data) is not Format.PLAIN for part in parts):
        raise NotAtOnceError("account_needed", marked("Sign in to upload compressed files."))
    if sum(part.data.count(b"\n") for part in parts) > MAX_LINES:
        raise NotAtOnceError("too_many_lines", marked("An upload may have at most {most} lines."), most=MAX_LINES)
    found = ((part.name, record) for part in parts for record in cut(BytesIO(part.data)))
    records = list(islice(found, MAX_GAMES + 1))
    if not records:
        raise nothing_in_it()
    if len(records) > MAX_GAMES:
        raise NotAtOnceError("too_many_games", marked("An upload may have at most {most} games."), most=MAX_GAMES)
    return records


def nothing_in_it() -> IntakeError:
    """Return the refusal of a file without a game."""
    return IntakeError("empty", "This upload contains no game.")


def _format(head: bytes) -> Format:
    try:
        return format_of(head)
    except UnpackError as error:
        raise IntakeError.of(error.code, error.said) from None
