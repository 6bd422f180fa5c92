"""Measures python-chess reading PGN with every move checked, in its fastest way: a visitor that builds nothing."""

import io
from functools import cache
from random import Random
from time import process_time

import chess
import chess.pgn

from bench.rate import Rate

GAMES, PLIES = 200, 130


class Nothing(chess.pgn.BaseVisitor[bool]):
    """A visitor that builds no game, but notices illegal moves."""

    def handle_error(self, error: Exception) -> None:
        raise SystemExit(f"a legal game has errors: {error}")

    def result(self) -> bool:
        return True


@cache
def corpus() -> tuple[str, int]:
    """Return random legal games as one file, and their plies; about as long as the games they are compared with."""
    random = Random(1)
    games = [_game(random) for _ in range(GAMES)]
    return "\n\n".join(map(str, games)), sum(game.end().ply() for game in games)


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
    """Read the corpus once, and measure the CPU time."""
    text, plies = corpus()
    file = io.StringIO(text)
    begun = process_time()
    while chess.pgn.read_game(file, Visitor=Nothing):
        pass
    spent = process_time() - begun
    return Rate(plies / spent, GAMES / spent)
