"""Texts as QR codes."""

import io

import segno
from flask import Response

QUIET = 4
"""Modules of the quiet zone around a code, as ISO/IEC 18004 asks."""


def qr_code(text: str, error: str) -> Response:
    """A text as a QR code (SVG) of at least this level of error correction: "l", "m", "q" or "h"."""
    out = io.BytesIO()
    segno.make(text, error=error, micro=False).save(
        out, kind="svg", border=QUIET, dark="#111", light="#fff", omitsize=True, xmldecl=False
    )
    return Response(out.getvalue(), content_type="image/svg+xml")
