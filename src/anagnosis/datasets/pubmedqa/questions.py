"""Titles that ask, and which of them yes, no or maybe can answer (PubMedQA, section 3.1 and appendix A).

The paper removes "all questions started with interrogative words (i.e. wh-words) or involving selections from
multiple entities" and prints no more of its rules; what those words mean for titles is written out here. A title asks
in its clause before the first question mark: "Thymoma surgery: is it worth it? A review".
"""

from __future__ import annotations

import re
from itertools import pairwise

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
# "Does either tea or coffee help?", "Does it matter whether …?", "Is it safe or not?"
_ANY_OF_THEM = re.compile(r"\b(?:either|whether)\b|\bor\s+not\b", re.IGNORECASE)
_VERSUS = re.compile(r"(?<!\w)(?:versus|vs\.?)(?!\w)", re.IGNORECASE)

_PRONOUN = r"(?:it|this|that|they|these|those|he|she|we)"
_ARTICLE = r"(?:an?|the|just|only|merely|simply|really|truly)"
_COPULA = r"(?:is|are|was|were)"
# "Is it placebo or nocebo?", "does it protect or harm?": nothing but the two between the pronoun and the mark.
_PRONOUN_CHOICE = re.compile(
    rf"\W*(?:{_COPULA}|do|does|did|can|will|should)\s+{_PRONOUN}\s+(?:\w[\w'’-]*\s+){{1,6}}?or\s+(?:[\w'’-]+\s*){{1,7}}\W*",
    re.IGNORECASE,
)
# "… a cause or a consequence of …?": what something is, twice, each with its article.
_TWO_PREDICATES = re.compile(
    rf"\b{_ARTICLE}\s+(?:[\w'’-]+\s+){{1,4}}or\s+(?:{_ARTICLE}\s+){{1,2}}[\w'’-]+", re.IGNORECASE
)
_BY_WHOM = re.compile(
    rf"\b(?:by|in|for|with|of|from|to|at|on|between|than|as)\s+{_ARTICLE}\s+[^,]*?\bor\b", re.IGNORECASE
)
_SHOULD_CHOICE = re.compile(
    r"\W*(?:should|shall)\s+(?:the\s+)?(?:[\w'’-]+\s+){1,2}or\s+(?:the\s+)?(?:[\w'’-]+\s+){1,3}",
    re.IGNORECASE,
)
# A thing and its contrary cannot both be asked after.
_OPPOSITES = (
    ("advantage", "disadvantage"),
    ("ally", "enemy"),
    ("beneficial", "detrimental", "harmful"),
    ("benefit", "harm", "risk"),
    ("blessing", "curse"),
    ("boon", "bane"),
    ("cause", "consequence", "effect", "result"),
    ("fact", "fiction", "myth"),
    ("friend", "foe"),
    ("good", "bad", "evil"),
    ("help", "harm", "hinder", "hurt"),
    ("hope", "hype"),
    ("improve", "worsen"),
    ("increase", "decrease", "reduce"),
    ("marker", "mediator", "maker"),
    ("myth", "reality", "truth"),
    ("overestimate", "underestimate"),
    ("protect", "harm", "increase"),
    ("too early", "too late"),
)  # fmt: skip
_REPEATED = re.compile(
    r"\b(with|by|for|in|from|to|at|on|before|after)\s+(?:[\w'’-]+\s+){1,4}or\s+\1\s", re.IGNORECASE
)
_BETTER = re.compile(r"\b(?:better|best|superior|preferable|preferred|worse)\b(?!.*\bthan\b)", re.IGNORECASE)


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

    Without an auxiliary every "or" and "versus" does. With one, most do not ("Does urban or rural residence …"), but
    those do that give two opposites, two predicates, or two ways to be compared.
    """
    clause = _NO_CHOICE.sub(" ", _ASIDE.sub(" ", asking_clause(title)))
    if not _is_opened(clause):
        return _OR.search(clause) is not None or _VERSUS.search(clause) is not None
    if _OR.search(clause) is None or _ANY_OF_THEM.search(clause) is not None:
        return False
    if _PRONOUN_CHOICE.fullmatch(clause) or _SHOULD_CHOICE.match(clause) or _REPEATED.search(clause):
        return True
    is_copular = re.match(rf"\W*{_COPULA}\b", clause, re.IGNORECASE) is not None
    gives_two = _TWO_PREDICATES.search(clause) is not None and _BY_WHOM.search(clause) is None
    return (is_copular and (gives_two or _BETTER.search(clause) is not None)) or _gives_opposites(clause)


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


def _gives_opposites(clause: str) -> bool:
    sides = [set(re.findall(r"[\w-]+", side.lower())) for side in _OR.split(clause)]
    return any(
        any(_names(left, one) for one in words)
        and any(_names(right, other) for other in words if not _names(left, other))
        for words in _OPPOSITES
        for left, right in pairwise(sides)
    )


def _names(side: set[str], word: str) -> bool:
    return word in side or word + "s" in side
