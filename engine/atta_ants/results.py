"""Why a result of Atta Ants is what it is, with the numbers of ants that decide the places."""

from engine.atta_ants.state import COLONIES, PLACE, State, in_play
from engine.words import Words, counted, listed, words

_TWO = 2


def explain(state: State) -> list[Words]:
    """Return what decided the places, or why the game is not over, with the rules' ids."""
    outcome = state.outcome
    if outcome is None:
        return [_not_over(state)]
    staying = [seat for seat in range(len(state.table.seats)) if seat not in state.left]
    said = list[Words]()
    if len(staying) > 1 and len(set(outcome.placements)) > 1:
        said.append(words("Ants in play: {standings} (ATTA-RANK-1).", standings=_standings(state, staying)))
    if state.left and len(state.table.seats) > _TWO:
        leavers = listed([_colony(state, seat) for seat in reversed(state.left)])
        said.append(words("Behind are those who left, the last to leave first: {colonies} (ATTA-RANK-2).",
                          colonies=leavers))  # fmt: skip
    return said


def _not_over(state: State) -> Words:
    colonies = len(state.table.seats) - len(state.out)
    if colonies == 1 and not state.table.edition.last_colony_wins:
        return words(
            "The game is not over: by the rules of 2003 a single colony plays on, until it has all six ants in play"
            " or the deck is empty (ATTA-END-2)."
        )
    if state.phase != PLACE:
        return words(
            "The game is not over: it can end only at the end of a round, and round {number} goes on"
            " (ATTA-END-2 to ATTA-END-4).",
            number=state.round,
        )
    return counted(
        "The game is not over: no colony has all six ants in play (ATTA-END-3), and the deck still has a card"
        " (ATTA-END-4).",
        "The game is not over: no colony has all six ants in play (ATTA-END-3), and the deck still has {count} cards"
        " (ATTA-END-4).",
        state.deck,
    )


def _standings(state: State, seats: list[int]) -> str | Words:
    """Return how many ants each colony has, and how many were eaten where that decides (ATTA-RANK-1)."""
    counts = [in_play(state, seat) for seat in seats]
    tied = len(set(counts)) < len(counts) and state.table.edition.eaten_decides
    return listed([
        words("{colony} {ants} ({eaten} eaten)", colony=_colony(state, seat), ants=ants, eaten=state.eaten[seat])
        if tied
        else words("{colony} {ants}", colony=_colony(state, seat), ants=ants)
        for seat, ants in zip(seats, counts, strict=True)
    ])  # fmt: skip


def _colony(state: State, seat: int) -> Words:
    return COLONIES[state.table.seats[seat]]


__all__ = ["explain"]
