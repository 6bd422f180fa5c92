"""The pages of studies: the list, a study, and what its author and its readers do there."""

import json
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine.registry import RULESETS
from engine.studying import MOST_TITLE, Branch, StudyError
from engine.studying.values import ROOT
from engine.words import render as said
from games.lookup import game_or_404, signed_in, study_or_404
from games.models import Game, Study
from games.moderation import reported
from games.moderation.decisions import Decision
from games.moderation.reported import Ruling
from games.platform.errors import RefusedError
from games.platform.roles import is_moderator
from games.records.reads.begun import played
from games.sentences import translated
from games.studies import importing, readers, writing
from games.studies.reads.studies import StudyFilter, list_studies, own_studies, studies_followed
from games.studies.writing import About
from games.web.answers import SeeOther
from games.web.dates import said_days
from games.web.filters import filters
from games.web.lists import part_of
from games.web.parameters import number_from, text_from
from games.web.rate_limits import StudyThrottle, check_reports, seconds_to_wait
from games.web.studies.acts import EDITS, Where, arrange, edit, refused_texts, sent_text
from games.web.studies.page import study_page, study_row

_REFUSED = 422


@require_safe
@never_cache
@filters("title", "game", "author", "page", "own", "followed")
def studies(request: HttpRequest) -> HttpResponse:
    """List the public studies, and the reader's own."""
    wanted = StudyFilter(*(text_from(request.GET, name)[:100].strip() for name in ("title", "game", "author")))
    signed = request.user.is_authenticated
    values = {
        "wanted": wanted,
        "games": list(dict.fromkeys(ruleset.game for ruleset in RULESETS)),
        "found": part_of("page", list_studies(wanted, request.user), study_row, request.GET),
        "own": part_of("own", own_studies(request.user), study_row, request.GET) if signed else (),
        "followed": part_of("followed", studies_followed(request.user), study_row, request.GET) if signed else (),
    }
    return render(request, "games/studies/studies.html", values)


@require_safe
@never_cache
def study(request: HttpRequest, key: str) -> HttpResponse:
    """Show a study at one position of a chapter."""
    return _shown(request, study_or_404(request, key))


def _shown(request: HttpRequest, found: Study, status: int = 200) -> HttpResponse:
    page = study_page(found, request.user, request.GET if request.method != "POST" else request.POST)
    sent = refused_texts(request) if status == _REFUSED else {}
    answer = render(request, "games/studies/study.html", {"page": page, "sent": sent}, status=status)
    if found.visibility != Study.Visibility.PUBLIC or found.hidden_at:
        answer["X-Robots-Tag"] = "noindex"
    return answer


@require_POST
def new(request: HttpRequest) -> HttpResponse:
    """Create a study, from a game with branches or from a file or a text."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("studies"))
    try:
        _check_pace(request)
        made = _of_game(request) if request.POST.get("game") else _of_file(request).get_absolute_url()
    except (RefusedError, StudyError) as error:
        messages.error(request, _sentence(error))
        return SeeOther(reverse("studies"))
    return SeeOther(made)


def _of_game(request: HttpRequest) -> str:
    """Create a study of a game. :returns: the address of the position in it where the reader stood."""
    game, by = game_or_404(request, text_from(request.POST, "game")[:8]), signed_in(request)
    chapter = writing.chapter_about(game, "", _branches(request.POST.get("branches", "")), by)
    title = text_from(request.POST, "title") or _title_about(game)
    made = writing.create(About(title), [chapter], by=by, now=timezone.now())
    ply = min(number_from(request.POST, "ply"), game.plies)
    return made.get_absolute_url() + Where(made.chapters.get().number, ply - 1 if ply else ROOT).query


def _title_about(game: Game) -> str:
    """Return who played a game, and when."""
    day = played(game)
    names = " – ".join(seating.player.name for seating in game.seatings.all()) or game.key
    room = MOST_TITLE - len(day_said := f", {said_days(day)}" if day else "")
    return names[:room] + day_said


def _branches(text: str) -> list[Branch]:
    """Return the branches that the replay's script has in its address.

    :raises RefusedError: when they are not branches, so that nothing is left out of a study unnoticed.
    """
    try:
        return [
            Branch(int(ply), [str(token) for token in play], {int(at): str(one) for at, one in comments.items()})
            for ply, play, comments in json.loads(text or "[]")
        ]
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise RefusedError("bad_branches", "The variations could not be read. Nothing was saved.") from None


def _of_file(request: HttpRequest) -> Study:
    file = request.FILES.get("file")
    data = file.read(importing.MOST_BYTES + 1) if file else request.POST.get("text", "").encode()
    about = About(text_from(request.POST, "title"))
    return importing.import_file(data, about, by=signed_in(request), now=timezone.now())


@require_POST
def act(request: HttpRequest, key: str) -> HttpResponse:
    """Do what a form on a study's page says; if that is refused, the page says why."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("study", args=[key]))
    found, name = study_or_404(request, key), text_from(request.POST, "act")
    try:
        _check_pace(request)
        where = _done(request, found, name)
    except (RefusedError, StudyError) as error:
        late = isinstance(error, RefusedError) and error.code == "changed_meanwhile"
        messages.error(request, sent_text(request, error) if isinstance(error, RefusedError) else _sentence(error))
        return _shown(request, found, status=409 if late else _REFUSED)
    return SeeOther(where)


def _done(request: HttpRequest, found: Study, name: str) -> str:
    """Do an act. :returns: the address of the page to show."""
    page = found.get_absolute_url()
    if name in EDITS:
        return page + edit(request, found, name).query
    if name in ("up", "down", "remove"):
        return page + arrange(request, found, name).query
    other = _ACTS.get(name)
    if other is None:
        raise RefusedError("nothing", "Nothing was chosen.")
    return other(request, found) or page


def _describe(request: HttpRequest, found: Study) -> str:
    about = About(text_from(request.POST, "title"), text_from(request.POST, "visibility"))
    version = number_from(request.POST, "version")
    writing.describe(found, about, version, by=signed_in(request), now=timezone.now())
    return ""


def _delete(request: HttpRequest, found: Study) -> str:
    writing.delete(found, by=signed_in(request))
    return reverse("studies")


def _fork(request: HttpRequest, found: Study) -> str:
    return writing.fork(found, by=signed_in(request), now=timezone.now()).get_absolute_url()


def _follow(request: HttpRequest, found: Study) -> str:
    readers.follow(found, signed_in(request), now=timezone.now())
    return ""


def _unfollow(request: HttpRequest, found: Study) -> str:
    readers.unfollow(found, signed_in(request))
    return ""


def _report(request: HttpRequest, found: Study) -> str:
    check_reports(request)
    readers.report(found, text_from(request.POST, "reason"), by=signed_in(request), now=timezone.now())
    messages.success(request, gettext("Thank you. A moderator will look at this study."))
    return ""


def _add(request: HttpRequest, found: Study) -> str:
    by, now = signed_in(request), timezone.now()
    if key := text_from(request.POST, "game").strip()[:8]:
        chapters = [writing.chapter_about(game_or_404(request, key.lower()), "", [], by)]
    else:
        chapters = importing.chapters_in(request.POST.get("text", "").encode(), by)
    added = writing.add_chapters(found, chapters, by=by, now=now)
    return found.get_absolute_url() + Where(added[-1].number).query


def _hide(request: HttpRequest, found: Study) -> str:
    return _decide(request, found, hide=True)


def _keep(request: HttpRequest, found: Study) -> str:
    return _decide(request, found, hide=False)


def _decide(request: HttpRequest, found: Study, *, hide: bool) -> str:
    if not is_moderator(request.user):
        raise RefusedError("not_allowed", "Only a moderator can decide about reports.")
    decision = Decision(signed_in(request), timezone.now(), text_from(request.POST, "reason"))
    reported.decide(found, Ruling(hide=hide, version=text_from(request.POST, "version")), decision)
    return reverse("studies") if found.visibility == Study.Visibility.PRIVATE else ""


_ACTS: dict[str, Callable[[HttpRequest, Study], str]] = {
    "describe": _describe,
    "delete": _delete,
    "fork": _fork,
    "follow": _follow,
    "unfollow": _unfollow,
    "report": _report,
    "add": _add,
    "hide": _hide,
    "keep": _keep,
}


def _check_pace(request: HttpRequest) -> None:
    """Count a change. :raises RefusedError: when the account has made too many."""
    if seconds_to_wait(request, StudyThrottle()):
        raise RefusedError("throttled", "Too many changes at once. Try again in a few minutes.")


def _sentence(error: RefusedError | StudyError) -> str:
    """Return why something is refused, with the rule and the place."""
    if isinstance(error, RefusedError):
        return error.sentence
    sentence = said(error.template, error.params, translated)
    place = (
        gettext("line {line}, column {column}").format(line=error.place[0], column=error.place[1])
        if error.place
        else ""
    )
    return " · ".join(filter(None, ((error.token and f"{error.token}: {sentence}") or sentence, error.rule, place)))
