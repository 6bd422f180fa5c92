"""`manage.py fsck`: recompute everything that follows from the logs and the decisions, and name what differs."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from hashlib import file_digest
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection, transaction
from tqdm import tqdm

from games.audit.check import Audit
from games.audit.flaws import Flaw
from games.audit.names import check_names
from games.audit.stored_logs import check_logs
from games.models import MoveLog
from games.records.reads.dumps import SUMS


class Command(BaseCommand):
    help = (
        "Verify every log again; compare digests, verdicts, games, seats, names, counts, the ledger, leaderboards and "
        "the files of dumps with what is stored. Exit status: 0 everything agrees, 1 something differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--limit", type=int, default=100, metavar="N", help="stop after N differences (default: 100)"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object a line")

    def handle(self, *_: Any, limit: int, **options: Any) -> None:
        is_first = not connection.in_atomic_block
        with transaction.atomic():
            if is_first:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self._check(limit, as_json=options["json"])

    def _check(self, limit: int, *, as_json: bool) -> None:
        total = MoveLog.objects.filter(state__in=[MoveLog.State.JUDGED, MoveLog.State.DRY_RUN]).count()
        with tqdm(total=total, unit="logs", disable=None, leave=False) as bar:
            audit = Audit(boards=None)
            found = chain(check_logs(bar.update), audit.run(), check_names(), check_dumps(settings.DUMPS_DIR))
            flaws = list(islice(found, limit))
        for flaw in flaws:
            self.stdout.write(json.dumps(flaw.as_json(), default=str) if as_json else str(flaw)[:1000])
        if flaws:
            if len(flaws) == limit:
                self.stderr.write(f"Stopped after {limit}.")
            sys.exit(1)
        if not as_json:
            self.stdout.write(f"Everything agrees: {total} logs.")


def check_dumps(folder: Path) -> Iterator[Flaw]:
    """Compare the files of all dumps with the sums beside them."""
    for sums in sorted(folder.glob(f"*/{SUMS}")):
        if sums.parent.name.startswith("."):
            continue
        for line in sums.read_text(errors="replace").splitlines():
            due, _, name = line.partition("  ")
            path = sums.parent / Path(name).name
            found = _sum(path) if name and path.is_file() else "missing"
            if found != due:
                yield Flaw("file of a dump", {"file": str(path)}, {"sha256": found}, {"sha256": due})


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
