"""Reading how a game was dealt: what its record says of it, and the steps that lead to that deal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.dealing import Dealing, Explanation, explain_deal
from engine.ruleset import Ruleset, TagError
from games.models import Game
from games.records.reads.replays import first_log, replay_of
from games.records.reads.visibility import Viewer

_ENTROPY = "DealingEntropy"


@dataclass(frozen=True, slots=True)
class GameDealing:
    """A record's deal: what it claims, whether that holds, and how the deal follows."""

    dealing: Dealing
    ruleset: Ruleset[Any, Any]
    tags: Mapping[str, str]
    explanation: Explanation | None
    """None while the secret is not published, or where the tags are too broken to deal from."""

    @property
    def entropies(self) -> tuple[str, ...]:
        """Return the players' entropies in the order of joining."""
        return tuple(value for name, value in self.tags.items() if name.startswith(_ENTROPY))


def dealing_of(game: Game, viewer: Viewer) -> GameDealing | None:
    """Return how a game was dealt, as far as its record tells; None where it says nothing of that."""
    found = replay_of(first_log(game, viewer))
    if found.dealing is None or found.replay is None or found.ruleset is None:
        return None
    read = GameDealing(found.dealing, found.ruleset, found.replay.tags, None)
    return GameDealing(found.dealing, found.ruleset, found.replay.tags, _explained(read))


def _explained(read: GameDealing) -> Explanation | None:
    secret = read.tags.get("DealingSecret")
    try:
        return explain_deal(read.ruleset, secret, read.entropies, read.tags.get("Deck")) if secret else None
    except TagError:
        return None
