"""Rules about the names of a vocabulary: other forms of a name, and names that match under conditions only.

Each rule is a function; `dictionary.RULES` has their names, and each can be switched off.
"""

from __future__ import annotations

import re

_INVERTED = re.compile(r"([^,()\[\]]+), ([^,()\[\]]+)")
_QUALIFIER = re.compile(r"(.*\w{4}.*?)\s+[(\[][^()\[\]]*[)\]]")
_SHORT = 4  # letters and digits


def inverted_forms(name: str) -> str:
    """The name in the order of speech: "Abdomen, Acute" is "Acute Abdomen". "" where it has no such form."""
    match = _INVERTED.fullmatch(name)
    return f"{match[2]} {match[1]}" if match else ""


def qualifiers(name: str) -> str:
    """The name without a class in brackets at its end: "Heart attack (disorder)". "" where it has none."""
    match = _QUALIFIER.fullmatch(name)
    return match[1] if match else ""


# End of a name → end of its adjective. From BC5CDR's first 1,000 documents: those that were right at least four times
# there, and more often than wrong.
_ADJECTIVES = {
    "tension": "tensive",  # hypertension
    # Not every -osis: apoptosis, mitosis and meiosis are no diseases, and CRAFT does not annotate "apoptotic".
    "bosis": "botic",  # thrombosis
    "hosis": "hotic",  # psychosis
    "losis": "lotic",  # alkalosis
    "nosis": "notic",  # cyanosis
    "rosis": "rotic",  # necrosis
    "epsy": "eptic",  # epilepsy
    "emia": "emic",  # ischemia, ischaemia
    "onism": "onian",  # parkinsonism
    "toxicity": "toxic",  # neurotoxicity
    "betes": "betic",  # diabetes
    "nia": "nic",  # schizophrenia
    "esia": "esic",  # hyperalgesia
    "esity": "ese",  # obesity
}


def adjectives(name: str) -> str:
    """The adjective of a name of one word: "hypertensive" of "Hypertension". "" where it has none that we know."""
    lower = name.lower()
    if not lower.isalpha():
        return ""
    end = next((end for end in _ADJECTIVES if lower.endswith(end)), lower)
    stem = lower.removesuffix(end)
    return stem + _ADJECTIVES[end] if stem else ""


def short_forms(name: str) -> bool:
    """Whether a name is a short form, which a text must spell in the same case: "AIDS", "MS", "pH".

    So are names of up to four letters and digits, and names of one word in capitals or with a capital inside.
    """
    letters = [sign for sign in name if sign.isalnum()]
    if " " in name.strip():
        return False
    if len(letters) <= _SHORT and any(sign.isupper() for sign in name[1:]):
        return True
    return len(letters) > 1 and sum(sign.isupper() for sign in letters) * 2 > len(letters)


# Names that papers use for any disease, substance or event; compared in lower case. From the false matches of MeSH in
# BC5CDR's first 1,000 documents.
_GENERAL = frozenset(
    """
    acid death disease disorder drug emergency enzyme hormone placebo protein recurrence salt syndrome
    """.split()  # noqa: SIM905 a list is read as words
)


def general_names(name: str) -> bool:
    """Whether a name is one letter, or stands for a whole class of things: "a", "Disease", "Syndromes", "Drug"."""
    lower = name.lower()
    is_letter = len(name.strip(" .,;:()[]'\"")) < 2
    return is_letter or lower in _GENERAL or (lower.endswith("s") and lower[:-1] in _GENERAL)
