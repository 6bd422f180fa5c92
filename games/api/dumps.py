"""The dumps for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.api.base import APIView
from games.api.parameters import OLDER
from games.records.reads.dumps import MANIFEST, SUMS, Dump, DumpFile, list_dumps

FORMS = ["agn", "ndjson"]


class DumpFileShape(serializers.Serializer[Any]):
    """A file of a dump."""

    name = serializers.CharField()
    format = serializers.ChoiceField(
        FORMS, source="form", help_text="The format when unpacked, as in exports but without their end."
    )
    form = serializers.ChoiceField(FORMS, help_text=OLDER)
    bytes = serializers.IntegerField()
    unpacked = serializers.IntegerField(help_text="Size in bytes when unpacked.")
    sha256 = serializers.CharField()
    url = serializers.CharField()


class DumpPartShape(serializers.Serializer[Any]):
    """The games of one ruleset."""

    ruleset = serializers.CharField()
    games = serializers.IntegerField()
    digest = serializers.CharField(
        help_text="SHA-256 over one line for each game, in file order: game digest, a space, record digest."
    )
    files = DumpFileShape(many=True)


class DumpShape(serializers.Serializer[Any]):
    """The public games of a month."""

    month = serializers.CharField()
    made_at = serializers.DateTimeField()
    engine_version = serializers.CharField()
    licence = serializers.CharField(help_text="The licence; empty if the operator states none.")
    manifest = serializers.CharField()
    sums = serializers.CharField(help_text="The address of the checksums.")
    rulesets = DumpPartShape(many=True)


class DumpsView(APIView):
    """The dumps."""

    @extend_schema(responses={200: DumpShape(many=True)})
    def get(self, request: Request) -> Response:
        """List the dumps, newest month first."""
        return Response(DumpShape([_shown(dump, request) for dump in list_dumps()], many=True).data)


def _shown(dump: Dump, request: Request) -> dict[str, Any]:
    def url(name: str) -> str:
        return reverse("dump-file", [str(dump.month), name], request=request)

    return {
        "month": str(dump.month),
        "made_at": dump.made_at,
        "engine_version": dump.engine_version,
        "licence": dump.licence,
        "manifest": url(MANIFEST),
        "sums": url(SUMS),
        "rulesets": [
            {
                "ruleset": part.ruleset,
                "games": part.games,
                "digest": part.digest,
                "files": [_file(file, url(file.name)) for file in part.files],
            }
            for part in dump.parts
        ],
    }


def _file(file: DumpFile, url: str) -> dict[str, Any]:
    return {name: getattr(file, name) for name in ("name", "form", "bytes", "unpacked", "sha256")} | {"url": url}
