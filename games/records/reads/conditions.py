"""Conditions that a filter of games can ask for, each as a part of one query; an empty one asks for nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Exists, F, FloatField, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from engine.registry import RULESETS
from engine.story import codes_of_count, codes_of_size
from games.models import CommentWords, GameEvents, RatingEvent
from games.models.folding import has_comment_words
from games.records.reads.comment_words import searched
from games.records.reads.visibility import Viewer, uploads_for

DRAW: Final = "draw"
SEATS: Final = 4
WINNERS: Final = (*map(str, range(1, SEATS + 1)), DRAW)
"""What can be asked for: the winner's place in turn order, or that several share the first place."""
RANGES: Final = (("since", "until"), ("shortest", "longest"), ("rated_from", "rated_to"))
"""The names of what can be asked for at least, and at most."""
_EVENTS: Final = ("event", "event2", "event3")
"""The names of the events that can be asked for together."""
EVENT_FIELDS: Final = tuple((event, f"{event}_size", f"{event}_times", f"{event}_last") for event in _EVENTS)
"""The names of what can be asked of each of these events: of which kind it is, and the rest of `EventWanted`."""
_DEVIATIONS: Final = 3
_SEVERAL: Final = 2


class EventWanted(NamedTuple):
    """An event that games are found by."""

    kind: str
    size: int | None = None
    """The least size: ants eaten, ants of a loop, points of a tile."""
    times: int | None = None
    """How often events of this kind happened at least."""
    last_round: bool = False
    """Whether one of that size happened in the last round, or pair of turns."""


def is_empty_range(asked: Mapping[str, Any], lower: str, upper: str) -> bool:
    """Return whether a filter asks for no more than something and for more at the same time."""
    least, most = asked.get(lower), asked.get(upper)
    return least is not None and most is not None and bool(most < least)


def won_by(winner: str) -> Q:
    """Return the condition that one seat alone came first, or that several did."""
    if not winner:
        return Q()
    if winner == DRAW:
        return Q(result__regex="1.*1")
    return Q(result__regex=f"^([2-4]-){{{int(winner) - 1}}}1(-[2-4])*$")


def rated(lowest: float | None, highest: float | None) -> Q:
    """Return the condition that the game was rated, and each player's rating before it was within limits.

    Ratings are those of the site's own ladders.
    """
    if lowest is None and highest is None:
        return Q()
    ratings = _ratings_before()
    found = Q(Exists(ratings))
    if lowest is not None:
        found &= ~Q(Exists(ratings.filter(before__lt=lowest)))
    if highest is not None:
        found &= ~Q(Exists(ratings.filter(before__gt=highest)))
    return found


def events_wanted(asked: Mapping[str, Any]) -> tuple[EventWanted, ...]:
    """Return the events that somebody asks for."""
    values = (map(asked.get, names) for names in EVENT_FIELDS if asked.get(names[0]))
    return tuple(EventWanted(str(kind), size, times, bool(last)) for kind, size, times, last in values)


def without_its_event(asked: Mapping[str, Any]) -> list[str]:
    """Return the names of what is asked of events that are not asked for themselves."""
    return [name for event, *others in EVENT_FIELDS if not asked.get(event) for name in others if asked.get(name)]


def with_events(events: Sequence[EventWanted]) -> Q:
    """Return the condition that all these events happened, in any order."""
    if not events:
        return Q()
    found = GameEvents.objects.all()
    for event in events:
        codes = codes_of_size(event.kind, event.size or 0, last_round=event.last_round)
        found = found.filter(codes__overlap=codes)
        if event.times:
            found = found.filter(codes__overlap=codes_of_count(event.kind, event.times))
    return Q(pk__in=found.values("game"))


def of_one_game(events: Sequence[EventWanted]) -> Q:
    """Return the condition that all these events are of the game that was played.

    The database takes events for independent of one another: it would look at one game after another, the newest
    first, for two that each happened often, though never together.
    """
    kinds = {event.kind for event in events}
    if len(kinds) < _SEVERAL:
        return Q()
    return Q(ruleset__in=[one.slug for one in RULESETS if kinds <= {kind.key for kind in one.shown.story.kinds}])


def with_comments(text: str, viewer: Viewer) -> Q:
    """Return the condition that the comments of a record that the viewer may see contain some words.

    Words in quotation marks stand together; one after a minus sign must not occur. Case and accents do not matter.
    """
    if not text:
        return Q()
    wanted = has_comment_words("words", searched(text))
    found = CommentWords.objects.filter(uploads_for(viewer, "log__upload__"), wanted)
    return Q(pk__in=found.values("log__game"))


def _ratings_before() -> "QuerySet[Any]":
    """Return the ratings before a game; of several for one seat the newest applies."""
    newer = RatingEvent.objects.filter(number=OuterRef("number"), seat=OuterRef("seat"), pk__gt=OuterRef("pk"))
    rated = RatingEvent.objects.filter(~Exists(newer), game=OuterRef("pk"), ladder__club=None)
    return rated.annotate(before=Cast(F("mu_before") - _DEVIATIONS * F("sigma_before"), FloatField()))


__all__ = [
    "DRAW", "EVENT_FIELDS", "RANGES", "SEATS", "WINNERS", "EventWanted", "events_wanted", "is_empty_range",
    "of_one_game", "rated", "with_comments", "with_events", "without_its_event", "won_by",
]  # fmt: skip
