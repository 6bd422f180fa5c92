"""Make small fonts for the pages, with the characters that nearly every page needs and the weights that the styles use.

Run it after updating the fonts, with fonttools and brotli installed: `python .ci/subset_fonts.py`. css/tokens.css has
the same ranges; other characters are in the larger fonts, which browsers fetch only for pages that use them.
"""

from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

VENDOR = Path(__file__).parents[1] / "games/static/games/vendor"
CORE = (
    "U+20-7E,U+A0,U+A7,U+AB,U+B1,U+B7,U+BB,U+BD,U+C4,U+D6,U+D7,U+DC,U+DF-E1,U+E4,U+E7-E9,U+ED,U+F1,U+F3,U+F6,U+FC,"
    "U+2013-2014,U+2018-201A,U+201C-201E,U+2026,U+2039-203A,U+2191,U+2193,U+2212"
)
TEXT = ["kern", "tnum", "lnum", "ccmp", "locl", "mark", "liga"]
FONTS = {
    "inter/inter-{}-wght-normal.woff2": ((400, 700), TEXT),
    "source-serif-4/source-serif-4-{}-wght-normal.woff2": ((400, 700), TEXT),
    "source-serif-4/source-serif-4-{}-wght-italic.woff2": ((400, 600), TEXT),
    "jetbrains-mono/jetbrains-mono-{}-wght-normal.woff2": ((400, 700), ["ccmp", "locl"]),
}


def main() -> None:
    """Write the small fonts beside the large ones."""
    for name, (weights, features) in FONTS.items():
        small = with_weights(with_characters(VENDOR / name.format("latin"), features), weights)
        small.flavor = "woff2"
        small.save(VENDOR / name.format("core"))
        print(name.format("core"), (VENDOR / name.format("core")).stat().st_size)


def with_characters(path: Path, features: list[str]) -> TTFont:
    """Return a font with only the core characters and some features."""
    font = TTFont(path)
    options = subset.Options(layout_features=features, hinting=False, notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(CORE.replace("U+", "")))
    cutter.subset(font)
    return font


def with_weights(font: TTFont, weights: tuple[int, int]) -> TTFont:
    """Return a font with a narrower range of weights and no other axis."""
    whole = BytesIO()
    font.flavor = None
    font.save(whole)
    whole.seek(0)
    font = TTFont(whole)
    others = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
    return instancer.instantiateVariableFont(font, {**others, "wght": weights})


if __name__ == "__main__":
    main()
