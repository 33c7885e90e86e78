"""Words that every paper has and that are no names: labels of sections and notices, statistics, figures.

    "RATIONALE: Tea is …", "Correction to: …"     labels, by a list and by the shape "Label:" where a sentence begins
    "aRR", "95% CI", "p-value", "SMD"             statistics, by a list; a (adjusted), c (crude) or p (pooled) before
    "Figure 2", "Table S1", "n = 40", "et al"     by shape

The lists are ours, written from knowledge of papers; no collection was searched for them.
"""

from __future__ import annotations

import re

from anagnosis.language.plurals import singular

_LABEL_WORDS = """rationale correction corrigendum erratum errata retraction retracted expression-of-concern addendum
comment commentary reply editorial letter preface foreword introduction background objective aim
purpose hypothesis design setting participant intervention measurement measure outcome result
finding discussion conclusion summary abstract limitation strength implication significance
importance context keyword highlight acknowledgement acknowledgment funding disclosure conflict
competing interest registration trial-registration supplement supplementary appendix copyright
license licence publisher preprint doi pmid pmcid issn isbn url http https www figure fig table box
panel footnote reference bibliography citation section chapter page volume issue statistic
statistical statistically mean median average range total ratio odds hazard regression coefficient
estimate confidence interval deviation error variance quartile interquartile percentile baseline
follow-up followup cohort sample subgroup arm placebo enrolment enrollment recruitment randomisation
randomization blinding inclusion exclusion criterion criteria eligibility investigator researcher
reviewer author editor reader clinician physician practitioner questionnaire interview survey
database search literature systematic meta-analysis metaanalysis clinicaltrials gov medline pubmed
embase cochrane scopus"""
_LABELS = frozenset(_LABEL_WORDS.split())
_STATISTICS = re.compile(
    r"(?:[acpmu]?(?:OR|HR|RR|IRR|PR|SHR|ROR|PRR)s?|(?:9\d ?%? ?)?CIs?|CrI|SDs?|SEM?s?|IQRs?|W?S?MDs?"
    r"|AUC(?:s|ROC)?|AUROC|ROC|NNT|NNH|ARR|RRR|ANOVA|ANCOVA|MANOVA|PPV|NPV|ICCs?|NRI|IDI|LOD|ITT|QALYs?"
    r"|ICER|RCTs?|[pPnNr]|R2|R²|[pP][- ]values?|χ2|t-test|chi-squared?|kappa)"
)
_NUMBERED = re.compile(
    r"(?:figures?|figs?\.?|tables?|box|panel|appendix|supplement(?:ary)?)\.? ?S?[\dIVX]{1,4}[A-Za-z]?",
    re.IGNORECASE,
)
_EQUATION = re.compile(r"\s*[=<>≤≥]")


def is_paper_word(name: str) -> bool:
    """Whether a name is such a word."""
    if _STATISTICS.fullmatch(name) or _NUMBERED.fullmatch(name) or name.casefold() == "et al":
        return True
    words = re.findall(r"[a-z][a-z-]*", name.casefold())
    return bool(words) and all(singular(word) in _LABELS or word in _LABELS for word in words)


def is_label(sentence: str, begin: int, end: int) -> bool:
    """Whether characters [begin, end) of a sentence are a label before a colon, or the left side of an equation."""
    after = sentence[end : end + 8].lstrip()
    if _EQUATION.match(after):
        return True
    if not after.startswith(":"):
        return False
    before = sentence[:begin].strip()
    return not before or before[-1] in ".?!" or (before.isupper() and sentence[begin:end].isupper())
