"""What is to become of an upload's games, as a request says it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request

from games.models import League
from games.selectors.leagues import find_league
from games.services.intake import Wish

FORM = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "format": "binary"},
        "scored": {"type": "boolean", "default": True},
        "private": {"type": "boolean", "default": False},
        "league": {"type": "string"},
        "dry_run": {"type": "boolean", "default": False},
        "webhook": {"type": "string", "format": "uri"},
    },
    "required": ["file"],
}
"""A form with a file and with what the address could say, too."""


class WishQuery(serializers.Serializer[Any]):
    """What is to become of an upload's games; in a form these can be fields, too."""

    scored = serializers.BooleanField(default=True, help_text="Whether they may count: not so for training games.")
    private = serializers.BooleanField(
        default=False, help_text="Whether only you and those who played may see them; then they count nowhere."
    )
    league = serializers.SlugField(
        default="", allow_blank=True, max_length=40, help_text="For whose ladders they count; you must organise it."
    )
    dry_run = serializers.BooleanField(
        default=False, help_text="Whether they are only judged: no game comes of them; the report stays for a day."
    )
    webhook = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=500,
        help_text="Which https address is told when the upload is done, in the form of Standard Webhooks.",
    )


def wish_of(request: Request) -> Wish:
    """What the address says, or else the form.

    :raises ValidationError: when that is not understood, or there is no such league.
    """
    form = request.POST.dict() if request.content_type.startswith("multipart/form-data") else {}
    return wish_in(form | request.query_params.dict())


def wish_in(told: Mapping[str, str]) -> Wish:
    """What is wished by names and values; other names say nothing here.

    :raises ValidationError: when that is not understood, or there is no such league.
    """
    asked = WishQuery(data=told)
    asked.is_valid(raise_exception=True)
    wanted = dict(asked.validated_data)
    league = _league(wanted["league"]) if wanted["league"] else None
    return Wish(wanted["scored"], wanted["private"], league, wanted["webhook"], wanted["dry_run"])


def _league(slug: str) -> League:
    try:
        return find_league(slug)
    except League.DoesNotExist:
        raise serializers.ValidationError({"league": gettext("There is no league at this address.")}) from None
