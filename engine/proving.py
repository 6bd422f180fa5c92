"""Proofs of what a site publishes: of a game by its record, of a leaderboard by the games behind it, byte for byte."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from engine.agn.lines import json_line
from engine.fold import rate_next
from engine.rating import TWELFTHS, Rating, beaten
from engine.verify import Verdict, verify_bytes

Json = dict[str, Any]

_PLACES = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is published, as it follows from the record here and as it is published there."""

    what: str
    here: str
    there: str

    def as_json(self) -> Json:
        """Return it with whether both are the same."""
        return {"what": self.what, "here": self.here, "there": self.there, "same": self.here == self.there}


def prove_game(record: bytes, game: Mapping[str, Any], canonical: str | None, deal: Json | None) -> list[Finding]:
    """Compare what is published of a game with what its record says.

    :param record: the bytes as they were uploaded.
    :param game: as `/api/v1/games/KEY` gives it.
    :param canonical: its canonical text; none where none is published.
    :param deal: as `/api/v1/games/KEY/dealing` gives it; none where none is published.
    :raises ValueError: when there is not one record in the bytes.
    """
    (verdict,) = verify_bytes(record)
    return [*_facts(verdict, game), *_texts(verdict, canonical), *_deal(verdict, deal)]


def _facts(verdict: Verdict, game: Mapping[str, Any]) -> Iterator[Finding]:
    played = verdict.replay if not verdict.fault else None
    yield Finding("verdict", verdict.verdict, str(game["verdict"]))
    if played is None:
        newest: Mapping[str, Any] = next(iter(game["verdicts"]), {})
        yield Finding("rule", _said(verdict.fault and verdict.fault.rule), _said(newest.get("rule")))
        return
    yield Finding("plies", str(verdict.plies), _said(game["plies"]))
    yield Finding("result", str(played.result), _said(game["result"]))
    yield Finding("digest", _said(verdict.digest), _said(game["digest"]))
    yield Finding("likeness", _said(verdict.likeness), _said(game["likeness"]))


def _texts(verdict: Verdict, canonical: str | None) -> Iterator[Finding]:
    if canonical is not None:
        here = hashlib.sha256((verdict.text or "").encode()).hexdigest()
        yield Finding("text", here, hashlib.sha256(canonical.encode()).hexdigest())


def _deal(verdict: Verdict, deal: Json | None) -> Iterator[Finding]:
    if verdict.dealing or deal:
        yield Finding("dealing", verdict.dealing.status if verdict.dealing else "", _said(deal and deal["status"]))


def _said(value: object) -> str:
    return "" if value is None else str(value)


@dataclass(slots=True)
class Score:
    """What a player has reached in the games so far."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    places: list[int] = field(default_factory=lambda: [0] * len(_PLACES))
    beaten: int = 0

    def add(self, place: int, tied: int, twelfths: int) -> None:
        """Count a game."""
        self.games += 1
        self.places[place - 1] += 1
        self.beaten += twelfths
        if place > 1:
            self.losses += 1
        elif tied > 1:
            self.draws += 1
        else:
            self.wins += 1


class LeaderboardProof:
    """A leaderboard that is computed again from the games behind it, a part of them at a time."""

    def __init__(self) -> None:
        self.games = 0
        self._ratings = dict[int, Rating]()
        self._scores = dict[int, Score]()
        self._digest = hashlib.sha256()
        self._rest = ""

    def add(self, text: str) -> int:
        """Rate the games in a part of the export, which may end within a line. :returns: how many there were so far."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            if line:
                self._rate(json.loads(line))
        return self.games

    def _rate(self, game: Json) -> None:
        players = tuple(seat["player"] for seat in game["seats"])
        places = tuple(seat["place"] for seat in game["seats"])
        published = " ".join(f"{player}:{place}" for player, place in zip(players, places, strict=True))
        day = [game["day"]] if "day" in game else []  # by day played, the order goes by it
        line = " ".join([str(game["number"]), game["game_digest"], game["accepted_at"], *day, published])
        self._digest.update(f"{line}\n".encode())
        rated = rate_next(self._ratings, game["number"], players, players, places)
        self._ratings.update(zip(players, rated.after, strict=True))
        for player, place, twelfths in zip(players, places, beaten(places), strict=True):
            self._scores.setdefault(player, Score()).add(place, places.count(place), twelfths)
        self.games += 1

    def digest(self) -> str:
        """Return the digest of the set of games."""
        return self._digest.hexdigest()

    def compare(self, table: str) -> str:
        """Compare the whole table, as it is published in CSV, with the one that follows from the games.

        Columns that do not follow from them, as names, are taken from the published one.

        :param table: its text; a byte-order mark at its start, which spreadsheet programs need, is skipped.
        :returns: JSON: whether both are the same bytes, the number of players, and the first line that differs.
        """
        table = table.removeprefix("\ufeff")
        published = list(csv.DictReader(io.StringIO(table, newline="")))
        computed = list(self._lines())
        merged = [there | here for there, here in zip_longest(published, computed, fillvalue=dict[str, str]())]
        same = len(published) == len(computed) and _written(merged) == table
        pairs = enumerate(zip_longest(published, computed), 1)
        differs = next((_difference(line, there, here) for line, (there, here) in pairs if _differ(there, here)), None)
        return json_line({"same": same, "players": len(computed), "differs": differs})

    def _lines(self) -> Iterator[dict[str, str]]:
        """Yield what follows from the games, a line for each player, as the table writes it."""
        ranked = sorted((-rating.value, player) for player, rating in self._ratings.items())
        rank, last = 0, None
        for number, (value, player) in enumerate(ranked, 1):
            if value != last:
                rank, last = number, value
            rating, score = self._ratings[player], self._scores[player]
            figures = {
                "rank": rank, "player": player, "rating": rating.shown, "value": rating.value,
                "mu": rating.mu, "sigma": rating.sigma, "games": score.games,
                "wins": score.wins, "draws": score.draws, "losses": score.losses,
                **dict(zip(_PLACES, score.places, strict=True)),
                "share": f"{score.beaten / TWELFTHS / score.games:.6f}",
            }  # fmt: skip
            yield {name: str(figure) for name, figure in figures.items()}


Row = dict[str, str]


def _written(rows: list[Row]) -> str:
    written = io.StringIO(newline="")
    table = csv.DictWriter(written, list(rows[0]) if rows else [])
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()


def _differ(there: Row | None, here: Row | None) -> bool:
    return there is None or here is None or any(there.get(name) != value for name, value in here.items())


def _difference(line: int, there: Row | None, here: Row | None) -> Json:
    names = [name for name, value in (here or {}).items() if (there or {}).get(name) != value]
    mine, theirs = [
        ", ".join(f"{name} {row[name]}" for name in names if name in row) for row in (here or {}, there or {})
    ]
    return {"line": line, "here": mine, "there": theirs}
