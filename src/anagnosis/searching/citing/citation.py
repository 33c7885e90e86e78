"""The citation of a paper, and of a sentence in it, as text to paste into a manuscript.

    Hellinger FR Jr, van der Bergé J-P, Salt Study Group, et al. Does aspirin prevent stroke? J Salt
    2016;12(Suppl 1):817-20. PMID 27000083. doi:10.1000/x

    “Aspirin prevented stroke.” (results) Hellinger FR Jr, … doi:10.1000/x

Source: NLM, "Citing Medicine", 2nd edition, journal articles; at most MOST_AUTHORS names stand before "et al".
"""

from __future__ import annotations

import re

from anagnosis.documents.bibliography import name_parts, printed_name
from anagnosis.searching.citing.reference import Reference, in_one_line, is_group

MOST_AUTHORS = 3
# Initials as a source prints them: "FR", "F.R.", "J-P".
_INITIALS = re.compile(r"[^\W\d_]{1,3}|[^\W\d_](?:(?:\. ?|[ -])[^\W\d_])*\.?")
_ENDS = (".", "?", "!", "…")


def citation(reference: Reference) -> str:
    """The paper in one line; a retraction and the like first."""
    parts = (
        *(f"[{notice}]" for notice in reference.notice_words),
        _ended(first_authors(reference.authors)),
        _ended(reference.title or reference.id),
        _ended(_place(reference)),
        _ended(f"PMID {reference.pmid}") if reference.pmid else _ended(reference.pmcid),
        f"doi:{reference.doi}" if reference.doi else "",
    )
    return " ".join(filter(None, parts))


def citation_of_sentence(reference: Reference, sentence: str, section: str) -> str:
    """A sentence, verbatim but for line breaks, with its section and its paper."""
    return f"“{in_one_line(sentence)}” ({in_one_line(section)}) {citation(reference)}"


def short_name(author: str) -> str:
    """ "Hellinger FR Jr" for "Hellinger, Frank R Jr"; a group's name stays."""
    if is_group(author):
        return printed_name(author)
    family, given, suffix = name_parts(author)
    return " ".join(filter(None, (family, _initials(given), suffix)))


def first_authors(authors: tuple[str, ...]) -> str:
    """At most MOST_AUTHORS in short, and "et al" for the others: "Hellinger FR Jr, van der Bergé J-P"."""
    names = [short_name(author) for author in authors[:MOST_AUTHORS]]
    return ", ".join(names + ["et al"] * (len(authors) > MOST_AUTHORS))


def _initials(given: str) -> str:
    """The initials of given names; initials alone stay: "FR" for "Frank R", "J-P" for "Jean-Pierre" and "J-P"."""
    if given.isupper() and _INITIALS.fullmatch(given):
        return given.replace(".", "").replace(" ", "")
    parts = ("-".join(piece[:1] for piece in name.split("-") if piece) for name in given.split())
    return "".join(parts)


def _place(reference: Reference) -> str:
    """The place in the journal, "J Salt 2016;12(Suppl 1):817-20", as far as known."""
    in_volume = reference.volume + (f"({reference.issue})" if reference.issue else "")
    journal = reference.journal.rstrip(".")
    dated = " ".join(filter(None, (journal, reference.year)))
    numbered = f"{dated};{in_volume}" if dated and in_volume else dated or in_volume
    return f"{numbered}:{reference.pages}" if numbered and reference.pages else numbered


def _ended(part: str) -> str:
    return part if not part or part.endswith(_ENDS) else f"{part}."
