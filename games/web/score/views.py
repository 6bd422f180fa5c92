"""The score sheet's page. Positions come from the API; the sheets themselves stay on the visitor's device."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from engine.verify import ENGINE_VERSION
from games.clubs.reads.clubs import members_of, organised_by
from games.clubs.reads.points import name_of
from games.platform.engine_header import ENGINE_HEADER
from games.players.home import home_source
from games.records.reads.visibility import Viewer
from games.web.forms import UploadForm
from games.web.rules.names import rules_to_name
from games.web.score.offline import engine_worker, installable
from games.web.score.rulesets import rulesets_to_score
from games.web.score.texts import texts


@require_safe
@ensure_csrf_cookie
@installable
def score(request: HttpRequest) -> HttpResponse:
    """Show the sheet; at its end the form uploads a game with the options that the upload form offers.

    With `club` it is for a club that the reader organises, and offers its members' names. With `kept` it is the page
    that browsers keep for use without a network: it does not say who is signed in.
    """
    slug = request.GET.get("club", "")
    page = {
        "form": UploadForm(viewer=request.user, initial={"club": slug}, label_suffix=""),
        "club": _club(request.user, slug),
        "rulesets": rulesets_to_score(),
        "rules": rules_to_name(),
        "texts": texts(),
        "engine_version": ENGINE_VERSION,
        "engine_worker": engine_worker(),
        "is_kept": "kept" in request.GET,
    }
    answer = render(request, "games/score/score.html", page)
    answer[ENGINE_HEADER] = ENGINE_VERSION
    return answer


def _club(reader: Viewer, slug: str) -> dict[str, object] | None:
    """Return what a club's sheet needs, for an organiser: the members' names, and which of them are accounts here."""
    club = organised_by(reader).filter(slug=slug).first() if slug and reader.is_authenticated else None
    if club is None:
        return None
    members = list(members_of(club))
    accounts = [name_of(member) for member in members if member.account]
    return {"names": [name_of(member) for member in members], "members": json.dumps(accounts), "site": home_source()}
