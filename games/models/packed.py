"""Columns that store records compressed (games/packing.py) and are read and written like plain ones."""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from games.packing import pack, unpack

if TYPE_CHECKING:
    _Bytes = models.BinaryField[bytes, bytes]
    _Text = models.TextField[str, str]
else:
    _Bytes, _Text = models.BinaryField, models.TextField


class PackedBytesField(_Bytes):
    """Bytes that are stored compressed, so no query can search them."""

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 (as Django calls it)
        """Compress the value to be stored."""
        packed = None if value is None else pack(bytes(value))
        return super().get_db_prep_value(packed, connection, prepared)

    def from_db_value(self, value: bytes | None, *_: object) -> bytes | None:
        """Decompress the stored value."""
        return None if value is None else unpack(bytes(value))

    def get_lookup(self, lookup_name: str) -> None:
        """Return no lookup: equal records need not compress to equal bytes."""


class PackedTextField(_Text):
    """Text that is stored compressed, so no query can search it."""

    def get_internal_type(self) -> str:
        """Return a column of bytes."""
        return "BinaryField"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 (as Django calls it)
        """Compress the value to be stored."""
        text = super().get_db_prep_value(value, connection, prepared)
        return None if text is None else pack(text.encode())

    def from_db_value(self, value: bytes | None, *_: object) -> str | None:
        """Decompress the stored value."""
        return None if value is None else unpack(bytes(value)).decode()

    def get_lookup(self, lookup_name: str) -> None:
        """Return no lookup, as for bytes."""
