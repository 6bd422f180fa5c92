"""Pauses: parts that operators have stopped for a while, by page or command, for all processes at once."""

from datetime import datetime

import structlog

from games.models import Pause

_log = structlog.get_logger()

Part = Pause.Part

IS_PAUSED = "EXISTS (SELECT FROM games_pause WHERE part = '{part}')"
"""For queries that look for work: the condition costs no query of its own."""


def is_paused(part: Part) -> bool:
    """Return whether a part is paused now."""
    return Pause.objects.filter(part=part).exists()


def pauses() -> dict[str, Pause]:
    """Return what is paused, by part."""
    return {one.part: one for one in Pause.objects.select_related("by")}


def pause(part: Part, *, reason: str, by: int | None, now: datetime) -> bool:
    """Pause a part until somebody resumes it. :returns: whether it was not paused before."""
    facts = {"paused_at": now, "by_id": by, "reason": reason.strip()[:200]}
    _, is_new = Pause.objects.get_or_create(part=part, defaults=facts)
    if is_new:
        _log.warning("operating.paused", part=part.value, account=by, reason=facts["reason"])
    return is_new


def resume(part: Part, *, by: int | None) -> bool:
    """Let a part go on. :returns: whether it was paused."""
    was = Pause.objects.filter(part=part).delete()[0] > 0
    if was:
        _log.warning("operating.resumed", part=part.value, account=by)
    return was
