"""The text of a paper: white space, labels inside it, texts of mentions, and escaped markup.

A label inside running text ("METHODS: We asked 20 people. RESULTS: Ten answered.") begins the text or a sentence and
ends in a colon. It is written in capitals, or is a usual heading that begins with one ("Materials and methods"). We cut
a text at its labels only if it begins with one; a single one must also be a usual heading, as "DNA: …" is none.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape
from html.entities import html5

from anagnosis.documents.raised import AROUND, resolved

# XML's white space only; thin and no-break spaces are the author's choice.
_RUN = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
_TWO = re.compile("  ")

# From the labels of structured abstracts in MEDLINE, where a fifth of them are not in capitals.
_USUAL = re.compile(
    "aims?(?: and objectives?)?|background(?: and (?:aims?|purpose|objectives?))?|case (?:presentation|report)"
    "|conclusions?|context|design|discussion|findings|funding|implications|importance|interpretation|introduction"
    "|level of evidence|limitations|main (?:outcome measures?|results)|materials? and methods?"
    "|methods?(?: and (?:findings|results))?|methodology|objectives?|participants|patients(?: and methods?)?|purpose"
    "|rationale|results?(?: and (?:discussion|conclusions?))?|setting|significance|study design|summary"
    "|(?:clinical )?trial registration",
    re.IGNORECASE,
)
_CAPITALS = r"[A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ0-9'’&/,() -]{0,78}[A-ZÀ-ÖØ-Þ0-9)]"
_LABEL = re.compile(
    rf"(?:\A|(?<=[.?!] )|(?<=[.?!][\"')\]”’] ))({_CAPITALS}|(?=[A-Z])(?i:{_USUAL.pattern})):(?: |\Z)"
)

# Taggers write a Greek letter as the Latin letter that looks or sounds alike, and signs that look like one as it; Latin
# letters that no normal form takes apart as the plain ones. Gene and chemical names use only these.
_LATIN = str.maketrans("αβγδεζηθικλμνξοπρστυφχψωɑɣɛ∆×øłđı", "abgdezhqiklmnxoprstufcywagedxoldi")
_BETWEEN = re.compile(r"[\W_]+")
_FOR_BETA = re.compile(r"(?<![^\W\d_A-Z])ß")  # IL-1ß, TGFßRII and ßTrCP, not Weiß and Maße


def tidied(text: str) -> str:
    """`text` with each run of blanks, tabs and line ends as one blank, and none at either end."""
    # Most texts need no change; these tests show that fastest.
    if len(text) < 64 and text.isprintable() and "  " not in text:
        return text.strip(" ")
    if "\n" in text or "\t" in text or "\r" in text or _TWO.search(text):
        text = _RUN.sub(" ", text)
    return text.strip(" ")


def is_usual_heading(text: str) -> bool:
    """Whether these words are a usual heading of a structured abstract, in any case."""
    return _USUAL.fullmatch(text) is not None


def split_at_labels(text: str) -> list[tuple[str, str]]:
    """(label, text) of each part, in order; [("", text)] if the text has no labels."""
    labels = list(_LABEL.finditer(text))
    if not labels or labels[0].start() or (len(labels) == 1 and not _USUAL.fullmatch(labels[0][1])):
        return [("", text)]
    ends = [*(label.start() for label in labels[1:]), len(text)]
    return [(label[1], text[label.end() : end].strip(" ")) for label, end in zip(labels, ends, strict=True)]


def is_normalised(text: str, slice_: str) -> bool:
    """Whether `text` is the document's `slice_` after a tagger's normalisation.

    The comparison ignores case, accents, compatibility forms (NFKD), Greek against Latin letters, and everything that
    is neither letter nor digit: "cxcr 1" equals "CXCR-1", "TNF-a" equals "TNF-α", and "IL-1b" equals "IL-1ß".
    """
    return not _folded(text).isdisjoint(_folded(slice_))


@lru_cache(maxsize=1 << 12)
def _folded(text: str) -> frozenset[str]:
    """The forms of a text: ß is ss, and b where it may stand for β. None of a text without letters and digits."""
    forms = {text, _FOR_BETA.sub("b", text)}
    plain = (unicodedata.normalize("NFKD", form).casefold().translate(_LATIN) for form in forms)
    return frozenset(_BETWEEN.sub("", form) for form in plain) - {""}


_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(
    r"""<(/?)(jats:|mml:)?([A-Za-z][\w-]{0,30})(?:\s+[\w:-]+\s?=\s?(?:"[^"<>]*"|'[^'<>]*'))*\s?(/?)>"""
)
# HTML's, Crossref's (`jats:`) and JATS' elements in titles and abstracts.
_INLINE = frozenset(
    str.split(
        "b bold em i inf italic monospace overline roman sc scp small span strike strong sub sup tt u underline"
    )
)
_BLOCK = frozenset(str.split("abstract br break div h1 h2 h3 h4 li list list-item ol p sec title ul"))
_MOST_ESCAPES = 4  # &amp;amp;lt; was escaped three times


def unescaped(text: str) -> str:
    """`text` with the entities and tags that were escaped as text: "H&lt;sub&gt;2&lt;/sub&gt;O" is "H2O".

    Only known markup counts, and a tag only beside its counterpart, so "p < 0.05", "a<b" and "AT&T;" stay.
    """
    for _ in range(_MOST_ESCAPES):
        if "&" not in text or (plain := _ENTITY.sub(_sign, text)) == text:
            break
        text = plain
    if "<" not in text:
        return text
    tags = list(_TAG.finditer(text))
    opened, closed = ({tag[3] for tag in tags if bool(tag[1]) is is_end} for is_end in (False, True))
    known = opened & closed | {tag[3] for tag in tags if tag[4] or tag[3] in ("br", "break")}
    plain = _TAG.sub(lambda tag: _between(tag) if tag[3] in known else tag[0], text)
    return text if plain == text else re.sub(r" {2,}", " ", resolved(plain)).strip(" ")


def _sign(entity: re.Match[str]) -> str:
    sign = unescape(entity[0]) if entity[0][1] == "#" else html5.get(entity[0][1:], entity[0])
    if sign.isspace():
        return "\xa0" if sign == "\xa0" else " "
    return sign if sign.isprintable() and sign not in ("", "\ufffd") else entity[0]


def _between(tag: re.Match[str]) -> str:
    """What stands for a tag: nothing for an inline one, a blank for a block, itself for an unknown one."""
    name = tag[3].lower()
    if name in _BLOCK:
        return " "
    if name in ("sup", "sub"):
        return AROUND[name][bool(tag[1])]
    return "" if tag[2] or name in _INLINE else tag[0]
