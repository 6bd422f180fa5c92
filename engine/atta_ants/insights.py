"""What to notice in a position of Atta Ants: where the spiders would go, and how far they are from ants."""

from collections.abc import Iterator

from engine.atta_ants.board import SIDES
from engine.atta_ants.rules import Hunt, hunts, targets
from engine.atta_ants.scene.captions import side_said
from engine.atta_ants.scene.layout import centre
from engine.atta_ants.state import OVER, State, cell_name
from engine.insights import Arrow, Insight
from engine.words import Words, counted, listed, words


def insights(state: State) -> tuple[Insight, ...]:
    """Return where spiders would go if the round ended now; nothing once the game is over."""
    return () if state.phase == OVER or not state.spiders else (_spiders(state),)


def _spiders(state: State) -> Insight:
    cells, goals, found = state.board.cells, targets(state), hunts(state)
    arrows = [
        Arrow((centre(cells[hunt.slot]), centre(cells[slot]))) for hunt in found for slot in hunt.steps
    ]  # fmt: skip
    pieces = tuple(f"card:{cell_name(cells[slot])}" for slot in goals)
    facts = (_goals(state, goals), *_ways(state, found))
    return Insight("spiders", words("Spiders and their targets"), facts, pieces, tuple(arrows))


def _goals(state: State, goals: list[int]) -> Words:
    if not goals:
        return words("All ants are in the nest: no spider moves.")
    most = sum(slot == goals[0] for slot in state.ants)
    cells = listed([cell_name(state.board.cells[slot]) for slot in goals])
    return counted("Targets: {cells}, with {count} ant each.", "Targets: {cells}, with {count} ants each.", most,
                   cells=cells)  # fmt: skip


def _ways(state: State, found: tuple[Hunt, ...]) -> Iterator[Words]:
    for number, hunt in enumerate(found, 1):
        spider = f"S{number}"
        if not hunt.steps:
            yield words("{spider} stays.", spider=spider)
            continue
        sides = [side_said(SIDES[state.board.around(hunt.slot).index(slot)]) for slot in hunt.steps]
        way = sides[0]
        for side in sides[1:]:
            way = words("{way} or {side}", way=way, side=side)
        yield counted("{spider} is {count} step from a target and goes {way}.",
                      "{spider} is {count} steps from a target and goes {way}.",
                      hunt.distance, spider=spider, way=way)  # fmt: skip


__all__ = ["insights"]
