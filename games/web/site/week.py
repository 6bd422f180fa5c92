"""The games of the week, as the first page shows them."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.records.reads.week import PERIODS, Pick, games_of_the_week
from games.web.rows import GameRow, row_of


@dataclass(frozen=True, slots=True)
class Card:
    """A game that is worth watching."""

    row: GameRow
    why: str


@dataclass(frozen=True, slots=True)
class WeekShown:
    """Some games of the last days."""

    heading: str
    cards: tuple[Card, ...]
    more: str
    """The address of a list of more such games."""


def week_shown(*, now: datetime) -> WeekShown | None:
    """Return the games of the week, or of the month where there were too few; none where there were none."""
    found = games_of_the_week(now=now)
    if not found.games:
        return None
    return WeekShown(
        heading=gettext("Games of the week") if found.days == PERIODS[0] else gettext("Games of the last 30 days"),
        cards=tuple(Card(row_of(pick.game), _why(pick)) for pick in found.games),
        more=f"{reverse('games')}?sort={found.games[0].reason}",
    )


def _why(pick: Pick) -> str:
    number = pick.value
    if pick.reason == "lead_changes":
        return ngettext("{count} lead change", "{count} lead changes", number).format(count=number)
    if pick.reason == "comments":
        return ngettext("{count} comment", "{count} comments", number).format(count=number)
    if pick.reason == "rating":
        return gettext("Highest rated: {rating} on average").format(rating=number)
    return gettext("Closest finish") if pick.reason == "closeness" else gettext("Longest game")


__all__ = ["Card", "WeekShown", "week_shown"]
