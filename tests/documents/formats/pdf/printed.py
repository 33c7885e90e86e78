"""PDF files of our own text: pages on which each piece of text stands where a test puts it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from textwrap import wrap

WIDTH, HEIGHT = 600, 800
FONTS = {"roman": "Times-Roman", "bold": "Times-Bold", "sans": "Helvetica", "mono": "Courier"}


@dataclass
class Page:
    """width, height: in points. extra: other entries. drawn: the operators of its content."""

    width: float = WIDTH
    height: float = HEIGHT
    extra: str = ""
    drawn: list[str] = field(default_factory=list[str])

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 10,
        font: str = "roman",
        rise: float = 0,
        before: str = "",
    ) -> Page:
        """A piece of text in WinAnsi. rise: above its line. before: operators in front of it."""
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.drawn.append(f"q {before} BT /{font} {size} Tf {x} {y} Td {rise} Ts ({escaped}) Tj ET Q")
        return self

    def turned(self, x: float, y: float, text: str) -> Page:
        """A text that runs upwards."""
        self.drawn.append(f"BT /sans 8 Tf 0 1 -1 0 {x} {y} Tm ({text}) Tj ET")
        return self

    def paragraph(self, x: float, y: float, text: str, letters: int = 50, *, size: float = 10) -> float:
        """Lines of at most so many letters, one under the other; returns where the next one would stand."""
        for line in wrap(text, letters):
            self.text(x, y, line, size=size)
            y -= 1.2 * size
        return y


def printed(
    *pages: Page, title: str = "", subject: str = "", locked: bool = False, more_fonts: str = ""
) -> bytes:
    """A file of these pages. title, subject: of its metadata. locked: it asks for a password."""
    fonts = " ".join(
        f"/{name} << /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>"
        for name, font in FONTS.items()
    )
    fonts += more_fonts
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        f"<< /Title ({title}) /Subject ({subject}) >>".encode(),
    ]
    for number, page in enumerate(pages):
        box = f"/MediaBox [0 0 {page.width} {page.height}] {page.extra}"
        resources = f"/Resources << /Font << {fonts} >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R {box} {resources} /Contents {5 + 2 * number} 0 R >>".encode()
        )
        content = zlib.compress("\n".join(page.drawn).encode("cp1252"), 9)
        head = f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + content + b"\nendstream")
    if locked:
        objects.append(_LOCK)
    data, places = bytearray(b"%PDF-1.7\n"), list[int]()
    for number, one in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    begin = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    lock = b"/Encrypt %d 0 R /ID [<01> <01>]" % len(objects)
    data += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        lock if locked else b"/Info 3 0 R",
        begin,
    )
    return bytes(data)


# The standard security handler of revision 2 (PDF 1.7, 7.6.3) with keys that no password gives.
_LOCK = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -1 >>" % (b"01" * 32, b"02" * 32)
