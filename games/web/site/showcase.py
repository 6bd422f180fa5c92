"""The game at the top of the first page: its board, its moves, and what the engine says of other actions."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext

from engine.replay import Fault
from engine.scene import Scene, frames, svg
from engine.words import render
from games.records.reads import showcase as shelf
from games.records.reads.rulebook import RuleLink, rule_link
from games.records.reads.showcase import Showcase
from games.sentences import translated
from games.web.boards import Drawn, drawn
from games.web.game.replay import Move, Turn, moves_page
from games.web.parameters import text_from

_LEAD = 4
"""Actions that are played before the game is broken."""


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A player of the showcase and what the score sheet says of them."""

    letter: str
    colour: str
    name: str
    score: int
    counts: str
    """What the score counts."""


@dataclass(frozen=True, slots=True)
class SheetTurn:
    """A turn in the list of moves."""

    number: str
    """Of its round, at the round's first turn."""
    turn: Turn
    ahead: bool
    """Whether it comes after what the board shows."""
    here: bool
    """Whether the last action that is shown, or the other one in its place, belongs to it."""

    @property
    def first(self) -> int:
        """Return the ply after its first action."""
        return self.turn.moves[0].ply


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal action as a button."""

    token: str
    url: str
    played: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says of an action in the place of the one that was played."""

    token: str
    legal: bool
    sentence: str
    """What is wrong with it, or what it does."""
    rule: RuleLink | None
    line: int
    column: int
    later: str
    """For a legal action, what becomes of the rest of the game."""
    offers: tuple[Offer, ...]
    more: int
    """How many more actions are legal."""


@dataclass(frozen=True, slots=True)
class ShowcaseShown:
    """The showcase as the page shows it."""

    title: str
    board: Drawn
    caption: str
    ply: int
    last: int
    seats: tuple[SeatScore, ...]
    turns: tuple[SheetTurn, ...]
    replaced: int
    """The ply after the action that can be broken."""
    lead: int
    """The ply from which it is played before it is broken."""
    answer: Answer | None
    start: str
    """The addresses of the first position, of those beside this one, and of the last."""
    previous: str
    next: str
    end: str
    broken: str
    """Where the action is broken, or broken otherwise."""
    back: str
    """Where it is put back."""
    frames: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be seen of a showcase."""

    showcase: Showcase
    today: bool
    ply: int
    token: str = ""
    """What is written in the place of the action that can be broken; empty when the game is as it was."""

    def url(self, **query: object) -> str:
        """Return an address on this page."""
        named = {} if self.today else {"game": self.showcase.name}
        return f"{reverse('home')}?{urlencode({**named, **query})}"


def showcase_shown(query: QueryDict, *, today: date) -> ShowcaseShown:
    """Return the showcase as somebody asks for it: at a ply, or with a mistake or another action in one place."""
    asked = _asked(query, today)
    case, game = asked.showcase, shelf.game_of(asked.showcase)
    scene, last, after = _scene(asked), len(game.actions), case.ply + 1
    ply = after if asked.token else asked.ply
    return ShowcaseShown(
        title=gettext(game.ruleset.title),
        board=drawn(svg(scene, shelf.stage_of(case), prefix="showcase-", live=True, translate=translated)),
        caption=_caption(asked, scene),
        ply=ply,
        last=last,
        seats=tuple(_seats(asked)),
        turns=tuple(_turns(asked, ply)),
        replaced=after,
        lead=case.ply - _LEAD,
        answer=_answer(asked) if asked.token else None,
        start=asked.url(ply=0) if ply else "",
        previous=asked.url(ply=ply - 1) if ply else "",
        next=asked.url(ply=ply + 1) if ply < last else "",
        end=asked.url(ply=last) if ply < last else "",
        broken=asked.url(**{"break": _next_mistake(asked)}),
        back=asked.url(ply=after),
        frames=asked.url(part="frames"),
    )


def frames_shown(query: QueryDict, *, today: date) -> list[dict[str, Any]]:
    """Return all frames of a showcase, for stepping; or only those with which it begins to play by itself."""
    case = _asked(query, today).showcase
    part = slice(case.ply - _LEAD, case.ply + 1) if "lead" in query else slice(None)
    return frames(shelf.scenes_of(case)[part], part.start or 0, translated)


def frame_shown(query: QueryDict, *, today: date) -> dict[str, Any]:
    """Return the one frame that is asked for, whole."""
    return frames([_scene(_asked(query, today))], translate=translated)[0]


def _asked(query: QueryDict, today: date) -> _Asked:
    """Read what is asked for. What is not said, or is nothing, is the first mistake in the game of the day."""
    usual = shelf.showcase_of(today)
    case = shelf.showcase_called(text_from(query, "game")) or usual
    here, mistakes = case == usual, case.mistakes
    ply, number, token = (text_from(query, name) for name in ("ply", "break", "play"))
    if token in shelf.legal_at(case)[: shelf.OFFERED]:
        return _Asked(case, here, case.ply, token)
    if _is_number(ply):
        return _Asked(case, here, min(int(ply), len(shelf.game_of(case).actions)))
    return _Asked(case, here, case.ply, mistakes[(int(number) - 1) % len(mistakes) if _is_number(number) else 0])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6  # noqa: PLR2004 (no game has more plies)


def _scene(asked: _Asked) -> Scene:
    if asked.token:
        return shelf.scene_with(asked.showcase, asked.token)
    return shelf.scenes_of(asked.showcase)[asked.ply]


def _caption(asked: _Asked, scene: Scene) -> str:
    if not asked.token or asked.token in shelf.legal_at(asked.showcase):
        return scene.caption.render(translated)
    game = shelf.game_of(asked.showcase)
    letter = game.seat(asked.showcase.ply)
    sentence = gettext("{player} played {played}. With {typed} in its place, the game is rejected.")
    player = game.tags[game.ruleset.seat(letter).tag]
    return sentence.format(player=player, played=shelf.played(asked.showcase), typed=asked.token)


def _seats(asked: _Asked) -> Iterator[SeatScore]:
    game = shelf.game_of(asked.showcase)
    sheets = game.ruleset.shown.sheets(game.states[asked.ply])
    for letter, sheet in zip(game.tags["Seats"].split(" "), sheets, strict=True):
        seat = game.ruleset.seat(letter)
        count = next((count for count in sheet if count.key == "score"), sheet[0])
        yield SeatScore(letter, seat.colour, game.tags[seat.tag], count.value, count.label.render(translated))


def _turns(asked: _Asked, ply: int) -> Iterator[SheetTurn]:
    """Yield the turns of the game; a turn with another action in it shows that one beside the one played."""
    replay = shelf.game_of(asked.showcase).replay
    for found in moves_page(replay, ply).rounds if replay else ():
        for at, turn in enumerate(found.turns):
            number = "" if at else f"{found.number}."
            yield SheetTurn(number, turn, turn.moves[0].ply > max(ply, 1), _is_here(turn.moves, ply))


def _is_here(moves: tuple[Move, ...], ply: int) -> bool:
    return moves[0].ply <= ply <= moves[-1].ply


def _next_mistake(asked: _Asked) -> int:
    """Return the number of the mistake that comes after the one shown."""
    mistakes = asked.showcase.mistakes
    return (mistakes.index(asked.token) + 1) % len(mistakes) + 1 if asked.token in mistakes else 1


def _answer(asked: _Asked) -> Answer:
    case, token = asked.showcase, asked.token
    verdict, legal = shelf.verdict_with(case, token), shelf.legal_at(case)
    line, column = shelf.game_of(case).places[case.ply]
    fault = verdict.fault
    refused = fault if fault and fault.ply == case.ply else None
    return Answer(
        token=token,
        legal=refused is None,
        sentence=_sentence(refused) if refused else "",
        rule=rule_link(refused.rule) if refused else None,
        line=line,
        column=column,
        later="" if refused else _later(fault),
        offers=tuple(Offer(one, asked.url(play=one), one == shelf.played(case)) for one in legal[: shelf.OFFERED]),
        more=max(0, len(legal) - shelf.OFFERED),
    )


def _later(fault: Fault | None) -> str:
    if fault is None:
        return gettext("With it, the whole game is legal.")
    where = gettext("Legal here, but it changes the game: line {line} is then rejected. {sentence}")
    return where.format(line=fault.line, sentence=_sentence(fault))


def _sentence(fault: Fault) -> str:
    return render(fault.template, fault.params, translated)
