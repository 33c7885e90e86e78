"""Can a name be what a question asks for? A name of certainly another type is no answer.

    "Which enzymes repair DNA?"        not TCR, where a paper defines it as transcription-coupled repair: a process
    "Which mutations of TNNC1 …"       not cTnC: a variant has the form of one ("A8V"), or a word such as "deletion"
    "Which antibody lowers LDL?"       not statins: an antibody ends with -mab, or a paper names it beside the noun
    "Which diseases has PIEZO2?"       not PIEZO1: a symbol that no paper defines as an illness
    "Which symptoms has gout?"         not tophaceous gout: a kind of what the question has
    "Which events follow vaccines?"    not VAERS, a reporting system: sources answer only where they are asked for
    "Which gene causes resistance to thyroid hormone?"  not RTH, whose long form has only words of the question
    "What are components of mTORC1?"   not mTORC2: a sibling of what the question has

The last word of a name, or of the long form that a paper gives it, shows its type (NOUNS, ENDINGS). MISFITS has the
types that do not answer, by the noun of the question. For a noun of NARROW a name must show that it fits: by its form,
or by a sentence that puts it beside the noun ("the antibody evolocumab", "antibodies such as evolocumab",
"evolocumab, an antibody"). The words were written from knowledge of the field and from wrong names of BioASQ's
editions 2 to 6; the endings of medicines are stems of the World Health Organization's
international nonproprietary names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from anagnosis.entities.same_entity import word_forms
from anagnosis.entities.short_forms import abbreviations
from anagnosis.language.inflection import singular
from anagnosis.searching.analysis import meaningful
from anagnosis.searching.entities.candidate_names import Name, ReadSentence
from anagnosis.searching.sentences.asked_for import (
    CLASS_NOUNS,
    DISEASE,
    DRUG,
    GENE,
    NUMBER,
    SYMBOL,
    Wanted,
    form,
    wanted,
)
from anagnosis.searching.words import words_of

ILLNESS, PERSON, FIGURE, PROCEDURE, PROCESS, PART, OUTCOME, STUDY, CODE, MEDICINE = (
    *("illness", "person", "figure", "procedure", "process", "part", "outcome", "study"),
    *("code", "medicine"),
)
_READ = 20  # mentions of a name whose sentences may show that it fits
_BESIDE = 80  # characters around a mention


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


# The last word of a name, in the singular → its type.
NOUNS = {
    ILLNESS: _words(
        """disease syndrome disorder cancer carcinoma tumor tumour infection neoplasm malignancy deficiency failure
        impairment dysfunction illness injury seizure pain fever obesity diabetes stroke insufficiency abnormality
        retardation fracture pneumonia influenza hypertension hypotension epilepsy dementia palsy shock thrombosis
        embolism cirrhosis lymphoma leukemia leukaemia melanoma sepsis asthma neuropathy ataxia"""
    ),
    PERSON: _words(
        """child adult infant patient woman man people participant individual volunteer adolescent neonate newborn boy
        girl mother father parent subject person population elderly student nurse doctor clinician physician
        surgeon carrier recipient survivor caregiver athlete twin sibling cohort"""
    ),
    PROCEDURE: _words(
        """surgery transplantation resection biopsy imaging mri tomography radiography ultrasound ultrasonography
        endoscopy colonoscopy screening sequencing pcr assay staining spectrometry chromatography microscopy
        diagnosis follow-up monitoring examination"""
    ),
    PROCESS: _words(
        """repair pathway signaling signalling apoptosis proliferation adhesion metabolism transcription translation
        replication phosphorylation methylation acetylation degradation differentiation migration invasion growth
        autophagy inflammation expression activation inhibition regulation splicing secretion synthesis biosynthesis
        absorption transport angiogenesis development homeostasis"""
    ),
    PART: _words(
        """brain liver kidney heart lung spleen pancreas cell tissue muscle blood serum plasma bone skin organ vertebra
        vein artery"""
    ),
    OUTCOME: _words(
        """mortality survival morbidity quality-of-life efficacy effectiveness safety tolerability recovery prognosis
        recurrence relapse outcome score cost duration adherence compliance"""
    ),
    STUDY: _words(
        "trial study review meta-analysis analysis registry cohort questionnaire survey guideline intelligence"
    ),
    GENE: _words("gene allele locus polymorphism"),
}
# Instruments and sources of data, by the last word of a name that has two, or of a long form.
_SOURCES = _words(
    """system registry database databank repository biobank scale score index questionnaire inventory checklist study
    trial programme program network guideline society association consortium organization organisation survey cohort"""
)
# Systems and networks that are no source of data.
_OF_THE_BODY = _words(
    """nervous immune vascular cardiovascular circulatory digestive endocrine respiratory lymphatic skeletal
    musculoskeletal renin-angiotensin renin-angiotensin-aldosterone reproductive urinary limbic complement delivery
    reticuloendothelial secretion transport repair two-component conduction signaling signalling"""
)
_TYPE_OF = {noun: kind for kind, nouns in NOUNS.items() for noun in nouns}
# Nouns of a question that ask for an instrument or a source, or for no certain type.
_ASKS_FOR_SOURCES = _SOURCES | _words(
    """test tool software package resource method technique criterion instrument measure measurement assessment source
    initiative project platform group organ part structure standard classification technology approach company
    algorithm application model server webserver pipeline effort institution agency body committee"""
)
# The ending of a last word → its type.
ENDINGS = {
    ILLNESS: re.compile(
        r"[\w-]{2,40}(?:itis|aemia|emia|opathy|algia|penia|uria|plegia|paresis|rrho?ea|dystrophy|sclerosis"
        r"|carcinoma|sarcoma|blastoma|lymphoma|myeloma|melanoma|glioma|adenoma|ectasia|megaly|schisis)"
    ),
    MEDICINE: re.compile(
        r"[\w-]{2,40}(?:mab|nib|vir|vastatin|pril|sartan|olol|azole|cillin|mycin|cycline|oxacin|parin|gliptin|gliflozin"
        r"|platin|taxel|rubicin|cort|asone|solone|nisone|dipine|triptan|setron|zosin|zepam)"
    ),
    PROCEDURE: re.compile(r"[\w-]{3,40}(?:ectomy|ostomy|otomy|plasty|oscopy|graphy)"),
}
_FIGURE = re.compile(
    r"[~<>≥≤±]?\d[\d.,:%–\- /]{0,40}(?:percent|per cent|years?|days?|weeks?|months?|mg|h|%)?"
)
_CODE = re.compile(r"[A-Z]{2,4}-?\d{4,8}")  # of a substance: "PXT3003"
_ALWAYS = frozenset((PERSON, STUDY))
_NO_SUBSTANCE = _ALWAYS | {ILLNESS, FIGURE, PROCESS, PART, OUTCOME, PROCEDURE}
_GENES_WORDS = """gene protein receptor enzyme kinase channel transporter chaperone histone mirna microrna phosphatase
protease ligase helicase oncogene chemokine cytokine hormone peptide integrin lncrna subunit antigen neurotransmitter
isoform homolog ortholog"""
_ILLNESSES_WORDS = "disease syndrome disorder cancer infection tumor tumour malignancy neoplasm illness"
_SYMPTOMS_WORDS = "symptom sign complication manifestation condition state phenotype"
# Nouns of a question → types of names that do not answer it.
_MISFITS_OF = {
    _GENES_WORDS: _NO_SUBSTANCE | {CODE},
    """drug compound inhibitor antibody vaccine medication antibiotic agonist antagonist anticoagulant medicine
    antidote substance supplement chemical statin steroid diuretic opioid antiviral antifungal antidepressant
    antipsychotic vitamin probiotic""": _NO_SUBSTANCE | {GENE},
    "treatment therapy intervention agent chemotherapy regimen": _ALWAYS | {ILLNESS, FIGURE, PART, OUTCOME},
    _ILLNESSES_WORDS: _ALWAYS | {FIGURE, PROCEDURE, GENE, OUTCOME, CODE, MEDICINE},
    _SYMPTOMS_WORDS: _ALWAYS | {CODE, MEDICINE},
    "effect event reaction": _ALWAYS | {CODE, MEDICINE, GENE},
    "mutation variant polymorphism snp allele substitution": _ALWAYS | {ILLNESS, PROCEDURE, PROCESS, PART, OUTCOME},
    "virus bacterium bacteria pathogen microorganism microbe parasite fungus": _ALWAYS
    | {FIGURE, PROCEDURE, PROCESS, PART, OUTCOME},
    "test scale score tool software package database algorithm method technique resource": frozenset((PERSON, PART)),
    # A question for people, or for studies.
    " ".join(NOUNS[PERSON] | NOUNS[STUDY] | {"group"}): frozenset[str](),
}  # fmt: skip
MISFITS = {noun: types for nouns, types in _MISFITS_OF.items() for noun in nouns.split()}
_GENES = _words(_GENES_WORDS)
_NO_SYMBOLS = _words(
    f"{_ILLNESSES_WORDS} {_SYMPTOMS_WORDS} process application mechanism role procedure function"
)
# Symbols of illnesses that papers seldom define.
_KNOWN_ILLNESSES = _words(
    "AIDS SARS MERS COVID-19 HIV TB COPD ADHD PTSD ALS IBD IBS HCC NSCLC SCLC AML CML ALL CLL MDS T2D T1D T2DM T1DM"
)
# The last word of the long form of a gene's or protein's symbol.
_OF_A_GENE = re.compile(
    r".{0,60}(?:factors?|proteins?|receptors?|kinases?|ases?|ins?|gene|ligands?|homologu?e?s?|enzymes?|transporters?"
    r"|antigens?|channels?|peptides?|hormones?|subunits?|rnas?|chains?|histones?|elements?|domains?|ogen|inhibitors?"
    r"|complex|regulators?|repressors?|activators?|molecules?|alpha|beta|gamma|family|members?|box|finger)"
    r"|\d\w{0,3}|\w",
    re.IGNORECASE,
)
# Nouns for which a name must show that it fits → the forms that show it.
NARROW = {
    "antibody": r"\w{3,30}mab|anti-\w.{0,40}|.{0,60}\bantibod(?:y|ies)|Ig[AEGM]\d?",
    "vaccine": r".{0,60}\b(?:vaccines?|vaccination|\w{3,20}vax|BNT\w{1,10}|BCG|ChAdOx\w{1,10})\b.{0,40}",
    "antibiotic": r".{0,60}(?:cillin|m[iy]cin|cycline|oxacin|penem|cycloserine|sulfa\w{3,20}|trimethoprim|nidazole"
    r"|zolid|planin|polymyxin|colistin|bactam|nitrofurantoin)s?|cef\w{3,30}",
    "statin": r"(?:\w{1,20}vastatin|statin)s?",
    "vitamin": r".{0,20}\bvitamin.{0,20}|[A-EK]\d{0,2}|.{0,20}(?:calciferol|tocopherol|thiamine|riboflavin|niacin"
    r"|biotin|folate|folic acid|cobalamin|retinol|ascorbic acid|ascorbate|pyridoxine|menaquinone)",
    "mutation": r".{0,60}(?:[A-Za-z]\d{1,5}[A-Za-z*]|[cpg]\.\W?\w|rs\d{3}|\d[A-Z]?>|->|→|del(?:\b|[A-Z]\d)|dup\b|ins\b"
    r"|deletion|duplication|insertion|missense|nonsense|frameshift|substitution|fusion|disomy|translocation|expansion"
    r"|mutation|repeat).{0,60}",
    "polymorphism": r".{0,60}\d.{0,60}",
    "snp": r".{0,60}\d.{0,60}",
}  # fmt: skip
_VARIANTS = frozenset(("mutation", "polymorphism", "snp"))
_NARROW = {noun: re.compile(pattern, re.IGNORECASE) for noun, pattern in NARROW.items()}
_OF_GENES = re.compile(r"\bgenes?\b", re.IGNORECASE)
_NO_NOUN = re.compile(r"\s*(?:where|who|whom|when|what do(?:es)?)\b", re.IGNORECASE)
_SYMBOLS = re.compile(r"\b(?=\w{0,20}[A-Z]\w{0,20}[A-Z])[A-Za-z]{2,12}-?\d{0,3}\b")
_NUMBERED = re.compile(r"(?=[a-z]{0,20}[A-Z][a-z]{0,20}[A-Z])([A-Za-z]{2,12})-?\d{0,3}")
_NO_BEGIN = frozenset("-–./'’*")  # of a part of a word: "-VIIa"
_LAST_WORD = re.compile(r"[A-Za-z][\w-]{0,40}\W{0,3}$")
_BEFORE = (
    r"\b{noun}(?:\W{{1,3}}|,? (?:such as|including|like|e\.g\.,?|namely|are|is|called|named)[ :]"
    r"(?:[\w-]+,? (?:and |or )?){{0,4}})$"
)
_AFTER = r"(?:(?:\s|-)(?:[\w-]+ )?|(?:,| is| was| \(|, which is) ?(?:an?|the) (?:[\w-]+ ){{0,5}}){noun}\b"


def fitting(question: str, names: Sequence[Name], sentences: Sequence[ReadSentence]) -> list[bool]:
    """For each name, whether it can be what a question asks for."""
    asking, long_forms = _noun(question), _long_forms(sentences)
    of_question = frozenset(word_forms(question)) - CLASS_NOUNS - {asking.head}
    stems = frozenset(words_of(question))
    siblings = _siblings(question) if asking.kind != GENE else frozenset[str]()
    return [
        _letters(name.text) not in siblings
        and not any(_says(long, stems) for long in long_forms.get(name.text, ()))
        and not (asking.kind in (DISEASE, DRUG) and _is_kind_of(name.text, of_question))
        and _fits(asking, name, sentences, long_forms.get(name.text, ()))
        for name in names
    ]


def types(name: str) -> frozenset[str]:
    """The types that the form or the last word of a name shows."""
    if _FIGURE.fullmatch(name):
        return frozenset((FIGURE,))
    if _CODE.fullmatch(name):
        return frozenset((CODE,))
    match = _LAST_WORD.search(name)
    if match is None:
        return frozenset()
    last = re.sub(r"\W+$", "", match[0]).lower()
    last = last if last in _TYPE_OF else singular(last)
    kinds = {kind for kind, ending in ENDINGS.items() if ending.fullmatch(last)}
    return frozenset(kinds | ({_TYPE_OF[last]} if last in _TYPE_OF else set()))


def beside(noun: str, name: str, sentence: str) -> bool:
    """Whether a sentence puts a name beside a noun: "the antibody X", "antibodies such as X", "X, an antibody"."""
    stem = re.escape(noun.removesuffix("y")) + "(?:y|ies|s)?"
    before, after = (re.compile(one.format(noun=stem), re.IGNORECASE) for one in (_BEFORE, _AFTER))
    return any(
        before.search(sentence[max(0, at.start() - _BESIDE) : at.start()])
        or after.match(sentence[at.end() : at.end() + _BESIDE])
        for at in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence)
    )


def _noun(question: str) -> Wanted:
    """What a question asks for; for "which gene mutations" the gene, without a noun for "where" and "what does"."""
    asking = wanted(question)
    if _NO_NOUN.match(question):
        return Wanted(asking.kind, "")
    if asking.head in ("mutation", "variant", "polymorphism") and _OF_GENES.search(
        question.partition(" of ")[0]
    ):
        return Wanted(asking.kind, "gene")
    return asking


def _long_forms(sentences: Sequence[ReadSentence]) -> Mapping[str, set[str]]:
    """Short form → the long forms that the sentences give it."""
    of_short: defaultdict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for short, long in abbreviations(sentence.text):
            of_short[short].add(long)
    return of_short


def _siblings(question: str) -> frozenset[str]:
    """The letters of the question's symbols."""
    return frozenset(_letters(word) for word in _SYMBOLS.findall(question)) - {""}


def _letters(symbol: str) -> str:
    """The letters of a symbol with or without a number behind them; "" for other texts and single letters."""
    match = _NUMBERED.fullmatch(symbol)
    return match[1].lower() if match else ""


def _is_kind_of(text: str, of_question: frozenset[str]) -> bool:
    """Whether a name is a kind of something in the question: its last word is there."""
    last = singular(text.rpartition(" ")[2].lower())
    return " " in text and len(last) > 3 and last in of_question


def _says(long_form: str, stems: frozenset[str]) -> bool:
    """Whether a question has all words of a long form: RTH, "resistance to thyroid hormone"."""
    words = frozenset(words_of(meaningful(long_form)))
    return len(words) > 1 and words <= stems


def _is_source(name: str) -> bool:
    """Whether a name of several words is one of an instrument or a source of data, by its last words."""
    words = [singular(word) for word in re.findall(r"[\w-]+", name.lower())]
    return len(words) > 1 and words[-1] in _SOURCES and words[-2] not in _OF_THE_BODY


def _fits(asking: Wanted, name: Name, sentences: Sequence[ReadSentence], long_forms: Iterable[str]) -> bool:
    text, longs, head = name.text, sorted(long_forms), asking.head
    if text[0] in _NO_BEGIN:
        return False
    if asking.kind == NUMBER and not head:
        return any(sign.isdigit() for sign in text) or not types(text)
    if any(singular(one.rpartition(" ")[2].lower()) == head for one in (text, *longs)):
        return True
    if head and head not in _ASKS_FOR_SOURCES and any(map(_is_source, (text, *longs))):
        return False
    kinds = frozenset[str]().union(*map(types, (text, *longs)))
    if not kinds.isdisjoint(MISFITS.get(head, _ALWAYS)):
        return False
    if form(text) == SYMBOL:
        if head in _NO_SYMBOLS and ILLNESS not in kinds and text not in _KNOWN_ILLNESSES:
            return False
        if (
            head in _GENES
            and longs
            and not any(_OF_A_GENE.fullmatch(one.rpartition(" ")[2]) for one in longs)
        ):
            return False
    pattern = _NARROW.get(head)
    if pattern is None or any(pattern.fullmatch(one) for one in (text, *longs)):
        return True
    if head in _VARIANTS:  # "the BRAF mutation" names a gene
        return False
    places = sorted({mention.sentence for mention in name.mentions})[:_READ]
    return any(beside(head, text, sentences[place].text) for place in places)
