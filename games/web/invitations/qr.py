"""QR codes."""

import segno

from games.web.boards import Drawn, drawn

_BORDER = 4
"""Modules of quiet zone: what scanners ask for."""


def qr_code(text: str) -> Drawn:
    """Return a text as a QR code: an SVG that takes the width it is given, dark on light in both themes."""
    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(scale=1, border=_BORDER, omitsize=True, dark="#1F2A22", light="#FFFFFF", svgclass=None)
    return drawn(svg)
