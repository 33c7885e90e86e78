"""A question as a statement with a gap, XXXX, in the place of its answer.

    what is        What is the target of gefitinib?            The target of gefitinib is XXXX.
                   What is inhibited by rilotumumab?           XXXX is inhibited by rilotumumab.
    which          Which gene is mutated in Naxos disease?     XXXX is mutated in Naxos disease.
                   Which receptor does GDF15 bind?             GDF15 binds XXXX.
                   Which gene mutations cause deafness?        The gene mutations XXXX cause deafness.
    in which       In which organ is renin made?               Renin is made in XXXX.
    inside         Mutations in which gene cause deafness?     Mutations in XXXX cause deafness.
    list           List symptoms of scurvy.                    Symptoms of scurvy are XXXX.
    how many       How many genes does the virus have?         The virus has XXXX genes.
    how much       How large is the genome?                    The genome is XXXX large.
    how or where   Where is renin made?                        Renin is made in XXXX.
                   How is malaria transmitted?                 Malaria is transmitted by XXXX.
                   Why is the mass locked?                     The mass is locked because of XXXX.
    choice         Is BACH1 an activator or a repressor?       BACH1 is XXXX, an activator or a repressor.

The first rule that fits makes the statement (statement_rules.py). Other questions get the gap at the
end, as in the thesis (section 4.2.1: a gap at the beginning gave worse results). The form is that of the thesis's
statements (section 4.5), which people wrote by hand.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anagnosis.errors import unknown_name
from anagnosis.language.question_nouns import NOUNS
from anagnosis.language.statement_rules import RULES, Made

GAP = "XXXX"
NONE = "at the end"
GIVEN = "as given"
LONGEST = 2_000
"""Characters of a question that the rules read; a longer text is no question, and has its gap at the end."""

_LEADING = re.compile(
    r"(?:(?:can|could|would) you )?(?:please )?(?:tell me |say |explain )?(?:where, (?=in (?:what|which) ))?"
    r"(?:how many and (?=(?:what|which) ))?",
    re.IGNORECASE,
)
_GAP = re.compile(rf"(?<!\w){GAP}(?!\w)")
# "Where is the gene is located"
_TWICE = re.compile(r"\b(is|are|was|were) \1\b")
# "crenezumab? (November 2017)"
_ASIDE = re.compile(r"\? *(\([^()]{1,60}\))\Z")
# A sentence before the question: "Oxantel is used for treatment. How does it work".
_SENTENCE_END = re.compile(r"(?<=[a-z)]{2})\. +(?=[A-Z])")
# Words before a comma that open the question: "In November 2017, what".
_OPENING = re.compile(
    r"[^,]{1,200}, (?=(?:in |for |to |on |at |with |by )?(?:what|which|who|where|when|name|list)\b)",
    re.IGNORECASE,
)


class Statement(NamedTuple):
    """A statement. text: with one GAP; gap: its offset, in characters.

    rule: the one that applied, NONE for none; GIVEN where the text had a gap already.
    """

    text: str
    gap: int
    rule: str


def statement(question: str, *, nouns: str = "drop") -> Statement:
    """The question as a statement with a gap for its answer. nouns: one of NOUNS, what becomes of "which gene"."""
    if nouns not in NOUNS:
        raise unknown_name("treatment of nouns", nouns, NOUNS, "option nouns")
    whole = " ".join(question.split())
    if given := _GAP.search(whole):
        return Statement(whole, given.start(), GIVEN)
    text = _ASIDE.sub(r" \1", _LEADING.sub("", whole, 1).rstrip(" ?.!:"))
    if len(whole) <= LONGEST:
        opening, text = _opened(text)
        for rule, make in RULES.items():
            made = make(text, nouns)
            if made is not None:
                return _stated(opening, made, rule)
    return Statement(f"{whole} {GAP}", len(whole) + 1, NONE)


def _opened(text: str) -> tuple[str, str]:
    """What stands before the question in its text, and the question."""
    opening = ""
    *sentences, last = _SENTENCE_END.split(text)
    if sentences:
        opening, text = ". ".join(sentences) + ". ", last
    match = _OPENING.match(text)
    if match:
        opening, text = opening + match.group(), text[match.end() :]
    return opening, text


def _stated(opening: str, made: Made, rule: str) -> Statement:
    before, after = (_TWICE.sub(r"\1", " ".join(part.split())) for part in made)
    joined = f"{before} " if before else ""
    first = joined.split(" ", 1)[0]
    if opening.endswith(", "):
        joined = first.lower() + joined[len(first) :] if first in ("The", "A", "An") else joined
    elif first.strip("'’-").islower():  # "iBAQ" stays as it is
        joined = joined[:1].upper() + joined[1:]
    start = opening[:1].upper() + opening[1:] + joined
    end = f" {after}" if after and after[0] not in ",;:." else after
    return Statement(f"{start}{GAP}{end}.", len(start), rule)
