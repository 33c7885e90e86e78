"""PDF files of our own text: pages on which each piece of text stands where a test puts it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from hashlib import md5
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

    def unicode(self, x: float, y: float, text: str, *, size: float = 10) -> Page:
        """A piece of text in any script, in a font whose characters are numbered as in Unicode."""
        self.drawn.append(f"BT /cid {size} Tf {x} {y} Td <{text.encode('utf-16-be').hex()}> Tj ET")
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


# A composite font without a program: each of its two-byte codes is the character of this number.
CID_FONT = (
    "/cid << /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /ToUnicode /Identity-H /DescendantFonts ["
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 1000"
    " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    " /FontDescriptor << /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0"
    " /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>"
)


def printed(
    *pages: Page, title: str = "", subject: str = "", password: str = "", more_fonts: str = ""
) -> bytes:
    """A file of these pages. title, subject: of its metadata. password: without which nobody can read it."""
    lock = _Lock(password) if password else None
    fonts = " ".join(
        f"/{name} << /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>"
        for name, font in FONTS.items()
    )
    fonts += CID_FONT if any("/cid" in one for page in pages for one in page.drawn) else ""
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
        if lock:
            content = lock.encrypted(content, 5 + 2 * number)
        head = f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + content + b"\nendstream")
    if lock:
        objects.append(lock.entry())
    data, places = bytearray(b"%PDF-1.7\n"), list[int]()
    for number, one in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    begin = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    locked = b"/Encrypt %d 0 R /ID [<%s> <%s>]" % (len(objects), _IDENT.hex().encode(), _IDENT.hex().encode())
    data += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        locked if lock else b"/Info 3 0 R",
        begin,
    )
    return bytes(data)


_IDENT, _PERMISSIONS = b"0123456789abcdef", b"\xff\xff\xff\xff"
_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


class _Lock:
    """The standard security handler of revision 2 (PDF 1.7, 7.6.3): RC4 with 40 bits."""

    def __init__(self, password: str) -> None:
        padded = (password.encode() + _PADDING)[:32]
        self.owner = _rc4(md5(padded).digest()[:5], padded)
        self.key = md5(padded + self.owner + _PERMISSIONS + _IDENT).digest()[:5]

    def entry(self) -> bytes:
        user = _rc4(self.key, _PADDING)
        return b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -1 >>" % (
            self.owner.hex().encode(),
            user.hex().encode(),
        )

    def encrypted(self, data: bytes, number: int) -> bytes:
        key = md5(self.key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
        return _rc4(key, data)


def _rc4(key: bytes, data: bytes) -> bytes:
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    made, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        made.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(made)


_INTRODUCTION = (
    "People who are troubled by acid in the stomach often ask whether they may drink coffee. Coffee that is "
    "brewed cold is sold as the milder drink, since fewer acids are drawn from the beans by cold water than "
    "by hot water. Whether the stomach notices the difference has hardly been measured. We asked people to "
    "drink both kinds, and measured."
)
_METHODS = (
    "Twenty-four people drank 200 ml of cold brew coffee on one day and 200 ml of espresso with water on "
    "another, in an order drawn by lot. A thin probe measured gastric pH every ten seconds for two hours. "
    "Nobody took a drug against acid in the week before. The people did not know which drink they would get "
    "until they tasted it."
)
_RESULTS = (
    "Before the drinks, gastric pH was 1.8 on both days. Cold brew coffee raised gastric pH less than "
    "espresso: the largest rise was 0.9 after cold brew coffee and 1.6 after espresso (p = 0.01). The pH was "
    "back where it had been after 40 minutes on both days. Three people felt heartburn after espresso and two"
    " after cold brew coffee."
)
_DISCUSSION = (
    "The difference between the drinks was small and did not last. It speaks against the belief that cold "
    "brew coffee is the better drink for people with acid in the stomach. Our study was short, and all people"
    " in it were healthy; what the drinks do to people with reflux we cannot say. Larger studies should "
    "measure symptoms, and not the pH alone."
)


def coffee_paper() -> bytes:
    """A page in two columns, of a paper that does not exist."""
    page = Page()
    page.text(50, 740, "Cold brew coffee, espresso and the", size=18, font="bold")
    page.text(50, 718, "acid of the stomach: a small trial", size=18, font="bold")
    page.text(50, 696, "A. Nobody, B. Noone and C. Nemo", size=10)
    for x, parts in (
        (50, (("Introduction", _INTRODUCTION), ("Methods", _METHODS))),
        (310, (("Results", _RESULTS), ("Discussion", _DISCUSSION))),
    ):
        y = 660.0
        for heading, text in parts:
            page.text(x, y, heading, size=12, font="bold")
            y = page.paragraph(x, y - 18, text, 50) - 10
    return printed(page)
