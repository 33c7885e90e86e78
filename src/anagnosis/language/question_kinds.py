"""The kind of answer to a question by rules on its words: one of BioASQ's four kinds, and a finer one for sentences.

    yesno     begins with an auxiliary: "Is tea harmful?"
    list      wants several answers: "Which genes …", "List …", "What is the best treatment for …"
    factoid   wants one answer: "Which gene …", "How many …"
    summary   everything else: "Why …", "What happens to …", "What is the role of …", "Describe …"

RULES are asked in their order; the first that knows the kind decides. The lists of nouns were written from BioASQ's
editions 1 to 6 and from questions of our own; `benchmarks/question_kinds.py` measures them.

ANSWERS are what the sentence that answers has to hold: a yes or no, a name, a quantity, a definition, a reason or way,
or anything else that is known (`answer_kind`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from anagnosis.language.question_phrase import ARTICLES, Phrase, phrase
from anagnosis.language.tags import tag, words

YESNO, FACTOID, LIST, SUMMARY = "yesno", "factoid", "list", "summary"
KINDS = (YESNO, FACTOID, LIST, SUMMARY)
NAME, QUANTITY, DEFINITION, REASON = "name", "quantity", "definition", "reason"
ANSWERS = (YESNO, NAME, QUANTITY, DEFINITION, REASON, SUMMARY)
LONGEST = 1000  # characters to read


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


# Nouns whose answer is a description: "What is the role of …", "What effect does … have?"
_DESCRIBED = _words(
    """role function functionality mechanism effect difference relationship association significance importance
    definition purpose rationale principle basis impact aim goal link consequence advantage disadvantage relation
    connection pathogenesis contribution evidence correlation idea concept characteristic use usefulness benefit
    efficacy effectiveness outcome result influence action mode application applicability value implication property
    scope focus meaning prognosis pathophysiology physiology interaction involvement theory phenomenon strategy
    feature utility structure composition distinction management course hallmark performance specificity
    localization diagnosis presentation relevance background history description observation pharmacology kinetics
    safety tolerability risks"""
)
# Before a described noun these words make a name of an event: "the side effects of".
_EVENTS = _words("side adverse unwanted undesired undesirable harmful toxic")
# One noun, several answers, where the best is asked for: "What is the best way to …"
_CHOICES = _words("treatment therapy way option prophylaxis prevention remedy medication management method")
_BEST = _words("best preferred recommended optimal effective safest good available better possible current")
# "What is the first symptom?" asks for a name, "What is the Barr body?" for a description.
_PICKED = _words("commonest first main most major leading usual typical second")
_QUESTION_WORDS = _words("what which who whom whose when where why how")
_LISTS = _words("list enumerate")
_NAMES = _words("name mention give provide")
_DESCRIPTIONS = _words("describe explain summarise summarize discuss define elaborate tell compare")
_BEHIND_NAMES = _words("that which associated used approved")  # "drugs that cause …"
_STATED = _words("evidence proof fact hypothesis idea claim belief finding")  # "evidence that tea helps"
# "What is cause of gout?" leaves out "the", and asks for no definition.
_OF_ANOTHER = _words(
    "cause reason name symptom sign target gene treatment therapy drug vector host source chance capital standard"
)
_ASKS = rf"(?:{'|'.join(sorted(_QUESTION_WORDS))})\b"
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|can|could|has|have|had|should|shall|will|would|may|might|must"
    r"|isn't|aren't|doesn't|don't|didn't|can't|couldn't)\b(?!-)"
)
_POLITELY = re.compile(
    r"(?:(?:can|could|would|will) you (?:please )?"
    r"(?=(?:tell|say|explain|list|name|give|describe|define|show|suggest)\b)"
    r"|please )(?:(?:tell|show) me |say (?=wh|how))?",
    re.IGNORECASE,
)
# "In patients with heart failure, does …", "Oxantel is used for periodontitis. How does it work?"
_BEFORE_THE_QUESTION = re.compile(
    rf"(?!{_ASKS})[^?]{{1,300}}?(?:[.?!]\s|,\s(?:and\s)?)"
    rf"(?=(?:{_ASKS}|list\b|name\b|describe\b|{_AUXILIARY}\s\w+\s\w+))",
    re.IGNORECASE,
)
# "Mutations of which genes …", "Sclerostin regulates what process?"
_LATER = re.compile(
    r"\b(?:in|for|with|from|to|on|at|by|of|against|during|between|through|under)\s(?=(?:which|what|whom|how many)\b)",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\b(?=(?:which|what)\b)", re.IGNORECASE)
_IS_AUXILIARY = re.compile(_AUXILIARY, re.IGNORECASE)
_YES_OR_NO = re.compile(r"\b(?:yes or no|true or false)\W{0,3}$", re.IGNORECASE)
# "Is BACH1 an activator or a repressor?", "Is it up or downregulated?"
_ALTERNATIVES = re.compile(
    r"\b(?:an? [\w-]{1,40} or an? [\w-]{1,40}"
    r"|(?:up|hypo|high(?:er)?|early|dominant|promotes?|increased?|activates?|benign|gain|cytoplasmic|synonymous)"
    r"(?:-?\w{1,20})? or (?:to )?"
    r"(?:down|hyper|low(?:er)?|late|recessive|inhibits?|decreased?|represses?|malignant|loss|nuclear|non)[\w-]{0,30}"
    r"(?: in [\w-]{1,30}){0,1})"
    r"\W{0,3}$",
    re.IGNORECASE,
)
_SOME = re.compile(r"(?:me )?(?:an? list|examples|some|all|\d|two|three|four|five|six|ten)\b", re.IGNORECASE)
_QUANTITY = re.compile(
    r"(?:many|much|long|often|large|big|old|common|frequent(?:ly)?|far|fast|high|small|tall|prevalent|heavy|late|early"
    r"|soon|quickly|rare|deep|thick|wide|low|likely|accurate|sensitive(?!.*\sto\b))\b",
    re.IGNORECASE,
)
_AND_WHICH = re.compile(r"\band (?:which|what)\b", re.IGNORECASE)
_AND_HOW = re.compile(r"\band (?:how|why)\b", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:called|named)\b", re.IGNORECASE)
_EVENT = re.compile(r"(?:happen(?:s|ed)?|occurs?|goes|if|about|makes?|states?)\b", re.IGNORECASE)
_DO = re.compile(r"(?:do|does|did)\b", re.IGNORECASE)
# "What does X stand for?", "What does X inhibit?"
_DO_NAMED = re.compile(
    r"\b(?:stands? for|give rise to|code for|(?:bind|bind to|target|encode|measure|inhibit|produce)(?=\W{0,3}$| in\b))",
    re.IGNORECASE,
)
_MODAL = re.compile(r"(?:can|could|should|would|must) (?:(be)|i|we|you|one)\b", re.IGNORECASE)
_COPULA = re.compile(r"(is|are|was|were|'s)\b ?", re.IGNORECASE)
_UNDERSTOOD = re.compile(r"(?:known|meant|understood|thought|the)\b", re.IGNORECASE)
_INCLUDED = re.compile(r"includ", re.IGNORECASE)
_PARTICIPLE = re.compile(r"(?:being\b|\w{2,}ed\b|known\b|meant\b|understood\b)", re.IGNORECASE)
_STANDS_FOR = re.compile(
    r"\b(?:stands?\sfor|short\sfor|abbreviat\w+|acronym\w*|(?:full|long)\s(?:form|name)|spelled\sout)\b",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\b(?:is|are)\s(?:meant|understood)\sby\b|\bwhat\s(?:does|do)\b.{1,80}\bmean\b|\bdefinition\sof\b"
    r"|\bwhat\scounts\sas\b",
    re.IGNORECASE,
)
_SORT_OF = re.compile(
    r"(?:sort|kind|type|class)s?\sof\s[\w-]+\s(?:[\w-]+\s)?(?:is|are)\s(?!the\b)", re.IGNORECASE
)
_YES_OR_NO_WITHIN = re.compile(
    r"(?:[-:,.]\s|^)(?:does|do|is|are|can|did|has|have|will|should)\s", re.IGNORECASE
)
# Nouns of quantities.
QUANTITIES = _words(
    """number percentage percent proportion prevalence incidence frequency rate dose dosage age year length size weight
    ratio duration mean half-life life cut-off cutoff threshold share fraction median average expectancy coefficient
    time volume sensitivity mortality fatality cost price temperature concentration survival risk odds accuracy
    yield range"""
)
_HOW_MUCH = re.compile(rf"\bhow\s{_QUANTITY.pattern}", re.IGNORECASE)
# Of words that ask nothing: "failure rate at four years", not "rate control".
_QUANTITY_NOUN = re.compile(
    r"\b(?:percentage|proportion|prevalence|incidence|rate|dose|dosage|half-life|cut-off|duration|frequency"
    r"|survival|accuracy|yield)s?"
    r"(?=\W{0,2}$|\s(?:of|in|at|after|for|among|with|by|per)\b)",
    re.IGNORECASE,
)
_FOR_A_REASON = re.compile(
    r"\b(?:why|mechanisms?|causes? of|reasons?|rationale|pathogenesis|how\scome)\b"
    r"|\bhow\s(?:is|are|was|were)\s.*(?:ed|made|done|taken|given)\b"
    r"|\bhow\s(?:do|does|did|can|could|might|may)\s"
    r"(?!.*\b(?:affects?|compares?|differs?|fares?|influences?|impacts?|relates?|responds?)\b)",
    re.IGNORECASE,
)
# "Which gene explains why …" wants the gene.
_EXPLAINS = re.compile(r"(?:which|what)\s[\w -]{1,60}?\sexplains?\s", re.IGNORECASE)
_ASKED_WITHIN = re.compile(rf"\b{_ASKS}|\?", re.IGNORECASE)
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_TOPIC_TAGS = frozenset(("NN", "NNS", "JJ", "VBG", "VBN", "CD"))
_LONGEST_TOPIC = 4  # words of _TOPIC_TAGS


class _Clause(NamedTuple):
    """The clause that asks. word: its first word in lower case. rest: the text behind it. asks: it ends with "?"."""

    text: str
    word: str
    rest: str
    asks: bool


def kind_of_question(question: str) -> str:
    """One of KINDS."""
    clause = _clause(" ".join(question[:LONGEST].split()))
    return next((kind for rule in RULES if (kind := rule(clause))), SUMMARY)


def answer_kind(question: str) -> str:
    """One of ANSWERS."""
    text = " ".join(question[:LONGEST].split())
    clause = _clause(text)
    if _STANDS_FOR.search(text):
        return DEFINITION
    kind = next((kind for rule in RULES if (kind := rule(clause))), None)
    if kind == YESNO or (kind is None and (clause.asks or _YES_OR_NO_WITHIN.search(text))):
        return YESNO
    if _is_defined(clause):
        return DEFINITION
    explains = _EXPLAINS.match(clause.text) and not _is_described(phrase(clause.rest))
    if _FOR_A_REASON.search(text) and not explains:
        return REASON
    if _is_counted(clause, asks=kind is not None):
        return QUANTITY
    return NAME if kind in (FACTOID, LIST) else SUMMARY


def _is_counted(clause: _Clause, *, asks: bool) -> bool:
    """Whether a question wants a quantity: "How common is …", "What dose of …". asks: a rule knows its kind."""
    if clause.word == "when" or _HOW_MUCH.search(clause.text):
        return True
    if not asks:
        return bool(_QUANTITY_NOUN.search(clause.text))
    copula = _COPULA.match(clause.rest)
    one = phrase(clause.rest[copula.end() :] if copula else clause.rest)
    return _one_of(one.head, QUANTITIES) and one.after[:1] != ("on",) and not _is_described(one)


def _is_defined(clause: _Clause) -> bool:
    """Whether a question asks what its subject is: "What are rice bodies?", "What sort of drug is lixisenatide?"."""
    if (clause.word in ("define", "describe") and not phrase(clause.rest).after[:-1]) or _MEANT.search(
        clause.text
    ):
        return True
    if clause.word in ("what", "which") and _SORT_OF.match(clause.rest):
        return True
    copula = _COPULA.match(clause.rest)
    if clause.word != "what" or not copula:
        return False
    behind = clause.rest[copula.end() :]
    one = phrase(behind)
    the = "the" in one.before
    # "What is carcinoma of unknown primary?", not "What is the target of imatinib?" or "What are signs of gout?"
    of = one.after[:1] == ("of",) and (the or one.plural or one.head in _OF_ANOTHER)
    of = of or one.after[:1] in (("for",), ("between",)) or one.sorted
    # "What is the survival in dogs?", not "What is an ejection fraction?"
    counted = (the or bool(one.after[:-1])) and _one_of(one.head, QUANTITIES)
    # "What is the Warburg effect?"
    named = bool(one.head) and not (of or counted) and (not _is_described(one) or _names_an_effect(one))
    return named and not _PICKED.intersection(one.before) and not _PARTICIPLE.match(behind)


def _names_an_effect(one: Phrase) -> bool:
    """ "The Warburg effect" and nothing behind it, not "the effect" or "the long-term prognosis"."""
    named = one.head in ("effect", "phenomenon", "principle", "theory")
    return named and not ARTICLES.issuperset(one.before) and not one.after[:-1]


def is_topic(query: str) -> bool:
    """Whether a query only names its topic: "kidney transplantation" neither asks nor states anything.

    A statement has a verb or ends with a full stop. Whoever lines up more words asks how they go together: "cinnarizine
    topiramate migraine prophylaxis children".
    """
    text = " ".join(query[:LONGEST].split())
    clause = _clause(text)
    if not text or text.endswith(".") or _ASKED_WITHIN.search(text) or any(rule(clause) for rule in RULES):
        return False
    tags = tag([text[begin:end] for begin, end in words(text)])
    return _FINITE.isdisjoint(tags) and sum(one in _TOPIC_TAGS for one in tags) <= _LONGEST_TOPIC


def _clause(text: str) -> _Clause:
    text = _POLITELY.sub("", text, count=1)
    if before := _BEFORE_THE_QUESTION.match(text):
        text = _POLITELY.sub("", text[before.end() :], count=1)
    asks = text.endswith("?")
    first = text.partition(" ")[0].lower()
    begins = first in _QUESTION_WORDS | _LISTS | _NAMES | _DESCRIPTIONS or _IS_AUXILIARY.match(text)
    if not begins and (later := _LATER.search(text) or (_WITHIN.search(text) if asks else None)):
        text = text if text.endswith(".") else text[later.end() :]
    word, _, rest = text.partition(" ")
    return _Clause(text, word.lower().rstrip("?,:"), rest, asks)


def _alternatives(clause: _Clause) -> str | None:
    """One of two opposites: "Is BACH1 an activator or a repressor?"."""
    return FACTOID if _IS_AUXILIARY.match(clause.text) and _ALTERNATIVES.search(clause.text) else None


def _yes_or_no(clause: _Clause) -> str | None:
    """An auxiliary first, or "yes or no?" last."""
    if not (_IS_AUXILIARY.match(clause.text) or _YES_OR_NO.search(clause.text)):
        return None
    return LIST if _AND_WHICH.search(clause.text) else YESNO


def _command(clause: _Clause) -> str | None:
    """An imperative: names of several things, one name, or a description."""
    if clause.word in _LISTS:
        return LIST
    if clause.word in _NAMES:
        one = phrase(clause.rest)
        if _SOME.match(clause.rest) or one.plural:
            return LIST
        return FACTOID if clause.word in ("name", "mention") or one.head == "name" else SUMMARY
    return SUMMARY if clause.word in _DESCRIPTIONS else None


def _manner(clause: _Clause) -> str | None:
    """ "Why", and "how" unless it asks for a quantity or a name."""
    if clause.word == "why":
        return SUMMARY
    if clause.word != "how":
        return None
    if _QUANTITY.match(clause.rest):
        return LIST if _AND_WHICH.search(clause.rest) else FACTOID
    return FACTOID if _CALLED.search(clause.rest) else SUMMARY


def _person_time_place(clause: _Clause) -> str | None:
    """ "Who", "whose", "when", "where"."""
    return FACTOID if clause.word in ("who", "whom", "whose", "when", "where") else None


def _event(clause: _Clause) -> str | None:
    """ "What happens to …", "What do statins do?": no noun is asked for."""
    if clause.word != "what":
        return None
    if _EVENT.match(clause.rest):
        return SUMMARY
    if _DO.match(clause.rest):
        return FACTOID if _DO_NAMED.search(clause.rest) else SUMMARY
    modal = _MODAL.match(clause.rest)
    return (FACTOID if modal[1] else SUMMARY) if modal else None


def _copula(clause: _Clause) -> str | None:
    """ "What is …", "Which are …": by the noun behind it, its number, and what stands around it."""
    copula = _COPULA.match(clause.rest)
    if clause.word not in ("what", "which") or not copula:
        return None
    behind, several = clause.rest[copula.end() :], copula[1].lower() in ("are", "were")
    one = phrase(behind)
    after = [word for word in one.after if word not in "?.!\"'"]
    if _AND_HOW.search(behind):
        return SUMMARY
    if not one.head or _PARTICIPLE.match(behind):
        if _INCLUDED.match(behind):
            return LIST
        return SUMMARY if _UNDERSTOOD.match(behind) else FACTOID
    if after[:2] == ["of", "inheritance"]:
        return FACTOID
    if _is_described(one):
        return LIST if several and clause.word == "which" else SUMMARY
    if not after or after[0] in (",", "("):
        return _kind_of_bare_name(one, several, clause.word)
    if several:
        return LIST
    if not _one_of(one.head, _CHOICES):
        return FACTOID
    if _BEST.intersection(one.before):
        return LIST
    return SUMMARY if ARTICLES.issuperset(one.before) else FACTOID


def _kind_of_bare_name(one: Phrase, several: bool, word: str) -> str:
    """Nothing follows the noun: "What are sirtuins?", "Which are the Yamanaka factors?", "What is the first sign?"."""
    if several and (word == "which" or one.sorted):
        return LIST
    if _PICKED.intersection(one.before) or any(each.endswith("est") for each in one.before):
        return LIST if several else FACTOID
    return SUMMARY


def _noun(clause: _Clause) -> str | None:
    """ "Which antibodies …", "What effect …": by the noun and its number."""
    if clause.word not in ("what", "which"):
        return None
    one = phrase(clause.rest)
    if clause.word == "what" and _is_described(one):
        return SUMMARY
    return LIST if one.plural else FACTOID


def _names_without_question(clause: _Clause) -> str | None:
    """Names by what they do, without a question: "drugs that cause hyponatraemia", "strain that survives"."""
    one = phrase(clause.text)
    is_one = one.after[:1] == ("that",) and one.head not in _STATED
    named = not clause.asks and (one.plural or is_one) and one.after[:1]
    if not named or named[0] not in _BEHIND_NAMES:
        return None
    return LIST if one.plural else FACTOID


RULES: tuple[Callable[[_Clause], str | None], ...] = (
    _alternatives,
    _yes_or_no,
    _command,
    _manner,
    _person_time_place,
    _event,
    _copula,
    _noun,
    _names_without_question,
)


def _is_described(one: Phrase) -> bool:
    """Whether a noun wants a description."""
    return _one_of(one.head, _DESCRIBED) and not _EVENTS.intersection(one.before)


def _one_of(noun: str, nouns: frozenset[str]) -> bool:
    """Whether a noun, or its singular, is one of some singulars."""
    singulars = (noun, noun.removesuffix("s"), noun.removesuffix("es"), noun.removesuffix("ies") + "y")
    return any(one in nouns for one in singulars)
