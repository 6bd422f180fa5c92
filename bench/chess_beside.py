"""python-chess reading PGN: the usual way to check a game's moves in Python."""

import io
from functools import cache
from random import Random
from time import process_time

import chess
import chess.pgn

from bench.rate import Rate

GAMES, PLIES = 40, 120


@cache
def corpus() -> str:
    """Random legal games, as one file; about as long as the games on the other side."""
    random = Random(1)
    return "\n\n".join(str(_game(random)) for _ in range(GAMES))


def _game(random: Random) -> chess.pgn.Game:
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    board = chess.Board()
    while board.ply() < PLIES and (moves := list(board.legal_moves)):
        move = random.choice(moves)
        board.push(move)
        node = node.add_variation(move)
    return game


def measure() -> Rate:
    """Read the corpus once. CPU time."""
    file = io.StringIO(corpus())
    plies = games = 0
    begun = process_time()
    while game := chess.pgn.read_game(file):
        if game.errors:
            raise SystemExit(f"a legal game has errors: {game.errors}")
        plies += game.end().ply()
        games += 1
    spent = process_time() - begun
    return Rate(plies / spent, games / spent)
