"""The bytes of archives: rows in the database, so that several machines see them and a transaction holds them."""

from collections.abc import Callable
from uuid import UUID

from games.models import Archive, Chunk

CHUNK = 1024 * 1024
"""Bytes in a row at most."""


def keep(archive: UUID, offset: int, data: bytes) -> None:
    """Store some bytes."""
    Chunk.objects.create(archive_id=archive, offset=offset, data=data)


def forget(archive: UUID) -> None:
    """Remove all bytes of an archive."""
    Chunk.objects.filter(archive=archive).delete()


class StoredFile:
    """An archive's bytes, readable at any place; one row is in memory at a time."""

    def __init__(self, archive: Archive, pulse: Callable[[], None]) -> None:
        """Call `pulse` repeatedly while it is read."""
        self.size = archive.length
        self.reached = 0
        """Where the last bytes ended that were read."""
        self._archive = archive.pk
        self.pulse = pulse
        """To be called while nothing is read for long, too."""
        self._at, self._held = 0, b""

    def read_at(self, offset: int, size: int, /) -> bytes:
        """Return some bytes from a place on; empty if they are gone."""
        self.pulse()
        if not self._at <= offset < self._at + len(self._held):
            rows = Chunk.objects.filter(archive=self._archive, offset__lte=offset).order_by("-offset")
            self._at, data = rows.values_list("offset", "data").first() or (offset, b"")
            self._held = bytes(data)
        found = self._held[offset - self._at : offset - self._at + size]
        self.reached = offset + len(found)
        return found
