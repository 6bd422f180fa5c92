"""For other programs: results in the recranks shape, and formal descriptions of records."""

from datetime import datetime
from typing import Any

from engine.grammar import grammar
from engine.recranks import Provenance, recranks
from engine.registry import RULESETS
from games.models import Game
from games.records.reads.replays import first_log, replay_of
from games.records.reads.rulebook import FORMAT, NoSuchRulesError, document_of
from games.records.reads.visibility import Viewer


def recranks_of(game: Game, viewer: Viewer, *, site: str, now: datetime) -> dict[str, Any]:
    """Return a game in the recranks shape, its players named by their numbers here.

    :param site: names this service among others.
    :raises RecranksError: when the game is not over or not legal.
    """
    provenance = Provenance(
        generated=now,
        site=site,
        gameid=game.key,
        userids={seating.letter: str(seating.player_id) for seating in game.seatings.all()},
        received=game.received_at,
        rated=game.acceptances.filter(counts=True, number__isnull=False).exists(),
    )
    return recranks(replay_of(first_log(game, viewer)), provenance)


def grammar_of(slug: str) -> str:
    """Return the grammar beside a document of rules: of a game's records, or of what all records have in common.

    :raises NoSuchRulesError: when there is none.
    """
    if slug == FORMAT:
        return grammar()
    for ruleset in RULESETS:
        if document_of(ruleset) == slug:
            try:
                return grammar(ruleset)
            except FileNotFoundError:
                break
    raise NoSuchRulesError(slug)


def has_grammar(slug: str) -> bool:
    """Return whether there is a grammar beside a document of rules."""
    try:
        return bool(grammar_of(slug))
    except NoSuchRulesError:
        return False
