"""The form with which a film is asked for."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.films.options import MOST_PLIES, makes_mp4

_SIZES = ((320, _("small (320 pixels)")), (480, _("medium (480 pixels)")), (720, _("large (720 pixels)")))
_PACES = ((1800, _("slow")), (900, _("medium")), (400, _("fast")))
_WEBP, _GIF, _MP4 = (
    ("webp", _("WebP: small and sharp")),
    ("gif", _("GIF: works everywhere")),
    ("mp4", _("MP4: a video")),
)


def forms_offered() -> list[tuple[str, Any]]:
    """Return the formats that are made here."""
    return [_WEBP, _GIF, *([_MP4] if makes_mp4() else [])]


class FilmForm(forms.Form):
    """Which positions of a game, and how they are shown."""

    format = forms.ChoiceField(label=_("Format"), choices=forms_offered)
    first = forms.IntegerField(label=_("From action"), min_value=0, max_value=10**6)
    last = forms.IntegerField(label=_("To action"), min_value=0, max_value=10**6)
    size = forms.TypedChoiceField(label=_("Size"), choices=_SIZES, coerce=int)
    theme = forms.ChoiceField(label=_("Background"), choices=(("light", _("light")), ("dark", _("dark"))))
    pace = forms.TypedChoiceField(label=_("Speed"), choices=_PACES, coerce=int)


def usual(plies: int, ply: int | None) -> dict[str, object]:
    """Return what the form begins with: the whole game, or of a long one the part up to the ply that was shown."""
    last = plies if ply is None or plies < MOST_PLIES else min(plies, max(ply, 1))
    return {
        "format": "webp",
        "first": max(0, last - MOST_PLIES + 1),
        "last": last,
        "size": 480,
        "theme": "light",
        "pace": 900,
    }
