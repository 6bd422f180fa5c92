"""Asking for a film of a game, and the page of a film."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.films.asking import ask_for
from games.films.options import FilmError, FilmOptions
from games.lookup import asker, film_or_404, game_or_404
from games.models import Film, Game
from games.records.reads.embedding import title_of
from games.records.reads.pictures import scenes_of
from games.tasks import wake_film_makers
from games.web.answers import SeeOther
from games.web.films.forms import FilmForm, usual
from games.web.films.page import film_shown
from games.web.parameters import number_from
from games.web.rate_limits import FilmThrottle, seconds_to_wait

_NEXT_LOOK = "3"
"""Seconds after which the page of a film that is not made yet is loaded again."""


@require_http_methods(["GET", "HEAD", "POST"])
def films(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form for a film of a game, or ask for one. :raises Http404: when nothing of it could be played."""
    game = game_or_404(request, key)
    scenes = scenes_of(game, request.user)
    if not scenes:
        raise Http404
    plies = len(scenes) - 1
    if request.method != "POST":
        return _form(request, game, FilmForm(initial=usual(plies, number_from(request.GET, "ply") or None)), plies)
    form = FilmForm(request.POST)
    if not form.is_valid():
        return _form(request, game, form, plies, status=422)
    if wait := seconds_to_wait(request, FilmThrottle()):
        answer = render(request, "429.html", {"wait": wait}, status=429)
        answer["Retry-After"] = str(wait)
        return answer
    try:
        film = ask_for(game, FilmOptions(**form.cleaned_data), plies=plies, by=asker(request), now=timezone.now())
    except FilmError as error:
        form.add_error(error.parameter or None, error.sentence)
        return _form(request, game, form, plies, status=422)
    if film.state == Film.State.WAITING:
        wake_film_makers()
    return SeeOther(reverse("game-film", args=[game.key, film.pk]))


def _form(request: HttpRequest, game: Game, form: FilmForm, plies: int, *, status: int = 200) -> HttpResponse:
    values = {"form": form, "title": title_of(game), "url": game.get_absolute_url(), "plies": plies}
    return render(request, "games/films/films.html", values, status=status)


@require_safe
@never_cache
def film(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show a film, or how far it is; the page of one that waits loads itself again, with and without scripts."""
    shown = film_shown(film_or_404(request, key, pk))
    answer = render(request, "games/films/film.html", {"film": shown})
    if shown.is_waiting:
        answer["Refresh"] = _NEXT_LOOK
    return answer
