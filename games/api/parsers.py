"""Reading a request's body."""

from typing import IO, Any

from rest_framework.parsers import BaseParser


class Unread(BaseParser):
    """The body as it is, whatever it is called, to be read by whoever wants it."""

    media_type = "*/*"

    def parse(self, stream: IO[Any], *_: object, **__: object) -> Any:  # noqa: ANN401 (DRF knows forms only)
        """Hands the body on."""
        return stream
