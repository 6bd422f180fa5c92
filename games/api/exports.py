"""Export of the games that match a filter."""

from collections.abc import Iterable
from urllib.parse import urlencode

from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.reverse import reverse

from engine.verify import REJECTED
from games.api.base import APIView
from games.api.parameters import OLDER_NAMES
from games.api.queries import GameQuery, MarkField, asked
from games.api.serializers import ErrorShape
from games.lagging import may_lag, reader
from games.platform.long_answers import download
from games.records.reads.export import FORMS, MOST
from games.records.reads.exporting import Export, Wanted
from games.search.reads.positions import games_of
from games.search.reads.progress import progress_of

_ERRORS = dict.fromkeys((400, 422, 503), ErrorShape)
_FORMATS, _COMPRESS = ("agn", "ndjson", "annotated"), ("gzip",)


class ExportQuery(GameQuery):
    """A filter for games, and a format."""

    format = serializers.ChoiceField(
        _FORMATS,
        required=False,
        default="agn",
        help_text="`agn` is canonical text, `ndjson` JSON records, `annotated` JSON with all that is known of a game.",
    )
    compress = serializers.ChoiceField(
        _COMPRESS, required=False, help_text="Compress the file. `Accept-Encoding` is respected, too."
    )
    most = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST, help_text="Only so many games; `Link` gives where the next are."
    )
    before = None  # type: ignore[assignment] # there is one direction only
    after = MarkField(help_text="Where the previous part ended, as given in its `Link`.")

    def validate_verdict(self, verdict: str) -> str:
        """Refuse `rejected`: a rejected record is not exported."""
        if verdict == REJECTED:
            raise serializers.ValidationError(gettext("Rejected records are not exported."))
        return verdict


class AnyAnswer(BaseContentNegotiation):
    """Answers in the format that the address asks for, whatever the `Accept` header says."""

    def select_renderer(
        self, _request: Request, renderers: Iterable[BaseRenderer], _suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the first renderer, which writes errors."""
        first = next(iter(renderers))
        return first, str(first.media_type)


class ExportView(APIView):
    """Games to download."""

    throttle_scope = "export"
    content_negotiation_class = AnyAnswer

    @may_lag
    @extend_schema(
        parameters=[ExportQuery],
        responses={
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "application/x-ndjson"): OpenApiTypes.STR,
            (200, "application/gzip"): OpenApiTypes.BINARY,
            **_ERRORS,
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return all legal games that match a filter, in the order of upload, as one file, however many they are.

        `Atta-Games` is the number of games, unless there are more than 5,000, `Atta-Licence` their licence. While the
        index for searches is being rebuilt, `Atta-Index-Progress` says how much of it is there, in percent: until then
        a search by position, opening or event may miss games.

        A complete file ends with a line `{}`, an empty comment (`agn`), with an empty line (`ndjson`), or with an
        object `end` (`annotated`); without it the file is incomplete. To fetch games in parts, ask for `most` of them:
        then `Link` gives the address of the next part. Files in `agn` and `ndjson` can be uploaded again and keep their
        digests. Whole months can be downloaded as files: see `dumps`.
        """
        wanted = asked(ExportQuery, request)
        how = _How(request, wanted.pop("format"), wanted.pop("compress", None))
        after, most = wanted.pop("after"), wanted.pop("most", None)
        progress = progress_of(wanted)  # before the games: those that are indexed meanwhile may be missing
        viewer = request.user
        export = Export(Wanted(lambda: games_of(wanted, viewer), viewer, reader(request), after, most))
        following = _next(request, export.following) if export.following else None
        headers = how.headers | ({} if export.games is None else {"Atta-Games": str(export.games)})
        headers |= {} if progress is None else {"Atta-Index-Progress": str(progress)}
        headers |= {"Atta-Licence": settings.DUMPS_LICENCE} if settings.DUMPS_LICENCE else {}
        headers |= {"Link": f'<{following}>; rel="next"'} if following else {}
        return download(how.form.lines(export.records(), following=following), headers, gzip=how.gzip)


class _How:
    """The format of an export."""

    def __init__(self, request: Request, form: str, compress: str | None) -> None:
        self.form = FORMS[form]
        self.packed = compress is not None
        self.gzip = self.packed or takes_gzip(request)

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of the format."""
        suffix = f"{self.form.suffix}.gz" if self.packed else self.form.suffix
        name = f"atta-games-{timezone.now():%Y-%m-%d}.{suffix}"
        headers = {
            "Content-Type": "application/gzip" if self.packed else self.form.content_type,
            "Content-Disposition": f'attachment; filename="{name}"',
            "Vary": "Accept-Encoding",
        }
        return headers if self.packed or not self.gzip else headers | {"Content-Encoding": "gzip"}


def _next(request: Request, mark: str) -> str:
    """Return the address of the next part."""
    query = {OLDER_NAMES.get(name, name): value for name, value in request.query_params.items()} | {"after": mark}
    return f"{reverse('api-games-export', request=request)}?{urlencode(query)}"


def takes_gzip(request: Request) -> bool:
    """Return whether the request accepts gzip: it is named, and its weight is not zero."""
    for said in request.headers.get("Accept-Encoding", "").split(","):
        coding, _, weight = said.strip().partition(";")
        if coding.strip().lower() == "gzip":
            return weight.replace(" ", "").removeprefix("q=").strip("0.") != "" or not weight
    return False
