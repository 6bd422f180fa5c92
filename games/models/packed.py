"""Columns that hold records packed (games/packing.py): read and written as if they were not."""

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
    """Bytes that lie packed in the database, so that no query can look into them."""

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 (as Django calls it)
        """Packs on the way in."""
        packed = None if value is None else pack(bytes(value))
        return super().get_db_prep_value(packed, connection, prepared)

    def from_db_value(self, value: bytes | None, *_: object) -> bytes | None:
        """Unpacks on the way out."""
        return None if value is None else unpack(bytes(value))

    def get_lookup(self, lookup_name: str) -> None:
        """None whatever is asked for: equal records need not be packed to equal bytes."""


class PackedTextField(_Text):
    """Text that lies packed in the database, so that no query can look into it."""

    def get_internal_type(self) -> str:
        """A column of bytes."""
        return "BinaryField"

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 (as Django calls it)
        """Packs on the way in."""
        text = super().get_db_prep_value(value, connection, prepared)
        return None if text is None else pack(text.encode())

    def from_db_value(self, value: bytes | None, *_: object) -> str | None:
        """Unpacks on the way out."""
        return None if value is None else unpack(bytes(value)).decode()

    def get_lookup(self, lookup_name: str) -> None:
        """None whatever is asked for, as with bytes."""
