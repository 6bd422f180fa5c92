"""Reading a request's body."""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser, MultiPartParser


class Unread(BaseParser):
    """The unread body of any media type."""

    media_type = "*/*"

    def parse(self, stream: IO[Any], *_: object, **__: object) -> Any:  # noqa: ANN401 (DRF knows forms only)
        """Hand the body on."""
        return stream


class Form(MultiPartParser):
    """A form with files, however its media type is capitalised, which Django's own reading does not allow for."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:  # noqa: ANN401 (the framework's own)
        """Read the fields and files."""
        kind, mark, rest = (media_type or "").partition(";")
        return super().parse(stream, f"{kind.lower()}{mark}{rest}", parser_context)


class Json(JSONParser):
    """JSON, of which what is nested without end is refused like all else that is none."""

    def parse(self, stream: IO[Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (the framework's own)
        """Read the body. :raises ParseError: when it is no JSON, or nested too deeply."""
        try:
            return super().parse(stream, *args, **kwargs)
        except RecursionError:
            raise ParseError(gettext("This JSON is nested too deeply.")) from None
