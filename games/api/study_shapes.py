"""The shapes of requests and answers about studies."""

from typing import Any

from rest_framework import serializers
from rest_framework.reverse import reverse

from engine.agn.canonical import format_tags
from engine.studying import COLOURS, MOST_COMMENT, MOST_NODES, MOST_TITLE, tree_json
from games.api.queries import HIGHEST_PLY
from games.models import Study, StudyChapter
from games.studies.reads.studies import chapters_of, names_of, origin_of, tree_of
from games.studies.writing import MOST_CHAPTERS

_VISIBILITY = (
    "`public`: listed for everybody; `unlisted`: for everybody who knows the address; `private`: for its author."
)


class StudyShape(serializers.Serializer[Study]):
    """A study: chapters with variations and comments."""

    key = serializers.CharField()
    title = serializers.CharField()
    visibility = serializers.ChoiceField(Study.Visibility.choices, help_text=_VISIBILITY)
    author = serializers.CharField(source="owner.username", help_text="The account that wrote it.")
    version = serializers.IntegerField(help_text="Send it with a change of the title or of who reads it.")
    made_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()

    def get_url(self, study: Study) -> str:
        """Return the study's address in this interface."""
        return reverse("api-study", [study.key], request=self.context["request"])

    def get_page(self, study: Study) -> str:
        """Return the study's page."""
        address: str = self.context["request"].build_absolute_uri(study.get_absolute_url())
        return address


class ChapterShape(serializers.Serializer[StudyChapter]):
    """A chapter in the list of a study."""

    number = serializers.IntegerField(help_text="It never changes; the order of the list may.")
    title = serializers.CharField(allow_blank=True)
    ruleset = serializers.CharField()
    game = serializers.CharField(
        source="game.key", default=None, allow_null=True, help_text="The key of the game that it is about."
    )
    version = serializers.IntegerField(help_text="Send it with a change of the chapter.")
    changed_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, chapter: StudyChapter) -> str:
        """Return the chapter's address in this interface."""
        return reverse("api-study-chapter", [chapter.study.key, chapter.number], request=self.context["request"])


class StudyDetailShape(StudyShape):
    """A study with the list of its chapters."""

    forked_from = serializers.SerializerMethodField(
        help_text="The address of the study that it was copied from; null if there is none that you may read."
    )
    hidden_for = serializers.CharField(allow_blank=True, help_text="Why a moderator hides it; empty if none does.")
    chapters = serializers.SerializerMethodField(help_text="In order; without those about games that you may not see.")

    def get_forked_from(self, study: Study) -> str | None:
        """Return the address of the origin."""
        request = self.context["request"]
        origin = origin_of(study, request.user)
        return reverse("api-study", [origin.key], request=request) if origin else None

    def get_chapters(self, study: Study) -> list[dict[str, Any]]:
        """Return the chapters, without what they hold."""
        found: Any = chapters_of(study, self.context["request"].user).select_related("study", "game").defer("tree")
        return list(ChapterShape(found, many=True, context=self.context).data)


class MarkShape(serializers.Serializer[Any]):
    """A mark on a cell, or an arrow."""

    cell = serializers.CharField(max_length=16, help_text="A cell’s name: `c4`, in Atta Ants `0,2`.")
    to = serializers.CharField(max_length=16, required=False, allow_blank=True, help_text="Where an arrow ends.")
    colour = serializers.ChoiceField(COLOURS, required=False)


class NodeShape(serializers.Serializer[Any]):
    """An action."""

    token = serializers.CharField(max_length=64)
    parent = serializers.IntegerField(  # type: ignore[assignment] # a field of a field, which declares none
        help_text="The place in this list of the action before it, -1 for none. Of several actions with one parent the "
        "first is the main line, and the others are variations."
    )
    comment = serializers.CharField(required=False, allow_blank=True, max_length=MOST_COMMENT)
    marks = MarkShape(many=True, required=False)


class TreeShape(serializers.Serializer[Any]):
    """What a chapter holds. The engine checks every variation."""

    comment = serializers.CharField(
        required=False, allow_blank=True, max_length=MOST_COMMENT, help_text="About the position with which it begins."
    )
    marks = MarkShape(many=True, required=False)
    nodes = NodeShape(  # type: ignore[call-arg] # of the list
        many=True, required=False, max_length=MOST_NODES, help_text=f"At most {MOST_NODES}."
    )


class ChapterDetailShape(ChapterShape, TreeShape):
    """A chapter with all that it holds."""

    tags = serializers.DictField(child=serializers.CharField(), help_text="How its game begins.")
    names = serializers.DictField(child=serializers.CharField(), help_text="The players of its game, by seat letter.")
    head = serializers.CharField(help_text="The tags as text, as `/api/v1/positions` reads them.")

    def to_representation(self, chapter: Any) -> dict[str, Any]:  # noqa: ANN401 (the framework's own)
        """Return the chapter."""
        held = tree_of(chapter)
        return {
            **ChapterShape(chapter, context=self.context).data,
            **tree_json(held),
            "names": names_of(chapter),
            "head": format_tags(dict(held.tags)),
        }


class BranchBody(serializers.Serializer[Any]):
    """Other actions from a ply of a game on."""

    ply = serializers.IntegerField(min_value=0, max_value=HIGHEST_PLY)
    play = serializers.ListField(child=serializers.CharField(max_length=64), max_length=500)
    comments = serializers.DictField(
        child=serializers.CharField(max_length=MOST_COMMENT), default=dict, help_text="By place in `play`, from 0."
    )


class NewChapterBody(TreeShape):
    """A chapter: a game with branches, or `tags` that say how a game begins, with `nodes`."""

    title = serializers.CharField(default="", allow_blank=True, max_length=MOST_TITLE)
    game = serializers.CharField(required=False, max_length=8, help_text="The key of a game that you see.")
    branches = BranchBody(  # type: ignore[call-arg] # of the list
        many=True, required=False, max_length=100, help_text="Variations of the game. At most 100."
    )
    tags = serializers.DictField(
        child=serializers.CharField(max_length=2000),
        required=False,
        help_text="`Game`, `Rules`, `Seats`, `Setup` and, where the game has one, `Deck`.",
    )


class NewStudyBody(serializers.Serializer[Any]):
    """A study with its first chapters."""

    title = serializers.CharField(max_length=MOST_TITLE)
    visibility = serializers.ChoiceField(
        Study.Visibility.choices, default=Study.Visibility.PRIVATE, help_text=_VISIBILITY
    )
    chapters = NewChapterBody(  # type: ignore[call-arg] # of the list
        many=True, min_length=1, max_length=MOST_CHAPTERS, help_text=f"From 1 to {MOST_CHAPTERS}."
    )


class StudyBody(serializers.Serializer[Any]):
    """A study's title and who reads it."""

    title = serializers.CharField(max_length=MOST_TITLE)
    visibility = serializers.ChoiceField(Study.Visibility.choices, help_text=_VISIBILITY)
    version = serializers.IntegerField(help_text="The version that is changed.")


class ChapterBody(TreeShape):
    """A chapter's title and all that it holds."""

    title = serializers.CharField(allow_blank=True, max_length=MOST_TITLE)
    version = serializers.IntegerField(help_text="The version that is changed.")
    nodes = NodeShape(  # type: ignore[call-arg] # of the list
        many=True, max_length=MOST_NODES, help_text=f"At most {MOST_NODES}; an empty list deletes all actions."
    )


class MoveBody(serializers.Serializer[Any]):
    """Where a chapter is moved."""

    way = serializers.ChoiceField((("up", "up"), ("down", "down")))


class StudyFollowingShape(serializers.Serializer[Any]):
    """Whether the account follows a study."""

    following = serializers.BooleanField()


class ReportBody(serializers.Serializer[Any]):
    """Why moderators should look at something."""

    reason = serializers.CharField(max_length=1000)


class StudiesQuery(serializers.Serializer[Any]):
    """A filter for public studies."""

    title = serializers.CharField(required=False, max_length=100, help_text="Part of a title.")
    game = serializers.CharField(required=False, max_length=40, help_text="A game’s name, or a ruleset.")
    author = serializers.CharField(required=False, max_length=64, help_text="Part of an account’s name.")
    start = serializers.IntegerField(required=False, default=0, min_value=0, max_value=HIGHEST_PLY)


class ImportQuery(serializers.Serializer[Any]):
    """What an imported study is called, and who reads it."""

    title = serializers.CharField(
        required=False, default="", max_length=MOST_TITLE, help_text="Default: the title in the file."
    )
    visibility = serializers.ChoiceField(
        Study.Visibility.choices, required=False, default=Study.Visibility.PRIVATE, help_text=_VISIBILITY
    )


class FileQuery(serializers.Serializer[Any]):
    """The format of a file."""

    format = serializers.ChoiceField(
        ("agn", "json"), default="agn", help_text="`agn`: AGN with variations in parentheses; records cannot have them."
    )


class ConflictShape(serializers.Serializer[Any]):
    """An error with both versions: the one that is stored, and the one that was sent."""

    error = serializers.DictField()
    current = serializers.DictField(allow_null=True)
    sent = serializers.DictField()
