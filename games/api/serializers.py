"""The API's shapes of uploads, games and players."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from engine.agn.names import name_key
from engine.rating import shown
from games.ladders.reads.ladders import LeaderboardRow
from games.models import Archive, Game, MoveLog, Player, RatingEvent, Upload, Verdict
from games.records.reads.games import names_in_record
from games.uploads.reads.progress import Progress, archive_of, stage_of


class Labelled(serializers.Serializer[Any]):
    """Something with a name in the reader's language."""

    label = serializers.CharField()  # type: ignore[assignment] # a key of the answer, not the serializer's own label


class ErrorBody(serializers.Serializer[Any]):
    """An error."""

    code = serializers.CharField(help_text="A code for programs.")
    message = serializers.CharField(help_text="A sentence for people, in the language of the Accept-Language header.")
    template = serializers.CharField(
        allow_null=True, help_text="The sentence in English, with placeholders; null for messages of the framework."
    )
    params = serializers.DictField(
        help_text="The values of the placeholders; translatable ones are objects with `template` and `params`."
    )
    place = serializers.DictField(allow_null=True, help_text="Where the fault is in the request.")


class ErrorShape(serializers.Serializer[Any]):
    """Every error has this shape."""

    error = ErrorBody()


class VerdictShape(serializers.ModelSerializer[Verdict]):
    """One engine version's verdict on a log."""

    message = serializers.CharField(
        source="sentence", help_text="What is wrong, as a sentence in the language of the Accept-Language header."
    )
    template = serializers.CharField(help_text="The sentence in English, with placeholders.")
    params = serializers.DictField(
        help_text="The values of the placeholders; translatable ones are objects with `template` and `params`."
    )

    class Meta:
        """As in the command line's output, and what the message is made of."""

        model = Verdict
        fields = ["verdict", "rule", "line", "column", "ply", "token", "message", "template", "params",
                  "legal", "plies",                  "engine_version", "judged_at"]  # fmt: skip


class ResultShape(serializers.Serializer[MoveLog]):
    """The result of one record of an upload."""

    game = serializers.IntegerField(source="number", help_text="The record's number in the file.")
    line = serializers.IntegerField(help_text="The line of the file in which it begins.")
    state = serializers.ChoiceField(MoveLog.State.choices)
    failure = serializers.CharField(help_text="Why verification failed; empty if it did not.")
    digest = serializers.CharField(source="game_digest")
    record_digest = serializers.CharField()
    verdict = serializers.SerializerMethodField(allow_null=True)
    log = serializers.SerializerMethodField(help_text="The record as it was sent.")
    url = serializers.SerializerMethodField(
        allow_null=True, help_text="The address of the game; null until there is a verdict."
    )
    page = serializers.SerializerMethodField(allow_null=True)

    @extend_schema_field(VerdictShape(allow_null=True))
    def get_verdict(self, log: MoveLog) -> Mapping[str, Any] | None:
        """Return the newest verdict."""
        newest = next(iter(log.verdicts.all()), None)
        return VerdictShape(newest).data if newest else None

    def get_log(self, log: MoveLog) -> str:
        """Return the address of the record."""
        return reverse("api-upload-log", [log.upload_id, log.number], request=self.context["request"])

    def get_url(self, log: MoveLog) -> str | None:
        """Return the game's address in this interface."""
        return reverse("api-game", [log.game.key], request=self.context["request"]) if log.game else None

    def get_page(self, log: MoveLog) -> str | None:
        """Return the game's page."""
        return _absolute(self.context["request"], log.game.get_absolute_url()) if log.game else None


class ProgressShape(serializers.Serializer[Progress]):
    """Counts of records by state."""

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    waiting = serializers.IntegerField()
    verified = serializers.IntegerField()
    unfinished = serializers.IntegerField()
    rejected = serializers.IntegerField()
    corrected = serializers.IntegerField(help_text="How many of the rejected records are corrected.")
    quarantined = serializers.IntegerField()
    cancelled = serializers.IntegerField()
    removed = serializers.IntegerField(
        help_text="How many rejected records their uploader removed; the total is without them."
    )


class FileShape(serializers.Serializer[Archive]):
    """The file of an upload that is split by a worker."""

    length = serializers.IntegerField(help_text="Size of the file in bytes.")
    received = serializers.IntegerField(help_text="Bytes received so far.")
    read = serializers.IntegerField(help_text="Bytes that have been split into records.")


class RefusalShape(serializers.Serializer[Archive]):
    """Why the rest of a file was refused."""

    code = serializers.CharField(help_text="A code for programs.")
    message = serializers.CharField(source="sentence", help_text="A sentence for people.")
    template = serializers.CharField(help_text="The sentence in English, with placeholders.")
    params = serializers.DictField()


UPLOAD_STATES = [*Upload.State.values, "done"]
"""The progress of an upload, as it is sent."""


class UploadShape(serializers.Serializer[Upload]):
    """An upload and the results of its records."""

    id = serializers.UUIDField()
    filename = serializers.CharField()
    received_at = serializers.DateTimeField()
    dry_run = serializers.BooleanField(
        help_text="Whether it is only checked: nothing is published, and it is deleted 24 hours after the last verdict."
    )
    state = serializers.SerializerMethodField()
    paused = serializers.BooleanField()
    file = serializers.SerializerMethodField(help_text="The file, if a worker splits it; else null.")
    refusal = serializers.SerializerMethodField(help_text="Why the rest of the file was refused; null if it was not.")
    duplicate_of = serializers.SerializerMethodField(
        help_text="An earlier upload of the same file, whose results are used; else null."
    )
    url = serializers.SerializerMethodField(help_text="The address of the results.")
    page = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(UPLOAD_STATES))
    def get_state(self, upload: Upload) -> str:
        """Return the upload's state."""
        return stage_of(upload)

    @extend_schema_field(FileShape(allow_null=True))
    def get_file(self, upload: Upload) -> Mapping[str, Any] | None:
        """Return the file."""
        archive = archive_of(upload)
        return FileShape(archive).data if archive else None

    @extend_schema_field(RefusalShape(allow_null=True))
    def get_refusal(self, upload: Upload) -> Mapping[str, Any] | None:
        """Return why the rest of the file was refused."""
        archive = archive_of(upload)
        return RefusalShape(archive).data if archive and archive.code else None

    def get_duplicate_of(self, upload: Upload) -> str | None:
        """Return its address in this interface."""
        return repeated(upload, self.context["request"])

    def get_url(self, upload: Upload) -> str:
        """Return the upload's address in this interface."""
        return reverse("api-upload", [upload.pk], request=self.context["request"])

    def get_page(self, upload: Upload) -> str:
        """Return the upload's page."""
        return _absolute(self.context["request"], upload.get_absolute_url())


def repeated(upload: Upload, request: Request) -> str | None:
    """Return the address of the earlier upload of the same file, if there is one."""
    return reverse("api-upload", [upload.repeats_id], request=request) if upload.repeats_id else None


class AcceptedShape(UploadShape):
    """An upload that was accepted just now."""

    games = serializers.IntegerField(
        allow_null=True, help_text="Number of records in it; null for a file that a worker splits."
    )
    duplicate = serializers.BooleanField(help_text="Whether you uploaded the same file before.")


class OwnUploadShape(UploadShape):
    """An upload in the list of an account's own."""

    games = serializers.IntegerField(help_text="Number of records in it so far.")
    private = serializers.BooleanField()
    scored = serializers.BooleanField(help_text="False for training games.")


class OwnUploadPageShape(serializers.Serializer[Any]):
    """A page of an account's uploads."""

    uploads = OwnUploadShape(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next ones; null at the end.")


class PlayerShape(serializers.ModelSerializer[Player]):
    """A name used in the logs of one source."""

    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()

    class Meta:
        """Whether an account has claimed it; not shown yet."""

        model = Player
        fields = ["id", "name", "source", "is_bot", "url", "page"]

    def get_url(self, player: Player) -> str:
        """Return the player's address in this interface."""
        return reverse("api-player", [player.pk], request=self.context["request"])

    def get_page(self, player: Player) -> str:
        """Return the player's page."""
        return _absolute(self.context["request"], player.get_absolute_url())


class SeatShape(serializers.Serializer[Any]):
    """A seat and its player. For a rejected record only the names are known."""

    letter = serializers.CharField()
    name = serializers.CharField()
    player = serializers.CharField(allow_null=True, help_text="The player's address.")
    place = serializers.IntegerField(allow_null=True)


class GameShape(serializers.ModelSerializer[Game]):
    """A game that was played, or a rejected record."""

    played_on = serializers.DateField(allow_null=True, help_text="Null where a part of the date is unknown.")
    seats = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()

    class Meta:
        """`ended` is the rule that ended the game, `termination` how: played, resigned, timed_out or agreed."""

        model = Game
        fields = ["key", "ruleset", "verdict", "digest", "plies", "result", "ended", "termination",
                  "likeness", "played_on", "played_from", "played_until", "received_at", "scored", "seats", "url",
                  "page"]  # fmt: skip

    @extend_schema_field(SeatShape(many=True))
    def get_seats(self, game: Game) -> list[dict[str, Any]]:
        """Return the seats in turn order."""
        seatings = list(game.seatings.all())
        return [
            {
                "letter": seating.letter,
                "name": name_key(seating.player.name),
                "player": reverse("api-player", [seating.player.pk], request=self.context["request"]),
                "place": seating.place,
            }
            for seating in seatings
        ] or _named(game)

    def get_url(self, game: Game) -> str:
        """Return the game's address in this interface."""
        return reverse("api-game", [game.key], request=self.context["request"])

    def get_page(self, game: Game) -> str:
        """Return the game's page."""
        return _absolute(self.context["request"], game.get_absolute_url())


def _named(game: Game) -> list[dict[str, Any]]:
    names = names_in_record(game).items()
    return [{"letter": letter, "name": name, "player": None, "place": None} for letter, name in names]


class GameDetailShape(GameShape):
    """A game with the newest verdict on its first log, and where to find its parts."""

    verdicts = VerdictShape(
        many=True, source="verdict_history", help_text="The verdicts on its first log, newest first."
    )
    parts = serializers.DictField(child=serializers.CharField())

    class Meta(GameShape.Meta):
        """A game's fields and more."""

        fields = [*GameShape.Meta.fields, "verdicts", "parts"]


class GamePageShape(serializers.Serializer[Any]):
    """A page of games, newest first."""

    games = GameShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class StateShape(serializers.Serializer[Any]):
    """The position after a ply, as the record format describes it."""

    ply = serializers.IntegerField()
    token = serializers.CharField(allow_null=True)
    state = serializers.DictField()


class StatePageShape(serializers.Serializer[Any]):
    """Some states of a replay."""

    states = StateShape(many=True)
    next = serializers.CharField(allow_null=True)


class FramePageShape(serializers.Serializer[Any]):
    """Some frames of a replay's pictures: of each ply the pieces that are new or changed and those gone."""

    frames = serializers.ListField(child=serializers.DictField())
    next = serializers.CharField(allow_null=True)


class StandingShape(serializers.Serializer[LeaderboardRow]):
    """One row of a ladder."""

    rank = serializers.IntegerField()
    player = PlayerShape(source="standing.player")
    rating = serializers.IntegerField(help_text="max(0, floor(mu - 3 sigma))")
    value = serializers.FloatField(source="standing.value", help_text="The unrounded rating: mu - 3 sigma.")
    mu = serializers.FloatField(source="standing.mu")
    sigma = serializers.FloatField(source="standing.sigma")
    games = serializers.IntegerField(source="standing.games")
    wins = serializers.IntegerField(source="standing.wins")
    draws = serializers.IntegerField(source="standing.draws")
    losses = serializers.IntegerField(source="standing.losses")
    places = serializers.SerializerMethodField()
    share = serializers.FloatField(help_text="The mean share of rivals beaten, from 0 to 1.")

    def get_places(self, row: LeaderboardRow) -> list[int]:
        """Return how often the player came first, second, third and fourth."""
        standing = row.standing
        return [standing.first, standing.second, standing.third, standing.fourth]


class RatingEventShape(serializers.Serializer[Any]):
    """The effect of one game on a rating."""

    number = serializers.IntegerField(help_text="The game's number in the sequence.")
    at = serializers.DateTimeField()
    game = serializers.CharField(source="game.key")
    place = serializers.IntegerField()
    mu = serializers.FloatField()
    sigma = serializers.FloatField()
    rating = serializers.SerializerMethodField()
    change = serializers.SerializerMethodField()

    def get_rating(self, event: RatingEvent) -> int:
        """Return the rating in whole points."""
        return shown(event.value)

    def get_change(self, event: RatingEvent) -> float:
        """Return by how much the rating rose, in points."""
        return event.value - event.value_before


class HistoryShape(serializers.Serializer[Any]):
    """A rating in one ruleset, game by game."""

    ruleset = serializers.CharField()
    events = RatingEventShape(many=True)


class PlayerDetailShape(PlayerShape):
    """A player with standings and ratings."""

    name = serializers.CharField(
        source="spelled", help_text="Of a player merged into the same name in another form: that form."
    )
    standings = StandingShape(many=True, source="rows")
    histories = HistoryShape(many=True)

    class Meta(PlayerShape.Meta):
        """A player's fields and more."""

        fields = [*PlayerShape.Meta.fields, "standings", "histories"]


def _absolute(request: Request, path: str) -> str:
    return request.build_absolute_uri(path)
