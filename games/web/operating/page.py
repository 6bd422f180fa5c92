"""What operators see at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models import MoveLog, Pause, RunningProcess
from games.platform.pauses import Part, pauses
from games.platform.processes import running
from games.verification.reads import quarantined
from games.web.labels import Label
from games.web.links import Link
from games.web.operating import figures
from games.web.operating.figures import Figure, Requests

MOST = 50
"""Quarantined records on the page."""

PARTS: dict[str, tuple[Label, Label]] = {
    Part.INTAKE: (_("Intake"), _("New uploads are refused with a request to try again. Running games go on.")),
    Part.VERIFICATION: (_("Verification"), _("Uploads are stored, and wait to be split and verified.")),
    Part.RATING: (_("Rating"), _("Verified games and corrections wait to be rated.")),
    Part.MAIL: (_("Mail"), _("Mails wait to be sent.")),
}
"""The name of each part, and what happens while it is paused."""


@dataclass(frozen=True, slots=True)
class PartShown:
    """A part that can be paused."""

    part: str
    name: Label
    effect: Label
    pause: Pause | None


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record that was set aside, and why."""

    upload: Link
    key: str
    """The upload's id, for trying again."""
    number: int
    cause: str
    attempts: int
    queued_at: datetime


@dataclass(frozen=True, slots=True)
class OperatingPage:
    """All of it."""

    waiting: tuple[Figure, ...]
    servers: tuple[Figure, ...]
    verdicts: tuple[Figure, ...]
    requests: Requests
    parts: tuple[PartShown, ...]
    quarantined: tuple[Quarantined, ...]
    quarantined_count: int
    processes: Sequence[RunningProcess]
    is_beat_wrong: bool
    """Whether there is not exactly one beat."""


def operating_page() -> OperatingPage:
    """Return the page."""
    processes, count = list(running()), quarantined().count()
    beats = sum(one.kind == "beat" for one in processes)
    return OperatingPage(
        waiting=figures.waiting(),
        servers=figures.servers(),
        verdicts=figures.verdicts(),
        requests=figures.requests(),
        parts=_parts(),
        quarantined=tuple(_shown(log) for log in quarantined()[:MOST]),
        quarantined_count=count,
        processes=processes,
        is_beat_wrong=beats != 1,
    )


def _parts() -> tuple[PartShown, ...]:
    paused = pauses()
    return tuple(PartShown(part, name, effect, paused.get(part)) for part, (name, effect) in PARTS.items())


def _shown(log: MoveLog) -> Quarantined:
    upload = Link(log.upload.filename or str(log.upload_id)[:8], reverse("upload-result", args=[log.upload_id]))
    return Quarantined(upload, str(log.upload_id), log.number, log.failure, log.attempts, log.queued_at)
