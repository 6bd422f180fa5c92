"""The forms of clubs."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.clubs.reads.pairings import SEATS
from games.web.forms import club_address, club_time_zone, main_rulesets


class FoundForm(forms.Form):
    """A club to found."""

    name = forms.CharField(label=_("Name"), max_length=80)
    slug = club_address()
    main_ruleset = forms.ChoiceField(label=_("Main game"), required=False, choices=main_rulesets)
    meets = forms.CharField(label=_("When and where (optional)"), max_length=120, required=False)
    time_zone = club_time_zone()

    def clean_slug(self) -> str:
        """Return the address in lower case."""
        return str(self.cleaned_data["slug"]).lower()


class EveningForm(forms.Form):
    """An evening to plan."""

    day = forms.DateField(label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}))
    begins = forms.TimeField(
        label=pgettext_lazy("of an evening", "Time"), required=False, widget=forms.TimeInput(attrs={"type": "time"})
    )
    place = forms.CharField(label=pgettext_lazy("of an evening", "Place"), required=False, max_length=120)


class SeasonForm(forms.Form):
    """A season to begin."""

    name = forms.CharField(label=_("Name of the season"), max_length=60)
    begins = forms.DateField(label=_("From"), widget=forms.DateInput(attrs={"type": "date"}))
    ends = forms.DateField(label=_("Until"), widget=forms.DateInput(attrs={"type": "date"}))


class ScheduleForm(forms.Form):
    """A schedule to draw."""

    kind = forms.ChoiceField(
        label=_("Who meets whom"),
        choices=[
            ("round-robin", _("Round-robin: everybody meets everybody")),
            ("swiss", _("Swiss: neighbours in the table meet")),
        ],
    )
    seats = forms.TypedChoiceField(
        label=_("Players at a table"), coerce=int, choices=[(seats, str(seats)) for seats in SEATS]
    )


class WebhookForm(forms.Form):
    """Where a club's news is sent."""

    url = forms.CharField(label=_("Address of the webhook"), max_length=500, widget=forms.URLInput())
    form = forms.ChoiceField(
        label=_("Receiver"),
        choices=[
            ("chat", _("a chat: Slack, Mattermost, Discord (one sentence)")),
            ("json", _("a program: signed JSON with all data")),
        ],
    )


def first_error(form: forms.Form) -> str:
    """Return the first error of a form, with the field's name."""
    for name, errors in form.errors.items():
        field: Any = form.fields.get(name)
        return f"{field.label}: {errors[0]}" if field else str(errors[0])
    return ""
