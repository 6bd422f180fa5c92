"""Reading a request's body."""

from typing import IO, Any

from rest_framework.parsers import BaseParser

from games.services.intake import MAX_BYTES


class WholeBody(BaseParser):
    """The body as it is, whatever it is called; one byte more than an upload may have, and no further."""

    media_type = "*/*"

    def parse(self, stream: IO[Any], *_: object, **__: object) -> Any:  # noqa: ANN401 (DRF knows forms only)
        """Reads the body."""
        return stream.read(MAX_BYTES + 1)
