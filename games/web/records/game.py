"""What a game's page shows: the replay at one ply, what verification said, and who handed it in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from engine.agn.log import SETUP_TAGS
from engine.rating import shown
from engine.replay import LEGAL_SHOWN, Replay
from engine.scene import Scene, Tray, svg, tray_svg, union
from engine.verify import Verdict as Judgement
from games.models import Game, MoveLog, RatingEvent
from games.platform.roles import is_moderator
from games.ratings.reads.ledger import ratings_of
from games.records.reads import replays
from games.records.reads.games import HandIn, logs_of
from games.records.reads.rulebook import document_of
from games.records.reads.visibility import Viewer, may_hide, may_show
from games.saying import translated
from games.web.consent.game_consent import ConsentShown
from games.web.consent.seatings import SeatingsShown
from games.web.drawn import Drawn, drawn
from games.web.records.moves import MovesPage, moves_page
from games.web.records.rows import GameRow, SeatShown, named, row_of, seats_of
from games.web.records.source import SourceLine, excerpt
from games.web.rules.rulebook import RuleLink, rule_link
from games.web.words import DEALINGS, DOORS, Change, Word

_SHORT_DIGEST = 12
_DIGITS = 6
"""No replay has that many plies that their number has so many digits."""
_HIDDEN_TAGS = frozenset({"Game", "Rules", "Seats", "Result", "Date", *SETUP_TAGS})
"""Tags that the page tells in another way."""


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating before and after a game, in whole points."""

    before: int
    after: int

    @property
    def change(self) -> Change:
        """By how much what is shown rose."""
        return Change(self.after - self.before)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A count in a tray, or a mark, with its word."""

    key: str
    label: str
    value: int = 0
    shown: bool = True


@dataclass(frozen=True, slots=True)
class TrayShown:
    """A player beside the board."""

    seat: SeatShown
    tray: Tray
    counts: tuple[Labelled, ...]
    flags: tuple[Labelled, ...]
    """What is or is not so of the seat, such as that it is its turn."""
    drawing: Drawn
    said: str
    marks: str
    """The marks that are shown now, as replay.js writes them."""
    rating: RatingShown | None


@dataclass(frozen=True, slots=True)
class ReplayShown:
    """The replay at one ply."""

    ply: int
    last: int
    board: Drawn
    caption: str
    picture: str
    trays: tuple[TrayShown, ...]
    moves: MovesPage
    first: int | None
    previous: int | None
    next: int | None
    frames: str
    """Where the frames for stepping come from."""
    frames_step: int
    """How many of them come at once."""

    @property
    def final(self) -> int | None:
        """The last ply, unless it is shown."""
        return None if self.ply == self.last else self.last


@dataclass(frozen=True, slots=True)
class FaultShown:
    """What is wrong with a record, and where."""

    sentence: str
    rule: RuleLink
    line: int
    column: int
    ply: int | None
    token: str | None
    source: tuple[SourceLine, ...]
    legal: tuple[str, ...]
    more_legal: bool
    """Whether more was legal than is listed."""


@dataclass(frozen=True, slots=True)
class DealingLink:
    """Whether a game was dealt as its record says, and where to read how."""

    word: Word
    url: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, and by which rule."""

    reason: str
    rule: RuleLink


@dataclass(frozen=True, slots=True)
class HandInShown:
    """One time that the game was handed in."""

    at: datetime
    by: str
    door: Word
    engine: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for: a ply, and the uploads after a number."""

    ply: str
    uploads_after: int


@dataclass(frozen=True, slots=True)
class GamePage:
    """All that the page shows."""

    row: GameRow
    seats: tuple[SeatShown, ...]
    rules: str | None
    """Where the rules of this game are told."""
    replay: ReplayShown | None
    fault: FaultShown | None
    ending: Ending | None
    date: str
    tags: tuple[tuple[str, str], ...]
    setup: tuple[tuple[str, str], ...]
    """The tags that say how the game began."""
    digest: str
    dealing: DealingLink | None
    hand_ins: tuple[HandInShown, ...]
    uploads_after: int
    """After which number the uploads that are listed follow; 0 of the first ones."""
    more_uploads: int | None
    """After which others follow."""
    consent: ConsentShown | None
    seatings: SeatingsShown | None
    """None where nobody challenges the seating that is shown."""
    downloads: Mapping[str, str]
    private: bool
    may_show: bool
    may_hide: bool
    moderation: str | None
    """Where a moderator decides about the game; none for others."""

    @property
    def short_digest(self) -> str:
        """The digest's beginning, enough to compare by eye."""
        return self.digest[:_SHORT_DIGEST]


def game_page(
    game: Game, viewer: Viewer, asked: Asked, consent: ConsentShown | None, seatings: SeatingsShown | None
) -> GamePage:
    """All that a game's page shows, at the ply that is asked for, if it is one."""
    hand_ins = logs_of(game, viewer, after=asked.uploads_after)
    first = replays.first_log(game, viewer)
    found = replays.replay_of(first)
    tags = dict(found.replay.tags) if found.replay else {}
    replay = _replay(game, found.replay, replays.film_of(first), asked.ply) if found.replay else None
    return GamePage(
        row=row_of(game),
        seats=tuple(tray.seat for tray in replay.trays) if replay else tuple(seats_of(game)),
        rules=reverse("rules", args=[document_of(found.ruleset)]) if found.ruleset else None,
        replay=replay,
        fault=_fault(first),
        ending=Ending(gettext(found.outcome.reason), rule_link(found.outcome.rule)) if found.outcome else None,
        date=tags.get("Date", ""),
        tags=tuple((name, value) for name, value in tags.items() if _is_listed(name, found)),
        setup=tuple((name, tags[name]) for name in SETUP_TAGS if name in tags),
        digest=game.digest or "",
        dealing=_dealing(game, found),
        hand_ins=tuple(map(_hand_in, hand_ins.rows)),
        uploads_after=asked.uploads_after,
        more_uploads=hand_ins.following,
        consent=consent,
        seatings=seatings,
        downloads=_downloads(game, found),
        private=game.private,
        may_show=may_show(game, viewer),
        may_hide=may_hide(game, viewer),
        moderation=reverse("moderation-game", args=[game.key]) if is_moderator(viewer) else None,
    )


def _dealing(game: Game, found: Judgement) -> DealingLink | None:
    if found.dealing is None:
        return None
    return DealingLink(DEALINGS[found.dealing.status], reverse("game-dealing", args=[game.key]))


def _is_listed(tag: str, found: Judgement) -> bool:
    return tag not in _HIDDEN_TAGS | _seat_tags(found) and not tag.startswith("Dealing")


def _seat_tags(found: Judgement) -> frozenset[str]:
    return frozenset(seat.tag for seat in found.ruleset.seats) if found.ruleset else frozenset()


def _downloads(game: Game, found: Judgement) -> dict[str, str]:
    parts = replays.parts_of(game, played=found.replay is not None)
    return {part: reverse(f"api-game-{part}", args=[game.key]) for part in parts}


# The replay


def _replay(game: Game, played: Replay[Any, Any], scenes: list[Scene], asked: str) -> ReplayShown:
    last = len(scenes) - 1
    ply = _ply(asked, last)
    scene = scenes[ply]
    return ReplayShown(
        ply=ply,
        last=last,
        board=drawn(svg(scene, union(scenes), live=True, translate=translated)),
        caption=scene.caption.say(translated),
        picture=scene.text.say(translated),
        trays=tuple(_trays(game, played, scene)),
        moves=moves_page(played, ply),
        first=0 if ply else None,
        previous=ply - 1 if ply else None,
        next=ply + 1 if ply < last else None,
        frames=reverse("api-game-frames", args=[game.key]),
        frames_step=replays.AT_ONCE,
    )


def _ply(asked: str, last: int) -> int:
    """Return the ply that is asked for, or the last."""
    return min(int(asked), last) if asked.isascii() and asked.isdigit() and len(asked) < _DIGITS else last


def game_moves(game: Game, viewer: Viewer, asked: str) -> MovesPage | None:
    """Return a part of a game's moves, as its page lists them at a ply; none of a game without a replay."""
    played = replays.replay_of(replays.first_log(game, viewer)).replay
    return moves_page(played, _ply(asked, len(played.actions))) if played else None


def _trays(game: Game, played: Replay[Any, Any], scene: Scene) -> list[TrayShown]:
    ratings = ratings_of(game)
    seats = {seat.letter: seat for seat in (*named(game, _names(played)), *seats_of(game))}
    return [
        TrayShown(
            seat=seats[tray.seat],
            tray=tray,
            counts=tuple(Labelled(count.key, count.label.say(translated), value=count.value) for count in tray.counts),
            flags=tuple(Labelled(mark.key, mark.label.say(translated), shown=mark.shown) for mark in tray.marks),
            drawing=drawn(tray_svg(tray, translate=translated)),
            said=tray.said.say(translated),
            marks=" ".join(mark.key for mark in tray.marks if mark.shown),
            rating=_rating(ratings.get(at)),
        )
        for at, tray in enumerate(scene.trays)
    ]


def _names(played: Replay[Any, Any]) -> dict[str, str]:
    seats = (played.ruleset.seat(letter) for letter in played.tags["Seats"].split(" "))
    return {seat.letter: played.tags[seat.tag] for seat in seats}


def _rating(event: RatingEvent | None) -> RatingShown | None:
    if event is None:
        return None
    return RatingShown(shown(event.value_before), shown(event.value))


# What is wrong


def _fault(log: MoveLog) -> FaultShown | None:
    verdict = log.verdicts.order_by("-pk").first() if log.rule else None
    if verdict is None or verdict.line is None or verdict.column is None:
        return None
    return FaultShown(
        sentence=verdict.sentence,
        rule=rule_link(verdict.rule),
        line=verdict.line,
        column=verdict.column,
        ply=verdict.ply,
        token=verdict.token,
        source=tuple(excerpt(log, verdict)),
        legal=tuple(verdict.legal or ()),
        more_legal=len(verdict.legal or ()) == LEGAL_SHOWN,
    )


# Who handed it in


def _hand_in(hand_in: HandIn) -> HandInShown:
    upload, verdict = hand_in.log.upload, hand_in.verdict
    return HandInShown(
        at=upload.received_at,
        by=upload.uploader.get_username() if upload.uploader else "",
        door=DOORS[upload.via],
        engine=verdict.engine_version if verdict else "",
    )
