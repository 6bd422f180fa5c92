"""The webhook of a club in the API: where its news is sent."""

from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.words import render
from games.api.clubs import REFUSALS, ClubsAPIView
from games.api.parameters import OLDER
from games.api.queries import sent
from games.clubs import announcing
from games.clubs.organising import check_runs
from games.clubs.reads.news import attempts_of, webhook_of
from games.lookup import club_or_404, signed_in
from games.models import Club, ClubWebhook, DeliveryAttempt
from games.platform.outgoing import AddressError
from games.sentences import translated


class ClubWebhookBody(serializers.Serializer[Any]):
    """Where news is sent."""

    url = serializers.CharField(max_length=500, help_text="An https address on the public internet.")
    format = serializers.ChoiceField(
        ClubWebhook.Form.choices,
        source="form",
        default=ClubWebhook.Form.JSON,
        help_text="`json`: an event with `type`, `timestamp`, `data`, and the sentence as `text` and `content`. "
        "`chat`: the sentence alone, as incoming webhooks of Slack, Mattermost and Discord take it.",
    )
    language = serializers.ChoiceField(
        settings.LANGUAGES, required=False, help_text="The language of the sentences. Default: that of the request."
    )


class ClubAttemptShape(serializers.Serializer[DeliveryAttempt]):
    """An attempt to send news."""

    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True, help_text="The status of the answer; null if there was none.")
    message = serializers.SerializerMethodField(help_text="Why there was no answer.")

    def get_message(self, attempt: DeliveryAttempt) -> str:
        """Return why there was no answer, in the language of the request."""
        return render(attempt.template, attempt.params, translated)


class ClubWebhookShape(ClubWebhookBody):
    """Where news is sent, and the latest attempts."""

    form = serializers.ChoiceField(ClubWebhook.Form.choices, help_text=OLDER)
    made_at = serializers.DateTimeField()
    by = serializers.CharField(source="by.username", help_text="The account whose secret signs what is sent.")
    attempts = serializers.SerializerMethodField(help_text="The newest five, newest first.")

    def get_attempts(self, webhook: ClubWebhook) -> list[dict[str, Any]]:
        """Return the latest attempts."""
        attempts: Any = attempts_of(webhook)
        return [dict(one) for one in ClubAttemptShape(attempts, many=True).data]


class ClubWebhookView(ClubsAPIView):
    """The webhook of a club."""

    @extend_schema(responses={200: ClubWebhookShape, **REFUSALS})
    def get(self, request: Request, club: str) -> Response:
        """Return where a club's news is sent; open to owners and organisers."""
        mine = club_or_404(club)
        check_runs(mine, request.user)
        return _answer(mine)

    @extend_schema(request=ClubWebhookBody, responses={200: ClubWebhookShape, **REFUSALS})
    def put(self, request: Request, club: str) -> Response:
        """Set where a club's news is sent, as an organiser: new games, planned evenings, final tables.

        A greeting is sent at once. Messages are signed with the secret of your account.
        """
        mine, wanted = club_or_404(club), sent(ClubWebhookBody, request)
        language = wanted.pop("language", None) or get_language() or settings.LANGUAGE_CODE
        try:
            announcing.set_webhook(mine, **wanted, language=language, by=signed_in(request), now=timezone.now())
        except AddressError as error:
            error.parameter = "url"  # as this request calls it
            raise
        return _answer(mine)

    @extend_schema(responses={204: None, **REFUSALS})
    def delete(self, request: Request, club: str) -> Response:
        """Stop sending a club's news, as an organiser."""
        announcing.remove_webhook(club_or_404(club), by=signed_in(request))
        return Response(status=204)


def _answer(club: Club) -> Response:
    webhook = webhook_of(club)
    if webhook is None:
        raise Http404
    return Response(ClubWebhookShape(webhook).data)
