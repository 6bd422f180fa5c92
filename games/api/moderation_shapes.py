"""The shapes of what moderators read and decide."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.rating import shown
from engine.words import marked
from games.api.club_shapes import ClubShape
from games.api.consent import AcceptanceShape, DisputeShape
from games.api.serializers import PlayerShape
from games.clubs.reads.clubs import texts_version
from games.comments.markdown import as_html
from games.corrections.previews import RANKED, Preview, RatingChanged
from games.models import Acceptance, Act, Challenge, Club, GameComment, Player, TableAlarm
from games.moderation.versions import player_version
from games.platform.parameters import ParameterError

_VERSION = "Send it with a decision."


class QueueShape(serializers.Serializer[Any]):
    """How many cases of each kind wait for the account."""

    disputes = serializers.IntegerField()
    claims = serializers.IntegerField()
    seatings = serializers.IntegerField(help_text="Games for whose moves uploads name different players.")
    flags = serializers.IntegerField(help_text="Games that wait: `/api/v1/account/holds` lists them.")
    clubs = serializers.IntegerField(help_text="Clubs to review.")
    studies = serializers.IntegerField(help_text="Reported studies.")
    comments = serializers.IntegerField(help_text="Reported comments.")
    collections = serializers.IntegerField(help_text="Reported collections.")


class OpenReportShape(serializers.Serializer[Any]):
    """An open report."""

    by = serializers.CharField(source="by.username", help_text="The account that reported it.")
    reason = serializers.CharField()
    raised_at = serializers.DateTimeField()


class ReportedShape(serializers.Serializer[Any]):
    """Something that was reported."""

    version = serializers.CharField(source="read_version", help_text=_VERSION)
    page = serializers.SerializerMethodField(help_text="The page on which readers find it.")
    hidden_at = serializers.DateTimeField(allow_null=True, help_text="Since when it is hidden; null if it is not.")
    hidden_for = serializers.CharField(allow_blank=True, help_text="Why; empty if it is not.")
    reports = OpenReportShape(source="open_reports", many=True, help_text="The open reports, longest waiting first.")

    def get_page(self, found: Any) -> str:  # noqa: ANN401 (a study, a comment or a collection)
        """Return the address of the page."""
        address: str = self.context["request"].build_absolute_uri(found.get_absolute_url())
        return address


class ReportedCommentShape(ReportedShape):
    """A comment that was reported."""

    id = serializers.IntegerField(source="pk")
    author = serializers.CharField(source="author.username")
    game = serializers.CharField(source="game.key", help_text="The key of the game that it is about.")
    ply = serializers.IntegerField(allow_null=True)
    text = serializers.CharField(help_text="Markdown, as it was written.")
    html = serializers.SerializerMethodField(help_text="The same as safe HTML.")

    @extend_schema_field(serializers.CharField())
    def get_html(self, comment: GameComment) -> str:
        """Return the comment as HTML."""
        return as_html(comment.text)


class ReportedStudyShape(ReportedShape):
    """A study that was reported. `/api/v1/studies/{key}` returns its chapters."""

    key = serializers.CharField()
    author = serializers.CharField(source="owner.username")
    title = serializers.CharField()


class ReportedCollectionShape(ReportedShape):
    """A collection that was reported. `/api/v1/collections/{key}` returns its games."""

    key = serializers.CharField()
    author = serializers.CharField(source="account.username")
    name = serializers.CharField(allow_blank=True, help_text="Empty for the favourites.")


class RulingBody(serializers.Serializer[Any]):
    """The decision about something that was reported."""

    hide = serializers.BooleanField(help_text="True to hide it from everybody but its author, false to show it.")
    reason = serializers.CharField(max_length=1000, help_text="The author reads it if it is hidden.")
    version = serializers.CharField(
        max_length=64,
        help_text="`version` as you read it. 409 if it was changed since, except to hide it: that applies to any.",
    )


class OpenDisputeShape(DisputeShape):
    """A dispute of a game."""

    game = serializers.CharField(source="game.key", help_text="The key of the game.")


class ContestedGameShape(serializers.Serializer[Challenge]):
    """A game for whose moves uploads name different players; `/api/v1/games/{key}/seatings` returns them."""

    game = serializers.CharField(source="game.key", help_text="The key of the game.")
    by = serializers.CharField(source="raised_by.username", allow_null=True, default=None)
    raised_at = serializers.DateTimeField()
    holds = serializers.BooleanField(help_text="Whether the game is unrated until it is settled.")


class ClubToReviewShape(ClubShape):
    """A club that asks to be listed. Decide by `/api/v1/clubs/{club}/listing` or `…/unlisting`."""

    texts_version = serializers.SerializerMethodField(help_text=_VERSION)

    def get_texts_version(self, club: Club) -> str:
        """Return the version of its texts."""
        return texts_version(club)


class AlarmShape(serializers.Serializer[TableAlarm]):
    """Something wrong with a game that was played here, which should never be."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(TableAlarm.Kind.choices)
    message = serializers.CharField()
    table = serializers.CharField(source="table.key", help_text="The key of the table.")
    game = serializers.CharField(source="table.game.key", allow_null=True, default=None)
    raised_at = serializers.DateTimeField()


class ActShape(serializers.Serializer[Act]):
    """Something that was decided."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(Act.Kind.choices)
    by = serializers.CharField(
        source="by.username", allow_null=True, default=None, help_text="Null for the operator and deleted accounts."
    )
    at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    game = serializers.CharField(source="game.key", allow_null=True, default=None, help_text="The key of the game.")
    player = serializers.IntegerField(source="player_id", allow_null=True)
    params = serializers.DictField(help_text="Ids of what else it concerned.")


class ActPageShape(serializers.Serializer[Any]):
    """A page of what was decided, newest first."""

    acts = ActShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


class RatedShape(AcceptanceShape):
    """A ladder for which a game counts, or counted, with the id by which a decision names it."""

    id = serializers.IntegerField(source="pk")
    under_way = serializers.SerializerMethodField(help_text="Whether a decision about it is being carried out.")

    def get_under_way(self, acceptance: Acceptance) -> bool:
        """Return whether there is an order that is not done."""
        return any(one.order is None for one in acceptance.corrections.all())


class GameCaseShape(serializers.Serializer[Any]):
    """A game before a moderator."""

    game = serializers.CharField(help_text="Its key.")
    version = serializers.CharField(help_text=_VERSION)
    acceptances = RatedShape(many=True)
    disputes = DisputeShape(many=True, help_text="The 100 newest disputes.")
    acts = ActShape(many=True, help_text="The 100 newest decisions about it.")


class PlayerCaseShape(serializers.Serializer[Player]):
    """A player before a moderator."""

    player = PlayerShape(source="*")
    version = serializers.SerializerMethodField(help_text=_VERSION)
    account = serializers.CharField(source="account.username", allow_null=True, default=None)
    merged_into = PlayerShape(allow_null=True)
    acts = serializers.SerializerMethodField(help_text="The 100 newest decisions about them.")

    def get_version(self, player: Player) -> str:
        """Return the version."""
        return player_version(player)

    @extend_schema_field(ActShape(many=True))
    def get_acts(self, _: Player) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the decisions."""
        return ActShape(self.context["acts"], many=True).data


class MovedShape(serializers.Serializer[RatingChanged]):
    """A player whose rating would change."""

    ruleset = serializers.CharField(source="ladder.ruleset")
    club = serializers.CharField(source="ladder.club.slug", allow_null=True, default=None)
    player = PlayerShape()
    before = serializers.SerializerMethodField()
    after = serializers.SerializerMethodField()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)

    def get_before(self, moved: RatingChanged) -> int:
        """Return the rating as it is."""
        return shown(moved.before.value)

    def get_after(self, moved: RatingChanged) -> int:
        """Return the rating as it would be."""
        return shown(moved.after.value)


class PreviewShape(serializers.Serializer[Preview]):
    """What a decision would change."""

    games = serializers.IntegerField(help_text="Games that would be rated otherwise, of those looked at.")
    ratings = serializers.SerializerMethodField(help_text="How many ratings would change.")
    changes = serializers.SerializerMethodField(help_text=f"The {RANKED} largest changes.")
    whole = serializers.BooleanField(help_text="Whether there are no later games than those looked at.")

    def get_ratings(self, found: Preview) -> int:
        """Return how many ratings would change."""
        return len(found.changes)

    @extend_schema_field(MovedShape(many=True))
    def get_changes(self, found: Preview) -> Any:  # noqa: ANN401 (a list of plain values)
        """Return the largest changes."""
        changes: Any = found.changes[:RANKED]
        return MovedShape(changes, many=True, context=self.context).data


class CaseBody(serializers.Serializer[Any]):
    """A decision about a case."""

    reason = serializers.CharField(max_length=1000, help_text="The people affected can read it.")
    version = serializers.CharField(
        max_length=64, help_text="`version` of the game or player as you read it. 409 if something changed since."
    )


class DisputeBody(CaseBody):
    """The decision about a dispute."""

    uphold = serializers.BooleanField(help_text="True to annul the game where it counts, false to dismiss the dispute.")


class AcceptanceBody(CaseBody):
    """The ladder on which a game is annulled or restored."""

    acceptance = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="The id of the acceptance.")


class SeatingBody(CaseBody):
    """Who played a game: one of the seatings that uploads name, or other names."""

    seating = serializers.CharField(max_length=8, required=False, help_text="The key of a seating.")
    names = serializers.DictField(
        child=serializers.CharField(max_length=64),
        required=False,
        help_text="The names by seat letter, if no upload names these players.",
    )

    def validate(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Check that one of the two is given. :raises ValidationError: when it is not."""
        if bool(wanted.get("seating")) == bool(wanted.get("names")):
            raise ParameterError("seating", marked("Give either `seating` or `names`."))
        return wanted


class MergeBody(CaseBody):
    """The player who is kept."""

    into = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="The id of the player who is kept.")


class BotBody(CaseBody):
    """Whether a player is a bot."""

    is_bot = serializers.BooleanField()


class AcceptanceQuery(serializers.Serializer[Any]):
    """The ladder of which a preview is wanted."""

    acceptance = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="The id of the acceptance.")


class IntoQuery(serializers.Serializer[Any]):
    """The player into whom another would be merged."""

    into = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="The id of the player who is kept.")
