"""The options of an upload in a request."""

from collections.abc import Mapping
from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.http import parse_header_parameters
from rest_framework import serializers
from rest_framework.request import Request

from engine.words import marked
from games.clubs.reads.clubs import find_club
from games.models import Club
from games.platform.parameters import ParameterError
from games.uploads.options import NAMES, TICKET, gather
from games.uploads.origin import UploadOptions


class OptionsQuery(serializers.Serializer[Any]):
    """Options of an upload, in the address or as fields of the form."""

    scored = serializers.BooleanField(
        default=True, help_text="Whether the games may be rated; false for training games."
    )
    private = serializers.BooleanField(
        default=False,
        help_text="Whether only you, and players whose claim you approved, can see the games; they are not rated.",
    )
    club = serializers.SlugField(
        default="",
        allow_blank=True,
        max_length=40,
        help_text="The address of the club in which they count; you must be one of its organisers.",
    )
    dry_run = serializers.BooleanField(
        default=False, help_text="Check only: nothing is published, and the report is kept for 24 hours."
    )
    webhook = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=500,
        help_text="The https address to notify when the upload is done, in the form of Standard Webhooks.",
    )


def _described(field: serializers.Field[Any, Any, Any, Any]) -> dict[str, object]:
    """Return an option as a property of the form, for the API's description.

    Its default is left out: generated clients would send it both in the form and in the address, which is refused.
    """
    kind = "boolean" if isinstance(field, serializers.BooleanField) else "string"
    return {"type": kind, "description": str(field.help_text)}


FORM = {
    "type": "object",
    "properties": {"file": {"type": "string", "format": "binary"}}
    | {name: _described(field) for name, field in OptionsQuery().fields.items()},
    "required": ["file"],
}
"""A form with a file and with what the address could say, too."""
_ADDRESS = frozenset({*NAMES, "format"})
_FIELDS = frozenset({*NAMES, "file", TICKET})
_METADATA = frozenset({
    *NAMES, "filename", "fingerprint",
    "filetype", "name", "type", "contentType", "relativePath",  # which tus clients send
})  # fmt: skip


def media_type_of(request: Request) -> str:
    """Return a request's media type, in lower case and without parameters, as the framework reads it."""
    return str(parse_header_parameters(request.content_type or "")[0])


def is_form(request: Request) -> bool:
    """Return whether the body is a form with a file."""
    return media_type_of(request) == "multipart/form-data"


def options_of(request: Request) -> UploadOptions:
    """Return the options in address and form.

    :raises ParameterError: when a name is unknown or repeated.
    :raises ValidationError: when a value is invalid, or there is no such club.
    """
    form = [(request.POST, _FIELDS), (request.FILES, _FIELDS)] if is_form(request) else []
    return _options_in(gather((request.query_params, _ADDRESS), *form))


def options_and_texts_of(request: Request, metadata: MultiValueDict[str, str]) -> tuple[UploadOptions, dict[str, str]]:
    """Return the options and the other texts in the address and Upload-Metadata.

    :raises ParameterError: when a name is unknown or repeated.
    :raises ValidationError: when a value is invalid, or there is no such club.
    """
    said = gather((request.query_params, _ADDRESS), (metadata, _METADATA))
    return _options_in(said), said


def _options_in(said: Mapping[str, Any]) -> UploadOptions:
    asked = OptionsQuery(data={name: value for name, value in said.items() if name in NAMES})
    asked.is_valid(raise_exception=True)
    wanted = dict(asked.validated_data)
    return UploadOptions(**wanted | {"club": _club(wanted["club"]) if wanted["club"] else None})


def _club(slug: str) -> Club:
    try:
        return find_club(slug)
    except Club.DoesNotExist:
        raise ParameterError("club", marked("There is no club at this address.")) from None
