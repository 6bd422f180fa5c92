"""Make the fonts for pictures (`games/fonts`), each with a single weight, in the format that the PNG library reads.

Run it after updating the fonts, with fonttools and brotli installed: `python .ci/picture_fonts.py`.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ROOT = Path(__file__).parents[1]
VENDOR, FONTS = ROOT / "games/static/games/vendor", ROOT / "games/fonts"
MADE = {
    "Inter-Regular": ("inter/inter-{}-wght-normal.woff2", ("latin", "latin-ext"), 400),
    "Inter-Bold": ("inter/inter-{}-wght-normal.woff2", ("latin", "latin-ext"), 700),
    "SourceSerif4-Semibold": ("source-serif-4/source-serif-4-{}-wght-normal.woff2", ("latin",), 600),
}


def main() -> None:
    """Write the fonts."""
    for name, (source, parts, weight) in MADE.items():
        with TemporaryDirectory() as folder:
            files = [_of_one_weight(VENDOR / source.format(part), weight, Path(folder) / part) for part in parts]
            font = Merger().merge(files) if len(files) > 1 else TTFont(files[0])
            font["OS/2"].usWeightClass = weight
            font.save(FONTS / f"{name}.ttf")


def _of_one_weight(path: Path, weight: int, to: Path) -> str:
    font = TTFont(path)
    axes = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
    font = instancer.instantiateVariableFont(font, {**axes, "wght": weight})
    font.flavor = None
    font.save(to)
    return str(to)


if __name__ == "__main__":
    main()
