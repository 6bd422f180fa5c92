"""The verdict on one record for its page: the board, who won or what is wrong, and what to do next."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from engine.agn.dates import Days, days_played
from engine.agn.log import AgnError, Record
from engine.agn.reading import NUMBER, RESULT, parse
from engine.fixes import Fixes, fixes_of
from engine.replay import Fault, Replay
from engine.scene import last_scene, svg, union
from engine.verify import REJECTED, UNFINISHED, Verdict, verify
from engine.words import render
from games.models import Game, MoveLog, Upload
from games.records.reads.begun import played_here
from games.records.reads.facts import corrected_by
from games.records.reads.replays import record_of
from games.records.reads.rulebook import RuleLink, rule_link
from games.records.reads.suggestions import suggestions_for
from games.sentences import translated
from games.uploads.corrected import corrected_record
from games.web.boards import Drawn, drawn
from games.web.labels import STAMPS, Stamp
from games.web.links import leaderboard_url
from games.web.rows import SeatShown, named, seats_of
from games.web.rules.rulebook import rule_text


@dataclass(frozen=True, slots=True)
class Editor:
    """The text of a record, to be changed, and where in it the fault is."""

    text: str
    first_line: int
    """The line of the file in which it begins."""
    line: int
    """Of the fault, in the text, from 1; 0 where the fault has no place."""
    column: int
    length: int

    @property
    def line_number(self) -> int:
        """Return the line of the file at fault."""
        return self.first_line + self.line - 1

    @property
    def before(self) -> str:
        """Return the text before the fault in its line."""
        return self._faulty[: self.column - 1]

    @property
    def marked(self) -> str:
        """Return what is at fault."""
        return self._faulty[self.column - 1 :][: self.length]

    @property
    def after(self) -> str:
        """Return what follows it in its line."""
        return self._faulty[self.column - 1 :][self.length :]

    @property
    def _faulty(self) -> str:
        lines = self.text.split("\n")
        return lines[self.line - 1] if 0 < self.line <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of a rejected record is legal, in actions."""

    legal: int
    rest: int
    """How many follow the mistake."""


@dataclass(frozen=True, slots=True)
class VerdictPanel:
    """Everything on the page about one record."""

    id: str
    """Begins every id in it, as a page may show several."""
    url: str
    upload: str
    filename: str
    file: str
    """Its file in an archive; empty for a plain file."""
    number: int | None
    """Its number; none for the only record of an upload."""
    received_at: datetime
    ruleset: str
    days: Days | datetime | None
    """When its game was played, as far as known; without a game, what the record says."""
    stamp: Stamp
    title: str
    """Who won, or what is wrong."""
    winner: SeatShown | None
    said: str
    """What the stamp says in a sentence."""
    reason: str
    """Why the game ended."""
    rule: RuleLink | None
    rule_text: SafeString
    board: Drawn
    caption: str
    seats: tuple[SeatShown, ...]
    to_move: str
    """The letter of the seat to move, in a rejected or unfinished game."""
    plies: int
    reach: Reach | None
    editor: Editor
    fixes: Fixes | None
    game: str
    """The page of the game, if it has one."""
    address: str
    """The same with the site's name, to be shared."""
    game_api: str
    ladder: str
    rated: bool
    """Whether the game can count: neither private nor training, and not only checked."""
    dry_run: bool
    known: bool
    """Whether the game had been uploaded before."""
    other_names: bool
    """Whether the same moves are known with other players, and that seating is shown."""
    corrected: tuple[str, ...]
    """Which facts about the game the record corrected, as sentences."""
    draft: bool
    """Whether this is a corrected text that was not uploaded yet."""

    @property
    def kind(self) -> str:
        """Return the verdict."""
        return self.stamp.kind

    @property
    def places(self) -> list[SeatShown]:
        """Return who sat where, the winner first."""
        return sorted(self.seats, key=lambda seat: seat.place or 0)

    @property
    def legal_percent(self) -> int:
        """Return how much of the record is legal, in percent of its actions."""
        reach = self.reach
        return 99 * reach.legal // (reach.legal + reach.rest + 1) if reach else 0


def verdict_panel(
    upload: Upload, log: MoveLog, text: str | None = None, *, known: bool, with_suggestions: bool = True
) -> VerdictPanel:
    """Return the verdict on a record, or on a corrected text that may take its place.

    Long because it fills a line for each field.

    :param text: the corrected text, which holds one record.
    :param known: whether another record had its game first.
    :param with_suggestions: whether to look for what could fix it, which takes up to a second.
    """
    stored = record_of(log)
    record = stored if text is None else corrected_record(stored, text.encode())
    draft = text is not None and text != _text_of(stored)
    verdict = verify(record)
    played, fault, game = verdict.replay, verdict.fault, None if draft else log.game
    seats = _seats(verdict, game)
    winners = [seat for seat in seats if seat.place == 1]
    outcome = verdict.outcome
    rule = fault.rule if fault else outcome.rule if outcome else ""
    suggested = suggestions_for(verdict) if fault and with_suggestions else None
    fixes = fixes_of(verdict, suggested, translated)
    return VerdictPanel(
        id=f"record-{log.number}-",
        url=reverse("upload-record", args=[upload.pk, log.number]),
        upload=upload.get_absolute_url(),
        filename=upload.filename,
        file=log.entry.name if log.entry else "",
        number=log.number if upload.split_logs > 1 else None,
        received_at=upload.received_at,
        ruleset=gettext(verdict.ruleset.title) if verdict.ruleset else "",
        days=_days(upload, game, played),
        stamp=STAMPS[verdict.verdict],
        title=_title(verdict, seats, winners),
        winner=winners[0] if len(winners) == 1 else None,
        said=_said(verdict, record),
        reason=outcome.reason.render(translated) if outcome else "",
        rule=rule_link(rule) if rule else None,
        rule_text=rule_text(rule) if fault else SafeString(),
        board=_board(verdict, fixes, f"record-{log.number}-"),
        caption=_caption(played) if played else "",
        seats=seats,
        to_move=(played.ruleset.to_act(played.last) or "") if played else "",
        plies=verdict.plies or 0,
        reach=_reach(record, fault, played) if fault and played else None,
        editor=_editor(record, fault),
        fixes=fixes,
        game=game.get_absolute_url() if game else "",
        address=f"{settings.SITE_URL}{game.get_absolute_url()}" if game else "",
        game_api=reverse("api-game-log", args=[game.key]) if game else "",
        ladder=leaderboard_url(verdict.ruleset.slug, upload.club) if verdict.ruleset else "",
        rated=upload.scored and not upload.private and not upload.dry_run,
        dry_run=upload.dry_run,
        known=known and not draft,
        other_names=game is not None and game.same_as_id is not None,
        corrected=corrected.sentences if not draft and (corrected := corrected_by(log)) else (),
        draft=draft,
    )


def _days(upload: Upload, game: Game | None, replay: Replay[Any, Any] | None) -> Days | datetime | None:
    """Return when the game was played, as far as is known."""
    if game:
        return played_here(game) if upload.via == Upload.Via.PLAYED else game.played
    return days_played(replay.tags, upload.received_at.date()) if replay else None


def _text_of(record: Record) -> str:
    return record.data.decode(errors="replace").replace("\r\n", "\n")


def _seats(verdict: Verdict, game: Game | None) -> tuple[SeatShown, ...]:
    """Return the seats: with players if the record is a game, otherwise with the names in it, and with places."""
    if game is not None and game.ruleset and game.verdict != REJECTED:
        return tuple(seats_of(game))
    played = verdict.replay
    if played is None:
        return ()
    places = verdict.outcome.placements if verdict.outcome else None
    return tuple(named(Game(ruleset=played.ruleset.slug), played.names, places))


def _title(verdict: Verdict, seats: tuple[SeatShown, ...], winners: list[SeatShown]) -> str:
    if verdict.fault:
        return render(verdict.fault.template, verdict.fault.params, translated)
    if verdict.verdict == UNFINISHED:
        return gettext("Unfinished, and legal so far")
    if len(winners) == 1:
        return gettext("{name} wins").format(name=winners[0].name)
    if len(winners) == len(seats):
        return gettext("A draw")
    *others, last = [seat.name for seat in winners]
    return gettext("{names} and {last} share first place").format(names=", ".join(others), last=last)


def _said(verdict: Verdict, record: Record) -> str:
    fault = verdict.fault
    if fault and record.form == "json":
        return gettext("Rejected")
    if fault:
        return gettext("Rejected at line {line}, column {column}").format(line=fault.line, column=fault.column)
    plies = verdict.plies or 0
    if verdict.verdict == UNFINISHED:
        return ngettext("{n} action, legal so far", "{n} actions, legal so far", plies).format(n=plies)
    return ngettext("Verified: its {n} action is legal", "Verified: all {n} actions are legal", plies).format(n=plies)


def _board(verdict: Verdict, fixes: Fixes | None, prefix: str) -> Drawn:
    """Return the board at the end, or before the mistake with room for every action that can be previewed."""
    played = verdict.replay
    if played is None:
        return drawn("")
    if fixes and fixes.scenes:
        return drawn(svg(fixes.scenes[0], union(fixes.scenes), prefix=prefix, translate=translated))
    scene = last_scene(played.ruleset, played.states, played.actions)
    return drawn(svg(scene, union([scene]), prefix=prefix, translate=translated))


def _caption(played: Replay[Any, Any]) -> str:
    number = played.ruleset.number(played.last)
    if played.fault and played.fault.ply is not None:
        return gettext("Move {number}, before the mistake.").format(number=number)
    return gettext("The final position.")


def _reach(record: Record, fault: Fault, played: Replay[Any, Any]) -> Reach | None:
    try:
        tokens = parse(record).tokens
    except AgnError:
        return None
    actions = sum(not NUMBER.fullmatch(token) and not RESULT.fullmatch(token) for token in tokens)
    legal = len(played.actions)
    mistaken = fault.token is not None and not NUMBER.fullmatch(fault.token) and not RESULT.fullmatch(fault.token)
    return Reach(legal, max(0, actions - legal - mistaken))


def _editor(record: Record, fault: Fault | None) -> Editor:
    text, first = _text_of(record), record.line
    if fault is None or record.form == "json":
        return Editor(text, first, 0, 0, 0)
    return Editor(text, first, fault.line - first + 1, fault.column, len(fault.token or ""))
