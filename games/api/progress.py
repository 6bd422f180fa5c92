"""The progress of an upload: once, or as a stream."""

import json
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic
from typing import Any
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.translation import get_language, override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import APIView
from games.api.serializers import ErrorShape, ProgressShape, repeated
from games.lookup import upload_or_404
from games.platform.long_answers import LongAnswer
from games.platform.repeatable_read import repeatable_read
from games.platform.slots import Slot, Slots
from games.uploads.reads.pace import Pace, pace_of
from games.uploads.reads.progress import progress_of

WATCHED = 25.0
"""Seconds after which a stream ends; the client then reconnects."""
BEAT = 1.0
"""Seconds between two events."""
_SOON, _LATER = 500, 2_000
"""Milliseconds after which a watcher asks anew whose stream has ended, or who got none."""
EVENTS = "text/event-stream"

_slots = Slots(32)


class PaceShape(serializers.Serializer[Pace]):
    """The progress of an upload."""

    state = serializers.ChoiceField(("going", "paused", "done"))
    records = ProgressShape(source="progress", help_text="Counts of the records found in the file so far.")
    growing = serializers.BooleanField(
        help_text="Whether the file is still being split, so that more records may follow."
    )
    expected = serializers.IntegerField(
        help_text="Expected number of records; an estimate while the file is being split."
    )
    rate = serializers.FloatField(allow_null=True, source="progress.rate", help_text="Records a second so far.")
    seconds_left = serializers.IntegerField(allow_null=True)
    duplicate_of = serializers.SerializerMethodField(
        help_text="An earlier upload of the same file, whose results are used; else null."
    )
    message = serializers.CharField(source="sentence", help_text="The progress as a sentence.")

    def get_duplicate_of(self, pace: Pace) -> str | None:
        """Return its address in this interface."""
        return repeated(pace.upload, self.context["request"])


class Events(BaseRenderer):
    """Declares the media type of events; the view itself writes them."""

    media_type = EVENTS
    format = "events"
    charset = None

    def render(self, data: Any, *_: object, **__: object) -> bytes:  # noqa: ANN401 (whatever is an error's shape)
        """Return an error as JSON, also to clients that asked for events."""
        return json.dumps(data).encode()


class ByAccept(DefaultContentNegotiation):
    """Chooses JSON, unless the client asks for events explicitly."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], _suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer for events if the client asks for it, otherwise the first."""
        first, *_, events = renderers
        found = events if EVENTS in request.headers.get("Accept", "") else first
        return found, str(found.media_type)


class UploadProgressView(APIView):
    """The progress of an upload."""

    content_negotiation_class = ByAccept

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the renderers: JSON, and events."""
        return [*super().get_renderers(), Events()]

    @extend_schema(
        responses={200: PaceShape, (200, EVENTS): OpenApiTypes.STR, **dict.fromkeys((404,), ErrorShape)},
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the progress of an upload: counts, rate and time left.

        With `Accept: text/event-stream` you get an event `progress` a second, and at the end `done`; after 25 seconds
        the client reconnects. The number of streams is limited: above the limit a request gets one event, and
        reconnects after `retry` milliseconds, which any `EventSource` does by itself.
        """
        watch = _Watch(pk, request)
        if request.accepted_renderer.media_type != EVENTS:
            return Response(watch.state(), headers={"Cache-Control": "no-store"})
        watch.look()
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return LongAnswer(watch.events(), every=BEAT, content_type=EVENTS, headers=headers)


class _Watch:
    """Reads an upload's progress for one client."""

    def __init__(self, pk: UUID, request: Request) -> None:
        self._pk, self._request, self._language = pk, request, get_language()

    @repeatable_read()
    def look(self) -> Pace:
        """Return the current progress."""
        upload = upload_or_404(self._request, self._pk)
        return pace_of(upload, progress_of(upload, self._request.user))

    @repeatable_read()
    def state(self) -> Mapping[str, Any]:
        """Return the progress as it is sent to clients."""
        return PaceShape(self.look(), context={"request": self._request}).data

    def events(self) -> Iterator[bytes]:
        """Yield events for a while; only one if no stream is free."""
        slot = _slots.take()
        return _Stream(self, slot) if slot else iter([self.event(_LATER)[0]])

    def event(self, retry: int) -> tuple[bytes, bool]:
        """Return the current event, and whether it is the last."""
        with override(self._language):
            state = self.state()
        name = "done" if state["state"] == "done" else "progress"
        return f"retry: {retry}\nevent: {name}\ndata: {json.dumps(state)}\n\n".encode(), name == "done"


class _Stream:
    """A stream of events. Its slot is released when it is closed, even if nobody has begun to read."""

    def __init__(self, watch: _Watch, slot: Slot) -> None:
        self._watch, self._until, self.close = watch, monotonic() + WATCHED, slot.close
        self._over = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._over or monotonic() > self._until:
            raise StopIteration
        try:
            event, self._over = self._watch.event(_SOON)
        except Http404:
            raise StopIteration from None  # the upload was deleted meanwhile
        return event
