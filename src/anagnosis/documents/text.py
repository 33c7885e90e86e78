"""The text of a paper: its white space, labels inside running text, and texts of mentions.

A label inside running text ("METHODS: We asked 20 people. RESULTS: Ten answered.") begins the text or a sentence and
ends in a colon with a blank (or nothing) behind it. It is written in capitals, two letters or more ("TRIAL
REGISTRATION", "WHAT THIS STUDY ADDS"), or is a usual heading that begins with one ("Materials and methods"). We cut a
text at its labels only if it begins with one. A single label must also be a usual heading, since the colon in "DNA: …"
makes no label.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

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

# Taggers write a Greek letter as the Latin letter that looks or sounds alike. Gene and chemical names use only these.
_GREEK = str.maketrans("αβγδεζηθικλμνξοπρστυφχψωµß", "abgdezhqiklmnxoprstufcywmb")
_BETWEEN = re.compile(r"[\W_]+")


def tidied(text: str) -> str:
    """`text` with each run of blanks, tabs and line ends as one blank, and none at either end."""
    # Most texts need no change; these tests show that fastest.
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


def join_with_labels(parts: Iterable[tuple[str, str]]) -> str:
    """Parts as running text, as PubMed prints a structured abstract."""
    return " ".join(f"{label}: {text}" if label else text for label, text in parts).strip(" ")


def is_normalised(text: str, slice_: str) -> bool:
    """Whether `text` is the document's `slice_` after a tagger's normalisation.

    The comparison ignores case, compatibility forms (NFKC), Greek against Latin letters, and everything that is
    neither letter nor digit: "cxcr 1" equals "CXCR-1", "TNF-a" equals "TNF-α".
    """
    folded = _fold(text)
    return bool(folded) and folded == _fold(slice_)


@lru_cache(maxsize=1 << 12)
def _fold(text: str) -> str:
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text).casefold().translate(_GREEK))
