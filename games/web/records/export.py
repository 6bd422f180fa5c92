"""Where games can be had, all together."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse


@dataclass(frozen=True, slots=True)
class ExportLinks:
    """Where games can be had as text and in JSON."""

    agn: str
    ndjson: str


def export_links(**wanted: str) -> ExportLinks:
    """Return where the games of a question can be had.

    :param wanted: the question, in the words of the interface.
    """
    address = reverse("api-games-export")
    agn, ndjson = (f"{address}?{urlencode(wanted | {'format': form})}" for form in ("agn", "ndjson"))
    return ExportLinks(agn, ndjson)
