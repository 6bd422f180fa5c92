"""Reading games, uploads and verdicts."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.expressions import RawSQL

from engine.registry import RULESETS
from games.models import Acceptance, Game, MoveLog, Player, Seating, Upload, Verdict
from games.models.folding import has_part
from games.models.records import VerdictKind
from games.platform.paging import Page, Span, most_first, newest_first
from games.records.reads import conditions
from games.records.reads.begun import begun_at_table
from games.records.reads.conditions import EventWanted
from games.records.reads.sorting import NEWEST, SORTS
from games.records.reads.visibility import Viewer, games_for, logs_for, records_for, uploads_for

UPLOADS = 10
"""Uploads of a game that are listed at once: anybody can add some."""


@dataclass(frozen=True, slots=True)
class GameFilter:
    """A filter for games; empty fields do not filter."""

    player: str = ""
    """Part of a player's name, or `#` and a player's id; players merged into that one are found, too."""
    game: str = ""
    edition: str = ""
    verdict: str = ""
    since: date | None = None
    """By the days on which they may have been played: some day of them is this one or later."""
    until: date | None = None
    """Some day of them is this one or earlier."""
    club: str = ""
    """The address of a club that accepted them."""
    opponent: str = ""
    """Another player of the same games, as `player`."""
    place: int | None = None
    """The place that the player took."""
    shortest: int | None = None
    """The fewest actions."""
    longest: int | None = None
    """The most actions."""
    winner: str = ""
    """Who won alone, by their place in turn order, from 1; or `draw` where several share the first place."""
    termination: str = ""
    """How the game ended: a `TerminationKind`."""
    rated_from: float | None = None
    """The lowest rating that a player may have had before the game."""
    rated_to: float | None = None
    """The highest one."""
    events: tuple[EventWanted, ...] = ()
    """What happened, all of it."""
    comment: str = ""
    """Words in the comments."""
    among: tuple[int, ...] | None = None
    """Only games with these ids; none where it does not matter."""
    sort: str = NEWEST
    """By what a list of them is sorted: one of `SORTS`. It leaves out games that have no such value."""


_LOOKUPS = {
    "verdict": "verdict",
    "since": "played_until__gte",
    "until": "played_from__lte",
    "shortest": "plies__gte",
    "longest": "plies__lte",
    "termination": "termination",
}
"""The columns that some fields of a filter are compared with."""


def list_games(wanted: GameFilter, span: Span, viewer: Viewer) -> Page[Game]:
    """Return a page of the games that the viewer may see, newest first or as the filter sorts them.

    Those that are sorted otherwise have as `measure` what they are sorted by.

    :raises CursorError: when the span's mark is none.
    """
    games = with_seats(games_wanted(wanted, viewer))
    if wanted.sort == NEWEST:
        return newest_first(games, "received_at", span)
    return most_first(SORTS[wanted.sort].sorted_by(games), "measure", "row", span)


def games_wanted(wanted: GameFilter, viewer: Viewer) -> "QuerySet[Game]":
    """Return all games that match a filter and that the viewer may see, in no order."""
    values = {lookup: getattr(wanted, name) for name, lookup in _LOOKUPS.items()}
    plain = {lookup: value for lookup, value in values.items() if value not in ("", None)}
    games = Game.objects.filter(games_for(viewer), same_as=None, **plain)
    if wanted.player or wanted.opponent:
        games = games.filter(pk__in=_seats_wanted(wanted).values("game"))
    if wanted.game or wanted.edition:
        games = games.filter(ruleset__in=_slugs(wanted.game, wanted.edition))
    if wanted.club:
        accepted = Acceptance.objects.filter(ladder__club__slug=wanted.club, number__isnull=False)
        games = games.filter(pk__in=accepted.values("game"))
    games = games.filter(*_conditions(wanted, viewer))
    return games if wanted.among is None else games.filter(among(wanted.among))


def _conditions(wanted: GameFilter, viewer: Viewer) -> Iterator[Q]:
    yield conditions.won_by(wanted.winner)
    yield conditions.rated(wanted.rated_from, wanted.rated_to)
    yield conditions.of_one_game(wanted.events)
    yield conditions.with_events(wanted.events)
    yield conditions.with_comments(wanted.comment, viewer)


def among(games: Sequence[int]) -> Q:
    """Return a condition that holds for games with some ids, however many."""
    return Q(pk__in=RawSQL("SELECT unnest(%s::bigint[])", [list(games)]))


def _seats_wanted(wanted: GameFilter) -> "QuerySet[Seating]":
    """Return the seats of the player whose games are wanted, against the opponent if one is named, who sits apart."""
    if not wanted.player:
        return _seats_called(wanted.opponent)
    seats = _seats_called(wanted.player)
    if wanted.place:
        seats = seats.filter(place=wanted.place)
    if wanted.opponent:
        others = _seats_called(wanted.opponent).filter(game=OuterRef("game")).exclude(seat=OuterRef("seat"))
        seats = seats.filter(Exists(others))
    return seats


def _seats_called(player: str) -> "QuerySet[Seating]":
    """Return the seats of players whose name has a text in it; after `#`, of the one with an id.

    Players merged into that one are among them.
    """
    if not player.startswith("#"):
        return Seating.objects.filter(has_part(F("player__folded"), player))
    number = int(player[1:19]) if player[1:19].isascii() and player[1:19].isdigit() else 0
    names = Player.objects.filter(Q(pk=number) | Q(merged_into=number))
    return Seating.objects.filter(player__in=names.values("pk"))


def _slugs(game: str, edition: str) -> list[str]:
    return [
        ruleset.slug
        for ruleset in RULESETS
        if (not game or ruleset.game == game) and (not edition or ruleset.edition == edition)
    ]


def latest_verified(count: int) -> list[Game]:
    """Return the public, verified games uploaded last."""
    verified = Game.objects.filter(verdict=VerdictKind.VERIFIED, private=False, same_as=None)
    return list(with_seats(verified).order_by("-received_at", "-pk")[:count])


def games_of_players(players: Collection[int], viewer: Viewer, count: int) -> list[Game]:
    """Return the newest of the games that the viewer may see and at which one of some players sat."""
    sat = Seating.objects.filter(player__in=players).values("game")
    games = Game.objects.filter(games_for(viewer), same_as=None, pk__in=sat)
    return list(with_seats(games).order_by("-received_at", "-pk")[:count])


def with_seats(games: "QuerySet[Game]") -> "QuerySet[Game]":
    """Return games with their seatings, players, the names in their logs and when they began here, in three queries."""
    seatings = Seating.objects.select_related("player").order_by("seat")
    # A rejected record has no seats, only names. Logs of other games are not read: there may be many.
    logs = MoveLog.objects.filter(verdict=VerdictKind.REJECTED).only("pk", "game_id", "seats").order_by("pk")
    wanted = games.annotate(begun_here=begun_at_table())
    return wanted.prefetch_related(Prefetch("seatings", seatings), Prefetch("logs", logs, to_attr="naming"))


def first_uploaded_in(uploads: Iterable[Upload]) -> "QuerySet[MoveLog, Any]":
    """Return the numbers of the public games that nobody had uploaded before some uploads."""
    uploads = list(uploads)
    before = MoveLog.objects.filter(game=OuterRef("game"), pk__lt=OuterRef("pk")).exclude(upload__in=uploads)
    new = MoveLog.objects.filter(~Exists(before), upload__in=uploads, game__private=False)
    return new.values("game")


def names_in_record(game: Game) -> dict[str, str]:
    """Return the names in a rejected record, by seat letter; empty for a game with seats."""
    logs: list[MoveLog] | None = getattr(game, "naming", None)
    first = game.logs.order_by("pk").first() if logs is None else next(iter(logs), None)
    return first.names if first else {}


def find_game(key: str, viewer: Viewer) -> Game:
    """Find a game by its key, or by a key that redirects to it.

    :raises Game.DoesNotExist: when the viewer may see none with it.
    """
    seen = games_for(viewer) | Q(same_as__isnull=False)
    game = with_seats(Game.objects.filter(seen).select_related("same_as")).get(key=key)
    return _led_on(game, find_game(game.same_as.key, viewer)) if game.same_as else game


def _led_on(game: Game, onward: Game) -> Game:
    """Return the game to which an address redirects, skipping seatings that only a club keeps."""
    if onward.upheld or onward.digest != game.digest:
        return onward
    applies = with_seats(Game.objects.filter(digest=game.digest, upheld=True, private=False)).first()
    return applies or onward


def find_game_by_key(key: str, viewer: Viewer) -> Game | None:
    """Return the game with a key that somebody typed, if they may see one."""
    typed = key.strip().lower()
    try:
        return find_game(typed, viewer) if typed.isascii() and typed.isalnum() else None
    except Game.DoesNotExist:
        return None


def faults_of(games: Iterable[Game]) -> dict[int, Verdict]:
    """Return why games were rejected, by the games' numbers: the newest verdict on the first log of each."""
    rejected = [game.pk for game in games if game.verdict == VerdictKind.REJECTED]
    found = (
        Verdict.objects.filter(game__in=rejected, verdict=VerdictKind.REJECTED) if rejected else Verdict.objects.none()
    )
    return {verdict.game_id: verdict for verdict in found.order_by("-log", "pk") if verdict.game_id}


@dataclass(frozen=True, slots=True)
class GameUpload:
    """One log of a game, and what was said of it."""

    log: MoveLog
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class OtherUploads:
    """Some logs of a game, and the number after which others follow; none when these are the last."""

    rows: list[GameUpload]
    following: int | None


def logs_of(game: Game, viewer: Viewer, *, after: int = 0) -> OtherUploads:
    """Return some logs of a game that somebody may see, each with its newest verdict, those after a number.

    Who sees none of the uploads, as who sat at a private game, sees the first of all.
    """
    logs = MoveLog.objects.filter(game=game).select_related("upload__uploader", "fact_change__by", "fact_change__club")
    logs = logs.defer("text", "data").order_by("pk")
    shown = list(logs.filter(records_for(game, viewer), pk__gt=after)[: UPLOADS + 1])
    shown = shown or ([] if after else list(logs[:1]))
    verdicts = Verdict.objects.order_by("log", "-pk").distinct("log").filter(log__in=[log.pk for log in shown])
    newest = {verdict.log_id: verdict for verdict in verdicts}
    rows = [GameUpload(log, newest.get(log.pk)) for log in shown[:UPLOADS]]
    return OtherUploads(rows, rows[-1].log.pk if len(shown) > UPLOADS else None)


def find_upload(pk: UUID, viewer: Viewer) -> Upload:
    """Find an upload by its number.

    :raises Upload.DoesNotExist: when none has it that the viewer may see.
    """
    return Upload.objects.select_related("archive").get(uploads_for(viewer), pk=pk)


def find_log(upload: UUID, number: int, viewer: Viewer) -> MoveLog | None:
    """Find a record of an upload by its number in the file."""
    found = MoveLog.objects.filter(logs_for(viewer), upload=upload, number=number)
    return found.select_related("entry").first()


def results_of(upload: Upload, viewer: Viewer, *, after: int = 0, size: int = 100) -> list[MoveLog]:
    """Return an upload's logs that the viewer may see, after a number, with their games and verdicts."""
    logs = upload.logs.filter(logs_for(viewer), number__gt=after).select_related("game")
    verdicts = Verdict.objects.order_by("-pk")
    return list(logs.prefetch_related(Prefetch("verdicts", verdicts)).defer("text").order_by("number")[:size])
