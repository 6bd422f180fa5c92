"""The filter of games: four fields, and conditions that are added to them."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.registry import RULESETS
from engine.story import MOST as _MOST
from games.models.records import TerminationKind, VerdictKind
from games.records.reads.conditions import DRAW, EVENT_FIELDS, RANGES, is_empty_range, without_its_event
from games.records.reads.sorting import NEWEST, SORTS
from games.search.reads.openings import MOST_WRITTEN
from games.sentences import translated
from games.web.labels import PLACES, STAMPS, Label

_PLACES = tuple((str(place), word) for place, word in sorted(PLACES.items()))
_WINNERS = (
    ("1", _("who acts first")),
    ("2", _("who acts second")),
    ("3", _("who acts third")),
    ("4", _("who acts fourth")),
    (DRAW, _("several share first place")),
)
_ENDINGS = (
    (TerminationKind.PLAYED, _("by the rules")),
    (TerminationKind.RESIGNED, _("by resignation")),
    (TerminationKind.TIMED_OUT, _("on time")),
    (TerminationKind.AGREED, _("by agreement")),
)


def _choices(values: Iterable[tuple[str, Label]]) -> list[tuple[str, Label]]:
    """Return the choices: every value once, and "any"."""
    return [("", _("any")), *dict.fromkeys(values)]


def _events() -> list[tuple[str, Any]]:
    """Return the kinds of events by game."""
    kinds = {ruleset.game: ruleset.shown.story.kinds for ruleset in RULESETS}
    return [
        ("", gettext("any")),
        *((game, [(kind.key, kind.label.render(translated)) for kind in found]) for game, found in kinds.items()),
    ]


def _event_fields(label: Any) -> tuple[forms.Field, forms.Field, forms.Field, forms.Field]:  # noqa: ANN401 (lazy text)
    """Return the fields for an event: its kind, and what is asked of it."""
    return (
        forms.ChoiceField(label=label, required=False, choices=_events),
        forms.IntegerField(label=_("At least (ants or points)"), required=False, min_value=0, max_value=_MOST),
        forms.IntegerField(label=_("How often, at least"), required=False, min_value=1, max_value=_MOST),
        forms.BooleanField(label=_("In the last round"), required=False),
    )


_FIRST: Final = ("player", "game", "since", "until")
CONDITIONS: Final[tuple[tuple[str, Label, tuple[str, ...]], ...]] = (
    ("opponent", "", ("opponent",)),
    ("place", "", ("place",)),
    ("winner", "", ("winner",)),
    ("termination", "", ("termination",)),
    ("length", _("Length"), ("shortest", "longest")),
    ("ratings", _("Ratings"), ("rated_from", "rated_to")),
    ("event", "", EVENT_FIELDS[0]),
    ("event2", "", EVENT_FIELDS[1]),
    ("event3", "", EVENT_FIELDS[2]),
    ("comment", "", ("comment",)),
    ("edition", "", ("edition",)),
    ("verdict", "", ("verdict",)),
    ("club", _("Club"), ("club",)),
)
"""What can be added to the four fields: a key, what it is called unless its first field says it, and its fields."""
_LATER: Final = ("event2", "event3")
"""Each is added only after the one before it."""


class Shown(NamedTuple):
    """A condition as the page shows it."""

    key: str
    label: Label
    fields: list[forms.BoundField]
    here: bool
    """Whether it is among those that are asked."""
    empty: bool
    """Whether nothing is asked of it yet."""
    follows: bool
    """Whether it can be added now: a second event only after the first."""


class GameFilterForm(forms.Form):
    """Which games are wanted."""

    player = forms.CharField(label=_("Player"), required=False, max_length=64)
    game = forms.ChoiceField(
        label=pgettext_lazy("one that is sold", "Game"),
        required=False,
        choices=_choices((ruleset.game, ruleset.game) for ruleset in RULESETS),
    )
    edition = forms.ChoiceField(
        label=_("Rules"), required=False, choices=_choices((ruleset.edition, ruleset.edition) for ruleset in RULESETS)
    )
    verdict = forms.ChoiceField(
        label=_("Verdict"), required=False, choices=_choices((kind, STAMPS[kind].word) for kind in VerdictKind.values)
    )
    since = forms.DateField(label=_("Played from"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Played to"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    club = forms.SlugField(label=_("Club (as in its address)"), required=False, max_length=40)
    position = forms.CharField(label=_("Position"), required=False, max_length=20, widget=forms.HiddenInput)
    opening = forms.CharField(label=_("Opening"), required=False, max_length=MOST_WRITTEN, widget=forms.HiddenInput)
    opponent = forms.CharField(label=_("Opponent"), required=False, max_length=64)
    place = forms.TypedChoiceField(
        label=_("Place of the player"), required=False, coerce=int, empty_value=None, choices=_choices(_PLACES)
    )
    shortest, longest = (
        forms.IntegerField(label=label, required=False, min_value=0, max_value=10**6)
        for label in (_("Length from (actions)"), _("Length to (actions)"))
    )
    winner = forms.ChoiceField(label=_("Winner"), required=False, choices=_choices(_WINNERS))
    termination = forms.ChoiceField(label=_("Ended"), required=False, choices=_choices(_ENDINGS))
    rated_from = forms.FloatField(label=_("All ratings from (points)"), required=False)
    rated_to = forms.FloatField(label=_("All ratings to (points)"), required=False)
    event, event_size, event_times, event_last = _event_fields(_("What happened"))
    event2, event2_size, event2_times, event2_last = _event_fields(_("What else happened"))
    event3, event3_size, event3_times, event3_last = _event_fields(_("What happened besides"))
    comment = forms.CharField(label=_("Words in comments"), required=False, max_length=200)
    sort = forms.ChoiceField(
        label=_("Sort by"),
        required=False,
        choices=[(key, key) for key in SORTS],
        widget=forms.HiddenInput,
    )

    def clean_sort(self) -> str:
        """Return what the games are sorted by: the newest come first where nothing is said."""
        return self.cleaned_data["sort"] or NEWEST

    def clean(self) -> dict[str, Any]:
        """Check that a place is somebody's. :raises ValidationError: by way of `add_error`."""
        asked = super().clean() or {}
        if asked.get("place") and not asked.get("player"):
            self.add_error("place", _("Name the player who took this place."))
        for name in without_its_event(asked):
            self.add_error(name, _("Choose the event that this is about."))
        for lower, upper in RANGES:
            if is_empty_range(asked, lower, upper):
                self.add_error(upper, _("This range ends before it begins."))
        return asked

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """Return the fields that are always shown."""
        return [self[name] for name in _FIRST]

    @property
    def added(self) -> tuple[str, ...]:
        """Return the keys of conditions that are to be shown though nothing is asked of them yet."""
        return tuple(self.data.getlist("add")) if isinstance(self.data, QueryDict) else ()

    @property
    def conditions(self) -> list[Shown]:
        """Return the conditions that are shown: those that ask for something, and those that were just added."""
        return [condition for condition in self._all() if condition.here]

    @property
    def others(self) -> list[Shown]:
        """Return those that can be added."""
        return [condition for condition in self._all() if not condition.here]

    def _all(self) -> Iterator[Shown]:
        before, added = True, self.added
        for key, label, names in CONDITIONS:
            asked = any(self[name].value() for name in names)
            if not asked and added[-1:] == (key,):
                self.fields[names[0]].widget.attrs["autofocus"] = True
            called, fields = label or self.fields[names[0]].label or "", [self[name] for name in names]
            here, follows = asked or key in added, before or key not in _LATER
            yield Shown(key, called, fields, here, empty=not asked, follows=follows)
            before = here

    @property
    def used(self) -> int:
        """Return how many fields besides the player's name are used: a narrow page folds them."""
        return sum(bool(field.value()) for field in self.visible_fields() if field.name != "player")

    @property
    def has_folded_errors(self) -> bool:
        """Return whether any of these fields has an error."""
        return bool(self.errors.keys() - {"player"})


class PairFilterForm(GameFilterForm):
    """Which games of two players are wanted."""

    player = opponent = verdict = place = None  # type: ignore[assignment] # the page says them
    _SHOWN = ("game", "edition", "since", "until")

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """Return the fields that are shown."""
        return [self[name] for name in self._SHOWN]

    @property
    def said(self) -> dict[str, str]:
        """Return what was asked for."""
        return {name: str(self.data[name]) for name in self.fields if self.data.get(name)}

    @property
    def kept(self) -> dict[str, str]:
        """Return what was asked for in other fields than these."""
        return {name: value for name, value in self.said.items() if name not in self._SHOWN}
