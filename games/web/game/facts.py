"""The form with which a club's organiser corrects facts about a game."""

from dataclasses import dataclass

from games.clubs.correcting import clubs_correcting, date_and_event
from games.models import Game
from games.records.reads.visibility import Viewer


@dataclass(frozen=True, slots=True)
class FactsForm:
    """What the reader may correct."""

    clubs: tuple[tuple[str, str], ...]
    """Address and name of each club for which they may."""
    date: str
    event: str


def facts_form(game: Game, viewer: Viewer) -> FactsForm | None:
    """Return what a game's page offers to an organiser; none to others."""
    clubs = tuple(clubs_correcting(game, viewer).values_list("slug", "name"))
    return FactsForm(clubs, **date_and_event(game)) if clubs else None
