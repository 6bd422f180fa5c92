"""Facts about a game corrected by its uploader: the later of two records of one play by one account tells them."""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection

from games.consent.reads.eligibility import first_uploader, first_uploaders
from games.models import Game, MoveLog
from games.models.records import VerdictKind
from games.records.facts import tell
from games.verification.known_games import Case, facts_of

# Of each account the last record of each game.
_LAST_RECORDS = """
SELECT DISTINCT ON (log.game_id, upload.uploader_id) log.game_id, upload.uploader_id, log.record_digest
FROM games_movelog AS log JOIN games_upload AS upload ON upload.id = log.upload_id
WHERE log.game_id = ANY(%s) AND upload.uploader_id = ANY(%s) AND log.record_digest <> ''
ORDER BY log.game_id, upload.uploader_id, log.id DESC
"""


def correcting(cases: Sequence[Case]) -> set[int]:
    """Return the logs of a batch whose account uploaded their games before, first of all, with other words.

    And those of games that are rejected by now, as for a date in the future: they are legal by these.
    """
    again = [case for case in cases if not case.is_new and case.found.digest]
    if not again:
        return set()
    games = sorted({case.game for case in again})
    rejected = set(Game.objects.filter(pk__in=games, verdict=VerdictKind.REJECTED).values_list("pk", flat=True))
    first, found = first_uploaders(games), {case.log for case in again if case.game in rejected}
    with connection.cursor() as cursor:
        cursor.execute(_LAST_RECORDS, [games, sorted({case.upload.uploader_id or 0 for case in again})])
        last = {(game, account): digest for game, account, digest in cursor}
    for case in cases:
        account, digest = case.upload.uploader_id, case.found.record_digest or ""
        if first.setdefault(case.game, account) == account and account and digest:
            if last.setdefault((case.game, account), digest) != digest and not case.is_new:
                found.add(case.log)
            last[case.game, account] = digest
    return found


def correct(case: Case, now: datetime) -> None:
    """Let the facts of a stored record apply, if it corrects those that its account told before."""
    account = case.upload.uploader_id
    if case.before or case.is_new or not case.found.record_digest:
        return
    game = Game.objects.select_for_update(no_key=True).get(pk=case.game)
    if game.verdict == VerdictKind.REJECTED:
        Game.objects.filter(pk=game.pk).update(**facts_of(case.found))
        tell(game, MoveLog.objects.get(pk=case.log), by=account, at=now, instead=False)
        return
    if account is None:
        return
    own = MoveLog.objects.filter(game=game, upload__uploader=account).exclude(record_digest="").exclude(pk=case.log)
    if first_uploader(game) != account or own.filter(pk__gt=case.log).exists():
        return
    before = own.order_by("-pk").values_list("record_digest", flat=True).first()
    if case.shows or before not in (None, case.found.record_digest):
        # What only a private record said stays private when its uploader makes the game public.
        tell(game, MoveLog.objects.get(pk=case.log), by=account, at=now, instead=not case.shows)
