"""The type of a MeSH heading by the branch of its tree numbers: C14.907 is a disease."""

from __future__ import annotations

from collections.abc import Iterable

# Branch → type. The letters are MeSH's categories; F03 (mental disorders) are diseases, as in BC5CDR.
BRANCHES = {
    "A": "Anatomy",
    "B": "Organism",
    "C": "Disease",
    "D": "Chemical",
    "E": "Procedure",
    "F03": "Disease",
    "F": "Psychology",
    "G": "Phenomenon",
    "H": "Discipline",
    "I": "Social science",
    "J": "Technology",
    "K": "Humanities",
    "L": "Information science",
    "M": "Group",
    "N": "Health care",
    "V": "Publication type",
    "Z": "Place",
}
# Class of a supplementary record → type (SCRClass 1 to 4: chemical, protocol, disease, organism).
RECORD_CLASSES = {"1": "Chemical", "2": "Protocol", "3": "Disease", "4": "Organism"}


def categories(tree_numbers: Iterable[str]) -> tuple[str, ...]:
    """The types of a heading, each once, in the order of its tree numbers."""
    return tuple(
        dict.fromkeys(
            kind for number in tree_numbers if (kind := BRANCHES.get(number[:3]) or BRANCHES.get(number[:1]))
        )
    )
