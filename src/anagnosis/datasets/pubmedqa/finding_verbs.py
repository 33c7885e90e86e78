"""The verb of a title by its words and their tags, and the verbs joined to it.

Tags are wrong in titles more often than in sentences, since most titles are noun phrases ("Trends and correlates
of …", "Primary care in …"). So a word tagged as a verb must also be a known one (language/verbs.py) and stand between
what can be a subject and what can be an object. Words come in lower case here, tags are Penn's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anagnosis.language import verbs

Words = Sequence[str]
Tags = Sequence[str]

NEGATIONS = frozenset(("not", "n't", "n’t", "never"))

_NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS", "FW", "CD", "VBG"))
_PLURAL = frozenset(("NNS", "NNPS"))
_ADVERBS = frozenset(("RB", "RBR", "RBS"))
_FINITE = frozenset(("VBZ", "VBP", "MD"))
_AFTER_HEAD = frozenset(("IN", "TO", "WDT", "WP", "WP$", "WRB", "VBN", "VBD", "VBG", ":", "MD"))
_NOT_BEFORE_A_VERB = frozenset(("DT", "IN", "CC", "PRP", "PRP$", "WP$", "MD", "TO", "POS", "PDT"))
_BEGINS_AN_OBJECT = frozenset(("DT", "PDT", "PRP$", "JJ", "JJR", "JJS", *_ADVERBS))
_BEGINS_OR_IS_AN_OBJECT = _BEGINS_AN_OBJECT | frozenset(
    ("NN", "NNS", "NNP", "FW", "VBG", "VBN", "CD", "(", "PRP")
)

# Nouns in -s that are one thing.
_SINGULAR = re.compile(r".*(?:ics|itis|osis|asis|ysis|ss|betes|series|species|means|news|measles|herpes)")

# Begin a clause of their own, whose verb is not the title's.
_SUBORDINATE = frozenset(
    str.split(
        "who whom whose which where when while whereas although though because if unless whether how why what"
    )
)
_JOINING = frozenset(("and", "or", "but", ",", "&", "then", "yet"))


def find(lower: Words, tags: Tags) -> int | str:
    """Which word is the verb of the first clause; "modal" if that is a modal, "no_verb" if there is none."""
    waiting = 0
    for at, depth in enumerate(_depths(lower)):
        if depth or not at:
            continue
        if _begins_clause(lower, tags, at):
            waiting += 1
        elif waiting:
            # The verb that a clause waits for: "who underwent", "which is", "that can".
            waiting -= tags[at] in ("VBZ", "VBP", "VBD") or _is_modal(lower, tags, at)
        elif _is_modal(lower, tags, at):
            return "modal"
        elif tags[at] in _FINITE and is_verb(lower, tags, at):
            return at
    return "no_verb"


def is_verb(lower: Words, tags: Tags, at: int) -> bool:
    """Whether a word tagged VBZ or VBP can be the verb of a statement where it stands."""
    word = lower[at]
    before = next(
        (tag for tag in reversed(tags[:at]) if tag not in _ADVERBS and tag not in ("''", "``", ",")), ""
    )
    if before in _NOT_BEFORE_A_VERB or not is_known(lower, tags, at):
        return False
    if word in verbs.AUXILIARIES:
        return True
    base = _base(word, tags[at])
    if at + 1 == len(lower):
        return base in verbs.INTRANSITIVE
    if not verbs.is_also_noun(base):
        return True
    if before.startswith("JJ"):
        return False
    if lower[at + 1] in verbs.PREPOSITIONS.get(base, ()):
        return word not in ("results", "result") or _is_outcome(lower, tags, at + 2)
    if lower[at + 1] in ("both", "either"):
        return True
    mostly_noun = verbs.is_mostly_noun(base)
    return tags[at + 1] in (_BEGINS_AN_OBJECT if mostly_noun else _BEGINS_OR_IS_AN_OBJECT)


def is_known(lower: Words, tags: Tags, at: int) -> bool:
    """Whether a word tagged VBZ or VBP is a verb that we know in that form."""
    word = lower[at]
    if word in verbs.AUXILIARIES:
        return True
    return verbs.is_third_person(word) if tags[at] == "VBZ" else verbs.is_base(word)


def agrees(lower: Words, tags: Tags, verb: int) -> bool:
    """Whether the number of what stands before the verb can be the verb's."""
    if not {"and", "&"}.isdisjoint(lower[:verb]):
        return True
    head = _head(lower, tags, verb)
    if head < 0:
        return tags[verb] == "VBZ" and not _ADVERBS.issuperset(tags[:verb])
    many = tags[head] in _PLURAL
    if tags[verb] == "VBP":
        return many
    return not many or tags[0] == "VBG" or _SINGULAR.fullmatch(lower[head]) is not None


def joined(lower: Words, tags: Tags, verb: int) -> tuple[int, ...] | None:
    """The verbs that stand beside the first one and change with it ("reduces A and improves B").

    None where no well-formed question can be made: another verb has a subject of its own, or needs another auxiliary.
    """
    fronted = is_auxiliary(lower, tags, verb)
    waiting = 0
    beside: list[int] = []
    for at in range(verb + 1, len(lower)):
        if _begins_clause(lower, tags, at):
            waiting += 1
        modal = _is_modal(lower, tags, at)
        if not modal and not (tags[at] in _FINITE and is_known(lower, tags, at)):
            continue
        before = at - 1
        while tags[before] in _ADVERBS and before > verb:
            before -= 1
        if lower[before] in _JOINING:
            if modal or fronted or is_auxiliary(lower, tags, at) or tags[at] != tags[verb]:
                return None
            beside.append(at)
        elif waiting:
            waiting -= 1
        else:
            return None
    return tuple(beside)


def is_auxiliary(lower: Words, tags: Tags, at: int) -> bool:
    """Whether a form of be, have or do moves to the front itself.

    Be always does; have before a participle ("has been shown", but not "have reduced risk"); do before a base form.
    """
    word = lower[at]
    if word in verbs.BE:
        return True
    if word not in verbs.HAVE and word not in verbs.DO:
        return False
    after = at + 1
    while after < len(tags) and (tags[after] in _ADVERBS or lower[after] in NEGATIONS):
        after += 1
    negated = not NEGATIONS.isdisjoint(lower[at + 1 : at + 2])
    following = tags[after : after + 2]
    if word in verbs.DO:
        return negated or following[:1] in (["VB"], ["VBP"])
    return following[:1] == ["VBN"] and following[1:] not in (["NN"], ["NNS"], ["JJ"], ["VBG"], ["NNP"])


def _head(lower: Words, tags: Tags, verb: int) -> int:
    """Which word is the noun of the first noun phrase; -1 if there is none. Brackets are not looked into."""
    outside = [at for at, depth in enumerate(_depths(lower[:verb])) if not depth]
    end = next((at for at in outside if at and tags[at] in _AFTER_HEAD), verb)
    return next((at for at in reversed(outside) if at < end and tags[at] in _NOUNS), -1)


def _base(word: str, tag: str) -> str:
    return verbs.base_form(word) if tag == "VBZ" or word in verbs.AUXILIARIES else word


def _begins_clause(lower: Words, tags: Tags, at: int) -> bool:
    if lower[at] == "that":
        return tags[at] in ("WDT", "IN") and tags[at - 1] != "IN"
    return lower[at] in _SUBORDINATE


def _is_modal(lower: Words, tags: Tags, at: int) -> bool:
    return tags[at] == "MD" and lower[at] in verbs.MODALS


def _depths(lower: Words) -> Iterator[int]:
    """How many brackets are open at each word."""
    depth = 0
    for word in lower:
        depth += word in ("(", "[")
        yield depth
        depth -= word in (")", "]") and depth > 0


def _is_outcome(lower: Words, tags: Tags, at: int) -> bool:
    """Whether these words name what something can result in, and not where results were found."""
    if at >= len(tags):
        return False
    return tags[at] in ("JJ", "JJR", "RBR", "VBN", "VBG") or lower[at] in ("a", "an", "no", "greater", "loss")
