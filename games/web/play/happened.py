"""What happened at a table since the reader last acted, in words."""

from collections.abc import Collection, Sequence

from engine.agn.administrative import parse_administrative
from games.models import Table
from games.playing.reads.position import Position, position_of
from games.sentences import translated

_MOST = 40
"""Actions that are listed, the newest."""


def happened(table: Table, position: Position, letters: Sequence[str], readers: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for each action from the reader's last one on; for who only watches, of the last turn.

    The reader's own last action is among them: in some games more happens when a turn ends.

    :param letters: whose each action was.
    :param readers: the seats for which the reader acts.
    """
    first = max(0, _first(letters, {position.turn} & set(readers) or readers), len(letters) - _MOST)
    states = [position_of(table, position.tokens[:ply]).state for ply in range(first, len(letters) + 1)]
    steps = zip(states, position.tokens[first:], states[1:], strict=False)
    return tuple(_sentence(position, before, token, state) for before, token, state in steps)


def _first(letters: Sequence[str], readers: Collection[str | None]) -> int:
    own = [ply for ply, letter in enumerate(letters) if letter in readers]
    if readers:
        return own[-1] if own else 0
    others = [ply for ply, letter in enumerate(letters) if letter != letters[-1]]
    return others[-1] + 1 if others else 0


def _sentence(position: Position, before: object, token: str, state: object) -> str:
    action = None if parse_administrative(token) else position.ruleset.parse_action(token)
    return position.ruleset.shown.caption(before, action, state, token).render(translated)
