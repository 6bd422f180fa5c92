"""Referees each of which leaves out one rule, for the games in `fixtures/atta_ants/shown`."""

from tests.engine.atta_ants.referee import BACK, NEST, STEPS, Cell, Referee
from tests.engine.referees import demand
from tests.engine.shown import ILLEGAL


class OneCardMore(Referee):
    rounds = 16


class TwoTrailsInTheNest(Referee):
    def leads_on(self, cell: Cell, one: str, other: str) -> bool:
        return other in (one, BACK[one]) if cell == NEST else super().leads_on(cell, one, other)


class OneLeafAndNoSpider(Referee):
    leaves_on_a_card = 1
    spiders_on_a_card = 0


class OneAntAtFirst(Referee):
    ants_at_first = 1


class NoActionWithoutAStep(Referee):
    def check_body(self, body: str) -> None:
        demand(any(side in body for side in STEPS), "ATTA-MOVE-5")


class NobodyCrossesTheNest(Referee):
    def come_home(self, name: str) -> bool:
        return super().come_home(name) or True


class SpidersHeadForTheNestWhenAllAreHome(Referee):
    def everybody_is_home(self) -> bool:
        return False

    def targets(self) -> list[Cell]:
        return super().targets() or [NEST]

    def open_to_spiders(self) -> set[Cell]:
        return set(self.cards) if super().everybody_is_home() else super().open_to_spiders()


class AnyAntIsATarget(Referee):
    def targets(self) -> list[Cell]:
        return list({ant.at for ant in self.ants.values()} - {NEST})


class DistancesThroughTheNest(Referee):
    def open_to_spiders(self) -> set[Cell]:
        return set(self.cards)


class NobodyIsEaten(Referee):
    def eat(self) -> None:
        pass


class NobodyIsPutOut(Referee):
    def put_out(self) -> None:
        pass


class NoEndForWantOfColonies(Referee):
    def one_is_left(self) -> bool:
        return False


class NoEndWithSixAnts(Referee):
    def one_has_all(self) -> bool:
        return False


class NoEndWithoutCards(Referee):
    def deck_is_empty(self) -> bool:
        return False


class TheDeckStays(Referee):
    def pass_deck(self) -> None:
        pass


class EatenAntsNeverCount(Referee):
    def merit_of_stayer(self, seat: str) -> tuple[int, ...]:
        return self.in_play(seat), 0


class LeaversRankLikeOthers(Referee):
    def merit(self, seat: str) -> tuple[int, ...]:
        return (1, *self.merit_of_stayer(seat))


class AntsStayWhenTheirColonyLeaves(Referee):
    def take_away(self, seat: str) -> None:
        pass


class NobodyTakesOver(Referee):
    def take_over(self) -> None:
        pass


WITHOUT: dict[str, tuple[type[Referee], set[str] | frozenset[str]]] = {
    "ATTA-CARD-1": (OneCardMore, {"deck"}),
    "ATTA-CARD-3": (TwoTrailsInTheNest, ILLEGAL),
    "ATTA-SETUP-2": (OneLeafAndNoSpider, {"leaves", "spiders"}),
    "ATTA-SETUP-3": (OneAntAtFirst, {"ants"}),
    "ATTA-MOVE-5": (NoActionWithoutAStep, ILLEGAL),
    "ATTA-NEST-6": (NobodyCrossesTheNest, ILLEGAL),
    "ATTA-SPIDER-1": (SpidersHeadForTheNestWhenAllAreHome, {"spiders"}),
    "ATTA-SPIDER-2": (AnyAntIsATarget, {"ants", "spiders", "eaten"}),
    "ATTA-SPIDER-3": (DistancesThroughTheNest, {"round", "phase", "first", "turn", "spiders"}),
    "ATTA-SPIDER-7": (NobodyIsEaten, {"leaves", "ants", "eaten"}),
    "ATTA-END-1": (NobodyIsPutOut, {"out"}),
    "ATTA-END-2": (NoEndForWantOfColonies, {"round", "phase", "first", "turn", "placements"}),
    "ATTA-END-3": (NoEndWithSixAnts, {"round", "phase", "first", "turn", "placements"}),
    "ATTA-END-4": (NoEndWithoutCards, {"round", "phase", "turn", "placements"}),
    "ATTA-END-5": (TheDeckStays, {"first", "turn"}),
    "ATTA-RANK-1": (EatenAntsNeverCount, {"placements"}),
    "ATTA-RANK-2": (LeaversRankLikeOthers, {"placements"}),
    "ATTA-LEAVE-1": (AntsStayWhenTheirColonyLeaves, {"leaves", "ants"}),
    "ATTA-LEAVE-2": (NobodyTakesOver, {"first"}),
}
"""For each rule a referee without it, and the part of the state that differs first."""
