"""`manage.py doctor`: say what is wrong with this deployment, and what to do."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand

from atta_site.doctor.findings import Finding, Findings, Level
from atta_site.doctor.machine import check_files, check_folders, check_settings
from atta_site.doctor.servers import check_broker, check_database, check_mail, check_pooler, check_replica
from atta_site.doctor.work import check_processes, check_work

CHECKS: tuple[Callable[[], Findings], ...] = (
    check_settings,
    check_files,
    check_folders,
    check_database,
    check_pooler,
    check_replica,
    check_broker,
    check_mail,
    check_processes,
    check_work,
)
_SIGNS = {Level.GOOD: "ok     ", Level.WARNING: "warning", Level.BAD: "BAD    "}


class Command(BaseCommand):
    help = "Look this deployment over. Exit status: 0 nothing bad, 1 something bad (with --strict also for warnings)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--strict", action="store_true", help="count warnings as bad")

    def handle(self, *_: Any, strict: bool, **options: Any) -> None:
        found = [finding for check in CHECKS for finding in check()]
        worst = {finding.level for finding in found}
        is_bad = Level.BAD in worst or (strict and Level.WARNING in worst)
        if options["json"]:
            self.stdout.write(json.dumps({"healthy": not is_bad, "findings": [one._asdict() for one in found]}))
        else:
            self._say(found)
        if is_bad:
            sys.exit(1)

    def _say(self, found: list[Finding]) -> None:
        for one in found:
            self.stdout.write(f"{_SIGNS[one.level]} {one.about}: {one.message}")
