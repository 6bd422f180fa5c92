"""`manage.py doctor`: say what is wrong with this deployment, and what to do."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.management.base import BaseCommand

from atta_site.doctor.findings import TAG, about

_LEVELS = {checks.INFO: "good", checks.WARNING: "warning", checks.ERROR: "bad"}
_SIGNS = {"good": "ok     ", "warning": "warning", "bad": "BAD    "}
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class Command(BaseCommand):
    help = "Look this deployment over. Exit status: 0 nothing bad, 1 something bad (with --strict also for warnings)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--strict", action="store_true", help="count warnings as bad")

    def handle(self, *_: Any, strict: bool, **options: Any) -> None:
        found = [{"about": about(one), "level": _level(one), "message": _said(one)} for one in _found()]
        levels = {one["level"] for one in found}
        is_bad = "bad" in levels or (strict and "warning" in levels)
        if options["json"]:
            self.stdout.write(json.dumps({"healthy": not is_bad, "findings": found}))
        else:
            for one in found:
                self.stdout.write(f"{_SIGNS[one['level']]} {one['about']}: {one['message']}")
        if is_bad:
            sys.exit(1)


def _found() -> Iterator[checks.CheckMessage]:
    """Yield what Django finds of a site that others use, and what the doctor does."""
    if urlsplit(settings.SITE_URL).hostname not in _LOCAL:
        others = sorted(checks.registry.registry.tags_available(deployment_checks=True) - {TAG})
        found = checks.run_checks(tags=others, include_deployment_checks=True)
        yield from (one for one in found if one.level >= checks.WARNING and not one.is_silenced())
    yield from checks.run_checks(tags=[TAG], include_deployment_checks=True)


def _level(found: checks.CheckMessage) -> str:
    return _LEVELS[min(max(found.level, checks.INFO), checks.ERROR)]


def _said(found: checks.CheckMessage) -> str:
    """Return the sentence; of Django's own also its name, by which the documentation explains it."""
    return found.msg if str(found.id).startswith("atta.") else f"{found.id}: {found.msg}"
