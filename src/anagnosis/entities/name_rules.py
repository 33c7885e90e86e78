"""Rules that leave out names of terms: one function each, which says whether the rule applies to a name.

`RULES` has them by name; a vocabulary records which of them it was made with, and how many names each left out.
DEFAULT are those that commands apply, and `--without` takes. The others are for Python: narrower names and permuted
forms ("Abdomen, Acute") are names that people also write.
"""

from __future__ import annotations

from collections.abc import Callable

from anagnosis.entities.term import BROAD, NARROW, RELATED, Synonym, Term

Rule = Callable[[Term, Synonym], bool]


def obsolete_term(term: Term, synonym: Synonym) -> bool:
    """The term is no longer in use (OBO: is_obsolete)."""
    return term.obsolete


def other_language(term: Term, synonym: Synonym) -> bool:
    """The name is not English (MRCONSO: LAT)."""
    return "other language" in synonym.marks


def suppressed_name(term: Term, synonym: Synonym) -> bool:
    """The release marks the name as not to be used (MRCONSO: SUPPRESS is not N)."""
    return "suppressed" in synonym.marks


def broad_scope(term: Term, synonym: Synonym) -> bool:
    """The name stands for a broader concept (OBO: BROAD, MeSH: BRD)."""
    return synonym.scope == BROAD


def related_scope(term: Term, synonym: Synonym) -> bool:
    """The name stands for a related concept (OBO: RELATED, MeSH: REL)."""
    return synonym.scope == RELATED


def narrow_scope(term: Term, synonym: Synonym) -> bool:
    """The name stands for a narrower concept (OBO: NARROW, MeSH: NRW)."""
    return synonym.scope == NARROW


def permuted_name(term: Term, synonym: Synonym) -> bool:
    """The file marks the name as turned round (MeSH: IsPermutedTermYN, MRCONSO: PM)."""
    return "permuted" in synonym.marks


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        obsolete_term,
        other_language,
        suppressed_name,
        broad_scope,
        related_scope,
        narrow_scope,
        permuted_name,
    )
}
DEFAULT = ("obsolete_term", "other_language", "suppressed_name", "broad_scope", "related_scope")
