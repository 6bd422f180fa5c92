"""What a player's page shows of the games that its reader and the player played together."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.agn.dates import Days
from games.models import Player
from games.players.reads.together import Meeting, Score, together
from games.records.reads.visibility import Viewer
from games.web.labels import PLACES
from games.web.ladders.form import PlaceShown
from games.web.links import pair_url
from games.web.persons import person
from games.web.rows import row_of

_FORM, _LISTED = 8, 3
"""The newest games whose result is shown, and those that are listed."""


@dataclass(frozen=True, slots=True)
class MeetingShown:
    """A game of both."""

    url: str
    thumbnail: str
    ruleset: str
    days: Days | datetime
    said: str
    """Who took which place."""


@dataclass(frozen=True, slots=True)
class TogetherShown:
    """The games of a reader and a player."""

    picture: SafeString
    """Of the reader's player."""
    score: Score
    """The reader's against the player."""
    all_games: str
    """Where all of them are listed; empty where the reader has several players."""
    form: tuple[PlaceShown, ...]
    """The reader's places, the newest last."""
    newest: tuple[MeetingShown, ...]


def together_shown(player: Player, viewer: Viewer) -> TogetherShown | None:
    """Return the games of a reader and a player; nothing where there are none."""
    found = together(player, viewer, newest=_FORM)
    if found is None:
        return None
    me = found.own[0]
    return TogetherShown(
        picture=person(me.pk, me.name, "large"),
        score=found.score,
        all_games=pair_url(me.pk, player.rated_id) if len(found.own) == 1 else "",
        form=tuple(_place(one, player) for one in reversed(found.newest)),
        newest=tuple(_meeting(one, player) for one in found.newest[:_LISTED]),
    )


def _place(met: Meeting, player: Player) -> PlaceShown:
    kind = "won" if met.own < met.other else "last" if met.own > met.other else "between"
    return PlaceShown(met.own, kind, _said(met, player))


def _meeting(met: Meeting, player: Player) -> MeetingShown:
    row = row_of(met.game)
    return MeetingShown(row.url, row.thumbnail, row.ruleset, row.played or row.received_at, _said(met, player))


def _said(met: Meeting, player: Player) -> str:
    return gettext("{name} {other}, you {own} of {seats}").format(
        name=player.name, other=PLACES[met.other], own=PLACES[met.own], seats=len(met.game.seatings.all())
    )
