"""The type of a MeSH heading by the branch of its tree numbers: C14.907 is a disease."""

from __future__ import annotations

from collections.abc import Iterable

# Branch → type; the longest branch counts. The letters are MeSH's categories. Of category D (Chemicals and Drugs) the
# branches of proteins, enzymes, nucleic acids and actions are no single substances; F03 are mental disorders.
BRANCHES = {
    "A": "Anatomy",
    "B": "Organism",
    "C": "Disease",
    "D": "Chemical",
    "D05": "Macromolecule",
    "D08": "Enzyme",
    "D12.776": "Protein",
    "D13.444": "Nucleic acid",
    "D20": "Mixture",
    "D23": "Biological factor",
    "D26": "Preparation",
    "D27": "Action",
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
    return tuple(dict.fromkeys(kind for number in tree_numbers if (kind := _category(number))))


def _category(number: str) -> str:
    parts = number.split(".")
    branches = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((BRANCHES[b] for b in branches if b in BRANCHES), BRANCHES.get(number[:1], ""))
