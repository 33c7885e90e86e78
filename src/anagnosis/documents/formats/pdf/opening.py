"""Open a PDF file within the limits of number and size of its pages, with a password where it needs one."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdfium2
import pypdfium2.raw as pdfium

MOST_PAGES = 2_000
WIDEST = 14_400  # points: 200 inches, the format's own limit


class UnreadableError(Exception):
    """A file that gives no document; its text says why, and what to do."""


def opened(data: bytes, passwords: Sequence[str] = ()) -> pypdfium2.PdfDocument:
    """The file, which the caller closes. passwords: each is tried where the empty one does not open it.

    UnreadableError: damaged, no password opens it, too many pages.
    """
    document = next((one for each in (None, *passwords) if (one := _with_password(data, each))), None)
    if document is None:
        what = "none of the passwords opens it" if passwords else "needs a password"
        raise UnreadableError(f"{what}; write it on a line of a file, and give that with --password-file")
    if (pages := len(document)) > MOST_PAGES:
        document.close()
        raise UnreadableError(f"has {pages:,} pages, over {MOST_PAGES:,}; split it into papers")
    return document


def by_glyph_names(document: pypdfium2.PdfDocument) -> pypdfium2.PdfDocument:
    """A copy of which PDFium reads characters by the names of their glyphs, and not by the file's own table."""
    copy = io.BytesIO()
    try:
        document.save(copy, flags=pdfium.FPDF_REMOVE_SECURITY)
        return pypdfium2.PdfDocument(copy.getvalue().replace(b"/ToUnicode", b"/ToNothing"))
    except pypdfium2.PdfiumError:
        return document


def _with_password(data: bytes, password: str | None) -> pypdfium2.PdfDocument | None:
    """None where another password is needed."""
    try:
        return pypdfium2.PdfDocument(data, password)
    except pypdfium2.PdfiumError as fault:
        if fault.err_code == pdfium.FPDF_ERR_PASSWORD:
            return None
        raise UnreadableError("damaged: PDFium cannot open it; fetch it again") from None
