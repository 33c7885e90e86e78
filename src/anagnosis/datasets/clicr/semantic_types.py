"""Semantic types of annotators as CliCR's three: problem, treatment, test (the concepts of i2b2 2010).

The UMLS types are those that the annotation guidelines of i2b2 2010 list for each concept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal

Concept = Literal["problem", "treatment", "test"]

# Type, in lower case without separators → CliCR's type.
TYPES: dict[str, Concept] = {
    # i2b2 2010 and CLAMP
    "problem": "problem",
    "treatment": "treatment",
    "test": "test",
    "drug": "treatment",
    # MACCROBAT 2020
    "signsymptom": "problem",
    "diseasedisorder": "problem",
    "medication": "treatment",
    "therapeuticprocedure": "treatment",
    "diagnosticprocedure": "test",
    # cTAKES; its procedures are of both kinds, and reports name more diagnostic ones (MACCROBAT: 4,598 to 1,036)
    "diseasedisordermention": "problem",
    "signsymptommention": "problem",
    "medicationmention": "treatment",
    "proceduremention": "test",
    "labmention": "test",
    "lab": "test",  # as cTAKES calls it
    # E3C
    "clinentity": "problem",
    "rml": "test",
    # dictionaries and PubTator; MeSH's procedures are of both kinds, as cTAKES's
    "disease": "problem",
    "phenotype": "problem",
    "diseaseorphenotypicfeature": "problem",
    "humanphenotype": "problem",
    "diseaseontology": "problem",
    "doid": "problem",
    "mondo": "problem",
    "chemical": "treatment",
    "chemicalentity": "treatment",
    "preparation": "treatment",
    "procedure": "test",
}

# A UMLS semantic type's name, its identifier and MetaMap's abbreviation → CliCR's type.
UMLS_TYPES: dict[tuple[str, str, str], Concept] = {
    ("Pathologic Function", "T046", "patf"): "problem",
    ("Disease or Syndrome", "T047", "dsyn"): "problem",
    ("Mental or Behavioral Dysfunction", "T048", "mobd"): "problem",
    ("Cell or Molecular Dysfunction", "T049", "comd"): "problem",
    ("Congenital Abnormality", "T019", "cgab"): "problem",
    ("Acquired Abnormality", "T020", "acab"): "problem",
    ("Injury or Poisoning", "T037", "inpo"): "problem",
    ("Anatomical Abnormality", "T190", "anab"): "problem",
    ("Neoplastic Process", "T191", "neop"): "problem",
    ("Virus", "T005", "virs"): "problem",
    ("Bacterium", "T007", "bact"): "problem",
    ("Sign or Symptom", "T184", "sosy"): "problem",
    ("Therapeutic or Preventive Procedure", "T061", "topp"): "treatment",
    ("Medical Device", "T074", "medd"): "treatment",
    ("Steroid", "T110", "strd"): "treatment",
    ("Pharmacologic Substance", "T121", "phsu"): "treatment",
    ("Biomedical or Dental Material", "T122", "bodm"): "treatment",
    ("Antibiotic", "T195", "antb"): "treatment",
    ("Clinical Drug", "T200", "clnd"): "treatment",
    ("Drug Delivery Device", "T203", "drdd"): "treatment",
    ("Laboratory Procedure", "T059", "lbpr"): "test",
    ("Diagnostic Procedure", "T060", "diap"): "test",
}

_SEPARATORS = re.compile(r"[\s_\-]+")


def plain_type(semantic_type: str) -> str:
    """A type in the spelling of the table: lower case, without blanks, hyphens and underscores."""
    return _SEPARATORS.sub("", semantic_type).lower()


_CONCEPTS: Mapping[str, Concept] = {
    **{plain_type(spelling): kind for spellings, kind in UMLS_TYPES.items() for spelling in spellings},
    **TYPES,
}


def concepts(further: Mapping[str, Concept]) -> Callable[[str], Concept | None]:
    """CliCR's type of an annotator's type in any spelling, of a class's full name its last part; or None.

    further: types that come first.
    """
    added: dict[str, Concept] = {plain_type(spelling): concept for spelling, concept in further.items()}

    @lru_cache(maxsize=1 << 12)
    def concept(semantic_type: str) -> Concept | None:
        last = plain_type(semantic_type.rpartition(".")[2])
        return added.get(plain_type(semantic_type)) or _CONCEPTS.get(last)

    return concept
