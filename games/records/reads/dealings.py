"""Reading how a game was dealt: its record's tags, and every step of the deal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.dealing import SECRET, Dealing, Explanation, entropies_in, explain_deal
from engine.ruleset import Ruleset, TagError
from games.models import Game
from games.records.reads.replays import first_log, replay_of
from games.records.reads.visibility import Viewer


@dataclass(frozen=True, slots=True)
class GameDealing:
    """A record's deal: what it claims, whether that holds, and how the deal follows."""

    dealing: Dealing
    ruleset: Ruleset[Any, Any]
    tags: Mapping[str, str]

    @property
    def entropies(self) -> tuple[str, ...]:
        """Return the players' entropies in the order of joining."""
        return entropies_in(self.tags)

    @property
    def secret(self) -> str | None:
        """Return the site's secret; None while it is not published."""
        return self.tags.get(SECRET)

    def explained(self) -> Explanation | None:
        """Return the deal step by step; None without the secret, or where the tags are too broken to deal from."""
        if self.secret is None:
            return None
        try:
            return explain_deal(self.ruleset, self.secret, self.entropies, self.tags.get("Deck"))
        except TagError:
            return None


def dealing_of(game: Game, viewer: Viewer) -> GameDealing | None:
    """Return how a game was dealt, as far as its record says; None where it does not."""
    found = replay_of(first_log(game, viewer))
    if found.dealing is None or found.replay is None or found.ruleset is None:
        return None
    return GameDealing(found.dealing, found.ruleset, found.replay.tags)
