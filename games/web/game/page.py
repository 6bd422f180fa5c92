"""What a game's page shows: the replay at one ply, the verdict, and its uploads."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.http import QueryDict
from django.urls import reverse

from engine.agn.dates import is_ahead
from engine.agn.known_tags import SETUP_TAGS
from engine.ruleset import Outcome
from engine.verify import Verdict as Judgement
from games.models import Game, MoveLog, Upload
from games.platform.roles import is_moderator
from games.records.reads import replays
from games.records.reads.facts import FactsChanged, corrected_by
from games.records.reads.games import GameUpload, logs_of
from games.records.reads.rulebook import RuleLink, document_of, rule_link
from games.records.reads.visibility import Viewer, may_hide, may_show
from games.sentences import translated
from games.web.collections.pages import Keeping, keeping
from games.web.comments.pages import Thread, thread_of
from games.web.game.card import Preview, preview_of, won
from games.web.game.consent import ConsentShown, consent_shown
from games.web.game.facts import FactsForm, facts_form
from games.web.game.fault import FaultShown, fault_shown
from games.web.game.replay import ReplayShown, replay_shown
from games.web.game.seatings import SeatingsShown, seatings_shown
from games.web.labels import DEALINGS, VIAS, Label
from games.web.parameters import number_from
from games.web.rows import GameRow, SeatShown, row_of, seats_of, without_places

_SHORT_DIGEST = 12
_RESULT = "result"
_HIDDEN_TAGS = frozenset({"Game", "Rules", "Seats", "Result", "Date", *SETUP_TAGS})
"""Tags that the page shows in another form."""


@dataclass(frozen=True, slots=True)
class DealingLink:
    """Whether a game was dealt as its record says, and where to read how."""

    word: Label
    url: str


@dataclass(frozen=True, slots=True)
class Ending:
    """Who won, how the game ended, and by which rule."""

    won: str
    reason: str
    line: str
    """Both in one line."""
    rule: RuleLink


@dataclass(frozen=True, slots=True)
class UploadShown:
    """One upload of the game."""

    at: datetime
    by: str
    via: Label
    here: bool
    """Whether it was played on this site."""
    engine: str
    corrected: FactsChanged | None
    """Which facts about the game it corrected."""


@dataclass(frozen=True, slots=True)
class GamePage:
    """All that the page shows."""

    row: GameRow
    seats: tuple[SeatShown, ...]
    rules: str | None
    """The page with the rules of this game."""
    replay: ReplayShown | None
    fault: FaultShown | None
    ending: Ending | None
    hides: bool
    """Whether the result is hidden until the reader asks for it."""
    tells: bool
    """Whether the result is told in every position: the reader asked for it, or the record was rejected."""
    before_the_end: bool
    """Whether the board shows an earlier position, so that the result waits for the last one."""
    begins: bool
    """Whether the address names no position: the board shows the first, with a large button that plays on."""
    asked: str
    """What links to other positions end with, so that who asked for the result goes on seeing it."""
    date: str | datetime
    """The Date tag, or the moment at which it began at a table here."""
    tags: tuple[tuple[str, str], ...]
    setup: tuple[tuple[str, str], ...]
    """The tags that say how the game began."""
    digest: str
    dealing: DealingLink | None
    table: str
    """The page of the table at which it was played here; empty for a game from elsewhere."""
    facts: FactsForm | None
    """For organisers of a club for which it counts."""
    uploads: tuple[UploadShown, ...]
    uploads_after: int
    """After which number the uploads that are listed follow; 0 of the first ones."""
    more_uploads: int | None
    """After which others follow."""
    consent: ConsentShown | None
    seatings: SeatingsShown | None
    """None where nobody challenges the seating that is shown."""
    keeping: Keeping
    comments: Thread
    downloads: Mapping[str, str]
    published: Mapping[str, str]
    """What programs read of it, and of its deal."""
    private: bool
    may_show: bool
    may_hide: bool
    preview: Preview | None
    """How a link to it is shown elsewhere; none of a record of which nothing could be played, or that is private."""
    moderation: str | None
    """Where a moderator decides about the game; none for others."""

    @property
    def short_digest(self) -> str:
        """Return the digest's beginning, enough to compare by eye."""
        return self.digest[:_SHORT_DIGEST]

    @property
    def is_settled(self) -> bool:
        """Return whether it changes only with its version, or when a confirmation expires.

        The reasons for which a game waits for a decision come from anywhere.
        """
        waits = self.consent is not None and any(count.waits for count in self.consent.counts)
        return not (self.private or self.seatings or waits)


def _date(tags: Mapping[str, str], log: MoveLog) -> str:
    """Return what a record says of the day; nothing for a day in its future, which older records may have."""
    said = tags.get("Date", "")
    return "" if is_ahead(said, log.queued_at.date()) else said


def game_page(  # noqa: PLR0913 - who reads what, and how
    game: Game,
    viewer: Viewer,
    query: QueryDict,
    *,
    now: datetime,
    refused: str = "",
    reason: str = "",
    hides: bool = False,
) -> GamePage:
    """Return all that a game's page shows to its viewer; rendering it asks the database nothing more.

    Long because it fills a line for each field.

    :param query: the page's address: `ply`, and where its lists go on.
    :param hides: whether the reader wants to see results only on request; the address asks with `result`.
    :param refused: why what the viewer asked for by a form cannot be done; `reason` is what was written in it.
    """
    hides = hides and _RESULT not in query
    after = number_from(query, "uploads")
    uploads, read = logs_of(game, viewer, after=after), replays.read_game(game, viewer)
    found, story = read.verdict, read.story
    tags = dict(found.replay.tags) if found.replay else {}
    replay = replay_shown(game, found.replay, story, read, query, viewer) if found.replay and story else None
    seats = tuple(tray.seat for tray in replay.trays) if replay else tuple(seats_of(game))
    row, ending = row_of(game), _ending(found.outcome, seats) if found.outcome else None
    won = f"{ending.won} {ending.reason}" if ending else ""
    if hides:
        ending, seats = None, without_places(seats)
        replay = replace(replay, timeline=None) if replay else None
    is_shown = replay is not None and not game.private
    return GamePage(
        row=row,
        seats=seats,
        rules=reverse("rules", args=[document_of(found.ruleset)]) if found.ruleset else None,
        replay=replay,
        fault=fault_shown(read.log) if read.log.rule else None,
        ending=ending,
        hides=hides,
        tells=(tells := bool(read.log.rule) or _RESULT in query),
        before_the_end=replay is not None and not tells and not replay.is_over,
        begins=replay is not None and not read.log.rule and replay.last > 0 and "ply" not in query,
        asked=f"&{_RESULT}" if _RESULT in query else "",
        date=row.played if isinstance(row.played, datetime) else _date(tags, read.log),
        tags=_other_tags(tags, found),
        setup=tuple((name, tags[name]) for name in SETUP_TAGS if name in tags),
        digest=game.digest or "",
        dealing=_dealing(game, found),
        table=_table(game),
        facts=facts_form(game, viewer) if viewer.is_authenticated else None,
        uploads=tuple(map(_upload_shown, uploads.rows)),
        uploads_after=after,
        more_uploads=uploads.following,
        consent=consent_shown(game, viewer, query, now=now, refused=refused, reason=reason),
        seatings=seatings_shown(game, viewer, query),
        keeping=keeping(game, viewer),
        comments=thread_of(game, viewer, query, hides=hides),
        downloads=_downloads(game, found),
        published=_published(game, found),
        private=game.private,
        may_show=may_show(game, viewer),
        may_hide=may_hide(game, viewer),
        preview=preview_of(game, row, won) if is_shown else None,
        moderation=reverse("moderation-game", args=[game.key]) if is_moderator(viewer) else None,
    )


def _ending(outcome: Outcome, seats: tuple[SeatShown, ...]) -> Ending:
    first = [seat.name for seat, place in zip(seats, outcome.placements, strict=True) if place == 1]
    who, reason = won(first, len(seats)), outcome.reason.render(translated)
    return Ending(who, reason, f"{who.removesuffix('.')}: {reason.removesuffix('.')}", rule_link(outcome.rule))


def _dealing(game: Game, found: Judgement) -> DealingLink | None:
    if found.dealing is None:
        return None
    return DealingLink(DEALINGS[found.dealing.status], reverse("game-dealing", args=[game.key]))


def _table(game: Game) -> str:
    table = game.tables.order_by("pk").first()
    return table.get_absolute_url() if table else ""


def _other_tags(tags: Mapping[str, str], found: Judgement) -> tuple[tuple[str, str], ...]:
    seats = {seat.tag for seat in found.ruleset.seats} if found.ruleset else set()
    hidden = _HIDDEN_TAGS | seats
    return tuple(one for one in tags.items() if one[0] not in hidden and not one[0].startswith("Dealing"))


def _downloads(game: Game, found: Judgement) -> dict[str, str]:
    parts = replays.parts_of(game, played=found.replay is not None)
    return {part: reverse(f"api-game-{part}", args=[game.key]) for part in parts}


def _published(game: Game, found: Judgement) -> dict[str, str]:
    deal = {"deal": reverse("api-game-dealing", args=[game.key])} if found.dealing else {}
    return {"game": reverse("api-game", args=[game.key])} | deal


def _upload_shown(found: GameUpload) -> UploadShown:
    upload, verdict = found.log.upload, found.verdict
    return UploadShown(
        at=upload.received_at,
        by=upload.uploader.get_username() if upload.uploader else "",
        via=VIAS[upload.via],
        here=upload.via == Upload.Via.PLAYED,
        engine=verdict.engine_version if verdict else "",
        corrected=corrected_by(found.log) if hasattr(found.log, "fact_change") else None,
    )
