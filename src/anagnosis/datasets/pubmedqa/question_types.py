"""What kind of thing a question asks (PubMedQA, section 3.2 and Table 3), detected by rules on its words alone.

influence   Does a factor influence the output?      Does cold tea reduce fever?
therapy     Is a therapy good/necessary?             Is bed rest necessary?      (tests, programmes, practices too)
statement   Is a statement true?                     Fever at night: a sign of spring?
relation    Is a factor related to the output?       Does age predict fever?

The paper has these four names with two examples each, labelled by people, and no rule. The rules are ours: the first
cue in the clause that asks decides; a question without any asks whether a statement is true. How often that is what a
person says: design/pubmedqa.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from anagnosis.datasets.pubmedqa.questions import AUXILIARIES, asking_clause

INFLUENCE, THERAPY, STATEMENT, RELATION = "influence", "therapy", "statement", "relation"
# In Table 3's order, each with its question and share in percent; the four are 98.5 together.
QUESTION_TYPES = {
    INFLUENCE: "Does a factor influence the output?",
    THERAPY: "Is a therapy good/necessary?",
    STATEMENT: "Is a statement true?",
    RELATION: "Is a factor related to the output?",
}
PUBLISHED = {INFLUENCE: 36.5, THERAPY: 26.0, STATEMENT: 18.0, RELATION: 18.0}
# Of a whole word.
_BEGINS, _ENDS = r"(?<![\w-])", r"(?![\w-])"


class Rule(NamedTuple):
    """Cues and the type of a question in which one of them comes first.

    cues: alternatives apart by |, in small letters, whole words, a blank for any blanks. begins, ends: of each.
    after_auxiliary: they count only behind "does", "can" and their like, or "to", where what may be a noun is a verb.
    """

    name: str
    type: str
    cues: str
    after_auxiliary: bool = False
    begins: str = _BEGINS
    ends: str = _ENDS


_AUXILIARY = re.compile(
    rf"{_BEGINS}(?:do|does|did|can|could|will|would|may|might|must|should|to|not|don't|doesn't|didn't){_ENDS}"
)
_NOT_OF_A_MARKER = r"\b(?!\s+(?:\w+\s+){0,2}(?:predictors?|\w*markers?|indicators?|risk\s+factors?))"

# Where two begin at one place, the upper one decides.
RULES = (
    Rule("should", THERAPY, r"^\W*(?:should|must|shall)\b|\bshould be\b", begins="", ends=""),
    Rule("make_a_difference", INFLUENCE, r"makes? (?:a|any|the|no) (?:\w+ )?difference|matters?"),
    Rule(
        "need_or_place",
        THERAPY,
        (
            r"needs?(?: for| to)?|needed|(?:place|room) for (?!improvement)\w+|interest (?:in|of|to)"
            r"|role for|indications?|indicated|necessary|necessity|essential|required|require|mandatory"
            r"|obligatory|unnecessary|superfluous|imperative|justif\w+|warranted|justification"
        ),
    ),
    Rule(
        "worth",
        THERAPY,
        (
            r"worth|worthwhile|useful|usefulness|utility|helpful|valuable|value|beneficial|benefits?"
            r"|benefit from|advantages?|advantageous|good|better|best|ideal|optimal|optimum|superior"
            r"|inferior|preferable|preferred|favorable|adequate|adequately|sufficient|enough|suitable"
            r"|appropriate|acceptable|satisfying|satisfactory|realistic|effective|efficacious|efficient"
            r"|effectiveness|efficacy|cost[- ]effective(?:ness)?|successful|work|(?:more|less"
            r"|as) (?:effective|invasive|accurate|useful|beneficial|safe)|solutions?|viable|reasonable"
            r"|make sense"
        ),
    ),
    Rule(
        "trust",
        THERAPY,
        "reliable|reproducible|accurate|valid|sensitive|relied|rely",
        ends=_NOT_OF_A_MARKER,
    ),
    Rule(
        "feasible_or_safe",
        THERAPY,
        (
            r"feasible|feasibility|possible (?:by|in|with|to|for|without|after)|practical|practicable"
            r"|applicable|safe|safely|safety|risky|harmful|tolerated"
        ),
    ),
    Rule(
        "in_place_of",
        THERAPY,
        (
            r"alternatives?|options?|substitutes?|replace|replaces|replaced|adjuncts?|adjuvants?"
            r"|(?:diagnostic|screening|useful|additional|therapeutic) (?:tool|technique|modality|method"
            r"|approach|value|role)s?|methods?|technique|techniques|tools?|therapy for|treatment for"
            r"|treatment of"
        ),
    ),
    Rule("be_used", THERAPY, r"be used|be treated|be performed|be avoided|be stopped|be offered|be safely \w+"),
    Rule(
        "predict",
        RELATION,
        (
            r"predict|predicts|predicted|predictive|predictable|predicting|prediction|predictors?|prognosis"
            r"|prognostic|prognosticators?|indicators?|\w*markers?|surrogates?|forerunners?|precursors?"
            r"|signs?|symptoms? of|(?:(?:reliable|useful|accurate|effective|good|valid|sensitive"
            r"|independent|important) ){1,3}(?:predictors?|\w*markers?|indicators?)"
        ),
    ),
    Rule(
        "tell_apart",
        RELATION,
        (
            r"identify|identifies|identified|identifiable|detect|detects|detected|discriminate"
            r"|discriminates|distinguish|differentiate|diagnose|reflect|reflects|represent|represents"
            r"|indicate|indicates|representative"
        ),
    ),
    Rule(
        "related",
        RELATION,
        (
            r"associat(?:ed|ions?|e)|correlat(?:ed|es?|ions?)|relat(?:ed|es?|ions?|ionships?)|link|linked"
            r"|links|connection|connected|depends?|dependent|agreement|agree|discordan(?:t|ce)"
            r"|concordan(?:t|ce)|consistent with|vary|varies|involved|involvement|implicated|(?:\w+ )?role"
            r"|risk factors?|factors?|at (?:\w+ ){0,2}risk|susceptible|candidate gene|inherit\w*"
            r"|predispos(?:e|es|ed|ing)"
        ),
    ),
    Rule(
        "compare",
        RELATION,
        (
            r"differ|differs|differences?|different (?:from|in|between|diseases?)|(?:is|are"
            r"|a) (?:\w+ ){0,2}different|differently|differential|discrepanc(?:y|ies)|disparit(?:y|ies)"
            r"|inequalit(?:y|ies)|similar|similarly|equivalent|equal|(?:are|is|have|has|share) the same"
            r"|comparable|(?:more|less) (?:\w+ )?(?:common|frequent|likely|often|prevalent|resistant)"
            r"|more often|(?:higher|lower|more|less|fewer|greater|worse|noisier) (?:\S+ ){1,6}than"
            r"|increased in|compared with|(?:face|have|has|show) (?:higher|lower|poorer|worse)"
        ),
    ),
    Rule(
        "change",
        INFLUENCE,
        (
            r"accelerate|account for|activate|aggravate|blunt|induce|regulate|affect|alleviate|alter"
            r"|ameliorate|amplify|attenuate|augment|avoid|boost|cause|change|compromise|contribute|control"
            r"|correct|cure|decrease|delay|deteriorate|determine|diminish|discourage|drive|effect|eliminate"
            r"|enable|encourage|enhance|exacerbate|explain|extend|facilitate|favou?r|guarantee|hamper"
            r"|hasten|heal|hinder|hurt|impact|impair|impede|improve|increase|influence|inhibit|interfere"
            r"|jeopardi[sz]e|lead|lengthen|lessen|limit|lower|mask|maximi[sz]e|mediate|minimi[sz]e|mitigate"
            r"|moderate|modif(?:y|ies)|modulate|normali[sz]e|offset|optimi[sz]e|overcome|potentiate"
            r"|precipitate|preclude|prevent|produce|prolong|promote|protect|provoke|push|raise|reduce"
            r"|relieve|restore|result|reverse|save|shape|shift|shorten|slow|speed|stimulate|strengthen"
            r"|suppress|sustain|translate|trigger|undermine|weaken|worsen|have an? (?:\w+ )?(?:impact"
            r"|effect|influence)"
        ),
        after_auxiliary=True,
    ),
    Rule(
        "changed_by",
        INFLUENCE,
        (
            r"(?:influenced|affected|caused|changed|altered|improved|modified|prevented|explained|reduced"
            r"|increased|induced|determined|driven|triggered|modulated|mediated|enhanced) by|(?:discourag"
            r"|contribut|encourag|chang|caus)ing|contributes?|influences|affects|improves|increases|reduces"
            r"|causes|determines|protective"
        ),
    ),
    Rule(
        "effect_of",
        INFLUENCE,
        (
            r"(?:an? )?(?:\w+ )?(?:effects?|impact|influence|consequences?|results?|causes?) (?:of|on)"
            r"|(?:triggering )?cause|due to|responsible for|caused|attributable to|determinants?"
        ),
    ),
)  # fmt: skip


def question_type(question: str) -> str:
    """Its place in QUESTION_TYPES."""
    rule = deciding_rule(question)
    return rule.type if rule else STATEMENT


@lru_cache(4096)
def deciding_rule(question: str) -> Rule | None:
    """The rule whose cue comes first; None where there is no cue."""
    clause = asking(question).lower()
    auxiliary = _AUXILIARY.search(clause)
    found = [_CUES.search(clause), _VERBS.search(clause, auxiliary.end()) if auxiliary else None]
    first = min(((one.start(), _ORDER[str(one.lastgroup)]) for one in found if one), default=None)
    return None if first is None else RULES[first[1]]


def _pattern(rules: Iterable[Rule]) -> re.Pattern[str]:
    """Finds the first cue of these rules, in a group of its rule's name; at one place the upper rule decides."""
    groups = (f"(?P<{rule.name}>{rule.begins}(?:{rule.cues}){rule.ends})" for rule in rules)
    return re.compile("|".join(groups).replace(" ", r"\s+"))


_ORDER = {rule.name: place for place, rule in enumerate(RULES)}
_CUES = _pattern(rule for rule in RULES if not rule.after_auxiliary)
_VERBS = _pattern(rule for rule in RULES if rule.after_auxiliary)


def asking(question: str) -> str:
    """The clause that asks; all of "Does tea help: a cohort study?", a statement made a question with its subtitle."""
    clause = asking_clause(question)
    return question if _is_opened(question) and not _is_opened(clause) else clause


def _is_opened(text: str) -> bool:
    return "".join(text.split(maxsplit=1)[:1]).lower() in AUXILIARIES
