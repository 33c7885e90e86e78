"""What kind of thing a question asks (PubMedQA, section 3.2 and Table 3), detected by rules on its words alone.

influence   Does a factor influence the output?      Does cold tea reduce fever?
therapy     Is a therapy good/necessary?             Is bed rest necessary?      (tests, programmes, practices too)
statement   Is a statement true?                     Fever at night: a sign of spring?
relation    Is a factor related to the output?       Does age predict fever?

The rules are ours, in question_types.toml: the first cue in the clause that asks decides; a question without any asks
whether a statement is true. How often that is what a person says: design/pubmedqa.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from anagnosis.datasets.pubmedqa.questions import AUXILIARIES, asking_clause
from anagnosis.io.decoding import table_beside

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


class Rule(msgspec.Struct, frozen=True):
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
RULES = table_beside(__name__, dict[str, tuple[Rule, ...]])["rules"]


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
    return re.compile("|".join(groups).replace("\n", "").replace(" ", r"\s+"))


_ORDER = {rule.name: place for place, rule in enumerate(RULES)}
_CUES = _pattern(rule for rule in RULES if not rule.after_auxiliary)
_VERBS = _pattern(rule for rule in RULES if rule.after_auxiliary)


def asking(question: str) -> str:
    """The clause that asks; all of "Does tea help: a cohort study?", a statement made a question with its subtitle."""
    clause = asking_clause(question)
    return question if _is_opened(question) and not _is_opened(clause) else clause


def _is_opened(text: str) -> bool:
    return "".join(text.split(maxsplit=1)[:1]).lower() in AUXILIARIES
