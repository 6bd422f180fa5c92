"""A ladder is a fold: only the order matters, and a changed past gives the ratings of that past."""

from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fold import FRESH, Change, Ledger
from engine.rating import Rating
from tests.tiers import by_tier

LADDER = 1
Played = tuple[tuple[int, ...], tuple[int, ...]]


@st.composite
def games(draw: st.DrawFn, players: int = 8) -> Played:
    seated = draw(st.lists(st.integers(1, players), min_size=2, max_size=4, unique=True))
    places = draw(st.lists(st.integers(1, len(seated)), min_size=len(seated), max_size=len(seated)))
    return tuple(seated), tuple(1 + sum(other < place for other in places) for place in places)


def played(evening: list[Played], moved: dict[int, int] | None = None) -> Ledger:
    ledger = Ledger(moved=moved or {})
    for number, (seated, places) in enumerate(evening, 1):
        ledger.accept(LADDER, number, seated, places)
    return ledger


def ratings(ledger: Ledger, players: range) -> list[Rating]:
    current = ledger.current.get(LADDER, {})
    return [current.get(player, FRESH) for player in players]


@given(st.lists(games(), min_size=1, max_size=25), st.data())
@settings(max_examples=by_tier(quick=50, long=500))
def test_annulling_games_gives_the_ratings_without_them(evening: list[Played], data: st.DataObject) -> None:
    gone = data.draw(st.lists(st.integers(1, len(evening)), unique=True, max_size=6))
    ledger = played(evening)
    for number in gone:
        list(ledger.change(Change(annulled={number: True})))
    without = [game for number, game in enumerate(evening, 1) if number not in gone]
    assert ratings(ledger, range(1, 9)) == ratings(played(without), range(1, 9))


@given(st.lists(games(), min_size=1, max_size=25), st.data())
@settings(max_examples=by_tier(quick=50, long=500))
def test_restoring_a_game_restores_the_previous_ratings(evening: list[Played], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(evening)))
    ledger = played(evening)
    before = list(ledger.games[LADDER])
    gone = list(ledger.change(Change(annulled={number: True})))
    back = list(ledger.change(Change(annulled={number: False})))
    assert ledger.games[LADDER] == before
    assert {new.number for _, (_, new) in back} >= {new.number for _, (_, new) in gone}


@given(st.lists(games(), min_size=1, max_size=25), st.integers(1, 8), st.integers(1, 8))
@settings(max_examples=by_tier(quick=50, long=500))
def test_merged_players_are_rated_as_if_they_had_always_been_one(evening: list[Played], one: int, other: int) -> None:
    ledger = played(evening)
    list(ledger.change(Change(moved={one: other})))
    rest = [player for player in range(1, 9) if player != one or one == other]
    always = played(evening, {one: other})
    assert [ledger.current[LADDER].get(player, FRESH) for player in rest] == [
        always.current[LADDER].get(player, FRESH) for player in rest
    ]


@given(st.lists(games(), min_size=1, max_size=25), st.integers(1, 8), st.integers(1, 8), st.lists(games(), max_size=5))
@settings(max_examples=by_tier(quick=50, long=500))
def test_split_players_are_rated_as_if_they_had_never_been_merged(
    evening: list[Played], one: int, other: int, later: list[Played]
) -> None:
    ledger = played(evening)
    list(ledger.change(Change(moved={one: other})))
    for number, (seated, places) in enumerate(later, len(evening) + 1):
        ledger.accept(LADDER, number, seated, places)
    list(ledger.change(Change(moved={one: one})))
    assert ratings(ledger, range(1, 9)) == ratings(played(evening + later), range(1, 9))


def test_game_of_one_merged_player_against_themselves_is_not_rated() -> None:
    ledger = played([((1, 2), (1, 2))], {1: 2})
    (game,) = ledger.games[LADDER]
    assert not game.counts
    assert set(chain(game.before, game.after)) == {FRESH}


def test_games_of_other_players_are_not_recomputed() -> None:
    ledger = played([((1, 2), (1, 2)), ((3, 4), (1, 2)), ((1, 3), (1, 2))])
    changed = [new.number for _, (_, new) in ledger.change(Change(annulled={1: True}))]
    assert changed == [1, 3]
