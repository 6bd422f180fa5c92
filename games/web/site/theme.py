"""Light or dark."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.web.answers import back_to

_THEMES = frozenset({"light", "dark"})
_YEAR = 365 * 24 * 3600


@csrf_exempt  # a stranger's form can at most turn the light on, and so no page needs a token's cookie for this
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Remember a choice in a cookie and go back; the script of the same name does so without a new page."""
    answer = back_to(request)
    if (chosen := request.POST.get("theme", "")) in _THEMES:
        answer.set_cookie("theme", chosen, max_age=_YEAR, samesite="Lax", secure=request.is_secure())
    return answer
