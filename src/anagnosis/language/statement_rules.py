"""Rules that make a statement of a question: each gives the words before and behind the gap, or None.

RULES is in the order in which they are tried, those for how, where, when and why among them. `nouns` is what becomes of
the question's noun (question_nouns.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from anagnosis.language import verbs
from anagnosis.language.clauses import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    HAVE,
    PREPOSITIONS,
    Clause,
    begins_with_verb,
    clause,
    closes,
    is_adverb,
    is_lower,
)
from anagnosis.language.inflection import is_participle
from anagnosis.language.question_nouns import (
    KINDS,
    PRONOUNS,
    Gap,
    closed,
    described,
    gap,
    is_plural_list,
    split,
)
from anagnosis.language.tags import words

_AUX = rf"(?:{'|'.join(sorted(AUXILIARIES))})"
# "XXXX large", but "as rare as XXXX".
_MEASURED = tuple("large big long small tall high low wide deep thick heavy old fast far".split())  # noqa: SIM905 a list is read as words
_NOT_MEASURED = ("rare", "common", "frequent", "early", "late", "often")
_HOW_MANY = re.compile(r"(?P<before>(?:[\w]+ )?)how (?:many|much) (?P<rest>.+)", re.IGNORECASE)
_HOW_MUCH = re.compile(
    rf"(?P<prep>for )?how (?P<adj>{'|'.join((*_MEASURED, *_NOT_MEASURED))})"
    rf"(?P<more>(?:,? [^,]+,)| [\w ]{{1,40}}?)?,? (?P<aux>{_AUX}) (?P<rest>.+)",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    rf"(?P<ask>how|where|when|why)(?P<more>,? in [^,]{{1,40}}?,?)? (?P<aux>{_AUX}) (?P<rest>.+)",
    re.IGNORECASE,
)
_FROM_WHERE = re.compile(
    rf"(?P<prep>from|to|since|until) (?:where|when) (?P<aux>{_AUX}) (?P<rest>.+)", re.IGNORECASE
)
_SHOULD_BE = re.compile(r"(?P<be>(?:should|would|must) be) (?P<rest>.+)", re.IGNORECASE)

# Question word: the word before the gap.
_BEFORE_GAP = {"how": "by", "where": "in", "when": "in", "why": "because of"}
# Verbs whose place is a thing they reach: "binds to".
_TO = frozenset("binds bind bound attaches attach attached".split())  # noqa: SIM905 a list is read as words
# Behind these the answer to "how" is a name or a word, without "by".
_NAMED = frozenset("called named spelled abbreviated".split())  # noqa: SIM905 a list is read as words
Made = tuple[str, str]
"""Words before and behind the gap."""

Rule = Callable[[str, str], Made | None]

_BE = r"(?:is|are|was|were)"
_LIST = re.compile(
    r"(?:list|name|mention|enumerate|provide|give(?: me)?|specify|describe|define) "
    r"(?:(?:a list of|all|the names? of) )?(?P<what>.+)",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(rf"(?:what|which|who) (?P<be>{_BE}) (?P<rest>.+)", re.IGNORECASE)
_WHICH_NOUN = re.compile(r"(?:which|what) (?P<rest>.+)", re.IGNORECASE)
_WHAT_DOES = re.compile(rf"(?:what|whom|who|which) (?P<aux>{_AUX}) (?P<rest>.+)", re.IGNORECASE)
_WHO = re.compile(r"(?:what|who) (?P<verb>[a-z]+s|[a-z]+ed) (?P<rest>.+)", re.IGNORECASE)
_FRONTED = re.compile(
    rf"(?P<prep>(?:{'|'.join(sorted(PREPOSITIONS))}|of|according to)"
    rf"(?: (?:[\w-]+ ){{1,6}}?(?:of|in|for|with|to))?) (?:which|what|whom) (?P<rest>.+)",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"\b(?:which|what|whom) (?P<rest>.+)", re.IGNORECASE)
_CHOICE = re.compile(rf"(?P<aux>{_BE}|does|do|did) (?P<rest>.+)", re.IGNORECASE)
_OFFERED = re.compile(r" \S+ or (?=\S)")
_OFFERED_BE = re.compile(r" (?=(?:an?|predominantly|mainly|mostly|up|synonymous)\b.* or )")
_ALSO_AS = re.compile(r".+ (?:known|called|named|abbreviated|referred to)(?: as)?", re.IGNORECASE)


def how_many(text: str, nouns: str) -> Made | None:
    match = _HOW_MANY.fullmatch(text)
    if not match:
        return None
    before, rest = match["before"], match["rest"]
    if should := _SHOULD_BE.fullmatch(rest):
        return f"{should['rest']} {should['be']} {before}", ""
    noun, verb, rest = split(rest)
    small = verb.lower()
    if rest.lower().startswith("there"):
        return f"there {small} {before}", f"{noun} {rest[5:]}"
    if not begins_with_verb(verb, rest):
        made = clause(verb, rest)
        at = 0 if noun.lower() == "times" else _object_place(made.predicate, transitive=True)
        return f"{made.subject} {made.verb} {made.predicate[:at]} {before}", f"{noun} {made.predicate[at:]}"
    if small in HAVE and not any(is_participle(word.lower()) for word in rest.split()):
        return f"{rest} {small} {before}", noun  # "how many genes has the virus"
    return before, f"{noun} {verb} {rest}"


def how_much(text: str, nouns: str) -> Made | None:
    match = _HOW_MUCH.fullmatch(text)
    if not match:
        return None
    made = clause(match["aux"], match["rest"])
    adjective, more = match["adj"].lower(), (match["more"] or "").strip(" ,")
    if match["prep"]:
        return f"{made.text} for", ""
    if adjective in _NOT_MEASURED:
        return f"{made.text} as {adjective} as", more
    return made.text, f"{adjective}{', ' + more if more else ''}"


def adverb(text: str, nouns: str) -> Made | None:
    """ "Where is renin made", "How is it transmitted": the clause in its order, then a preposition and the gap."""
    match = _ADVERB.fullmatch(text)
    if not match:
        return None
    ask, more = match["ask"].lower(), (match["more"] or "").strip(" ,")
    made = clause(match["aux"], match["rest"])
    if ask == "how" and not made.sure:
        return None
    predicate = made.predicate.lower()
    first, last = predicate.partition(" ")[0], predicate.rpartition(" ")[2]
    if first in _NAMED:
        return f"{made.subject} {made.verb} {first}", made.predicate[len(first) :]
    preposition = "to" if first in _TO else _BEFORE_GAP[ask]
    if last in PREPOSITIONS:
        preposition = ""
    return f"{made.text} {preposition}", more


def _from_where(text: str, nouns: str) -> Made | None:
    match = _FROM_WHERE.fullmatch(text)
    return _with_object(clause(match["aux"], match["rest"]), Gap(), match["prep"].lower()) if match else None


def _listed(text: str, nouns: str) -> Made | None:
    match = _LIST.fullmatch(text)
    if not match:
        return None
    what = re.sub(r"^(?:some|any) ", "", match["what"], flags=re.IGNORECASE)
    be = "are" if is_plural_list(what) else "is"
    return f"{closed(what)} {be}", ""


def _what_is(text: str, nouns: str) -> Made | None:
    match = _WHAT_IS.fullmatch(text)
    if not match:
        return None
    be, rest = match["be"].lower(), match["rest"]
    first = rest.split(" ", 1)[0].lower()
    tokens = [rest[begin:end].lower() for begin, end in words(rest)]
    if (is_participle(first) or first == "being") and len(tokens) > 1 and not _premodifies(tokens):
        return "", f"{be} {rest}"  # "what is inhibited by"
    if _stranded(rest):
        made = clause(be, rest)
        if made.sure:
            return _with_object(made, Gap())
    return f"{closed(rest)} {be}", ""


def _premodifies(tokens: Sequence[str]) -> bool:
    """Whether a participle at the beginning describes a noun: "increased risk"."""
    after = tokens[1]
    return not (
        after in PREPOSITIONS
        or after in DETERMINERS
        or is_adverb(after)
        or after in ("to", "when", "if")
        or is_participle(after)
    )


def _stranded(rest: str) -> bool:
    """Whether a clause lacks its object: it ends in a preposition or a form in -ing, or two prepositions meet."""
    tokens = [rest[begin:end].lower() for begin, end in words(rest)]
    return (
        tokens[-1] in PREPOSITIONS | {"of"}
        or (len(tokens) == 2 and tokens[-1].endswith("ing") and tokens[0] not in DETERMINERS)
        or _two_prepositions(tokens) > 0
    )


def _which_noun(text: str, nouns: str) -> Made | None:
    match = _WHICH_NOUN.fullmatch(text)
    if not match:
        return None
    noun, verb, rest = split(match["rest"])
    if place := _inner_subject(noun):
        subject = " ".join(match["rest"].split()[place:])
        stranded = subject.split()[-1].lower() in PREPOSITIONS and not AUXILIARIES.isdisjoint(
            subject.lower().split()
        )
        return (subject, "") if stranded else None
    if not rest:  # "Which diseases that can be treated with it": a list without its verb
        is_list = re.match(r"[\w-]+ (?:that|which) ", match["rest"])
        return (f"the {match['rest']} are", "") if is_list else None
    small = verb.lower()
    around = gap(noun, nouns=nouns)
    if small in DO and not begins_with_verb(verb, rest):
        # "What effect does it have on": without its noun "has XXXX on" says little.
        says_little = re.search(r"\b(?:have|play|exert)\b", rest)
        return _with_object(clause(verb, rest), gap(noun, nouns="keep") if says_little else around)
    if small in AUXILIARIES and (not begins_with_verb(verb, rest) or _stranded_clause(rest)):
        made = clause(verb, rest)
        if made.sure:
            return _with_object(made, around)
        if small in BE and rest.split()[-1].lower() not in PREPOSITIONS | {"of"}:
            # Behind "HILIC is XXXX": the question's noun, where it is more than one word.
            is_named = around.before or noun.split(" ", 1)[0].lower() in KINDS
            return f"{made.subject} {small}", f", {described(noun)}" if is_named else ""
    if small in BE and rest.split()[-1].lower() in PREPOSITIONS | {"of"}:
        return None  # its object is missing, and nothing says where its subject ends
    return around.before, f"{around.after} {verb} {rest}"


def _inner_subject(noun: str) -> int:
    """ "Which disease the mutation is involved in": the place of the subject, by its article; 0 for none."""
    tokens = [word.lower() for word in noun.split()]
    no_article = PREPOSITIONS | {"of", "and", "or"}
    for place in range(1, len(tokens)):
        before = tokens[place - 1]
        if tokens[place] in ("the", "a", "an") and before.isalpha() and before not in no_article:
            return 0 if any(is_participle(word) or word.endswith("ing") for word in tokens[:place]) else place
    return 0


def _stranded_clause(rest: str) -> bool:
    """Whether the clause lacks its object at its end: "which disease is it used for", "… is the drug targeting"."""
    last = rest.split()[-1].lower()
    lacks_object = last.endswith("ing") and rest.split()[0].lower() in DETERMINERS
    return last in PREPOSITIONS | {"of"} or lacks_object


def _fronted(text: str, nouns: str) -> Made | None:
    """ "In which organ is renin made": the clause in its order, then the preposition and the gap."""
    match = _FRONTED.fullmatch(text)
    if not match:
        return None
    noun, verb, rest = split(match["rest"])
    if verb.lower() not in AUXILIARIES:
        return None
    prep = match["prep"][:1].lower() + match["prep"][1:]
    if rest.lower().startswith("there "):
        around = gap(noun, nouns=nouns)
        return f"there {verb.lower()} {rest[6:]} {prep} {around.before}", around.after
    first = rest.split(" ", 1)[0].lower()
    behind = rest.lower().split()
    if first.endswith("ing") or (is_participle(first) and "-" not in first and closes(behind, 0)):
        return None  # "in which phase of the cycle arrest is impaired": the subject is in the noun
    return _with_object(clause(verb, rest), gap(noun, nouns=nouns), prep)


def _what_does(text: str, nouns: str) -> Made | None:
    match = _WHAT_DOES.fullmatch(text)
    if not match:
        return None
    verb, rest = match["aux"], match["rest"]
    if begins_with_verb(verb, rest):
        return "", f"{verb.lower()} {rest}"
    return _with_object(clause(verb, rest), Gap())


def _what_verb(text: str, nouns: str) -> Made | None:
    match = _WHO.fullmatch(text)
    if not match or match["verb"].lower() in AUXILIARIES:
        return None
    small = match["verb"].lower()
    rest = match["rest"]
    if _is_noun(small, rest) or (
        small.endswith("ed") and rest.split(" ", 1)[0].lower() not in DETERMINERS and is_lower(rest)
    ):
        return None
    known = verbs.is_third_person(small) or is_participle(small)
    return ("", f"{match['verb']} {rest}") if known else None


def _is_noun(word: str, rest: str) -> bool:
    """ "What changes are known": a word that may be noun or verb, before an auxiliary or a preposition."""
    if not verbs.is_also_noun(verbs.base_form(word)):
        return False
    tokens = [token.lower() for token in rest.split()]
    return tokens[0] in PREPOSITIONS | AUXILIARIES | {"of"} or not AUXILIARIES.isdisjoint(tokens)


def _inside(text: str, nouns: str) -> Made | None:
    """ "Mutations in which gene cause deafness": the gap replaces the noun of the question."""
    for match in _INSIDE.finditer(text):
        before = text[: match.start()].rstrip()
        if not before or before.endswith(","):
            continue
        noun, verb, rest = split(match["rest"])
        if before.lower() in PREPOSITIONS and verb not in PRONOUNS:
            continue  # "in which process A, B and C are playing": no telling where the noun ends
        around = gap(noun, nouns=nouns)
        return f"{before} {around.before}", f"{around.after} {verb} {rest}"
    return None


def _choice(text: str, nouns: str) -> Made | None:
    """ "Is it an activator or a repressor", "Do they bind A or B": what is offered follows the gap."""
    match = _CHOICE.fullmatch(text)
    if not match:
        return None
    auxiliary, rest = match["aux"], match["rest"]
    if auxiliary.lower() in DO:
        made = clause(auxiliary, rest)
        offered = _OFFERED.search(made.predicate)
        if not offered or not made.sure or " or " in made.subject:
            return None
        return (
            f"{made.subject} {made.predicate[: offered.start()]}",
            f", {made.predicate[offered.start() + 1 :]}",
        )
    places = _OFFERED_BE.search(rest)
    if not places:
        return None
    return clause(auxiliary, rest[: places.start()]).text, f", {rest[places.end() :]}"


def _also_as(text: str, nouns: str) -> Made | None:
    """ "Willis-Ekbom disease is also known as": a statement without its end."""
    return (text, "") if _ALSO_AS.fullmatch(text) and not _INSIDE.search(text) else None


def _with_object(made: Clause, around: Gap, preposition: str = "") -> Made:
    """The clause with the gap as its object, behind a preposition where one is given."""
    tokens = [made.predicate[begin:end].lower() for begin, end in words(made.predicate)]
    if preposition and tokens and tokens[-1] == preposition.split()[-1]:
        preposition = ""
    at = _object_place(made.predicate, transitive=not made.verb or made.verb in HAVE)
    before = " ".join((made.subject, made.verb, made.predicate[:at], preposition, around.before))
    return before, f"{around.after} {made.predicate[at:]}"


def _object_place(predicate: str, *, transitive: bool) -> int:
    """The offset in a predicate where its object stands: behind the verb and its preposition."""
    places = words(predicate)
    tokens = [predicate[begin:end].lower() for begin, end in places]
    if second := _two_prepositions(tokens):
        return places[second - 1][1]
    last = len(tokens) - 1
    if tokens and tokens[last] in PREPOSITIONS | {"of"}:
        return len(predicate)
    verb = next((place for place, token in enumerate(tokens) if not is_adverb(token)), 0)
    if transitive and verb + 1 < len(tokens) and tokens[verb + 1] in PREPOSITIONS | {"when", "if", "while"}:
        return places[verb][1]
    comma = predicate.find(", ")
    return comma if comma > 0 and predicate.count(", ") == 1 else len(predicate)


def _two_prepositions(tokens: Sequence[str]) -> int:
    """The place of the second of two prepositions that meet behind a participle: "associated with in"; 0 for none."""
    for place in range(2, len(tokens)):
        if (
            tokens[place] in PREPOSITIONS
            and tokens[place - 1] in PREPOSITIONS | {"of"}
            and tokens[place - 1] not in ("up", "out", "from")
        ):
            return place
    return 0


RULES: dict[str, Rule] = {
    "how many": how_many,
    "how much": how_much,
    "list": _listed,
    "what is": _what_is,
    "in which": _fronted,
    "from where": _from_where,
    "how or where": adverb,
    "what does": _what_does,
    "what causes": _what_verb,
    "which": _which_noun,
    "inside": _inside,
    "choice": _choice,
    "known as": _also_as,
}
