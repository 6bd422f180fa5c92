"""Ladders: leaderboards now, of a past day or a period, and players' careers, by either order of games."""

import csv
import io
from collections.abc import Iterator
from typing import Literal
from urllib.parse import quote, urlencode

from games.client.following import Json
from games.client.site import Site

By = Literal["accepted", "played"]
"""The order in which games are rated: that of acceptance, or of the days on which they were played."""


class Ladders:
    """The ladders of a site and of its clubs."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def table(
        self, ruleset: str, *, as_of: str = "", period: str = "", by: By = "accepted", club: str = ""
    ) -> Iterator[dict[str, str]]:
        """Yield the rows of a whole leaderboard: `rank`, `player`, `name`, `rating`, `games` and others.

        :param as_of: the leaderboard at the end of a day, as `2025-12-31`; empty for now.
        :param period: the gains of a month or a year, as `2025`.
        :param club: the address of a club; empty for the whole site.
        :raises ClientError: when the site does not answer the query.
        """
        yield from csv.DictReader(io.StringIO(self.table_text(ruleset, as_of=as_of, period=period, by=by, club=club)))

    def table_text(
        self, ruleset: str, *, as_of: str = "", period: str = "", by: By = "accepted", club: str = ""
    ) -> str:
        """Return the same as CSV."""
        of = f"clubs/{quote(club, safe='')}/" if club else ""
        path = f"/api/v1/{of}leaderboards/{quote(ruleset, safe='')}/table"
        return self._text(path, as_of=as_of, period=period, by=by)

    def career(self, player: int, ruleset: str, *, by: By = "accepted", club: str = "") -> Json:
        """Return a player's career on a ladder, as the API has it, with the newest 50 games."""
        found: Json = self._site.ask("GET", _path(_career(player, ruleset), by=by, club=club)).json
        return found

    def course(self, player: int, ruleset: str, *, by: By = "accepted", club: str = "") -> Iterator[dict[str, str]]:
        """Yield a player's rating after every game, in order: `day`, `game`, `place`, `rating` and others."""
        yield from csv.DictReader(io.StringIO(self.course_text(player, ruleset, by=by, club=club)))

    def course_text(self, player: int, ruleset: str, *, by: By = "accepted", club: str = "") -> str:
        """Return the same as CSV."""
        return self._text(f"{_career(player, ruleset)}/table", by=by, club=club)

    def _text(self, path: str, **query: str) -> str:
        return self._site.ask("GET", _path(path, **query)).body.decode("utf-8-sig")


def _career(player: int, ruleset: str) -> str:
    return f"/api/v1/players/{player}/ladders/{quote(ruleset, safe='')}"


def _path(path: str, **query: str) -> str:
    said = {name: value for name, value in query.items() if value and (name, value) != ("by", "accepted")}
    return f"{path}?{urlencode(said)}" if said else path
