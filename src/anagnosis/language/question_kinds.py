"""What kind of answer a question wants, by its first words: BioASQ's four kinds.

    yesno     begins with an auxiliary: "Is tea harmful?"
    list      asks for several: "Which genes …", "List …"
    factoid   asks for one: "Which gene …", "How many …"
    summary   everything else: "Why …", "What is the role of …", "Describe …"

How often that is right: design/search.md.
"""

from __future__ import annotations

import re

YESNO, FACTOID, LIST, SUMMARY = "yesno", "factoid", "list", "summary"
KINDS = (YESNO, FACTOID, LIST, SUMMARY)

# "Could you tell me which gene …" asks what follows.
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
# "Which genes …": the noun that is asked for, in the plural and no word of Latin.
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
# "What is Mendelian randomization?": a thing and nothing else.
_WHAT_IS = re.compile(r"what (?:is|are) (?:an? )?(?!the\b)[^,]{1,60}\?$", re.IGNORECASE)
# "Mutations of which genes …": what is asked for comes later.
_ASKED = re.compile(
    r"\b(?:in|for|with|from|to|on|at|by|of|against) (?=(?:which|what|how many)\b)", re.IGNORECASE
)


def kind_of_question(question: str) -> str:
    """One of KINDS."""
    text = _POLITELY.sub("", " ".join(question.split()), 1)
    if _YESNO.match(text):
        return YESNO
    later = _ASKED.search(text)
    asked = text[later.end() :] if later else text
    if _SUMMARY.match(asked):
        return SUMMARY
    if _LIST.match(asked) or _PLURAL.match(asked):
        return LIST
    if _WHAT_IS.fullmatch(asked):
        return SUMMARY
    first = asked.partition(" ")[0].casefold()
    return FACTOID if first in ("which", "what", "who", "where", "when", "how", "whose", "name") else SUMMARY
