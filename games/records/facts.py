"""The facts about a game, as its date and event: which of its records tells them, and what a later one corrected."""

from datetime import datetime

from engine.agn.dates import days_played
from engine.agn.facts import changed_facts
from engine.agn.lines import json_of_text
from engine.registry import find_ruleset
from games.models import Club, DayLedger, FactChange, Game, MoveLog
from games.records.reads.facts import telling


def tell(
    game: Game, log: MoveLog, *, by: int | None, at: datetime, club: Club | None = None, instead: bool = True
) -> FactChange:
    """Let the facts of a record of a game apply from now on, within the transaction under way.

    :param log: a legal record of the game, by the players as they are known.
    :param by: the account that corrects them.
    :param club: the club for which it does so as an organiser.
    :param instead: whether they correct what was told before; otherwise nobody is to learn that.
    :returns: what changed, if anything.
    """
    told = telling(game) if instead else None
    before, after = (json_of_text(one.text) for one in (told or log, log))
    seats = [seat.tag for seat in find_ruleset(after["tags"]).seats]
    changes = [change._asdict() for change in changed_facts(before["tags"], after["tags"], seats)]
    comments, days = before["comments"] != after["comments"], days_played(after["tags"], log.queued_at.date())
    Game.objects.filter(pk=game.pk).update(played_from=days and days.first, played_until=days and days.last)
    days_changed(game.pk)
    return FactChange.objects.create(game=game, log=log, by_id=by, club=club, at=at, changes=changes, comments=comments)


def days_changed(game: int) -> None:
    """Note that a game may have other days now, within the transaction under way."""
    DayLedger.objects.filter(ladder__acceptances__game=game).update(stale=True)
