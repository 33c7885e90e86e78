"""The answers that are right by similarity alone, right under `fuzzy-90` and wrong under `thesis`, and their classes.

A rule gives each a class of the thesis's Table 4.4:

    long answer         the gold answer explains, and the answer is what it says: "cross-linking collagens and elastin"
    same                both name the same: "uncoupling protein 1 (ucp1)" and "uncoupling protein 1"
    better              the answer is the gold one, more exactly: "medial side of the foot" and "foot"
    wrongly accepted    anything else: a part of a name, another name, a right name beside a wrong one

Words of the question, function words, "gene" and "protein" tell answers from each other only where nothing else does.
The classes are the thesis's; the rule is ours (design/bioasq.md has how often it agrees with a person).

Two answers are one if they are equal in lower case and right for the same synonym of a question. Of an entry the
synonym counts that is most similar to the answer; of several the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import EXACT_TYPES
from anagnosis.entities.same_entity import CLASSES as CLASS_NOUNS
from anagnosis.entities.same_entity import word_forms
from anagnosis.evaluation.phase_b.rules import EQUAL, RULES, SIMILAR, USUAL_SIMILARITY, pairs
from anagnosis.evaluation.phase_b.scores import same_name
from anagnosis.language.fuzzy import similarity_named
from anagnosis.language.stop_words import STOP_WORDS
from anagnosis.predictions import Matched

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
    """The words that the question does not have, and that are no function words; all where there are no others."""
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


@dataclass(frozen=True, slots=True)
class SimilarAnswer:
    """An answer and the gold synonym that it is similar to.

    similarity: by WRatio, 90 to 100. class_by_rule: one of `CLASSES`. systems: names of those that gave the answer.
    """

    question: str
    prediction: str
    gold: str
    similarity: int
    class_by_rule: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RightBySimilarity:
    """An answer of a run. row: of its question in the split. rank: its place among the run's answers, from 1.

    others: the further gold entries of the question.
    """

    row: int
    rank: int
    prediction: str
    gold: str
    similarity: int
    others: tuple[tuple[str, ...], ...]


def right_by_similarity(gold: Gold, run: Matched) -> Iterator[RightBySimilarity]:
    """The run's answers to factoid and list questions that are right by similarity alone, by question and rank."""
    fuzzy, equal = RULES[SIMILAR], RULES[EQUAL]
    scored = pairs(gold, run, SIMILAR)
    asked = sorted((row, type, pair) for type in EXACT_TYPES for row, pair in scored[type])
    for row, type, pair in asked:
        both = zip(fuzzy.accepted(pair, type), equal.accepted(pair, type), strict=True)
        for rank, (similar_to, equal_to) in enumerate(both, 1):
            text = pair.answers[rank - 1]
            if similar_to is not None and equal_to is None and text is not None:
                similarity, synonym = _most_similar(text, pair.entries[similar_to])
                others = tuple(tuple(own) for own in pair.entries if own is not pair.entries[similar_to])
                yield RightBySimilarity(row, rank, text, synonym, similarity, others)


def similar_answers(
    gold: Gold, runs: Iterable[tuple[str, Matched]], questions: Mapping[str, str]
) -> tuple[SimilarAnswer, ...]:
    """The similar answers of all runs, each answer once, by question. runs: (system, run). questions: id → text."""
    first: dict[tuple[int, str, str], SimilarAnswer] = {}
    for system, run in runs:
        for each in right_by_similarity(gold, run):
            key = (each.row, each.prediction.lower(), each.gold)
            answer = first.get(key) or _described(gold, each, questions)
            first[key] = replace(answer, systems=tuple(dict.fromkeys((*answer.systems, system))))
    return tuple(first[key] for key in sorted(first))


def _described(gold: Gold, each: RightBySimilarity, questions: Mapping[str, str]) -> SimilarAnswer:
    ident = gold.ids.between(each.row, each.row + 1)[0]
    question = questions.get(ident, "")
    return SimilarAnswer(
        question,
        each.prediction,
        each.gold,
        each.similarity,
        answer_class(question, each.prediction, each.gold, each.others),
        (),
    )


def _most_similar(text: str, synonyms: Iterable[str]) -> tuple[int, str]:
    similarity = similarity_named(USUAL_SIMILARITY)
    return max(
        ((similarity(text.lower(), each.lower()), each) for each in synonyms), key=lambda pair: pair[0]
    )
