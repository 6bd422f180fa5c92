"""English or German."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import check_for_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.notices.preferences import keep_letterbox
from games.web.answers import back_to


@csrf_exempt  # a stranger's form can at most change the language, and so no page needs a token's cookie for this
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Remember a choice in a cookie, which wins over what the browser asks for, and go back.

    Whoever is signed in gets mails in that language, too: a stranger's form does not bring a session along.
    """
    answer = back_to(request)
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES) and check_for_language(chosen):
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
            secure=request.is_secure(),
        )
        if request.user.is_authenticated:
            keep_letterbox(request.user.pk, language=chosen)
    return answer
