"""Reading a request's body."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from games.services.intake import MAX_BYTES


class WholeBody(BaseParser):
    """The body as it is, whatever it is called; one byte more than an upload may have, and no further."""

    media_type = "*/*"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """Reads the body."""
        return bytes(stream.read(MAX_BYTES + 1))
