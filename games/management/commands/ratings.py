"""`manage.py ratings verify|rebuild`: check that all ratings follow from the games, or rebuild them."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils import timezone
from tqdm import tqdm

from games.audit.check import Audit, Flaw
from games.audit.repair import RebuildError, rebuild
from games.audit.snapshots import kept_boards
from games.models import Acceptance, DayLedger


def _boards(word: str) -> int | None:
    return None if word == "all" else int(word)


class Command(BaseCommand):
    help = "Recompute all ratings from the records of accepted games and the decisions; compare or repair."

    def add_arguments(self, parser: ArgumentParser) -> None:
        tasks = parser.add_subparsers(dest="task", required=True)
        check = tasks.add_parser("verify", help="compare the stored ratings with recomputed ones, byte for byte")
        check.add_argument("--replay", action="store_true", help="replay every record, too")
        check.add_argument(
            "--boards",
            type=_boards,
            default=10,
            metavar="N",
            help="how many stored leaderboards of past days to compare, chosen at random, or `all` (default: 10)",
        )
        check.add_argument(
            "--limit", type=int, default=100, metavar="N", help="stop after N differences (default: 100)"
        )
        check.add_argument("--json", action="store_true", help="print one JSON object a line")
        rebuild = tasks.add_parser("rebuild", help="rewrite what differs; the service can keep running")
        rebuild.add_argument("--reason", required=True, help="recorded in the moderation log")

    def handle(self, *_: Any, task: str, **options: Any) -> None:
        with tqdm(total=None, unit="games", disable=None, leave=False) as bar:
            if task == "verify":
                self._verify(bar, **options)
            else:
                self._rebuild(bar, options["reason"])

    @transaction.atomic
    def _verify(self, bar: "tqdm[Any]", *, replay: bool, boards: int | None, limit: int, json: bool, **_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        games = Acceptance.objects.filter(number__isnull=False).count()
        bar.reset(total=games)
        found = 0
        for flaw in Audit(replay=replay, boards=boards, progress=bar.update).run():
            found += 1
            self._say(flaw, as_json=json)
            if found == limit:
                self.stderr.write(f"Stopped after {limit}.")
                break
        if found:
            sys.exit(1)
        if not json:
            seen = len(kept_boards(boards))
            days = DayLedger.objects.filter(stale=False, made_at__isnull=False).count()
            self.stdout.write(
                f"Everything agrees: {games} games, {seen} stored leaderboards, {days} ladders by day played."
            )

    def _say(self, flaw: Flaw, *, as_json: bool) -> None:
        self.stdout.write(json.dumps(flaw.as_json(), default=str) if as_json else str(flaw))

    def _rebuild(self, bar: "tqdm[Any]", reason: str) -> None:
        try:
            repaired = rebuild(reason=reason, now=timezone.now(), progress=bar.update).repaired
        except RebuildError as error:
            raise CommandError(
                f"Nothing was changed. Restore this first, because nothing else determines it:\n{error}"
            ) from error
        listed = ", ".join(f"{count} x {about}" for about, count in sorted(repaired.items()))
        self.stdout.write(f"Repaired: {listed}." if repaired else "Nothing to repair.")
