"""What is new on the site: dated sentences with a link each, the newest first."""

from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.web.labels import Label


@dataclass(frozen=True, slots=True)
class News:
    """One thing that is new."""

    day: date
    link: Label
    """The words that lead there."""
    rest: Label
    name: str
    """The address's name."""
    args: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Return where it is to be seen."""
        return reverse(self.name, args=self.args)


NEWS = (
    News(
        date(2026, 11, 22),
        _("Rules in two minutes"),
        _("for every game, with a board for each step."),
        "rules-quick",
        ("atta-ants",),
    ),
    News(
        date(2026, 11, 21),
        _("Play in the browser"),
        _("against friends, strangers or a bot. Every deal can be checked."),
        "play",
    ),
    News(
        date(2026, 11, 20),
        _("Keep score at the table"),
        _("on a sheet that offers only legal moves."),
        "score",
    ),
)
