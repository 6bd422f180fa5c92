"""Games to try the upload with."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from games.web.labels import Label

FOLDER = Path(__file__).resolve().parents[2] / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    """A file to try."""

    name: str
    title: Label
    text: str


@cache
def samples() -> tuple[Sample, ...]:
    """Return the files that come with the site, by their names."""
    return tuple(_sample(path) for path in sorted(FOLDER.glob("*.agn")))


def find_sample(name: str) -> Sample | None:
    """Return the sample of a name, if there is one."""
    return next((sample for sample in samples() if sample.name == name), None)


def _sample(path: Path) -> Sample:
    return Sample(path.stem, _TITLES[path.stem], path.read_text(encoding="utf-8"))


_TITLES = {
    "ant-trails": _("Ant Trails"),
    "army-ants": _("Army Ants"),
    "club-evenings": _("Club evenings"),
    "rules-of-2003": _("Rules of 2003"),
    "unfinished": _("Unfinished"),
    "with-mistakes": _("With mistakes"),
}
