"""The report on an upload, with one line for each record, in parts."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse as path_of
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from engine.agn.lines import json_line
from engine.words import render
from games.api.exports import AnyAnswer, takes_gzip
from games.api.queries import asked
from games.api.serializers import ErrorShape, ProgressShape, repeated
from games.lookup import upload_or_404
from games.models import MoveLog, Upload
from games.models.records import VerdictKind
from games.platform.repeatable_read import repeatable_read
from games.records.reads import export_parts
from games.records.reads.rulebook import rule_url
from games.sentences import translated
from games.uploads.reads.progress import progress_of
from games.uploads.reads.report import MOST, Entry, FirstRecord, report_of
from games.uploads.reads.results import Choice

_FEW = 1_000
"""Records of which a report is written in a moment: nobody has to wait for a place."""


class ReportQuery(serializers.Serializer[Any]):
    """A part of a report, and its format."""

    after = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=10**9, help_text="The number of the last record seen."
    )
    most = serializers.IntegerField(required=False, default=MOST, min_value=1, max_value=MOST)
    verdict = serializers.ChoiceField(
        (*VerdictKind.values, MoveLog.State.QUARANTINED.value),
        required=False,
        default="",
        help_text="Only records with this verdict, or those set aside.",
    )
    rule = serializers.CharField(
        required=False, default="", max_length=20, help_text="Only rejected records that break this rule first."
    )
    form = serializers.ChoiceField(
        ("ndjson", "json"),
        required=False,
        default="ndjson",
        help_text="One object a line, or one object with the records as a list.",
    )
    compress = serializers.ChoiceField(
        ("gzip",), required=False, help_text="Compress the file. `Accept-Encoding` is respected, too."
    )

    def validate(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Refuse a `rule` together with another verdict than `rejected`: no other record breaks a rule."""
        if wanted["rule"] and wanted["verdict"] not in ("", VerdictKind.REJECTED):
            raise serializers.ValidationError({"rule": gettext("Only rejected records break a rule.")})
        verdict = VerdictKind.REJECTED.value if wanted["rule"] else wanted["verdict"]
        return wanted | {"choice": Choice(verdict, wanted["rule"])}


class ReportRecordShape(serializers.Serializer[Any]):
    """The result of one record. Fields that depend on its verdict are null until there is one."""

    index = serializers.IntegerField(help_text="The record's number in the file.")
    file = serializers.CharField(allow_blank=True, help_text="Its entry in the archive; empty for a plain file.")
    line = serializers.IntegerField(help_text="The line on which it begins.")
    byte_offset = serializers.IntegerField(allow_null=True)
    state = serializers.CharField()
    verdict = serializers.CharField(allow_null=True)
    code = serializers.CharField(allow_null=True, help_text="The first rule that a rejected record breaks.")
    rule = serializers.CharField(allow_null=True, help_text="The address of that rule.")
    fault_line = serializers.IntegerField(allow_null=True)
    column = serializers.IntegerField(allow_null=True)
    ply = serializers.IntegerField(allow_null=True)
    token = serializers.CharField(allow_null=True)
    message = serializers.CharField(allow_null=True)
    template = serializers.CharField(allow_null=True, help_text="The message in English, with placeholders.")
    params = serializers.DictField(allow_null=True, help_text="The values of the placeholders.")
    record_digest = serializers.CharField(allow_null=True)
    game_digest = serializers.CharField(allow_null=True)
    game = serializers.CharField(allow_null=True, help_text="The address of its game in the API.")
    page = serializers.CharField(allow_null=True)
    log = serializers.CharField(help_text="The address of the record as it was sent.")
    suggestions = serializers.CharField(allow_null=True, help_text="The address of possible corrections.")
    duplicate_of = serializers.CharField(allow_null=True, help_text="The earlier record of the same game.")


class ReportEndShape(serializers.Serializer[Any]):
    """The end of a part of a report."""

    records = serializers.IntegerField()
    next = serializers.CharField(allow_null=True, help_text="The address of the next part; null at the end.")
    done = serializers.BooleanField(help_text="Whether every record has its verdict.")
    duplicate_of = serializers.CharField(allow_null=True, help_text="The earlier upload of the same file.")
    upload = ProgressShape()


class ReportShape(serializers.Serializer[Any]):
    """A part of a report as one object."""

    records = ReportRecordShape(many=True)
    end = ReportEndShape()


class UploadReportView(APIView):
    """A report on an upload."""

    content_negotiation_class = AnyAnswer

    @extend_schema(
        parameters=[ReportQuery],
        responses={
            (200, "application/json"): ReportShape,
            (200, "application/x-ndjson"): OpenApiTypes.STR,
            **dict.fromkeys((400, 404, 503), ErrorShape),
        },
    )
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """Return the result of each record, one object a line, in their order in the file, 20,000 at a time.

        `verdict` selects the records with one verdict, `rule` those whose first broken rule it is. With `form=json` the
        answer is one object with the list `records`, and `end`.

        `index` is the record's number in the file, `file` its entry in the archive, `line` and
        `byte_offset` where it begins. A record without a verdict yet has a `state` and no `verdict`. For a rejected
        record, `code` is the first rule that it breaks, `rule` links to that rule, `fault_line`, `column`, `ply` and
        `token` give the place, `message` the reason, and `suggestions` the address of possible corrections.
        `duplicate_of` is the earlier record of the same game.

        The last line is an object `end` with counts and the address of the `next` part, if there is one (also in
        `Link`); a report without it is incomplete. Its `done` says whether every record has its verdict, and its
        `duplicate_of` names the upload that has the records, if this file was uploaded before.
        """
        wanted, upload = asked(ReportQuery, request), upload_or_404(request, pk)
        small = min(wanted["most"], upload.split_logs - wanted["after"]) <= _FEW
        with nullcontext() if small else export_parts.place(), repeatable_read():
            report = _Report(request, upload_or_404(request, pk), wanted)
            gzip = "compress" in wanted or takes_gzip(request)
            written = report.json() if wanted["form"] == "json" else report.lines()
            pieces = (line.encode() for line in written)
            body = b"".join(export_parts.compressed(pieces) if gzip else pieces)
        return HttpResponse(body, headers=report.headers(packed="compress" in wanted, gzip=gzip))


class _Report:
    """One part of a report, as lines."""

    def __init__(self, request: Request, upload: Upload, wanted: dict[str, Any]) -> None:
        self.request, self.upload = request, upload
        self.after, self.most, self.choice = wanted["after"], wanted["most"], wanted["choice"]
        self.form = wanted["form"]
        self.following: str | None = None
        kept = ("verdict", "rule", "most", "form", "compress")
        self._query = {name: wanted[name] for name in kept if name in wanted and name in request.query_params}

    def lines(self) -> Iterator[str]:
        """Return the records, and the end."""
        records, last = 0, self.after
        progress = progress_of(self.upload, self.request.user)  # before the records: what is added meanwhile is
        # reported twice
        viewer, choice = self.request.user, self.choice
        for entry in report_of(self.upload, viewer, choice=choice, after=self.after, most=self.most):
            yield json_line(self._line(entry))
            records, last = records + 1, entry.log["number"]
        if records == self.most and last < self.upload.split_logs:
            self.following = self._address("api-upload-report", self.upload.pk, after=last)
        end = {"records": records, "next": self.following, "done": self.upload.done_at is not None}
        end["duplicate_of"] = repeated(self.upload, self.request)
        yield json_line({"end": end | {"upload": ProgressShape(progress).data}})

    def json(self) -> Iterator[str]:
        """Return the same as one object, in pieces."""
        *records, end = self.lines()
        yield '{"records":['
        yield ",".join(line.rstrip("\n") for line in records)
        yield f"],{end.strip().removeprefix('{')}"

    def headers(self, *, packed: bool, gzip: bool) -> dict[str, str]:
        """Return the headers."""
        name = f"atta-report-{self.upload.pk}.{self.form}{'.gz' if packed else ''}"
        kind = "application/json" if self.form == "json" else "application/x-ndjson"
        headers = {
            "Content-Type": "application/gzip" if packed else kind,
            "Content-Disposition": f'attachment; filename="{name}"',
            "Vary": "Accept-Encoding, Accept-Language, Cookie",
        }
        if gzip and not packed:
            headers["Content-Encoding"] = "gzip"
        return headers | ({"Link": f'<{self.following}>; rel="next"'} if self.following else {})

    def _line(self, entry: Entry) -> dict[str, Any]:
        log, key = entry.log, entry.log["game__key"]
        return {
            "index": log["number"],
            "file": log["entry__name"],
            "line": log["line"],
            "byte_offset": log["offset"],
            "state": log["state"],
            **_verdict_part(entry.verdict),
            "rule": self._rule(entry.verdict),
            "record_digest": log["record_digest"] or None,
            "game_digest": log["game_digest"] or None,
            "game": self._address("api-game", key) if key else None,
            "page": self.request.build_absolute_uri(path_of("game", args=[key])) if key else None,
            "log": self._address("api-upload-log", self.upload.pk, log["number"]),
            "suggestions": self._suggestions(entry, log["number"]),
            "duplicate_of": self._first(entry.first),
        }

    def _suggestions(self, entry: Entry, number: int) -> str | None:
        """Return the address of the suggestions for a rejected record."""
        rejected = entry.verdict is not None and entry.verdict["verdict"] == VerdictKind.REJECTED
        return self._address("api-upload-log-suggestions", self.upload.pk, number) if rejected else None

    def _first(self, first: FirstRecord | None) -> str | None:
        return self._address("api-upload-log", first.upload, first.number) if first else None

    def _rule(self, verdict: dict[str, Any] | None) -> str | None:
        path = rule_url(verdict["rule"]) if verdict and verdict["rule"] else None
        return self.request.build_absolute_uri(path) if path else None

    def _address(self, name: str, *args: object, **query: object) -> str:
        address = reverse(name, args, request=self.request)
        return f"{address}?{urlencode(self._query | query)}" if query else str(address)


_UNJUDGED = dict.fromkeys(("verdict", "code", "fault_line", "column", "ply", "token", "message", "template", "params"))


def _verdict_part(verdict: dict[str, Any] | None) -> dict[str, Any]:
    """Return what the newest verdict says; without a fault there is no message."""
    if verdict is None:
        return _UNJUDGED
    if not verdict["rule"]:
        return _UNJUDGED | {"verdict": verdict["verdict"]}
    names = ("verdict", "column", "ply", "token", "template", "params")
    message = render(verdict["template"], verdict["params"], translated)
    return {name: verdict[name] for name in names} | {
        "code": verdict["rule"],
        "fault_line": verdict["line"],
        "message": message,
    }
