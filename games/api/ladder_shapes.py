"""The API's shapes of ladders."""

from typing import Any

from rest_framework import serializers

from engine.rating import BETA, DECIMALS, MU, SIGMA, TAU
from games.api.serializers import StandingShape
from games.ladders.reads.ladders import PROVISIONAL_GAMES, PROVISIONAL_SIGMA, LeaderboardRow
from games.models import By, Correction, SnapshotRow

PARAMETERS = {
    "mu": MU,
    "sigma": SIGMA,
    "beta": BETA,
    "tau": TAU,
    "decimals": DECIMALS,
    "ties": "Players who share a place split its gain equally.",
    "provisional_games": PROVISIONAL_GAMES,
    "provisional_sigma": PROVISIONAL_SIGMA,
}


class ParametersShape(serializers.Serializer[Any]):
    """The parameters that ratings are computed with."""

    mu = serializers.FloatField(help_text="The starting mean.")
    sigma = serializers.FloatField(help_text="The starting uncertainty.")
    beta = serializers.FloatField(help_text="The spread of a performance.")
    tau = serializers.FloatField(help_text="The uncertainty added before each game.")
    decimals = serializers.IntegerField(help_text="Decimals to which both are rounded after each game.")
    ties = serializers.CharField(help_text="How shared places are rated.")
    provisional_games = serializers.IntegerField(help_text="A rating with fewer games is provisional.")
    provisional_sigma = serializers.FloatField(help_text="A rating with a greater uncertainty is provisional.")


class MissingShape(serializers.Serializer[Any]):
    """What a provisional rating still needs."""

    games = serializers.IntegerField(help_text="Number of games still needed.")
    sigma = serializers.FloatField(allow_null=True, help_text="The uncertainty, if it is too great; else null.")


class LeaderboardRowShape(StandingShape):
    """One line of a leaderboard."""

    provisional = MissingShape(allow_null=True)
    rank_then = serializers.SerializerMethodField(
        allow_null=True, help_text="The rank at the end of the day given by `since`."
    )
    rating_before = serializers.SerializerMethodField(
        allow_null=True, help_text="The rating at the start of the period."
    )
    gain = serializers.SerializerMethodField(allow_null=True, help_text="Points gained in the period.")

    def get_rank_then(self, row: LeaderboardRow) -> int | None:
        """Return the rank on an earlier day."""
        then: int | None = self.context["ranks_then"].get(row.standing.player_id)
        return then

    def get_rating_before(self, row: LeaderboardRow) -> int | None:
        """Return the rating at the beginning of the period."""
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
    """The number of players in a range of ratings."""

    first = serializers.IntegerField()
    last = serializers.IntegerField()
    players = serializers.IntegerField()


class CorrectionShape(serializers.Serializer[Correction]):
    """A decision that changed earlier ratings."""

    kind = serializers.ChoiceField(Correction.Kind.choices)
    done_at = serializers.DateTimeField()
    reason = serializers.CharField()
    changed = serializers.IntegerField(help_text="Number of entries that it added to the ledger.")
    number = serializers.IntegerField(source="acceptance.number", default=None, allow_null=True)
    game = serializers.CharField(source="acceptance.game.key", default=None, allow_null=True)
    played_on = serializers.DateField(source="acceptance.game.played_on", default=None, allow_null=True)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    into = serializers.IntegerField(source="into_id", allow_null=True)


class LeaderboardShape(serializers.Serializer[Any]):
    """A part of a leaderboard: now, as of a day, or of a period."""

    ruleset = serializers.CharField()
    title = serializers.CharField()
    club = serializers.CharField(allow_null=True)
    as_of = serializers.DateField(allow_null=True)
    period = serializers.CharField(allow_null=True)
    active = serializers.IntegerField(allow_null=True)
    since = serializers.DateField(allow_null=True)
    by = serializers.ChoiceField(By.choices)
    undated = serializers.IntegerField(
        allow_null=True,
        help_text="By day played: rated games that are left out, as their dates are not known; else null.",
    )
    algorithm = serializers.CharField()
    parameters = ParametersShape()
    players = serializers.IntegerField(
        help_text="Number of players on the leaderboard; with `active`, on the whole ladder."
    )
    games = serializers.IntegerField(help_text="Games that count.")
    digest = serializers.CharField(
        allow_null=True, help_text="Digest of the set of games, with `as_of` or `period`; else null."
    )
    corrections = CorrectionShape(many=True, help_text="The 20 newest corrections.")
    corrections_count = serializers.IntegerField()
    distribution = BarShape(many=True)
    first = serializers.IntegerField(help_text="The number of the first row, from 1.")
    rows = LeaderboardRowShape(many=True)
    previous = serializers.CharField(allow_null=True, help_text="The address of the rows above.")
    next = serializers.CharField(allow_null=True, help_text="The address of the rows below.")
    games_url = serializers.CharField(help_text="The address of the games behind it, one a line.")
    table_url = serializers.CharField(help_text="The address of the whole table (CSV).")


class LadderListShape(serializers.Serializer[Any]):
    """A ladder."""

    ruleset = serializers.CharField()
    title = serializers.CharField()
    players = serializers.IntegerField()
    url = serializers.CharField()


class RatedSeatShape(serializers.Serializer[Any]):
    """The player rated for a seat, and the place reached."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField()


class RatedGameShape(serializers.Serializer[Any]):
    """A line of the export: one game that counts."""

    number = serializers.IntegerField()
    game_digest = serializers.CharField()
    key = serializers.CharField()
    accepted_at = serializers.DateTimeField()
    played_on = serializers.DateField(allow_null=True, help_text="Null where a part of the date is unknown.")
    played_from = serializers.DateField(allow_null=True, help_text="The first possible day.")
    played_until = serializers.DateField(allow_null=True, help_text="The last possible day.")
    day = serializers.DateField(required=False, help_text="Only by day played: the day by which it is rated.")
    seats = RatedSeatShape(many=True)
