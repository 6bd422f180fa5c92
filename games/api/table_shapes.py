"""The shapes of requests and answers about tables."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.reverse import reverse

from games.api.queries import HIGHEST_PLY, MOST_TOUCHED, TOUCHED
from games.models import Table
from games.playing import phrases


class TableSeatShape(serializers.Serializer[Any]):
    """A seat at a table."""

    letter = serializers.CharField(allow_null=True, help_text="Its colour; null until it follows from the deal.")
    name = serializers.CharField()
    bot = serializers.CharField(allow_null=True, help_text="Which bot plays here; null for people.")
    guest = serializers.BooleanField(help_text="Whether somebody without an account sits here.")
    you = serializers.BooleanField()
    entropy = serializers.CharField(allow_null=True, help_text="Published when the table is full.")
    clock = serializers.IntegerField(allow_null=True, help_text="Milliseconds left when its clock last stopped.")
    left_at = serializers.DateTimeField(allow_null=True)


class TableTimeShape(serializers.Serializer[Any]):
    """How time is measured."""

    kind = serializers.ChoiceField(Table.Time.choices)
    base = serializers.IntegerField(help_text="Seconds for a turn (days), or at the start (minutes).")
    step = serializers.IntegerField(help_text="Seconds that are added after each turn.")


class TableResultShape(serializers.Serializer[Any]):
    """How a game ended."""

    placements = serializers.ListField(child=serializers.IntegerField(), help_text="In turn order.")
    rule = serializers.CharField()
    termination = serializers.CharField()


class TableShape(serializers.Serializer[Any]):
    """A table as its viewer sees it."""

    key = serializers.CharField()
    url = serializers.URLField()
    page = serializers.URLField()
    ruleset = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(Table.State.choices)
    rated = serializers.BooleanField()
    hot_seat = serializers.BooleanField(help_text="Whether all play on one screen.")
    visibility = serializers.ChoiceField(Table.Visibility.choices)
    places = serializers.IntegerField()
    first = serializers.ChoiceField(Table.First.choices)
    time = TableTimeShape()
    commitment = serializers.CharField(help_text="Published before anybody joins.")
    secret = serializers.CharField(allow_null=True, help_text="Null until the game is over.")
    deck = serializers.CharField(allow_null=True)
    seats_line = serializers.CharField(allow_null=True, help_text="The Seats tag; null until the table is full.")
    setup = serializers.CharField(allow_null=True, help_text="The Setup tag, once it is known.")
    hand = serializers.CharField(allow_null=True, help_text="The cards with which the first player lays the setup.")
    seats = TableSeatShape(many=True, help_text="In the order of joining.")
    ply = serializers.IntegerField(help_text="The ply of the next action; -1 while the setup is to be laid.")
    turn = serializers.CharField(allow_null=True)
    your_turn = serializers.BooleanField()
    drawn = serializers.CharField(allow_null=True, help_text="The card that was turned up and is to be laid.")
    draw_offered = serializers.CharField(allow_null=True, help_text="The seat that offers a draw.")
    time_running_since = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    tokens = serializers.ListField(child=serializers.CharField())
    legal = serializers.ListField(child=serializers.CharField(), help_text="The legal actions, if it is your turn.")
    position = serializers.DictField(allow_null=True, help_text="The board and what can be touched next.")
    result = TableResultShape(allow_null=True)
    may = serializers.ListField(
        child=serializers.CharField(), help_text="What you can do now, as the last part of an address below this one."
    )
    event = serializers.IntegerField(help_text="The number of the newest event.")
    game = serializers.CharField(allow_null=True, help_text="The key of the game once its record was verified.")
    rematch = serializers.CharField(allow_null=True, help_text="The key of the rematch's table.")
    opened_at = serializers.DateTimeField()
    begun_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    guest_token = serializers.CharField(
        required=False, help_text="For a new guest: send it as Guest-Token from now on. It is shown only once."
    )


class TableRowShape(serializers.Serializer[Table]):
    """A table in a list."""

    key = serializers.CharField()
    url = serializers.SerializerMethodField()
    ruleset = serializers.CharField()
    state = serializers.ChoiceField(Table.State.choices)
    rated = serializers.BooleanField()
    places = serializers.IntegerField()
    names = serializers.SerializerMethodField(help_text="Who sits there, in the order of joining.")
    time = serializers.SerializerMethodField()
    turn = serializers.CharField()
    plies = serializers.IntegerField()

    def get_url(self, table: Table) -> str:
        """Return the table's address in this interface."""
        return reverse("api-table", [table.key], request=self.context["request"])

    def get_names(self, table: Table) -> list[str]:
        """Return who sits there."""
        return [seat.name for seat in table.seats.all()]

    def get_time(self, table: Table) -> dict[str, Any]:
        """Return how time is measured."""
        return {"kind": table.time_kind, "base": table.time_base, "step": table.time_step}


class TablesQuery(serializers.Serializer[Any]):
    """The kind of tables to list."""

    which = serializers.ChoiceField(["open", "playing", "mine"], required=False, default="open")


class KnownQuery(serializers.Serializer[Any]):
    """What the client already has."""

    known = serializers.CharField(
        required=False,
        default="",
        max_length=4000,
        allow_blank=True,
        help_text="Names of drawings, separated by commas.",
    )


class TableQuery(KnownQuery):
    """What the client already has, and what its reader touched."""

    touched = serializers.ListField(
        child=serializers.CharField(max_length=64), default=list, max_length=MOST_TOUCHED, help_text=TOUCHED
    )


@extend_schema_serializer(component_name="NewTable")
class TableBody(serializers.Serializer[Any]):
    """A table to open."""

    ruleset = serializers.CharField(max_length=40)
    places = serializers.IntegerField(required=False, default=2, min_value=2, max_value=4)
    first = serializers.ChoiceField(
        [one for one in Table.First.choices if one[0] != Table.First.TURNED],
        required=False,
        default="",
        allow_blank=True,
    )
    rated = serializers.BooleanField(required=False, default=False)
    hot_seat = serializers.BooleanField(required=False, default=False)
    time_kind = serializers.ChoiceField(Table.Time.choices, required=False, default=Table.Time.NONE)
    time_base = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**7, help_text="Seconds.")
    time_step = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**5, help_text="Seconds.")
    visibility = serializers.ChoiceField(Table.Visibility.choices, required=False, default=Table.Visibility.OPEN)
    invited = serializers.ListField(
        child=serializers.CharField(max_length=150), required=False, default=list, max_length=3, help_text="Accounts."
    )
    bots = serializers.ListField(
        child=serializers.SlugField(max_length=40), required=False, default=list, max_length=3,
        help_text="Built-in bots that play.",
    )  # fmt: skip


class JoinBody(serializers.Serializer[Any]):
    """What a player sends to take a seat."""

    entropy = serializers.CharField(
        max_length=64, trim_whitespace=False, help_text="1 to 64 characters from ! to ~: your part of the deal."
    )
    letter = serializers.CharField(required=False, default="", allow_blank=True, max_length=1, help_text="A colour.")
    born = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1900, max_value=2100,
        help_text="Year of birth, if the oldest player begins; deleted when the game begins.",
    )  # fmt: skip


class ActionBody(KnownQuery):
    """An action."""

    ply = serializers.IntegerField(min_value=-1, max_value=HIGHEST_PLY, help_text="The table's `ply` as you know it.")
    token = serializers.CharField(max_length=2000, help_text="As records write it; at ply -1 the Setup tag.")


class SeatBody(serializers.Serializer[Any]):
    """The seat that acts, when several players share one screen."""

    letter = serializers.CharField(required=False, default="", allow_blank=True, max_length=1)


class RematchBody(serializers.Serializer[Any]):
    """What a player adds to the deal of a rematch."""

    entropy = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=64, help_text="Drawn by the site if it is left out."
    )


class DrawBody(SeatBody):
    """A draw offer, or the answer to one."""

    accept = serializers.BooleanField(required=False, default=True, help_text="False declines an offer.")


class PhraseBody(serializers.Serializer[Any]):
    """A phrase to say."""

    phrase = serializers.ChoiceField(list(phrases.PHRASES))
