"""The kind of answer to a question, one of BioASQ's four kinds, from its first words.

    yesno     begins with an auxiliary: "Is tea harmful?"
    list      wants several answers: "Which genes …", "List …"
    factoid   wants one answer: "Which gene …", "How many …"
    summary   everything else: "Why …", "What is the role of …", "Describe …"

design/search.md has the accuracy.
"""

from __future__ import annotations

import re

YESNO, FACTOID, LIST, SUMMARY = "yesno", "factoid", "list", "summary"
KINDS = (YESNO, FACTOID, LIST, SUMMARY)

# "Could you tell me which gene …": the question follows.
_POLITELY = re.compile(
    r"(?:(?:can|could|would|will) you (?:please )?|please )(?:tell me |say |explain )?", re.IGNORECASE
)
_YESNO = re.compile(
    r"(?:is|are|was|were|am|do|does|did|can|could|has|have|had|should|shall|will|would|may|might|must|isn't|doesn't)\b(?!-)",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?:please )?(?:list|name (?:some|all|the (?:\w+ )?\w+s\b)|enumerate|give (?:me )?(?:a list|examples|the names))"
    r"|(?:which|what) (?:\w+ ){0,4}?(?:are|were|have|do|can be|could be)\b",
    re.IGNORECASE,
)
# "Which genes …": the noun in question is a plural and no Latin word.
_VERBS = "causes|encodes|inhibits|regulates|controls|mediates|binds|affects|produces|targets|predicts|reduces|increases"
_PLURAL = re.compile(
    r"(?:which|what)(?: (?:are|were) (?:the )?| of the )? ?"
    rf"(?:(?!(?:is|was|does|has|for|of|in|by|can|could|{_VERBS})\b)[\w/-]+ ){{0,5}}?"
    r"(?!(?:diabetes|disease|is|was|does|has|process|virus|analysis|basis|species|dose|status|class|loss|"
    rf"{_VERBS}|\w*(?:sis|us|ss|itis))\b)[\w-]+s\b(?! (?:is|was|does|has|gene|protein)\b)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    r"(?:why|describe|explain|summari[sz]e|discuss|define|elaborate"
    r"|how (?:does|do|is|are|can|could|did|was|were|has|have|would)"
    r"|what (?:is|are|was) (?:the )?(?:\w+ )?(?:roles?|functions?|mechanisms?|effects?|differences?|"
    r"relationship|association|significance|importance|definition|purpose|rationale|principle|principles|basis|impact|aim|goal|link|"
    r"consequences|advantages?|relation|connection|pathogenesis|contribution|evidence|correlation|idea|concept|"
    r"characteristics|use|uses|benefits?|usefulness|efficacy)\b"
    r"|what (?:is|are) (?:known|meant|understood)|what do (?:we|you) know|what does|in what way|what happens)",
    re.IGNORECASE,
)
# "What is Mendelian randomization?": only one noun phrase follows.
_WHAT_IS = re.compile(r"what (?:is|are) (?:an? )?(?!the\b)[^,]{1,60}\?$", re.IGNORECASE)
# "Mutations of which genes …": the question word comes later.
_LATER = re.compile(
    r"\b(?:in|for|with|from|to|on|at|by|of|against) (?=(?:which|what|how many)\b)", re.IGNORECASE
)


def kind_of_question(question: str) -> str:
    """One of KINDS."""
    text = _POLITELY.sub("", " ".join(question.split()), 1)
    if _YESNO.match(text):
        return YESNO
    later = _LATER.search(text)
    clause = text[later.end() :] if later else text
    if _SUMMARY.match(clause):
        return SUMMARY
    if _LIST.match(clause) or _PLURAL.match(clause):
        return LIST
    if _WHAT_IS.fullmatch(clause):
        return SUMMARY
    first = clause.partition(" ")[0].casefold()
    return FACTOID if first in ("which", "what", "who", "where", "when", "how", "whose", "name") else SUMMARY
