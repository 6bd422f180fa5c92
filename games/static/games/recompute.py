"""Recomputes a leaderboard from the games behind it, and compares.

    python3 recompute.py games.ndjson
    python3 recompute.py games.ndjson --board 'https://…/api/v1/leaderboards/atta-ants-online?as_of=2026-11-01'

Both may be files or addresses. It needs Python 3.11 and nothing else, and shares no code with the site that it checks:
the formulas are those of Weng and Lin, *A Bayesian Approximation Method for Online Ranking* (2011), algorithm 4.
"""

import argparse
import hashlib
import json
import math
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

MU, SIGMA, BETA, TAU = 1200.0, 400.0, 200.0, 4.0
DECIMALS = 6
LEAST = 0.0001
"""No game leaves less of an uncertainty's square than this share."""


class Line(NamedTuple):
    """A player's line of the table."""

    rank: int
    player: int
    name: str
    mu: float
    sigma: float
    games: int

    @property
    def rating(self) -> int:
        """As people see it."""
        return max(0, math.floor(self.mu - 3 * self.sigma))


def rated(before: list[tuple[float, float]], places: list[int]) -> list[tuple[float, float]]:
    """Return each player's mean and uncertainty after a game, in the given order, rounded.

    Before each game everybody becomes a little less certain (tau). Those who share a place share, each alike, what
    the place gives.
    """
    sigmas = [math.sqrt(sigma * sigma + TAU * TAU) for _, sigma in before]
    c = math.sqrt(sum(sigma * sigma + BETA * BETA for sigma in sigmas))
    weights = [math.exp(mu / c) for mu, _ in before]
    left = [sum(weight for weight, place in zip(weights, places, strict=True) if place >= mine) for mine in places]
    after = []
    for i, (mu, _) in enumerate(before):
        omega = delta = 0.0
        for q, place in enumerate(places):
            if place <= places[i]:
                chance = weights[i] / left[q]
                omega += ((1 if i == q else 0) - chance) / places.count(place)
                delta += chance * (1 - chance) / places.count(place)
        square = sigmas[i] * sigmas[i]
        shrunk = max(1 - sigmas[i] / c * (square / (c * c)) * delta, LEAST)
        after.append((round(mu + square / c * omega, DECIMALS), round(sigmas[i] * math.sqrt(shrunk), DECIMALS)))
    return after


def folded(games: Iterable[dict[str, Any]]) -> tuple[list[Line], str, int]:
    """Return the table, the digest of the set of games, and how many there are.

    They come in the order in which they were accepted; for a leaderboard by day played, which is in their `day`, in the
    order of these days, and on a day in that of acceptance.
    """
    ratings: dict[int, tuple[float, float]] = {}
    names: dict[int, str] = {}
    played: dict[int, int] = {}
    digest, count = hashlib.sha256(), 0
    last: tuple[Any, ...] = ()
    for game in games:
        count += 1
        players = [seat["player"] for seat in game["seats"]]
        places = [seat["place"] for seat in game["seats"]]
        published = " ".join(f"{player}:{place}" for player, place in zip(players, places, strict=True))
        day = [game["day"]] if "day" in game else []
        line = " ".join([str(game["number"]), game["game_digest"], game["accepted_at"], *day, published])
        digest.update(f"{line}\n".encode())
        place = (*day, game["number"])
        if place < last:
            raise SystemExit(f"game {game['number']} is not in order")
        last = place
        after = rated([ratings.get(player, (MU, SIGMA)) for player in players], places)
        ratings.update(zip(players, after, strict=True))
        for seat in game["seats"]:
            names[seat["player"]] = seat["name"]
            played[seat["player"]] = played.get(seat["player"], 0) + 1
    return list(ordered(ratings, names, played)), digest.hexdigest(), count


def ordered(ratings: dict[int, tuple[float, float]], names: dict[int, str], played: dict[int, int]) -> Iterator[Line]:
    """Yield the rows of the table by mean minus three uncertainties; equal values share a rank."""
    values = sorted((-(mu - 3 * sigma), player) for player, (mu, sigma) in ratings.items())
    rank, last = 0, None
    for number, (value, player) in enumerate(values, 1):
        if value != last:
            rank, last = number, value
        yield Line(rank, player, names[player], *ratings[player], played[player])


def read(source: str) -> bytes:
    """Return the content of a file or an address."""
    if source.startswith(("http://", "https://")):
        with urllib.request.urlopen(source) as answer:  # noqa: S310 (the schemes are those)
            return bytes(answer.read())
    if source == "-":
        return sys.stdin.buffer.read()
    with open(source, "rb") as file:  # noqa: PTH123 (a path as it was typed)
        return file.read()


def differences(lines: list[Line], digest: str, source: str) -> Iterator[str]:
    """Yield the differences from the leaderboard, which is read to its last page."""
    expected = {line.player: line for line in lines}
    following: str | None = source
    while following:
        board = json.loads(read(following))
        if board["digest"] != digest:
            yield f"the digest of the set of games: {board['digest']} there, {digest} here"
            return
        for there in board["rows"]:
            here = expected.pop(there["player"]["id"], None)
            published = (there["rank"], there["rating"], there["mu"], there["sigma"], there["games"])
            mine = (here.rank, here.rating, here.mu, here.sigma, here.games) if here else None
            if published != mine:
                yield f"player {there['player']['id']}: {published} there, {mine} here"
        following = board["next"]
    for line in expected.values():
        yield f"player {line.player} ({line.name}) is not there"


def main() -> int:
    """Print the table and the digest; return 1 when the leaderboard differs."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("games", help="the export of the games, or - for standard input")
    options.add_argument("--board", help="the leaderboard in JSON, to be compared")
    options.add_argument("--quiet", action="store_true", help="print no table")
    chosen = options.parse_args()
    lines, digest, count = folded(json.loads(line) for line in read(chosen.games).splitlines() if line)
    if not chosen.quiet:
        for line in lines:
            print(line.rank, line.rating, f"{line.mu:.6f}", f"{line.sigma:.6f}", line.games, line.name, sep="\t")
    print(f"{count} games, {len(lines)} players, digest {digest}")
    if not chosen.board:
        return 0
    found = list(differences(lines, digest, chosen.board))
    print("\n".join(found) or "The leaderboard matches.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
