"""The report on an upload, with one line for each record."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http.response import HttpResponseBase
from django.urls import reverse as path_of
from django.utils.translation import get_language, override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from engine.agn.lines import json_line
from engine.words import marked, render
from games.api.base import APIView
from games.api.exports import AnyAnswer, takes_gzip
from games.api.facts import CorrectedShape
from games.api.parameters import OLDER_NAMES
from games.api.queries import asked
from games.api.serializers import ErrorShape, ProgressShape, repeated
from games.lookup import upload_or_404
from games.models import MoveLog, Upload
from games.models.records import VerdictKind
from games.platform.long_answers import download
from games.platform.parameters import ParameterError
from games.platform.repeatable_read import repeatable_read
from games.records.reads.rulebook import rule_url
from games.sentences import translated
from games.uploads.reads.corrections import RecordAt
from games.uploads.reads.progress import progress_of
from games.uploads.reads.report import Entry, FirstRecord, report_of
from games.uploads.reads.results import MOST_SORTED, Choice, may_sort
from games.uploads.reads.warnings import warnings_of

_MOST = 20_000
"""Records of a part, for who wants parts."""


class ReportQuery(serializers.Serializer[Any]):
    """Which records a report has, and its format."""

    after = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=10**9, help_text="The number of the last record seen."
    )
    most = serializers.IntegerField(
        required=False, min_value=1, max_value=_MOST, help_text="Only so many records; `next` says where to go on."
    )
    verdict = serializers.ChoiceField(
        (*VerdictKind.values, MoveLog.State.QUARANTINED.value),
        required=False,
        default="",
        help_text="Only records with this verdict, or those set aside.",
    )
    rule = serializers.CharField(
        required=False, default="", max_length=20, help_text="Only rejected records that break this rule first."
    )
    sort = serializers.ChoiceField(
        ("", "file"),
        required=False,
        default="",
        help_text="`file`: by the names of the files in an archive, then by number; without it by number alone.",
    )
    format = serializers.ChoiceField(
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
            raise ParameterError("rule", marked("Only rejected records break a rule."))
        verdict = VerdictKind.REJECTED.value if wanted["rule"] else wanted["verdict"]
        return wanted | {"choice": Choice(verdict, wanted["rule"], wanted["sort"])}


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
    corrected = CorrectedShape(allow_null=True, help_text="Which facts about its game it corrected; else null.")
    correction = serializers.CharField(allow_null=True, help_text="The record that corrects this rejected one.")
    correction_of = serializers.CharField(allow_null=True, help_text="The rejected record that this one corrects.")


class ReportEndShape(serializers.Serializer[Any]):
    """The end of a report."""

    records = serializers.IntegerField()
    next = serializers.CharField(allow_null=True, help_text="Where the records after `most` are; null at the end.")
    done = serializers.BooleanField(help_text="Whether every record has its verdict.")
    duplicate_of = serializers.CharField(allow_null=True, help_text="The earlier upload of the same file.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What may be wrong with the file.")
    upload = ProgressShape()


class ReportShape(serializers.Serializer[Any]):
    """A report as one object."""

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
            (200, "application/gzip"): OpenApiTypes.BINARY,
            **dict.fromkeys((400, 404, 503), ErrorShape),
        },
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the result of each record, one object a line, in their order in the file, however many they are.

        `verdict` selects the records with one verdict, `rule` those whose first broken rule it is. `sort=file` orders
        up to 20,000 records of an archive by the names of its files. With `format=json` the answer is one object with
        the list `records`, and `end`.

        `index` is the record's number in the file, `file` its entry in the archive, `line` and
        `byte_offset` where it begins. A record without a verdict yet has a `state` and no `verdict`. For a rejected
        record, `code` is the first rule that it breaks, `rule` links to that rule, `fault_line`, `column`, `ply` and
        `token` give the place, `message` the reason, and `suggestions` the address of possible corrections.
        `duplicate_of` is the earlier record of the same game; `corrected` says which facts about it, as its date, the
        record corrected, if the same account had uploaded it first. `correction` is the record that corrects a
        rejected one, `correction_of` the rejected one that a record corrects.

        The last line is an object `end` with counts; a report without it is incomplete. Its `done` says whether every
        record had its verdict when the report was begun, and its `duplicate_of` names the upload that has the records,
        if this file was uploaded before. To read a report in parts, ask for `most` records: then `next` is the address
        of the next part, if there is one.
        """
        wanted, upload = asked(ReportQuery, request), upload_or_404(request, pk)
        if wanted["sort"] and not may_sort(upload, wanted["choice"]):
            said = marked("Up to {most} records from several files can be sorted by file.")
            raise ParameterError("sort", said, most=MOST_SORTED)
        report = _Report(request, upload, wanted)
        return download(report.written(), report.headers, gzip=report.packed or takes_gzip(request))


class _Report:
    """A report, as lines."""

    def __init__(self, request: Request, upload: Upload, wanted: dict[str, Any]) -> None:
        self.request, self.upload = request, upload
        self.after, self.most, self.choice = wanted["after"], wanted.get("most"), wanted["choice"]
        self.form, self.packed = wanted["format"], "compress" in wanted
        self._language = get_language()
        sent = {OLDER_NAMES.get(name, name) for name in request.query_params}
        kept = ("verdict", "rule", "sort", "most", "format", "compress")
        self._query = {name: wanted[name] for name in kept if name in wanted and name in sent}

    def written(self) -> Iterator[str]:
        """Return the report in its form."""
        return self.json() if self.form == "json" else self.lines()

    def lines(self) -> Iterator[str]:
        """Yield the records, and the end. Counts and the first records are of the same moment, later ones are newer."""
        records, last = 0, self.after
        batches = report_of(self.upload, self.request.user, choice=self.choice, after=self.after, most=self.most)
        with repeatable_read():
            self.upload = upload_or_404(self.request, self.upload.pk)
            progress = progress_of(self.upload, self.request.user)
            batch = next(batches, None)
        while batch is not None:
            with override(self._language):  # not while the lines are sent: the thread answers others meanwhile
                lines = [json_line(self._line(entry)) for entry in batch]
            yield from lines
            records, last = records + len(batch), batch[-1].log["number"] if batch else last
            with repeatable_read():
                batch = next(batches, None)
        with override(self._language):
            end = self._end(records, last) | {"upload": ProgressShape(progress).data}
        yield json_line({"end": end})

    def json(self) -> Iterator[str]:
        """Yield the same as one object."""
        before, lines = '{"records":[', self.lines()
        line = next(lines)
        for following in lines:
            yield before + line.rstrip("\n")
            before, line = ",", following
        yield "{before}],{end}".format(before="" if before == "," else before, end=line.strip().removeprefix("{"))

    def _end(self, records: int, last: int) -> dict[str, Any]:
        is_cut = records == self.most and (bool(self.choice.sort) or last < self.upload.split_logs)
        return {
            "records": records,
            "next": self._address("api-upload-report", self.upload.pk, after=last) if is_cut else None,
            "done": self.upload.done_at is not None,
            "duplicate_of": repeated(self.upload, self.request),
            "warnings": warnings_of(self.upload),
        }

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers."""
        name = f"atta-report-{self.upload.pk}.{self.form}{'.gz' if self.packed else ''}"
        kind = "application/json" if self.form == "json" else "application/x-ndjson"
        headers = {
            "Content-Type": "application/gzip" if self.packed else kind,
            "Content-Disposition": f'attachment; filename="{name}"',
            "Vary": "Accept-Encoding, Accept-Language, Cookie",
        }
        is_coded = takes_gzip(self.request) and not self.packed
        return headers | ({"Content-Encoding": "gzip"} if is_coded else {})

    def _line(self, entry: Entry) -> dict[str, Any]:
        log, key = entry.log, entry.log["game__key"]
        return {
            "index": log["number"],
            "file": log["entry__name"] or "",
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
            "duplicate_of": self._record(entry.first),
            "corrected": entry.corrected and entry.corrected.as_json,
            "correction": self._record(entry.correction),
            "correction_of": self._record(entry.correction_of),
        }

    def _suggestions(self, entry: Entry, number: int) -> str | None:
        """Return the address of the suggestions for a rejected record."""
        rejected = entry.verdict is not None and entry.verdict["verdict"] == VerdictKind.REJECTED
        return self._address("api-upload-log-suggestions", self.upload.pk, number) if rejected else None

    def _record(self, at: FirstRecord | RecordAt | None) -> str | None:
        return self._address("api-upload-log", at.upload, at.number) if at else None

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
