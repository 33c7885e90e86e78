"""What a rule says of an answer that is similar to a gold one and not equal (the thesis, Table 4.4).

    long answer         the gold answer explains, and the answer is what it says: "cross-linking collagens and elastin"
    same                both name the same: "uncoupling protein 1 (ucp1)" and "uncoupling protein 1"
    better              the answer is the gold one, more exactly: "medial side of the foot" and "foot"
    wrongly accepted    anything else: a part of a name, another name, a right name beside a wrong one

Words of the question, function words, "gene" and "protein" tell answers from each other only where nothing else does.
The classes are the thesis's; the rule is ours (design/bioasq.md has how often it agrees with a person).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from anagnosis.entities.same_entity import CLASSES as CLASS_NOUNS
from anagnosis.entities.same_entity import word_forms
from anagnosis.evaluation.phase_b.equality import same_name
from anagnosis.language.stop_words import STOP_WORDS

LONG, SAME, BETTER, WRONG = "long answer", "same", "better", "wrongly accepted"
CLASSES = {
    LONG: "the gold answer is an explanation, and the prediction is the answer in it",
    SAME: "both name the same; words around it that answer nothing else do not count",
    BETTER: "the prediction is the gold answer, more exactly or more completely, and right in all that it adds",
    WRONG: "anything else: a part that says too little, another thing, more that is wrong, or a sentence that leaves "
    "open which part of it answers",
}
LONG_GOLD = 8  # words of a gold answer that explains
_LEAST_OF_LONG = 2  # words of an answer out of it
_MOST_ADDED = 4  # words by which an answer is more exact; further ones only stand around it
_FUNCTION_WORDS = STOP_WORDS["nltk-127"]
_DENIALS = frozenset(("no", "not", "non", "nor", "neither", "never", "without"))
_JOINING = re.compile(r"[,;/+&]|\b(?:and|or)\b", re.IGNORECASE)
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]?")
_ASIDE = re.compile(r"[,;:()\[\]]")
_WORD = re.compile(r"\w+")


def answer_class(question: str, prediction: str, gold: str, others: Iterable[Sequence[str]] = ()) -> str:
    """One of CLASSES. others: the further gold entries, each its synonyms; of a factoid question usually none."""
    if _is_same_name(prediction, gold):
        return SAME
    asked = frozenset(word_forms(question))
    says, right = _telling_words(prediction, asked), _telling_words(gold, asked)
    joined = _joined_names(prediction, gold)
    if not right <= says:
        explains = len(gold.split()) >= LONG_GOLD
        return LONG if says < right and len(says) >= _LEAST_OF_LONG and explains else WRONG
    if joined:
        entries = [frozenset(word_forms(synonym)) for entry in others for synonym in entry]
        return BETTER if all(_names_one(name, entries) for name in joined) else WRONG
    added = [word for word in word_forms(prediction) if word not in frozenset(word_forms(gold))]
    if not _DENIALS.isdisjoint(added):
        return WRONG
    more_exact = says != right and len(added) <= _MOST_ADDED and not _ASIDE.search(prediction)
    return BETTER if more_exact else SAME


def _is_same_name(prediction: str, gold: str) -> bool:
    """With or without what stands in brackets; several names are not one, however long the other one is."""
    if len(_parts(prediction)) != len(_parts(gold)):
        return False
    names = [name for text in (gold, *_without_brackets(gold)) if (name := text.strip(" ."))]
    is_gold = same_name(names)
    return any(is_gold(text.strip(" .")) for text in (prediction, *_without_brackets(prediction)))


def _without_brackets(text: str) -> list[str]:
    outside = _BRACKETS.sub(" ", text).strip()
    return [outside] if outside and outside != text else []


def _telling_words(text: str, asked: frozenset[str]) -> frozenset[str]:
    """Those that the question does not have, and that are no function words; all where there are no others."""
    words = frozenset(word_forms(text))
    return words - asked - (_FUNCTION_WORDS - _DENIALS) - frozenset(CLASS_NOUNS) or words


def _joined_names(prediction: str, gold: str) -> list[frozenset[str]]:
    """The words of each name that the prediction joins with the gold one: a part without a function word."""
    if len(_parts(prediction)) <= len(_parts(gold)):
        return []
    right = frozenset(word_forms(gold))
    parts = [part for part in _parts(prediction) if _FUNCTION_WORDS.isdisjoint(_WORD.findall(part.lower()))]
    names = [frozenset(word_forms(part)) for part in parts]
    return [name for name in names if right.isdisjoint(name)]


def _parts(text: str) -> list[str]:
    """What commas, "and" and the like join, without what stands in brackets."""
    return [part for part in _JOINING.split(_BRACKETS.sub(" ", text)) if word_forms(part)]


def _names_one(name: frozenset[str], entries: Iterable[frozenset[str]]) -> bool:
    """Whether a name has the words of a gold entry, or only such."""
    return any(entry and (entry <= name or name <= entry) for entry in entries)
