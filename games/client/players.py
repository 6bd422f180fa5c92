"""Players: the score of two of them, by seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from games.client.following import Json
from games.client.site import Site


@dataclass(frozen=True, slots=True)
class Score:
    """How often a player finished ahead of another, level and behind."""

    games: int
    ahead: int
    tied: int
    behind: int


@dataclass(frozen=True, slots=True)
class RulesetScore:
    """The score in the games of one ruleset."""

    ruleset: str
    score: Score
    by_turn: Mapping[str, Score]
    """By when the player acts: `1` begins."""
    by_seat: Mapping[str, Score]
    """By the letter of the player's seat."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The score of two players, as the first of them has it."""

    score: Score
    rulesets: tuple[RulesetScore, ...]
    games_url: str
    """The address of the list of these games."""


class Players:
    """The players of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def against(self, player: int, opponent: int, **filters: str) -> Pair:
        """Return the score of two players, given by their ids, in their verified games.

        :param filters: as for lists of games: `game`, `edition`, `since`, `until`, `club` and others.
        :raises ClientError: when there is no such player, or a filter is invalid.
        """
        query = f"?{urlencode(filters)}" if filters else ""
        found: Json = self._site.ask("GET", f"/api/v1/players/{player}/against/{opponent}{query}").json
        rulesets = tuple(map(_ruleset, found["rulesets"]))
        return Pair(Score(**found["score"]), rulesets, found["games_url"])


def _ruleset(found: Json) -> RulesetScore:
    by_turn, by_seat = (
        {seat["name"]: Score(**seat["score"]) for seat in found[name]} for name in ("by_turn", "by_seat")
    )
    return RulesetScore(found["ruleset"], Score(**found["score"]), by_turn, by_seat)
