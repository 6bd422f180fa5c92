"""How another site embeds a game, by the oEmbed specification (https://oembed.com)."""

import re
from typing import Any, TypedDict
from urllib.parse import parse_qs, urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.html import escape
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from engine.scene import CARD_SIZE, THEMES, xml_text
from games.api.base import APIView
from games.api.exports import AnyAnswer
from games.api.queries import asked
from games.api.serializers import ErrorShape
from games.models import Game
from games.records.reads.embedding import SIZE, embed_code, title_of
from games.records.reads.games import find_game_by_key
from games.records.reads.visibility import NOBODY

_GAME = re.compile(r"/games/([0-9a-z]{8})(?:/embed)?/?\Z")
_LEAST = 240
"""Pixels below which no frame is proposed."""


class OEmbedQuery(serializers.Serializer[dict[str, object]]):
    """The page to embed, and the space available."""

    url = serializers.CharField(
        max_length=300, help_text="The address of a game's page, perhaps with `?ply=` and `?theme=`."
    )
    format = serializers.ChoiceField(("json", "xml"), required=False, default="json")
    maxwidth = serializers.IntegerField(required=False, default=SIZE[0], min_value=1, max_value=10_000)
    maxheight = serializers.IntegerField(required=False, default=SIZE[1], min_value=1, max_value=10_000)


class OEmbedView(APIView):
    """How a game is embedded."""

    content_negotiation_class = AnyAnswer

    @extend_schema(
        parameters=[OEmbedQuery],
        responses={200: OpenApiTypes.OBJECT, (200, "text/xml"): OpenApiTypes.STR, 400: ErrorShape, 404: ErrorShape},
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the HTML that shows a public game on another page, as oEmbed of the type `rich`."""
        wanted = asked(OEmbedQuery, request)
        game, shown = _found(wanted["url"])
        width, height = (
            max(_LEAST, min(size, most))
            for size, most in zip(SIZE, (wanted["maxwidth"], wanted["maxheight"]), strict=True)
        )
        answer = _answer(game, shown, width, height)
        return _xml(answer) if wanted["format"] == "xml" else JsonResponse(answer)


class _Shown(TypedDict):
    """What an address says about how its game is shown."""

    ply: int | None
    theme: str


def _found(url: str) -> tuple[Game, _Shown]:
    """Return the game of an address, and what it says about how it is shown.

    :raises Http404: when it is not a public game of this site.
    """
    site = urlsplit(settings.SITE_URL)
    try:
        at = urlsplit(url)
    except ValueError:
        raise Http404 from None
    said = _GAME.match(at.path)
    game = find_game_by_key(said[1], NOBODY) if said and at.netloc == site.netloc else None
    if game is None:
        raise Http404
    asked = {name: values[0] for name, values in parse_qs(at.query).items()}
    ply, theme = asked.get("ply", ""), asked.get("theme", "")
    number = int(ply) if ply.isascii() and ply.isdigit() and len(ply) <= 5 else None  # noqa: PLR2004 - digits
    return game, {"ply": number, "theme": theme if theme in THEMES else ""}


def _answer(game: Game, shown: _Shown, width: int, height: int) -> dict[str, Any]:
    title = title_of(game)
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Atta",
        "provider_url": settings.SITE_URL,
        "title": title,
        "html": embed_code(game.key, **shown, width=width, height=height, title=escape(title)),
        "width": width,
        "height": height,
        "thumbnail_url": f"{settings.SITE_URL}{reverse('game-card', args=[game.key])}",
        "thumbnail_width": CARD_SIZE[0],
        "thumbnail_height": CARD_SIZE[1],
        "cache_age": 3600,
    }


def _xml(answer: dict[str, Any]) -> HttpResponse:
    whole = Element("oembed")
    for name, value in answer.items():
        SubElement(whole, name).text = xml_text(str(value))
    text = tostring(whole, encoding="utf-8", xml_declaration=True)
    return HttpResponse(text, content_type="text/xml; charset=utf-8")
