"""The records of an upload by verdict: how many, by which rules, and where they are listed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse

from games.models import Upload
from games.models.records import VerdictKind
from games.records.reads.rulebook import RULE_ID, RuleLink, rule_link
from games.records.reads.visibility import Viewer
from games.uploads.reads.pace import counted
from games.uploads.reads.progress import Progress
from games.uploads.reads.results import ALL, Broken, Choice, broken_rules, may_sort
from games.web.labels import STAMPS, Stamp

_GLANCE = 12
"""Records that are seen at a glance: of so few nobody needs a list of rules, or has to choose among them."""
_KINDS = ("verified", "unfinished", "rejected", "quarantined")


@dataclass(frozen=True, slots=True)
class Example:
    """One of the records that break a rule."""

    number: int
    url: str | None


@dataclass(frozen=True, slots=True)
class BrokenRow:
    """A rule that records of an upload break, and how many do."""

    rule: RuleLink
    count: str
    examples: tuple[Example, ...]
    url: str
    """Where all of them are listed."""
    report: str
    """Where programs read what was found in them."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How many records came to one verdict, and where those are listed."""

    stamp: Stamp
    count: str
    url: str | None
    chosen: bool


def choice_of(show: str, rule: str, sort: str) -> Choice:
    """Return the filter and the order in an address; unknown values mean all, by number."""
    by_file = replace(ALL, sort="file" if sort == "file" else "")
    if show not in _KINDS:
        return by_file
    broken = rule[:20] if show == VerdictKind.REJECTED and RULE_ID.fullmatch(rule) else ""
    return replace(by_file, verdict=show, rule=broken)


def query_of(choice: Choice) -> str:
    """Return the filter and the order as a query string."""
    said = (("show", choice.verdict), ("rule", choice.rule), ("sort", choice.sort))
    return urlencode({name: value for name, value in said if value})


@dataclass(frozen=True, slots=True)
class Orders:
    """Where the same records are listed by number and by the names of their files; and which of these is here."""

    by_number: str
    by_file: str
    is_by_file: bool


def orders_of(upload: Upload, choice: Choice) -> Orders | None:
    """Return the orders in which chosen records can be listed; none if there is just one."""
    if not may_sort(upload, choice):
        return None
    url = upload.get_absolute_url()
    plain = query_of(replace(choice, sort=""))
    by_file = query_of(replace(choice, sort="file"))
    return Orders(f"{url}?{plain}" if plain else url, f"{url}?{by_file}", choice.sort == "file")


def kinds_of(upload: Upload, progress: Progress, choice: Choice) -> Iterator[Kind]:
    """Return the verdicts that there are, each with its records."""
    few = progress.total <= _GLANCE
    for kind in _KINDS:
        if records := getattr(progress, kind):
            query = query_of(replace(choice, verdict=kind, rule=""))
            address = None if few else f"{upload.get_absolute_url()}?{query}"
            yield Kind(STAMPS[kind], counted(records), address, kind == choice.verdict)


def broken_of(upload: Upload, viewer: Viewer, progress: Progress) -> Iterator[BrokenRow]:
    """Return the rules that its records break; none for few records, which are seen at a glance."""
    if progress.total > _GLANCE and progress.rejected:
        yield from (_broken(upload, broken) for broken in broken_rules(upload, viewer))


def _broken(upload: Upload, broken: Broken) -> BrokenRow:
    return BrokenRow(
        rule=rule_link(broken.rule),
        count=counted(broken.records),
        examples=tuple(
            Example(log.number, log.game.get_absolute_url() if log.game else None) for log in broken.examples
        ),
        url=f"{upload.get_absolute_url()}?{query_of(Choice(VerdictKind.REJECTED, broken.rule))}",
        report=report_on(upload, Choice(VerdictKind.REJECTED, broken.rule)),
    )


def report_on(upload: Upload, choice: Choice) -> str:
    """Return the address of the report on chosen records."""
    address = reverse("api-upload-report", args=[upload.pk])
    said = (("verdict", choice.verdict), ("rule", choice.rule), ("sort", choice.sort))
    asked = {name: value for name, value in said if value}
    return f"{address}?{urlencode(asked)}" if asked else address
