"""Query parameters."""

import re
from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.request import Request

from engine.registry import RULESETS
from engine.scene import THEMES
from engine.story import MOST as MOST_OF_AN_EVENT
from engine.words import marked
from games.api.parameters import OLDER_NAMES, check_names
from games.models import By
from games.models.records import TerminationKind, VerdictKind
from games.platform.paging import MARK
from games.platform.parameters import ParameterError
from games.records.reads.conditions import RANGES, WINNERS, is_empty_range, without_its_event
from games.records.reads.sorting import NEWEST, SORTS
from games.search.reads.openings import MOST_WRITTEN

_WHOLE = re.compile("-?[0-9]+")
HIGHEST_PLY = 10**6
"""The highest number of a position or of actions that can be asked for; no game has so many."""
TOUCHED = (
    "Targets that somebody touched, of which the last one is not in the tree after the others: the position then has a "
    "`refusal`, which says why."
)
MOST_TOUCHED = 20
WHOLE = (
    "Whether the tree has what every card does that may come. If not, it is empty while `picker` asks for the card: "
    "ask again with the card as `drawn`."
)
INDEX_PROGRESS = (
    "How much of the index for searches is built, in percent, while it is rebuilt and games may be missing; "
    "null where all games are found."
)
KINDS = tuple(dict.fromkeys(kind.key for ruleset in RULESETS for kind in ruleset.shown.story.kinds))


def _event(about: str) -> serializers.ChoiceField:
    return serializers.ChoiceField(KINDS, required=False, help_text=about)


def _size_of(event: str) -> serializers.IntegerField:
    about = f"The least size of `{event}`: ants eaten, ants of a loop or joined trail, points of a tile."
    return serializers.IntegerField(required=False, min_value=0, max_value=MOST_OF_AN_EVENT, help_text=about)


def _times_of(event: str) -> serializers.IntegerField:
    about = f"How often `{event}` happened at least, of any size."
    return serializers.IntegerField(required=False, min_value=1, max_value=MOST_OF_AN_EVENT, help_text=about)


def _last_of(event: str) -> serializers.BooleanField:
    about = f"Only if `{event}` happened in the last round, or pair of turns."
    return serializers.BooleanField(required=False, default=False, help_text=about)


@extend_schema_field({"type": "string", "pattern": f"^{MARK}$", "maxLength": 40})
class MarkField(serializers.CharField):
    """Where a page of a list begins, as the answer before gave it; empty for the first page."""

    def __init__(self, *, help_text: str | None = None) -> None:
        super().__init__(required=False, default="", max_length=40, help_text=help_text)


class GameQuery(serializers.Serializer[Any]):
    """A filter for games."""

    player = serializers.CharField(
        required=False,
        max_length=64,
        help_text="Part of a player's name, with or without its accents and apostrophes, or `#` and a player's id.",
    )
    game = serializers.CharField(required=False, max_length=40, help_text="The value of the Game tag.")
    edition = serializers.CharField(required=False, max_length=40, help_text="The value of the Rules tag.")
    verdict = serializers.ChoiceField(VerdictKind.choices, required=False)
    since = serializers.DateField(
        required=False, help_text="Only games that may have been played on this day or later."
    )
    until = serializers.DateField(
        required=False, help_text="Only games that may have been played on this day or earlier."
    )
    club = serializers.SlugField(
        required=False, max_length=40, help_text="Only games accepted by the club with this address."
    )
    opponent = serializers.CharField(required=False, max_length=64, help_text="Another player, as `player`.")
    place = serializers.IntegerField(
        required=False, min_value=1, max_value=4, help_text="Only games in which `player` took this place."
    )
    shortest = serializers.IntegerField(
        required=False, min_value=0, max_value=HIGHEST_PLY, help_text="The fewest actions."
    )
    longest = serializers.IntegerField(
        required=False, min_value=0, max_value=HIGHEST_PLY, help_text="The most actions."
    )
    winner = serializers.ChoiceField(
        WINNERS,
        required=False,
        help_text="Only games that this player won alone, in turn order from 1; `draw`: several came first.",
    )
    termination = serializers.ChoiceField(
        TerminationKind.choices, required=False, help_text="Only games that ended in this way."
    )
    rated_from = serializers.FloatField(
        required=False, help_text="Only rated games in which every player had at least this rating before the game."
    )
    rated_to = serializers.FloatField(
        required=False, help_text="Only rated games in which every player had at most this rating before the game."
    )
    event = _event("Only games in which an event of this kind happened, as in their stories.")
    event_size = _size_of("event")
    event_times = _times_of("event")
    event_last = _last_of("event")
    event2 = _event("Only games in which this one happened, too, before or after.")
    event2_size = _size_of("event2")
    event2_times = _times_of("event2")
    event2_last = _last_of("event2")
    event3 = _event("Only games in which this one happened, too.")
    event3_size = _size_of("event3")
    event3_times = _times_of("event3")
    event3_last = _last_of("event3")
    comment = serializers.CharField(
        required=False,
        max_length=200,
        help_text='Only games with these words in comments of a public record; "…" keeps words together, - excludes.',
    )
    position = serializers.CharField(
        required=False,
        max_length=20,
        help_text="Only games that reached this position of a game, the 10,000 newest: its key, a colon and the ply.",
    )
    opening = serializers.CharField(
        required=False,
        max_length=MOST_WRITTEN,
        help_text="Only games that began with this opening, the 10,000 newest: the slug of a ruleset, a colon and the "
        "steps, as `/api/v1/openings/…` names them.",
    )
    before = MarkField()
    after = MarkField()

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Check that `place` comes with a player. :raises ValidationError: when no player is named."""
        if asked.get("place") and not asked.get("player"):
            raise ParameterError("place", marked("Name the player who took this place."))
        for name in without_its_event(asked):
            raise ParameterError(name, marked("Choose the event that this is about."))
        for lower, upper in RANGES:
            if is_empty_range(asked, lower, upper):
                raise ParameterError(upper, marked("This range ends before it begins."))
        return asked


class GameListQuery(GameQuery):
    """A filter for games, and in which sequence they come."""

    sort = serializers.ChoiceField(
        tuple(SORTS),
        required=False,
        default=NEWEST,
        help_text="The most first. By `lead_changes`, `closeness`, `rating` and `comments`, games without such a value "
        "are left out; `before` and `after` are marks of one sequence.",
    )


class OrderQuery(serializers.Serializer[Any]):
    """By which order of games ratings are wanted."""

    by = serializers.ChoiceField(
        By.choices,
        required=False,
        default=By.ACCEPTED,
        help_text="`accepted`: ratings as they are, by order of acceptance. `played`: computed by the same rules from "
        "the same games in the order of the days on which they were played; games without a date are left out.",
    )


class FromQuery(serializers.Serializer[Any]):
    """The start of a page."""

    start = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**9)


class NameQuery(serializers.Serializer[Any]):
    """A player's name to search for."""

    name = serializers.CharField(required=False, default="", max_length=64)


class MarkQuery(serializers.Serializer[Any]):
    """A page of a list."""

    before = MarkField()
    after = MarkField()


def size_field(sizes: range, *, default: int) -> serializers.IntegerField:
    """Return the field for the size of a picture or a film."""
    return serializers.IntegerField(
        required=False,
        default=default,
        min_value=sizes.start,
        max_value=sizes.stop - 1,
        help_text="The length of the longer side, in pixels.",
    )


def theme_field() -> serializers.ChoiceField:
    """Return the field for the colours of a picture or a film."""
    return serializers.ChoiceField(tuple(THEMES), required=False, default="light")


def asked(query: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the query parameters, validated. :raises ValidationError: when they are invalid."""
    _check_whole_numbers(query(), request.query_params)
    return _read(query, request.query_params)


def _check_whole_numbers(query: serializers.Serializer[Any], said: QueryDict) -> None:
    """Refuse other spellings of whole numbers than JSON's: the framework takes `14.0`, `1_4` and ` 14` for 14."""
    for name, field in query.fields.items():
        value = said.get(name)
        if value and isinstance(field, serializers.IntegerField) and not _WHOLE.fullmatch(value):
            raise serializers.ValidationError({name: [field.error_messages["invalid"]]})


def sent(body: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return a request's body, validated. `PUT` takes an object as it was read, with more names than can be changed.

    :raises ParameterError: when it has a name that its description has not: a lost option could publish something.
    :raises ValidationError: when it is invalid.
    """
    check_names(body(), request.data, more=request.method == "PUT")
    return _read(body, request.data)


def _read(shape: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:  # noqa: ANN401 (whatever was sent)
    said = shape(data=_by_new_names(shape, data))
    for field in said.fields.values():
        if isinstance(field, serializers.BooleanField) and field.required:
            field.default_empty_html = empty  # a form without it leaves it out; the framework would take it as false
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)


def _by_new_names(shape: type[serializers.Serializer[Any]], data: Any) -> Any:  # noqa: ANN401 (whatever was sent)
    """Return what was sent, with names of an earlier version replaced where the new one is not there as well."""
    if not isinstance(data, dict):
        return data
    fields = shape().fields
    renamed = data.copy()  # of its own kind: an address and a form are read by other rules than an object
    for old, new in OLDER_NAMES.items():
        if old in data and old not in fields and new in fields:
            renamed.setdefault(new, data[old])
    return renamed
