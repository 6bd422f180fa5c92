"""The uploads of an account."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.accounts.reads.accounts import uploads_of
from games.api.base import APIView
from games.api.queries import FromQuery, asked
from games.api.serializers import ErrorShape, OwnUploadPageShape
from games.lookup import signed_in

SIZE = 50


class AccountUploadsView(APIView):
    """An account's own uploads."""

    permission_classes = [IsAuthenticated]

    @extend_schema(parameters=[FromQuery], responses={200: OwnUploadPageShape, **dict.fromkeys((400, 401), ErrorShape)})
    def get(self, request: Request) -> Response:
        """List the account's uploads, newest first, 50 at a time: `start` is how many to skip."""
        start = asked(FromQuery, request)["start"]
        found = list(uploads_of(signed_in(request)).select_related("archive")[start : start + SIZE + 1])
        more = f"{reverse('api-account-uploads', request=request)}?start={start + SIZE}" if len(found) > SIZE else None
        page = {"uploads": found[:SIZE], "next": more}
        return Response(OwnUploadPageShape(page, context={"request": request}).data)
