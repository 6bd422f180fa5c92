"""What the interface shows of ladders."""

from typing import Any

from rest_framework import serializers

from engine.rating import BETA, DECIMALS, MU, SIGMA, TAU
from games.api.serializers import StandingShape
from games.ladders.reads.ladders import PROVISIONAL_GAMES, PROVISIONAL_SIGMA, LeaderboardRow
from games.models import Correction, SnapshotRow

PARAMETERS = {
    "mu": MU,
    "sigma": SIGMA,
    "beta": BETA,
    "tau": TAU,
    "decimals": DECIMALS,
    "ties": "Those who share a place share alike what the place gives.",
    "provisional_games": PROVISIONAL_GAMES,
    "provisional_sigma": PROVISIONAL_SIGMA,
}


class ParametersShape(serializers.Serializer[Any]):
    """What ratings are computed with."""

    mu = serializers.FloatField(help_text="The mean with which everybody begins.")
    sigma = serializers.FloatField(help_text="The uncertainty with which everybody begins.")
    beta = serializers.FloatField(help_text="The spread of a performance.")
    tau = serializers.FloatField(help_text="The uncertainty added before each game.")
    decimals = serializers.IntegerField(help_text="To which both are rounded after each game.")
    ties = serializers.CharField(help_text="What becomes of shared places.")
    provisional_games = serializers.IntegerField(help_text="With fewer games a rating is provisional,")
    provisional_sigma = serializers.FloatField(help_text="or with a greater uncertainty.")


class MissingShape(serializers.Serializer[Any]):
    """What it takes for a rating to be provisional no longer."""

    games = serializers.IntegerField(help_text="So many more.")
    sigma = serializers.FloatField(allow_null=True, help_text="The uncertainty, where it is too great.")


class LeaderboardRowShape(StandingShape):
    """One line of a leaderboard."""

    provisional = MissingShape(allow_null=True)
    rank_then = serializers.SerializerMethodField(allow_null=True, help_text="On the day asked for by `since`.")
    rating_before = serializers.SerializerMethodField(allow_null=True, help_text="Where the period began.")
    gain = serializers.SerializerMethodField(allow_null=True, help_text="By how many points it rose in the period.")

    def get_rank_then(self, row: LeaderboardRow) -> int | None:
        """Return the rank on an earlier day."""
        then: int | None = self.context["ranks_then"].get(row.standing.player_id)
        return then

    def get_rating_before(self, row: LeaderboardRow) -> int | None:
        """Return the rating where the period began."""
        line = self._of_period(row)
        return line.begun if line else None

    def get_gain(self, row: LeaderboardRow) -> int | None:
        """Return by how many points the rating rose in the period."""
        line = self._of_period(row)
        return line.gain if line else None

    def _of_period(self, row: LeaderboardRow) -> SnapshotRow | None:
        line = row.standing
        return line if self.context["of_period"] and isinstance(line, SnapshotRow) else None


class BarShape(serializers.Serializer[Any]):
    """How many players have a rating of so many points."""

    first = serializers.IntegerField()
    last = serializers.IntegerField()
    players = serializers.IntegerField()


class CorrectionShape(serializers.Serializer[Correction]):
    """A decision that changed ratings which had been published before."""

    kind = serializers.ChoiceField(Correction.Kind.choices)
    done_at = serializers.DateTimeField()
    reason = serializers.CharField()
    changed = serializers.IntegerField(help_text="Entries that it added to the ledger.")
    number = serializers.IntegerField(source="acceptance.number", default=None, allow_null=True)
    game = serializers.CharField(source="acceptance.game.key", default=None, allow_null=True)
    played_on = serializers.DateField(source="acceptance.game.played_on", default=None, allow_null=True)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    into = serializers.IntegerField(source="into_id", allow_null=True)


class LeaderboardShape(serializers.Serializer[Any]):
    """A part of a leaderboard: now, as of a day, or of a period."""

    ruleset = serializers.CharField()
    title = serializers.CharField()
    league = serializers.CharField(allow_null=True)
    as_of = serializers.DateField(allow_null=True)
    period = serializers.CharField(allow_null=True)
    active = serializers.IntegerField(allow_null=True)
    since = serializers.DateField(allow_null=True)
    algorithm = serializers.CharField()
    parameters = ParametersShape()
    players = serializers.IntegerField(help_text="Of the whole board; with `active`, of the whole ladder.")
    games = serializers.IntegerField(help_text="That count.")
    digest = serializers.CharField(allow_null=True, help_text="Of the set of games; as of a day, or of a period.")
    corrections = CorrectionShape(many=True, help_text="The newest 20.")
    corrections_count = serializers.IntegerField()
    distribution = BarShape(many=True)
    first = serializers.IntegerField(help_text="The number of the first line.")
    rows = LeaderboardRowShape(many=True)
    previous = serializers.CharField(allow_null=True, help_text="Where the lines above are.")
    next = serializers.CharField(allow_null=True, help_text="Where the lines go on.")
    games_url = serializers.CharField(help_text="The games behind it, one a line.")
    table_url = serializers.CharField(help_text="The whole table (CSV).")


class LadderListShape(serializers.Serializer[Any]):
    """The ladders there are."""

    ruleset = serializers.CharField()
    title = serializers.CharField()
    players = serializers.IntegerField()
    url = serializers.CharField()


class RatedSeatShape(serializers.Serializer[Any]):
    """Who is rated for a seat, and what place he took."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField()


class RatedGameShape(serializers.Serializer[Any]):
    """A line of the export: a game that counts."""

    number = serializers.IntegerField()
    game_digest = serializers.CharField()
    key = serializers.CharField()
    accepted_at = serializers.DateTimeField()
    played_on = serializers.DateField(allow_null=True)
    seats = RatedSeatShape(many=True)
