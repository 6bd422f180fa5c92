"""The explorer of openings."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.lookup import ruleset_or_404
from games.platform.patience import TooSlowError
from games.search.reads.openings import OpeningError
from games.web.filters import filters
from games.web.forms import OpeningForm
from games.web.openings.page import opening_page, openings_page
from games.web.parameters import hides_results_until_asked


@require_safe
@filters()
def openings(request: HttpRequest) -> HttpResponse:
    """Show the games of which openings can be explored."""
    return render(request, "games/openings/openings.html", {"games": openings_page()})


@require_safe
@filters(*OpeningForm.base_fields)
def opening(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how games that began with an opening went on and ended."""
    ruleset, form = ruleset_or_404(slug), OpeningForm(request.GET, label_suffix="")
    values, status = dict[str, Any](form=form, hides=hides_results_until_asked(request)), 200
    try:
        if form.is_valid():
            asked = form.cleaned_data
            values["page"] = opening_page(ruleset.slug, asked["opening"], asked["player"], request.user)
        else:
            status = 400
    except OpeningError as error:
        values["refused"], status = error.sentence, 400
    except TooSlowError as error:
        values["refused"], status = error.sentence, 422
    return render(
        request, "games/openings/opening.html", values | {"games": openings_page(slug=ruleset.slug)}, status=status
    )
