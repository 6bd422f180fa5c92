"""How a game was dealt, step by step, so that anybody can compute it again."""

import json
from dataclasses import dataclass
from shlex import quote

from engine.chance import Drawing, Hashed, Stage
from engine.dealing import Explanation
from engine.words import render
from games.models import Game
from games.records.reads.dealings import GameDealing
from games.records.reads.rulebook import RuleLink, rule_link
from games.sentences import translated

_BLOCKS, _DRAWS = 8, 64
"""So many are shown; a deal that took many tries has thousands."""


@dataclass(frozen=True, slots=True)
class StageShown:
    """A try: its name, and the numbers that were drawn for it."""

    name: str
    draws: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True)
class StreamShown:
    """What was drawn from a stream: the first blocks, the number of further ones, and the tries."""

    blocks: tuple[Hashed, ...]
    more_blocks: int
    tries: int
    stages: tuple[StageShown, ...]
    """Of the last try, which is the one that was taken."""


@dataclass(frozen=True, slots=True)
class DealingPage:
    """The page of a deal."""

    key: str
    url: str
    status: str
    sentence: str
    rule: RuleLink | None
    commitment: str
    entropies: tuple[tuple[int, str], ...]
    explanation: Explanation | None
    first: StreamShown | None
    setup: StreamShown | None
    deck: str
    command: str
    """What a shell recomputes the deal with."""


def dealing_page(game: Game, found: GameDealing) -> DealingPage:
    """Return what the page shows of a game's deal."""
    explained = found.explained()
    return DealingPage(
        key=game.key,
        url=game.get_absolute_url(),
        status=found.dealing.status,
        sentence=render(found.dealing.template, found.dealing.params, translated),
        rule=rule_link(found.dealing.rule) if found.dealing.rule else None,
        commitment=found.tags.get("DealingCommitment", ""),
        entropies=tuple(enumerate(found.entropies, start=1)),
        explanation=explained,
        first=_stream(explained.first) if explained else None,
        setup=_stream(explained.setup) if explained else None,
        deck=" ".join(explained.deal.deck or ()) if explained else "",
        command=_command(found) if explained else "",
    )


def _stream(drawing: Drawing) -> StreamShown:
    tries = [number for number, stage in enumerate(drawing.stages) if stage.name == drawing.stages[0].name]
    since = tries[-1] if tries else 0
    return StreamShown(
        blocks=drawing.blocks[:_BLOCKS],
        more_blocks=max(0, len(drawing.blocks) - _BLOCKS),
        tries=len(tries),
        stages=tuple(map(_stage, drawing.stages[since:])),
    )


def _stage(stage: Stage) -> StageShown:
    draws = tuple(f"{draw.number}/{draw.bound}" for draw in stage.draws[:_DRAWS])
    return StageShown(stage.name, draws, max(0, len(stage.draws) - _DRAWS))


def _command(found: GameDealing) -> str:
    given = {
        "game": found.ruleset.game,
        "rules": found.ruleset.edition,
        "secret": found.secret,
        "entropies": found.entropies,
        "deck": found.tags.get("Deck"),
    }
    return f"echo {quote(json.dumps(given))} | python -m engine deal --json"
