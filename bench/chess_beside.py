"""python-chess reading PGN, at its quickest with every move checked: a visitor that builds nothing."""

import io
from functools import cache
from random import Random
from time import process_time

import chess
import chess.pgn

from bench.rate import Rate

GAMES, PLIES = 200, 130


class Nothing(chess.pgn.BaseVisitor[bool]):
    """Builds no game, but says when one has an illegal move."""

    def handle_error(self, error: Exception) -> None:
        raise SystemExit(f"a legal game has errors: {error}")

    def result(self) -> bool:
        return True


@cache
def corpus() -> tuple[str, int]:
    """Random legal games, as one file, and their plies; about as long as the games on the other side."""
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
    """Read the corpus once. CPU time."""
    text, plies = corpus()
    file = io.StringIO(text)
    begun = process_time()
    while chess.pgn.read_game(file, Visitor=Nothing):
        pass
    spent = process_time() - begun
    return Rate(plies / spent, GAMES / spent)
