"""What a question asks for, by its head noun, and how well the form of a word fits that.

    "Which transcription factors repress …"   factor, in the class gene: names such as Snail1, ZEB1
    "How many genes …"                        the class number
    "Which company …"                         company, in no class: perhaps a name that begins with a capital

The classes and forms are our rough rules, without training.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anagnosis.language import verbs
from anagnosis.language.inflection import singular
from anagnosis.language.tags import tag, words

GENE, DRUG, DISEASE, TOOL, NUMBER, OTHER = "gene", "drug", "disease", "tool", "number", "other"
CAPITAL = "capital"  # a form
_HEADS = {
    GENE: """gene protein receptor enzyme kinase factor molecule ligand antigen cytokine hormone peptide mirna microrna
        rna channel transporter chaperone histone marker biomarker subunit isoform homolog ortholog mutation
        polymorphism variant snp phosphatase protease ligase methyltransferase oncogene chemokine substrate repressor
        activator regulator partner interactor target locus neurotransmitter miR miRNA lncrna helicase integrin""",
    DRUG: """drug compound inhibitor antibody vaccine treatment therapy medication agent antagonist agonist antibiotic
        chemical medicine substance supplement antidote chemotherapy anticoagulant""",
    DISEASE: """disease syndrome disorder condition cancer tumor tumour symptom infection phenotype malignancy
        neoplasm complication indication sign feature deficiency""",
    TOOL: """tool database software package algorithm method webserver server program resource system company
        technique pipeline browser model test score scale criterion""",
    NUMBER: """number percentage percent proportion prevalence incidence frequency rate dose dosage age year length
        size weight ratio duration mean half-life""",
}
_CLASS_OF = {word: name for name, words in _HEADS.items() for word in words.split()}
CLASS_NOUNS = frozenset(_CLASS_OF)
_ASKING = re.compile(
    r"\b(?:which|what|whose|who|where|when|how|list|name|mention|provide|give)\b", re.IGNORECASE
)
_HOW_MUCH = re.compile(
    r"\bhow (?:many|much|long|often|large|big|old|frequent|common|far)\b|\bwhen\b", re.IGNORECASE
)
_PASSED_OVER_WORDS = """is are was were be been the a an of to in for me us please some all any main most known common
kind kinds type types sort class classes name names example examples list group family member members which what
other different currently available approved identified used can could do does did has have number two three four five
six several major and or"""
_PASSED_OVER = frozenset(_PASSED_OVER_WORDS.split())
_PASSED_OVER_TAGS = frozenset(("DT", "CD", "RB", "VBN"))
_NOUN_TAGS = frozenset(("NN", "NNS", "JJ", "VBG"))


class Wanted(NamedTuple):
    """What a question asks for. kind: GENE, DRUG, …, or OTHER. head: the head noun in the singular, "" without one."""

    kind: str
    head: str


def wanted(question: str) -> Wanted:
    """What a question asks for."""
    if _HOW_MUCH.search(question):
        return Wanted(NUMBER, "")
    match = _ASKING.search(question)
    text = question[match.end() :] if match else question
    tokens = [text[begin:end] for begin, end in words(text)]
    head = ""
    for word, pos in zip(tokens, tag(tokens), strict=True):
        small = word.lower()
        if not head and (small in _PASSED_OVER or pos in _PASSED_OVER_TAGS):
            continue
        # "which gene cause deafness", "which drugs target it"
        is_verb = singular(head) in _CLASS_OF and (verbs.is_base(small) or verbs.is_third_person(small))
        if pos in _NOUN_TAGS and not is_verb:
            head = small
            continue
        break
    head = singular(head)
    return Wanted(_CLASS_OF.get(head, OTHER), head)


# Form of a word → its pattern; the first that fits counts.
_FORMS = {
    "digits": re.compile(r"[~<>≥≤±]?\d[\d.,:%–\-/to]*(?:percent)?"),
    "symbol": re.compile(
        r"(?=\S*[A-Zα-ω0-9])(?=\S*[A-Za-z])(?:\S*[A-Z]\S*[A-Z0-9]\S*|\S*[a-z]\S*\d\S*|\S*[A-Z0-9]\S*[-/]\S*)"
    ),
    "illness": re.compile(
        r"(?:.*(?:itis|osis|emia|aemia|oma|omas|pathy|plasia|trophy|algia|penia|uria|plegia|rrhea|cancers?|"
        r"syndromes?|diseases?|disorders?|infections?|deficiency|failure|tumou?rs?|seizures?|pain|sclerosis))",
        re.IGNORECASE,
    ),
    "medicine": re.compile(
        r"(?:.*(?:mab|nib|vir|statin|pril|sartan|olol|azole|cillin|mycin|cycline|oxacin|prazole|parin|gliptin|gliflozin|"
        r"zepam|idone|etine|caine|amide|imide|platin|taxel|rubicin|ximab|tide|ine|one|ate|inhibitors?|agonists?|"
        r"antagonists?|antibod(?:y|ies)|vaccines?|therapy|acid))",
        re.IGNORECASE,
    ),
}
# Class → how well a word of a form answers, from 0 to 1; 0 for the others.
_FITS = {
    GENE: {"symbol": 1.0, CAPITAL: 0.3},
    DRUG: {"medicine": 1.0, CAPITAL: 0.5, "symbol": 0.4},
    DISEASE: {"illness": 1.0, CAPITAL: 0.4},
    TOOL: {"symbol": 1.0, CAPITAL: 1.0},
    NUMBER: {"digits": 1.0},
    OTHER: {"word": 0.3, "symbol": 0.4, CAPITAL: 0.4, "illness": 0.4, "medicine": 0.4},
}


def form(word: str) -> str:
    """The form of a word: of _FORMS, else CAPITAL or "word"."""
    other = CAPITAL if word[:1].isupper() else "word"
    return next((name for name, pattern in _FORMS.items() if pattern.fullmatch(word)), other)


def fits(kind: str, shape: str) -> float:
    """How well a word of that form answers a question of that class, from 0 to 1."""
    return _FITS[kind].get(shape, 0.0)
