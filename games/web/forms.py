"""The site's forms."""

from typing import Any, Self, cast

from django import forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.registry import RULESETS
from games.clubs.reads.clubs import find_account, organised_by
from games.models import Club, MailPreferences
from games.platform.errors import RefusedError
from games.platform.time_zones import UTC_ZONE, time_zones
from games.records.reads.visibility import Viewer
from games.search.reads.openings import MOST_WRITTEN
from games.uploads.options import NAMES
from games.uploads.origin import UploadOptions
from games.uploads.source import Source, source_of
from games.webhooks.reads import secret_made_at

_AT_FAULT = {
    "club_of_private": "club",
    "private_of_nobody": "private",
    "not_organiser": "club",
    **dict.fromkeys(("webhook_of_nobody", "no_webhook_secret", "webhook_address"), "webhook"),
}
"""The field at which a refusal is shown; others are shown at what was uploaded."""
_TRUE = {"value": "true"}
"""What a ticked box sends."""


class UploadForm(forms.Form):
    """Files of games, or some pasted text."""

    refusal = ""
    """The code of the error for which it was refused."""
    file = forms.FileField(
        label=_("Files"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".agn,.txt,.json,.ndjson,.gz,.zst,.zip,text/plain,application/json"}),
    )
    text = forms.CharField(
        label=_("Or paste the text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "off", "wrap": "off"}),
    )
    scored = forms.TypedChoiceField(
        label=_("Rating"),
        required=False,
        coerce=lambda said: said != "false",
        empty_value=True,  # type: ignore[arg-type] # its types know texts alone
        choices=[
            ("true", _("Rated once every player has confirmed")),
            ("false", _("Training games: never rated")),
        ],
        initial="true",
        widget=forms.RadioSelect,
    )
    club = forms.ModelChoiceField(
        label=_("Club"),
        required=False,
        queryset=Club.objects.none(),
        to_field_name="slug",
        empty_label=_("none"),
    )
    private = forms.BooleanField(
        label=_("Private: only you, and players whose claim you approved, can see these games; they are not rated"),
        required=False,
        widget=forms.CheckboxInput(attrs=_TRUE),
    )
    dry_run = forms.BooleanField(
        label=_("Check only: nothing is published, the report is kept for 24 hours"),
        required=False,
        widget=forms.CheckboxInput(attrs=_TRUE),
    )
    webhook = forms.CharField(
        label=_("Webhook: an https address to notify when all games are checked"),
        required=False,
        max_length=500,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
    )

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:  # noqa: ANN401 (the framework's own)
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["multiple"] = True  # all of them are in `files`, the last one is checked
        self._offer("club", may=self._offer_clubs(viewer))
        self._offer("private", may=viewer.is_authenticated)
        self._offer("webhook", may=viewer.is_authenticated and secret_made_at(viewer.pk) is not None)

    def _offer_clubs(self, viewer: Viewer) -> bool:
        """Offer the clubs that the viewer organises, read once. :returns: whether there are any."""
        clubs = organised_by(viewer) if viewer.is_authenticated else Club.objects.none()
        field = cast("forms.ModelChoiceField[Club]", self.fields["club"])
        field.queryset = clubs
        field.choices = [("", field.empty_label or ""), *((club.slug, club.name) for club in clubs)]
        return bool(clubs)

    def _offer(self, name: str, *, may: bool) -> None:
        """Remove choices that the viewer may not make; if sent anyway, as after a session ended, they are refused."""
        if not may and not self.data.get(name):
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """Ask for one of the two."""
        cleaned = super().clean() or {}
        if bool(cleaned.get("file")) == bool(cleaned.get("text", "").strip()):
            both = bool(cleaned.get("file"))
            self.add_error(
                "file" if both else "text",
                _("Choose a file or paste a text, not both.") if both else _("Choose a file or paste a game first."),
            )
        return cleaned

    @property
    def source(self) -> Source:
        """Return what was given: one file or several as one, or a text, which has no name."""
        if self.cleaned_data["file"]:
            return source_of(self.files.getlist("file"))
        # A browser sends every line end of a text field as CR LF, whatever was pasted.
        return Source.of(str(self.cleaned_data["text"]).replace("\r\n", "\n").encode())

    @property
    def options(self) -> UploadOptions:
        """Return the options that were chosen."""
        asked = self.cleaned_data
        return UploadOptions(**{name: asked[name] for name in NAMES if name in asked})

    @property
    def in_vain(self) -> bool:
        """Return whether an option was chosen that needs an account."""
        return bool({"club", "private", "webhook"} & self.errors.keys())

    def refuse(self, error: RefusedError) -> None:
        """Add the reason for a refusal to its field."""
        self.refusal = error.code
        given = "file" if self.cleaned_data.get("file") else "text"
        field = _AT_FAULT.get(error.code, given)
        self.add_error(field if field in self.fields else given, error.sentence)


class OpeningForm(forms.Form):
    """Whose games are wanted in the explorer, and with which opening."""

    player = forms.CharField(label=_("Player"), required=False, max_length=64)
    opening = forms.CharField(label=_("Opening"), required=False, max_length=MOST_WRITTEN, widget=forms.HiddenInput)


def main_rulesets() -> list[tuple[str, str]]:
    """Return the rulesets of which a club can have a main one."""
    return [
        ("", gettext("none: we play all of them")),
        *((ruleset.slug, gettext(ruleset.title)) for ruleset in RULESETS),
    ]


def club_time_zone() -> forms.ChoiceField:
    """Return the field for the time zone of a club."""
    names = [(name, name) for name in time_zones()]
    return forms.ChoiceField(label=_("Time zone"), required=False, initial=UTC_ZONE, choices=names)


class ClubForm(forms.Form):
    """What a club is."""

    name = forms.CharField(label=_("Name"), max_length=80)
    about = forms.CharField(
        label=_("Description"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 5})
    )
    meets = forms.CharField(label=_("When and where (optional)"), max_length=120, required=False)
    main_ruleset = forms.ChoiceField(label=_("Main game"), required=False, choices=main_rulesets)
    time_zone = club_time_zone()


class OrganiserForm(forms.Form):
    """An account that is, or shall be, an organiser."""

    organiser = forms.CharField(label=_("Account name"), max_length=150)

    def clean_organiser(self) -> AbstractBaseUser:
        """Return the account."""
        found = find_account(self.cleaned_data["organiser"])
        if found is None:
            raise forms.ValidationError(_("No account has this name."))
        return found


class MailPreferencesForm(forms.Form):
    """Which mails an account wants, and in which language."""

    claims = forms.BooleanField(label=_("claims that you can decide, and decisions on yours"), required=False)
    confirmations = forms.BooleanField(label=_("games to confirm"), required=False)
    disputes = forms.BooleanField(label=_("disputes of your games, and decisions on them"), required=False)
    turns = forms.BooleanField(label=_("games here in which it has been your turn for half an hour"), required=False)
    comments = forms.BooleanField(label=_("comments by others on games on which you commented"), required=False)
    studies = forms.BooleanField(label=_("changes of studies that you follow"), required=False)
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)

    @classmethod
    def of(cls, preferences: MailPreferences, sent: QueryDict | None) -> Self:
        """Return the form as it was sent, or filled with the stored values."""
        language = preferences.language or settings.LANGUAGE_CODE
        kept = {name: getattr(preferences, name) for name in MailPreferences.SWITCHES}
        return cls(sent, initial={**kept, "language": language}, label_suffix="")


def club_address() -> forms.SlugField:
    """Return the field for the address of a new club."""
    wrong = {"invalid": _("Use only the letters a to z, digits and hyphens.")}
    return forms.SlugField(label=_("Web address"), max_length=40, error_messages=wrong)


class NewClubForm(OrganiserForm, ClubForm):
    """A club to be founded."""

    slug = club_address()
    organiser = forms.CharField(label=_("First organiser (account name)"), max_length=150)
    meets = main_ruleset = time_zone = None  # type: ignore[assignment] # the organiser says it later
    field_order = ["name", "slug", "about", "organiser"]

    def clean_slug(self) -> str:
        """Return the address in lower case."""
        return str(self.cleaned_data["slug"]).lower()

    @property
    def wanted(self) -> dict[str, Any]:
        """Return what a valid form says."""
        return dict(self.cleaned_data)
