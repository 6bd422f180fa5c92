"""Games to try the upload with."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "samples"


@dataclass(frozen=True, slots=True)
class Sample:
    """A file to try."""

    name: str
    title: str
    text: str


@cache
def samples() -> tuple[Sample, ...]:
    """The files that come with the site, by their names."""
    return tuple(_sample(path) for path in sorted(FOLDER.glob("*.agn")))


def find_sample(name: str) -> Sample | None:
    """The sample of a name, if there is one."""
    return next((sample for sample in samples() if sample.name == name), None)


def _sample(path: Path) -> Sample:
    return Sample(path.stem, path.stem.replace("-", " ").capitalize(), path.read_text(encoding="utf-8"))
