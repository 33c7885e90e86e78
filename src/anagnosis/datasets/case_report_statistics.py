"""What CliCR's section 4 counts of its case reports: Tables 2 and 3, Figure 2, as the authors' program counts.

A passage is a report, whatever the number of its queries, and is counted once. Tokens are what white space parts;
types, names and answers are counted in lower case. An answer is in a passage where it equals one of its entities, not
where it is a part of its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance

LONGEST_ANSWER = 10  # words of an answer's text, from which on lengths are counted together
MOST_BINS = 20  # of passages' lengths
WIDTHS = (10, 25, 50, 100, 250, 500, 1000, 2500)  # of those, in tokens
# An entity without letters, which the published construction leaves where it moves all of one out; its program counts
# it as an entity, and its marks as no letters of a word.
_EMPTY_ENTITY = "BEG____END"


@dataclass(frozen=True, slots=True)
class LengthCount:
    """How many have a length from `low` to `high`; high: None for all that are longer."""

    low: int
    high: int | None
    count: int


@dataclass(frozen=True, slots=True)
class CaseReportStatistics:
    """Counts over all splits.

    reports, queries: how many. tokens: of all reports. tokens_by_report, tokens_by_query: the mean of a passage, where
    a report counts once, or once for each of its queries. word_types, entity_types: distinct ones of the passages.
    distinct_answers: of the hidden texts; distinct_names: with the other names. other_names: the mean of an answer.
    in_passage: share of queries one of whose answers is an entity of the passage, hidden_in_passage that of the hidden
    text alone, in_any_passage: of any passage. answer_types: hidden texts by type. answer_lengths: hidden texts by
    words. passage_lengths: reports by tokens.
    """

    reports: int
    queries: int
    tokens: int
    tokens_by_report: float
    tokens_by_query: float
    word_types: int
    entity_types: int
    distinct_answers: int
    distinct_names: int
    other_names: float
    hidden_in_passage: float
    in_passage: float
    in_any_passage: float
    answer_types: dict[str, int]
    answer_lengths: tuple[LengthCount, ...]
    passage_lengths: tuple[LengthCount, ...]


class CaseReportCounts:
    """The statistics, while the instances of all splits go by; nothing where their answers have no origins."""

    def __init__(self) -> None:
        self._reports = Counter[int]()  # tokens → reports
        self._tokens_by_query = 0
        self._word_types = set[str]()
        self._entity_types = set[str]()
        self._answers = set[str]()
        self._names = set[str]()
        self._other_names = 0
        self._hidden_in_passage = 0
        self._in_passage = 0
        self._elsewhere = Counter[tuple[str, ...]]()  # answers that the passage lacks → queries
        self._types = Counter[str]()
        self._lengths = Counter[int]()

    def passing(self, instances: Iterable[ClozeInstance]) -> Iterator[ClozeInstance]:
        """The instances, counted on their way. Neighbours of one document and passage are one report."""
        for (_, passage), found in groupby(instances, key=lambda each: (each.document, each.passage)):
            tokens, is_counted = 0, False
            entities = set[str]()
            for instance in found:
                if instance.answer_origins:
                    if not is_counted:
                        tokens, entities, is_counted = *self._add_report(instance, passage), True
                    self._tokens_by_query += tokens
                    self._add_answers(instance.answers, instance.answer_types[0], entities)
                yield instance

    def statistics(self) -> CaseReportStatistics | None:
        """The counts; None where no instance had origins of its answers."""
        queries, reports = self._lengths.total(), self._reports.total()
        if not queries:
            return None
        tokens = sum(length * count for length, count in self._reports.items())
        anywhere = sum(
            count for names, count in self._elsewhere.items() if not self._entity_types.isdisjoint(names)
        )
        return CaseReportStatistics(
            reports=reports,
            queries=queries,
            tokens=tokens,
            tokens_by_report=tokens / reports,
            tokens_by_query=self._tokens_by_query / queries,
            word_types=len(self._word_types),
            entity_types=len(self._entity_types),
            distinct_answers=len(self._answers),
            distinct_names=len(self._names),
            other_names=self._other_names / queries,
            hidden_in_passage=self._hidden_in_passage / queries,
            in_passage=self._in_passage / queries,
            in_any_passage=(self._in_passage + anywhere) / queries,
            answer_types=dict(sorted(self._types.items(), key=lambda each: (-each[1], each[0]))),
            answer_lengths=_by_words(self._lengths),
            passage_lengths=_binned(self._reports),
        )

    def _add_report(self, instance: ClozeInstance, passage: str) -> tuple[int, set[str]]:
        """(tokens, entities) of a report that is counted for the first time."""
        words = passage.split()
        entities = {candidate.key for candidate in instance.candidates}
        if _EMPTY_ENTITY in words:
            entities.add("")
        self._reports[len(words)] += 1
        self._word_types.update(map(str.lower, words))
        self._word_types.discard(_EMPTY_ENTITY.lower())
        self._entity_types |= entities
        return len(words), entities

    def _add_answers(self, answers: tuple[str, ...], type: str, entities: set[str]) -> None:
        names = tuple([answer.lower() for answer in answers])
        self._answers.add(names[0])
        self._names.update(names)
        self._other_names += len(names) - 1
        self._types[type] += 1
        self._lengths[len(names[0].split())] += 1
        self._hidden_in_passage += names[0] in entities
        if entities.isdisjoint(names):
            self._elsewhere[names] += 1
        else:
            self._in_passage += 1


def _by_words(lengths: Mapping[int, int]) -> tuple[LengthCount, ...]:
    """By single words up to LONGEST_ANSWER, and all longer ones together."""
    longest = max(lengths)
    found = [
        LengthCount(n, n, lengths.get(n, 0)) for n in range(min(lengths), min(longest + 1, LONGEST_ANSWER))
    ]
    if longest >= LONGEST_ANSWER:
        more = sum(count for length, count in lengths.items() if length >= LONGEST_ANSWER)
        found.append(LengthCount(LONGEST_ANSWER, None, more))
    return tuple(found)


def _binned(lengths: Mapping[int, int]) -> tuple[LengthCount, ...]:
    """In bins of the smallest width of which MOST_BINS hold all but the longest hundredth."""
    ordered = sorted(Counter(lengths).elements())
    usual = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    width = next((width for width in WIDTHS if width * MOST_BINS > usual), WIDTHS[-1])
    counts = Counter[int]()
    for length, count in lengths.items():
        counts[min(length // width, MOST_BINS)] += count
    last = max(counts)
    found = [
        LengthCount(n * width, (n + 1) * width - 1, counts[n])
        for n in range(min(counts), min(last + 1, MOST_BINS))
    ]
    if last == MOST_BINS:
        found.append(LengthCount(MOST_BINS * width, None, counts[last]))
    return tuple(found)
