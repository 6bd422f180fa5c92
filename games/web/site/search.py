"""One search for players, games, clubs and rules."""

from dataclasses import dataclass

from engine.agn.names import name_key
from games.clubs.reads.clubs import clubs_listed_for
from games.models.folding import Folded, has_part
from games.platform.paging import Span
from games.players.reads.directory import LAST_GAMES, players_beginning, results_of
from games.records.reads.games import GameFilter, find_game_by_key, list_games
from games.records.reads.rulebook import RuleLink, documents, rule_link
from games.records.reads.visibility import Viewer
from games.web.ladders.form import PlaceShown, form_of
from games.web.links import Link
from games.web.rows import GameRow, row_of, rows_of

LONGEST = 64
"""Characters of what is searched for."""
_FEW, _MANY = 5, 25
"""Things of a kind while somebody types, and on the page."""
_SHORTEST = 2
"""Characters of what is looked for within titles of rules and names of clubs."""


@dataclass(frozen=True, slots=True)
class PlayerFound:
    """A player in whose name words begin with those of the text."""

    name: str
    source: str
    url: str
    is_bot: bool
    claimed: bool
    form: tuple[PlaceShown, ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """What was found."""

    text: str
    players: tuple[PlayerFound, ...]
    games: tuple[GameRow, ...]
    """Of the key that was asked for, or the newest of the first player."""
    clubs: tuple[Link, ...]
    rules: tuple[RuleLink, ...]

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was found."""
        return not (self.players or self.games or self.clubs or self.rules)


def search_page(text: str, viewer: Viewer, *, typing: bool) -> SearchPage:
    """Return what is found; only a few results of each kind while somebody types."""
    text = name_key(text)[:LONGEST]
    if not text:
        return SearchPage("", (), (), (), ())
    most = _FEW if typing else _MANY
    players = players_beginning(text, viewer, most)
    results = results_of(players, LAST_GAMES)
    return SearchPage(
        text=text,
        players=tuple(
            PlayerFound(one.name, one.source, one.get_absolute_url(), one.is_bot, one.account_id is not None,
                        form_of(results.get(one.pk, ())))
            for one in players
        ),
        games=_games(text, players[0].pk if players else 0, viewer, most),
        clubs=_clubs(text, viewer, most),
        rules=_rules(text, most),
    )  # fmt: skip


def _games(text: str, player: int, viewer: Viewer, most: int) -> tuple[GameRow, ...]:
    if game := find_game_by_key(text, viewer):
        return (row_of(game),)
    if not player:
        return ()
    return tuple(rows_of(list_games(GameFilter(player=f"#{player}"), Span(size=most), viewer).rows))


def _clubs(text: str, viewer: Viewer, most: int) -> tuple[Link, ...]:
    if len(text) < _SHORTEST:
        return ()
    found = clubs_listed_for(viewer).filter(has_part(Folded("name"), text))[:most]
    return tuple(Link(club.name, club.get_absolute_url()) for club in found)


def _rules(text: str, most: int) -> tuple[RuleLink, ...]:
    """Return rules whose ids begin with a text, then those whose titles contain it."""
    if len(text) < _SHORTEST:
        return ()
    rules = [rule for document in documents() for rule in document.rules]
    wanted = text.casefold()
    found = [rule.id for rule in rules if rule.id.casefold().startswith(wanted)]
    found += [rule.id for rule in rules if wanted in rule.title.casefold() and rule.id not in found]
    return tuple(map(rule_link, found[:most]))
