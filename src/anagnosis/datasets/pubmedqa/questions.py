"""Titles that ask, and which of them yes, no or maybe can answer (PubMedQA, section 3.1 and appendix A).

The paper removes "all questions started with interrogative words (i.e. wh-words) or involving selections from
multiple entities" and prints no more of its rules; what those words mean for titles is written out here. A title asks
in its clause before the first question mark: "Thymoma surgery: is it worth it? A review".
"""

from __future__ import annotations

import re

RULES = ("interrogative_word", "selection")

_AUXILIARIES = """
    is are was were am do does did has have had can could will would shall should may might must
    isn't aren't wasn't weren't don't doesn't didn't hasn't haven't can't couldn't won't wouldn't shouldn't
    """
AUXILIARIES = frozenset(_AUXILIARIES.split())

# "Cui bono", "quo vadis" ask too.
_WH = r"(?:what|which|who|whom|whose|when|where|why|how|cui|quo|quis|quid)(?:['’]s|['’]re|['’]ve)?"
_LEADING = r"(?:and|but|or|so|then|now|if so|also)?[\s,]*(?:(?:to|for|by|from|in|at|on|of|with|under|after|until)\s+)?"
_BEGINS_WITH_WH = re.compile(rf"\W*{_LEADING}{_WH}\b", re.IGNORECASE)
# In a clause that no auxiliary opens: after a comma or a dash, or as its last word but few.
_HOLDS_WH = re.compile(
    rf"(?:[,–—-]\s*|\b(?:now|then|so)\s+){_LEADING}{_WH}\b|\b(?:what|how)\b", re.IGNORECASE
)

_SEPARATOR = re.compile(
    r"[:;]\s|\s[-–—]+\s|--|—|(?<=[^\W\dA-Z]{3})\.\s+(?=[A-Z\d\"“'‘])|(?<=[\])A-Z][A-Z\])])\.\s+(?=[A-Z])"
)
# One of these is in every separator; looking for it first is far cheaper.
_PARTING = re.compile(r":|;|–|—|\.|-[\s-]")
# A dash without blanks before a word that asks: "Fractures-What Is …", "Eplerenone-Is It …".
_BARE_DASH = re.compile(
    rf"[-–](?=(?:{_WH}|{'|'.join(word for word in sorted(AUXILIARIES) if word.isalpha())})\s)", re.IGNORECASE
)

_OR = re.compile(r"(?<![\w-])or(?![\w-])", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")

# Where "or" gives no choice: "aged 80 or older", "with or without", "and/or", "same or different".
_NO_CHOICE = re.compile(
    r"\b(?:with\s+or\s+without|and\s*/\s*or|\w+\s+or\s+(?:older|younger|more|less|greater|higher|lower|above|below|over|under)"
    r"|(?:same|alike)\s+or\s+different|one\s+or\s+(?:two|both))\b",
    re.IGNORECASE,
)
_BETTER = re.compile(r"\b(?:better|best|superior|preferable|preferred|worse)\b(?!.*\bthan\b)", re.IGNORECASE)
_VERSUS = re.compile(r"(?<!\w)(?:versus|vs\.?)(?!\w)", re.IGNORECASE)


def refusal(title: str) -> str:
    """The first of RULES by which a title that asks gives no question, "" if it does."""
    if interrogative_word(title):
        return "interrogative_word"
    return "selection" if selection(title) else ""


def interrogative_word(title: str) -> bool:
    """Section 3.1 and appendix A: the question begins with a word that asks for more than yes or no.

    Its clause does, after any preposition ("to what extent"); or, where no auxiliary opens it, such a word stands
    after a comma ("…, which is better?") or what or how anywhere ("and now what?").
    """
    clause = asking_clause(title)
    if _is_opened(clause):
        return False
    begins = _BEGINS_WITH_WH.match(clause) is not None or _BEGINS_WITH_WH.match(title) is not None
    return begins or _HOLDS_WH.search(clause) is not None


def selection(title: str) -> bool:
    """Section 3.1 and appendix A: the question asks to choose among entities ("productive or futile?").

    Where no auxiliary opens the clause every "or" and "versus" does; with one, yes or no mostly answers ("Does urban or
    rural residence …"), but for "Is tea or coffee better?".
    """
    clause = _NO_CHOICE.sub(" ", _ASIDE.sub(" ", asking_clause(title)))
    has_or = _OR.search(clause) is not None
    if _is_opened(clause):
        return has_or and _BETTER.search(clause) is not None
    return has_or or _VERSUS.search(clause) is not None


def bare(title: str) -> str:
    """The question as it is kept: without the brackets of a translated title, blanks made one.

    PQA-L has no bracketed title, and no question with its full stop.
    """
    title = " ".join(title.split())
    closed = title.rstrip(".")
    if closed.startswith("[") and closed.endswith("]") and closed.count("[") == 1:
        return closed[1:-1].strip()
    return title


def asking_clause(title: str) -> str:
    """What stands before the first question mark, from the last separator on."""
    asked = title.partition("?")[0]
    start = 0
    for pattern in (_SEPARATOR, _BARE_DASH) if _PARTING.search(asked) else (_BARE_DASH,):
        for found in pattern.finditer(asked):
            if asked[found.end() :].strip():
                start = max(start, found.end())
    return asked[start:].strip()


def _is_opened(clause: str) -> bool:
    """Whether an auxiliary opens the clause, or one after a comma does ("In children, is it …")."""
    parts = [
        part.split(maxsplit=1)[0].strip("\"“”'‘’([¿").lower() for part in clause.split(",") if part.split()
    ]
    return any(part.replace("’", "'") in AUXILIARIES for part in parts)
