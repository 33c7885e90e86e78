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
        self._reports, self._lengths = Counter[int](), Counter[int]()  # tokens, words of an answer → how many
        self._word_types, self._entity_types = set[str](), set[str]()
        self._answers, self._names = set[str](), set[str]()
        self._types = Counter[str]()
        self._elsewhere = Counter[tuple[str, ...]]()  # answers that the passage lacks → queries
        self._tokens_by_query = self._other_names = self._hidden_in_passage = self._in_passage = 0

    def passing(self, instances: Iterable[ClozeInstance]) -> Iterator[ClozeInstance]:
        """The instances, counted on their way. Neighbours of one document and passage are one report."""
        for (_, passage), found in groupby(instances, key=lambda each: (each.document, each.passage)):
            counted: tuple[int, set[str]] | None = None
            for instance in found:
                if instance.answer_origins:
                    counted = counted or self._add_report(instance, passage.split())
                    self._tokens_by_query += counted[0]
                    self._add_answers(instance.answers, instance.answer_types[0], counted[1])
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
        # The smallest width of which MOST_BINS hold all but the longest hundredth.
        usual = sorted(self._reports.elements())[min(reports - 1, reports * 99 // 100)]
        width = next((width for width in WIDTHS if width * MOST_BINS > usual), WIDTHS[-1])
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
            answer_lengths=_binned(self._lengths, 1, LONGEST_ANSWER),
            passage_lengths=_binned(self._reports, width, MOST_BINS),
        )

    def _add_report(self, instance: ClozeInstance, words: list[str]) -> tuple[int, set[str]]:
        """(tokens, entities) of a report, which is counted."""
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


def _binned(lengths: Mapping[int, int], width: int, most: int) -> tuple[LengthCount, ...]:
    """In bins of a width, all from the `most`th on together."""
    counts = Counter[int]()
    for length, count in lengths.items():
        counts[min(length // width, most)] += count
    return tuple(
        LengthCount(n * width, None if n == most else (n + 1) * width - 1, counts[n])
        for n in range(min(counts), max(counts) + 1)
    )
