"""Exact counts of matching papers, by year, journal, type and section.

The library counts entries, which are passages. A paper of one passage is counted by the library itself. Of the others
we list the matching passages, and count their papers by the keys of fields.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.searching.engines.embedded.entries import key
from anagnosis.searching.engines.embedded.papers import KEY, PaperSearcher
from anagnosis.searching.records.matches import Facet, Facets, Matches
from anagnosis.searching.section_names import SECTIONS

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.searching.engines.embedded.printed_names import PrintedNames
    from anagnosis.searching.engines.embedded.queries import Queries

_YEAR = 10_000  # of filters.date_number
_NAMES = 1 << 16  # most names of a facet
_FACETS: dict[str, Any] = {
    "date": {"histogram": {"field": "date", "interval": _YEAR, "min_doc_count": 1}},
    "journal": {"terms": {"field": "journal", "size": _NAMES}},
    "type": {"terms": {"field": "type", "size": _NAMES}},
    "section": {"terms": {"field": "section", "size": len(SECTIONS)}},
}


class _PaperCounts(NamedTuple):
    """Numbers of papers by year, by key of the folded journal, by folded type, and by section.

    journal_names: key → folded name, of some. examples: key → a passage with that journal, of the others.
    """

    matches: Matches
    years: Counter[int]
    journals: Counter[int]
    types: Counter[str]
    sections: Counter[str]
    journal_names: dict[int, str]
    examples: dict[int, DocAddress]


def matching(searcher: PaperSearcher, queries: Queries, query: Query) -> Matches:
    """The numbers of papers and passages of a query."""
    passages = int(_count(searcher.searcher, query))
    alone = _count(searcher.searcher, queries.alone(query))
    if alone == passages:
        return Matches(alone, passages)
    of_others = _passages(searcher, queries.beside_others(query), passages)
    return Matches(alone + len(dict(of_others)), alone + len(of_others))


def facets(
    searcher: PaperSearcher, queries: Queries, query: Query, names: PrintedNames, limit: int
) -> Facets:
    """The counts of a query's papers. limit: most journals and types."""
    counts = _paper_counts(searcher, queries, query, names)
    least = min((papers for _, papers in counts.journals.most_common(limit)), default=0)
    journals = [
        (counts.journal_names.get(one) or names.journal_at(one, counts.examples[one]), papers)
        for one, papers in counts.journals.items()
        if papers >= least
    ]

    def printed(field: str, papers: Iterable[tuple[str, int]]) -> tuple[Facet, ...]:
        first = sorted(papers, key=_commonest)[:limit]
        return tuple([Facet(names(field, name), count) for name, count in first])

    return Facets(
        counts.matches,
        tuple([Facet(str(year), papers) for year, papers in sorted(counts.years.items())]),
        printed("journal", journals),
        printed("type", counts.types.items()),
        tuple([Facet(name, papers) for name, papers in sorted(counts.sections.items(), key=_commonest)]),
    )


def _paper_counts(
    of_papers: PaperSearcher, queries: Queries, query: Query, names: PrintedNames
) -> _PaperCounts:
    searcher, alone = of_papers.searcher, queries.alone(query)
    passages, papers = _count(searcher, query), _count(searcher, alone)
    buckets: Any = searcher.aggregate(alone, _FACETS)
    counted = {name: {one["key"]: one["doc_count"] for one in buckets[name]["buckets"]} for name in _FACETS}
    counts = _PaperCounts(
        Matches(papers, passages),
        Counter({int(day) // _YEAR: count for day, count in counted["date"].items()}),
        Counter({key(name): count for name, count in counted["journal"].items()}),
        Counter(counted["type"]),
        Counter(counted["section"]),
        {key(name): name for name in counted["journal"]},
        {},
    )
    if papers == passages:
        return counts
    several = queries.beside_others(query)
    there: dict[int, DocAddress] = {}
    shown = papers
    for section in SECTIONS:
        of_section = _passages(of_papers, queries.also(several, "section", section), passages)
        if of_section:
            shown += len(of_section)
            counts.sections[section] += len(dict(of_section))
            there |= of_section
    places = [*there.values()]
    days, journals, types = (
        searcher.fast_field_values(field, places) for field in ("date", "journal_key", "types_key")
    )
    counts.years.update(int(day) // _YEAR for day in days if day)
    counts.journals.update(int(journal) for journal in journals if journal)
    counts.examples.update({int(one): place for one, place in zip(journals, places, strict=True) if one})
    examples = {int(one): place for one, place in zip(types, places, strict=True) if one}
    for one, count in Counter(types).items():
        if one:
            counts.types.update(dict.fromkeys(names.types_at(int(one), examples[int(one)]), count))
    return counts._replace(matches=Matches(papers + len(there), shown))


def _count(searcher: Searcher, query: Query) -> int:
    result: Any = searcher.search(query, 1)
    return int(result.count)


def _passages(searcher: PaperSearcher, query: Query, most: int) -> list[tuple[int, DocAddress]]:
    """(key of its paper, place) of the passages of a query. most: of them."""
    return searcher.first(query, most, order_by_field=KEY) if most else []


def _commonest(one: tuple[str, int]) -> tuple[int, str]:
    return -one[1], one[0]
