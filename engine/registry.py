"""The rulesets, in one explicit tuple: the only place to register a game."""

from collections.abc import Mapping
from typing import Any

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.army_ants.ruleset import ARMY_ANTS, FREE_ARMY_ANTS
from engine.atta_ants.ruleset import ATTA_ANTS
from engine.ruleset import Ruleset, TagError

RULESETS: tuple[Ruleset[Any, Any], ...] = (*ATTA_ANTS, ANT_TRAILS, ARMY_ANTS, FREE_ARMY_ANTS)


def ruleset_by_slug(slug: str) -> Ruleset[Any, Any]:
    """Return the ruleset with a slug. :raises KeyError: when there is none."""
    for ruleset in RULESETS:
        if ruleset.slug == slug:
            return ruleset
    raise KeyError(slug)


def find_ruleset(tags: Mapping[str, str]) -> Ruleset[Any, Any]:
    """Return the ruleset by which a record was played. :raises TagError: (AGN-TAG-2, AGN-TAG-3)."""
    ruleset = _BY_TAGS.get((tags.get("Game", ""), tags.get("Rules", "")))
    if ruleset is None:
        raise _no_ruleset(tags)
    return ruleset


_BY_TAGS = {(ruleset.game, ruleset.edition): ruleset for ruleset in RULESETS}


def _no_ruleset(tags: Mapping[str, str]) -> TagError:
    for name in ("Game", "Rules"):
        if name not in tags:
            return TagError(name, "AGN-TAG-2", "Tag {name} is missing.", name=name)
    of_game = [ruleset for ruleset in RULESETS if ruleset.game == tags["Game"]]
    if not of_game:
        games = ", ".join(dict.fromkeys(ruleset.game for ruleset in RULESETS))
        return TagError(
            "Game", "AGN-TAG-3", "Unknown game {game!r}. Known games: {games}.", game=tags["Game"], games=games
        )
    editions = ", ".join(ruleset.edition for ruleset in of_game)
    return TagError("Rules", "AGN-TAG-3", "Unknown rules {rules!r} of {game}. Known rules: {editions}.",
                    rules=tags["Rules"], game=tags["Game"], editions=editions)  # fmt: skip
