"""Comments on games, and reports of comments and collections."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.api.base import APIView
from games.api.idempotency import KEY, body_of, once_a_key
from games.api.queries import MarkQuery, asked, sent
from games.api.serializers import ErrorShape
from games.api.study_shapes import ReportBody
from games.collections import keeping
from games.comments import writing
from games.comments.markdown import as_html
from games.comments.reads import comments_on
from games.lookup import collection_or_404, comment_or_404, game_or_404, signed_in
from games.models import GameComment
from games.models.comments import LONGEST
from games.platform.paging import Span, newest_first

_REFUSALS = dict.fromkeys((400, 401, 403, 404, 409), ErrorShape)


class CommentBody(serializers.Serializer[Any]):
    """A comment to write."""

    text = serializers.CharField(
        max_length=LONGEST, trim_whitespace=False, help_text="Markdown without HTML, pictures and headings."
    )
    ply = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=10**6,
        help_text="After how many actions is the position that it is about; leave out if it is about the game.",
    )


class CommentChangeBody(serializers.Serializer[Any]):
    """A new text of a comment."""

    text = serializers.CharField(max_length=LONGEST, trim_whitespace=False)
    version = serializers.IntegerField(min_value=1, max_value=10**6, help_text="The version that it replaces.")


class CommentShape(serializers.Serializer[GameComment]):
    """A comment on a game."""

    id = serializers.IntegerField(source="pk")
    author = serializers.CharField(source="author.username")
    ply = serializers.IntegerField(allow_null=True)
    text = serializers.CharField(help_text="Markdown, as it was written.")
    html = serializers.SerializerMethodField(help_text="The same as safe HTML.")
    version = serializers.IntegerField()
    written_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField(allow_null=True)
    hidden_for = serializers.CharField(
        allow_blank=True, help_text="Why a moderator hides it from everybody but its author; empty if none does."
    )
    url = serializers.SerializerMethodField()

    @extend_schema_field(serializers.CharField())
    def get_html(self, comment: GameComment) -> str:
        """Return the comment as HTML."""
        return as_html(comment.text)

    @extend_schema_field(serializers.CharField())
    def get_url(self, comment: GameComment) -> str:
        """Return the address of the comment."""
        return str(reverse("api-comment", [comment.pk], request=self.context["request"]))


class CommentsShape(serializers.Serializer[Any]):
    """A page of the comments on a game, newest first."""

    comments = CommentShape(many=True)
    newer = serializers.CharField(allow_null=True, help_text="The value of `after` for the page of newer rows.")
    older = serializers.CharField(allow_null=True, help_text="The value of `before` for the page of older rows.")


def _shown(request: Request, comment: GameComment) -> dict[str, Any]:
    return dict(CommentShape(comment, context={"request": request}).data)


class GameCommentsView(APIView):
    """The comments on a game."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(parameters=[MarkQuery], responses={200: CommentsShape, **dict.fromkeys((400, 404), ErrorShape)})
    def get(self, request: Request, key: str) -> Response:
        """Return 50 comments on a game, newest first."""
        found = comments_on(game_or_404(request, key), request.user)
        page = newest_first(found, "written_at", Span(**asked(MarkQuery, request)))
        shown = {"comments": page.rows, "newer": page.newer, "older": page.older}
        return Response(CommentsShape(shown, context={"request": request}).data)

    @extend_schema(
        request=CommentBody,
        parameters=[KEY],
        responses={201: CommentShape, **dict.fromkeys((422, 429), ErrorShape), **_REFUSALS},
    )
    @once_a_key(content_of=body_of)
    def post(self, request: Request, key: str) -> Response:
        """Write a comment on a game. Accounts can write so many an hour and a day, new ones fewer."""
        game, body = game_or_404(request, key), sent(CommentBody, request)
        made = writing.write(game, body["text"], by=signed_in(request), now=timezone.now(), ply=body["ply"])
        shown = _shown(request, made)
        return Response(shown, status=status.HTTP_201_CREATED, headers={"Location": shown["url"]})


class CommentView(APIView):
    """One comment."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(responses={200: CommentShape, 404: ErrorShape})
    def get(self, request: Request, pk: str) -> Response:
        """Return a comment."""
        return Response(_shown(request, comment_or_404(request, pk)))

    @extend_schema(request=CommentChangeBody, responses={200: CommentShape, **_REFUSALS})
    def put(self, request: Request, pk: str) -> Response:
        """Change your own comment, within ten minutes of writing it."""
        found, body = comment_or_404(request, pk), sent(CommentChangeBody, request)
        changed = writing.change(found, body["text"], body["version"], by=signed_in(request), now=timezone.now())
        return Response(_shown(request, changed))

    @extend_schema(responses={204: None, **_REFUSALS})
    def delete(self, request: Request, pk: str) -> Response:
        """Delete your own comment."""
        writing.delete(comment_or_404(request, pk), by=signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CommentReportView(APIView):
    """Reports of a comment."""

    permission_classes = [IsAuthenticated]
    throttle_scope = "report"

    @extend_schema(request=ReportBody, responses={204: None, **_REFUSALS})
    def post(self, request: Request, pk: str) -> Response:
        """Report a comment to the moderators."""
        found, body = comment_or_404(request, pk), sent(ReportBody, request)
        writing.report(found, body["reason"], by=signed_in(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class CollectionReportView(APIView):
    """Reports of a collection."""

    permission_classes = [IsAuthenticated]
    throttle_scope = "report"

    @extend_schema(request=ReportBody, responses={204: None, **_REFUSALS})
    def post(self, request: Request, key: str) -> Response:
        """Report a collection to the moderators."""
        found, body = collection_or_404(request, key), sent(ReportBody, request)
        keeping.report(found, body["reason"], by=signed_in(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)
