"""Reading a request's body."""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, FormParser, JSONParser, MultiPartParser

from games.platform.parameters import ParameterError
from games.platform.plain_text import NOT_TEXT, Fault, fault_in, fault_in_fields


def refuse_what_is_not_text(fault: Fault | None) -> None:
    """Refuse a request with a fault. :raises ParameterError: that says which field has which character."""
    if fault:
        raise ParameterError(fault.field, NOT_TEXT, field=fault.field, char=fault.char)


class Unread(BaseParser):
    """The unread body of any media type."""

    media_type = "*/*"

    def parse(self, stream: IO[Any], *_: object, **__: object) -> Any:  # noqa: ANN401 (DRF knows forms only)
        """Return the stream unread."""
        return stream


class Form(MultiPartParser):
    """A form with files, whatever the capitalisation of its media type, which Django's own parser does not accept."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:  # noqa: ANN401 (the framework's own)
        """Return the fields and files."""
        kind, mark, rest = (media_type or "").partition(";")
        sent = super().parse(stream, f"{kind.lower()}{mark}{rest}", parser_context)
        refuse_what_is_not_text(fault_in_fields(sent.data) or fault_in_fields(sent.files))
        return sent


class Fields(FormParser):
    """A form without files."""

    def parse(self, stream: IO[Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (the framework's own)
        """Return the fields."""
        sent = super().parse(stream, *args, **kwargs)
        refuse_what_is_not_text(fault_in_fields(sent))
        return sent


class Json(JSONParser):
    """JSON; text that is nested too deeply is refused like any other invalid JSON."""

    def parse(self, stream: IO[Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (the framework's own)
        """Parse the body. :raises ParseError: when it is not JSON, or nested too deeply."""
        try:
            sent = super().parse(stream, *args, **kwargs)
        except RecursionError:
            raise ParseError(gettext("This JSON is nested too deeply.")) from None
        refuse_what_is_not_text(fault_in(sent))
        return sent
