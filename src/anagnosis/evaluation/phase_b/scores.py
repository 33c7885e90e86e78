"""When an answer is one of the synonyms of a gold entry, and what the answers to a question score.

    equal       lower-cased, the same text: blanks, full stops and accents count (the organisers; the thesis, 4.1)
    similar     lower-cased, a similarity of at least 90 by `language/fuzzy.py` (the thesis, 4.6)

Each takes an entry and gives whether an answer is one of its synonyms.

The scores of a question:

    factoid   strict: the first answer is right. lenient: any is. reciprocal rank: 1 / rank of the first right one, 0
              for none; its mean is MRR
    list      each answer in turn takes out the first gold entry that is left and has it as a synonym (right), or is
              wrong. precision = right / answers; recall: of `over_entries` right / gold entries, of `over_missed`
              right / (right + missed); F1 of the two. 0 where there is nothing to divide by
    yes/no    a text says yes if it holds "yes" in any case, else no if it holds "no", else neither

An answer that is None has no text, and is wrong.
Sources: the thesis, section 4.1; Tsatsaronis et al. 2015; the organisers' program, BioASQ/Evaluation-Measures 8c8e689.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anagnosis.language.fuzzy import at_least, processed

LEVEL = 90  # "bigger or equal to 90%", the thesis, 4.6

Same = Callable[[Sequence[str]], Callable[[str], bool]]


def equal(entry: Sequence[str]) -> Callable[[str], bool]:
    """Equality of lower-cased texts."""
    synonyms = {synonym.lower() for synonym in entry}
    return lambda answer: answer.lower() in synonyms


def similar(entry: Sequence[str]) -> Callable[[str], bool]:
    """A similarity of at least LEVEL."""
    synonyms = [synonym.lower() for synonym in entry]

    def is_one(answer: str) -> bool:
        text = answer.lower()
        if text in synonyms and processed(text):  # without a letter or digit it is similar to nothing by some
            return True
        return any(at_least(text, synonym, LEVEL) for synonym in synonyms)

    return is_one


YES, NO = "yes", "no"

Entries = Sequence[Sequence[str]]  # gold entries, each its synonyms
Answers = Sequence[str | None]  # best first
Matcher = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class FactoidScore:
    """Of one question: each in [0, 1]."""

    strict: float
    lenient: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class ListScore:
    """Of one question: each in [0, 1]."""

    precision: float
    recall: float
    f1: float


Recall = Callable[[int, int, list[Matcher], Answers], float]


def factoid(entries: Entries, answers: Answers, same: Same) -> FactoidScore:
    """One factoid question."""
    matchers = [same(entry) for entry in entries]
    rank = next((rank for rank, answer in enumerate(answers, 1) if _is_right(answer, matchers)), None)
    if rank is None:
        return FactoidScore(0.0, 0.0, 0.0)
    return FactoidScore(float(rank == 1), 1.0, 1 / rank)


def listed(entries: Entries, answers: Answers, same: Same, recall: Recall) -> ListScore:
    """One list question."""
    matchers = [same(entry) for entry in entries]
    taken = taken_out(matchers, answers)
    right = len(taken) - taken.count(None)
    if not right:
        return ListScore(0.0, 0.0, 0.0)
    left = [matcher for place, matcher in enumerate(matchers) if place not in taken]
    precision, share = right / len(answers), recall(right, len(entries), left, answers)
    return ListScore(precision, share, 2 * precision * share / (precision + share))


def taken_out(matchers: Sequence[Matcher], answers: Answers) -> list[int | None]:
    """Of each answer to a list question the place of the gold entry that it takes out, None where it is wrong."""
    left = dict(enumerate(matchers))
    taken: list[int | None] = []
    for answer in answers:
        place = next((place for place, matcher in left.items() if _is_right(answer, [matcher])), None)
        if place is not None:
            del left[place]
        taken.append(place)
    return taken


def first_entries(matchers: Sequence[Matcher], answers: Answers) -> list[int | None]:
    """Of each answer to a factoid question the place of the first gold entry that it names, None where it is wrong."""
    places = range(len(matchers))
    return [
        next((place for place in places if _is_right(answer, [matchers[place]])), None) for answer in answers
    ]


def over_entries(right: int, entries: int, left: list[Matcher], answers: Answers) -> float:
    """Recall over the gold entries. left: those that no answer took out."""
    return right / entries


def over_missed(right: int, entries: int, left: list[Matcher], answers: Answers) -> float:
    """Recall over right answers and missed entries.

    The program looks for each entry that is left among the answers again, right ones too: the first answer that has
    one of its synonyms is taken out, and the entry is not missed.
    """
    open_answers = [*answers]
    missed = 0
    for matcher in left:
        place = next((n for n, answer in enumerate(open_answers) if _is_right(answer, [matcher])), None)
        if place is None:
            missed += 1
        else:
            del open_answers[place]
    return right / (right + missed)


def decided(answers: Answers) -> str:
    """YES, NO, or "" for neither: of the first answer."""
    lower = (answers[0] or "").lower() if answers else ""
    return next((label for label in (YES, NO) if label in lower), "")


def _is_right(answer: str | None, matchers: Sequence[Matcher]) -> bool:
    return answer is not None and any(matcher(answer) for matcher in matchers)
