"""Verification: claiming logs that wait, judging them, storing what was found, each log once.

The rows are the queue. A claim is one conditional update under a row lock: it counts the attempt before any
work and takes a lease on the database's clock. What is stored is fenced by the number of the attempt, so that
a worker that was paused and wakes up late changes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from engine.scene.values import Count
from engine.verify import ENGINE_VERSION, REJECTED, verify
from engine.verify import Verdict as EngineVerdict
from engine.words import params_json
from games.models import Game, MoveLog, Player, Seating, Upload, Verdict
from games.selectors.queue import lapsed
from games.selectors.replays import record_of
from games.services.consent import note_upload, settle

ATTEMPTS = 3
"""After so many that did not end, a log is quarantined."""
BATCH = 16
"""Logs claimed at once: a second of work each at the very worst, well within the lease."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to store what was found about a log, while no other attempt has begun."""

    log: MoveLog
    attempt: int
    fence: int


def claim() -> list[Claim]:
    """Claims some logs: one that was tried before, alone, so that it can only harm itself; else fresh ones together."""
    with transaction.atomic():
        # By number in the file first: of many uploads the first games come first, whatever the uploads' sizes.
        logs = list(_tried_before().order_by("attempts", "number", "id")[:1])
        logs = logs or list(_fresh().order_by("number", "id")[:BATCH])
        MoveLog.objects.filter(pk__in=[log.pk for log in logs]).update(
            state=MoveLog.State.RUNNING,
            attempts=F("attempts") + 1,
            fence=F("fence") + 1,
            leased_until=Now() + timedelta(seconds=settings.VERIFICATION_LEASE),
        )
    return [Claim(log, log.attempts + 1, log.fence + 1) for log in logs]


def _fresh() -> "QuerySet[MoveLog]":
    return MoveLog.objects.filter(state=MoveLog.State.WAITING, attempts=0).select_for_update(skip_locked=True)


def _tried_before() -> "QuerySet[MoveLog]":
    return MoveLog.objects.filter(
        Q(state=MoveLog.State.WAITING, attempts__gt=0) | lapsed(), attempts__lt=ATTEMPTS
    ).select_for_update(skip_locked=True)


def judge(claim: Claim, *, now: datetime) -> bool:
    """Verifies a claimed log and stores the verdict.

    :returns: whether it was stored; not if another attempt has begun meanwhile.
    """
    try:
        found = verify(record_of(claim.log))
        return store(claim, found, now=now)
    except Exception as error:
        # Only the kind: an error's text may hold anybody's data, and what is stored here is shown.
        give_back(claim, trouble=f"Verification broke off: {type(error).__name__}.")
        raise


def give_back(claim: Claim, *, trouble: str) -> None:
    """Returns a log that could not be judged: to the queue, or after the last attempt to quarantine."""
    last = claim.attempt >= ATTEMPTS
    _held(claim).update(
        state=MoveLog.State.QUARANTINED if last else MoveLog.State.WAITING, leased_until=None, trouble=trouble
    )


def put_back(claims: Iterable[Claim]) -> None:
    """Returns logs that were claimed and not begun: the attempt does not count."""
    for claim in claims:
        _held(claim).update(state=MoveLog.State.WAITING, leased_until=None, attempts=F("attempts") - 1)


def quarantine_lapsed() -> int:
    """Sets aside the logs whose last attempt did not end. :returns: how many."""
    return MoveLog.objects.filter(lapsed(), attempts__gte=ATTEMPTS).update(
        state=MoveLog.State.QUARANTINED,
        leased_until=None,
        trouble=f"None of {ATTEMPTS} attempts to verify it came to an end.",
    )


def queue_again() -> int:
    """Sets the logs on which this version of the engine has not spoken waiting once more. :returns: how many."""
    judged = MoveLog.objects.filter(state=MoveLog.State.JUDGED)
    return judged.exclude(verdicts__engine_version=ENGINE_VERSION).update(
        state=MoveLog.State.WAITING, attempts=0, queued_at=Now()
    )


def _held(claim: Claim) -> "QuerySet[MoveLog]":
    return MoveLog.objects.filter(pk=claim.log.pk, state=MoveLog.State.RUNNING, fence=claim.fence)


@transaction.atomic
def store(claim: Claim, found: EngineVerdict, *, now: datetime) -> bool:
    """Stores a verdict with all that follows from it, in one transaction. :returns: whether the claim still held."""
    log = _held(claim).select_for_update(of=("self",)).select_related("upload").first()
    if log is None:
        return False
    names = _names(found)
    game, created = _game_of(log, found)
    if created:
        _seat(game, found, log.upload, now)
    elif game.private and not log.upload.private and log.game_id != game.pk:
        _publish(game, found, log.upload, now)
    if log.upload.scored and not game.scored:
        # Only while every upload says so is a game for training: nobody can keep others' games from counting.
        Game.objects.filter(pk=game.pk).update(scored=True)
    _held(claim).update(
        state=MoveLog.State.JUDGED,
        leased_until=None,
        trouble="",
        game=game,
        seats=list(names.items()),
        text=found.text or "",
        game_digest=found.digest or "",
        record_digest=found.record_digest or "",
    )
    _add_verdict(log, game, found, now)
    log.seats = list(names.items())
    note_upload(game, log, now=now)
    if not created:
        settle(game, now=now)  # it may be public, or no training, from now on
    return True


def _names(found: EngineVerdict) -> dict[str, str]:
    """The players' names by seat letter, as far as the record tells them."""
    if found.replay is None:
        return {}
    tags, ruleset = found.replay.tags, found.replay.ruleset
    return {letter: tags[ruleset.seat(letter).tag] for letter in tags["Seats"].split(" ")}


def _game_of(log: MoveLog, found: EngineVerdict) -> tuple[Game, bool]:
    """The game that a log records, and whether it is new: by its digest, or that of the log from an earlier verdict."""
    facts = {
        "ruleset": found.ruleset.slug if found.ruleset else "",
        "verdict": found.verdict,
        "plies": len(found.replay.actions) if found.replay else 0,
        "result": found.replay.result if found.replay and not found.fault else "",
        "ended": found.outcome.rule if found.outcome else "",
        "played_on": _played_on(found),
    }
    if found.verdict != REJECTED and (known := Game.objects.filter(digest=found.digest).first()):
        # What the log was taken for before keeps its address, which leads on.
        Game.objects.filter(logs=log).exclude(pk=known.pk).update(same_as=known)
        return known, False
    if log.game_id is None:
        upload = log.upload
        fresh = {"received_at": upload.received_at, "scored": upload.scored, "private": upload.private, **facts}
        if found.verdict == REJECTED:
            return Game.objects.create(**fresh), True
        return Game.objects.get_or_create(digest=found.digest, defaults=fresh)
    return _rejudge(log, found, facts)


def _rejudge(log: MoveLog, found: EngineVerdict, facts: dict[str, object]) -> tuple[Game, bool]:
    """The game of a log on which a later engine thinks otherwise; its address stays."""
    own = Game.objects.select_for_update().get(logs=log)
    newly_legal = found.verdict != REJECTED and own.digest is None
    if newly_legal:
        facts["digest"] = found.digest
    first = own.logs.order_by("pk").first()
    if first and first.pk == log.pk:
        for name, value in facts.items():
            setattr(own, name, value)
        own.save(update_fields=list(facts))
    return own, newly_legal


def _played_on(found: EngineVerdict) -> date | None:
    tag = found.replay.tags.get("Date", "?") if found.replay else "?"
    return None if "?" in tag else datetime.strptime(tag, "%Y.%m.%d").date()  # noqa: DTZ007 (a day, nowhere in particular)


def _seat(game: Game, found: EngineVerdict, upload: Upload, now: datetime) -> None:
    """Seats the players of a game that is legal; who is named in a rejected record has not played it."""
    if found.replay is None or found.fault:
        return
    names = _names(found)
    fresh = {"created_at": now, "introduced_by_id": upload.uploader_id}
    players = _players(names.values(), found.replay.tags.get("Site", ""), fresh)
    places = found.outcome.placements if found.outcome else (None,) * len(names)
    sheets = found.replay.ruleset.sheets(found.replay.last)
    Seating.objects.bulk_create(
        Seating(
            game=game, seat=seat, letter=letter, player=players[name], place=places[seat], sheet=_sheet(sheets[seat])
        )
        for seat, (letter, name) in enumerate(names.items())
    )


def _publish(game: Game, found: EngineVerdict, upload: Upload, now: datetime) -> None:
    """Makes a private game public that somebody has uploaded as one, with the names that this upload tells.

    Nothing is rated by the seats of a private game; who is known from it alone is forgotten.
    """
    Game.objects.filter(pk=game.pk).update(private=False)
    game.private = False
    before = list(game.seatings.values_list("player", flat=True))
    game.seatings.all().delete()
    _seat(game, found, upload, now)
    Player.objects.filter(pk__in=before, seatings=None, account=None, claims=None, merged=None, acts=None).delete()


def _sheet(counts: Iterable[Count]) -> dict[str, int]:
    """A seat's score sheet: by what is counted, in the engine's own words."""
    return {count.label.template: count.value for count in counts}


def _players(names: Iterable[str], source: str, fresh: dict[str, Any]) -> dict[str, Player]:
    """The players of these names, made where new; in one order, so that no two transactions wait for each other."""
    return {name: Player.objects.get_or_create(source=source, name=name, defaults=fresh)[0] for name in sorted(names)}


def _add_verdict(log: MoveLog, game: Game, found: EngineVerdict, now: datetime) -> None:
    fault = found.fault
    Verdict.objects.create(
        log=log,
        game=game,
        engine_version=ENGINE_VERSION,
        verdict=found.verdict,
        rule=fault.rule if fault else "",
        line=fault.line if fault else None,
        column=fault.column if fault else None,
        ply=fault.ply if fault else None,
        token=fault.token if fault else None,
        template=fault.template if fault else "",
        params=params_json(fault.params) if fault else {},
        legal=None if fault is None or fault.legal is None else list(fault.legal),
        plies=found.plies,
        judged_at=now,
    )
