"""What a query matches, in plain Python and slowly, beside which engines are tested.

It says which passages match and counts them. Scores are an engine's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from anagnosis.searching.engines.matching import StoredPassage, date_of, holds, is_shown
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import folded
from anagnosis.searching.queries.paper_conditions import required_parts
from anagnosis.searching.records.matches import Facet, Facets, Matches
from anagnosis.searching.records.paper import NO_FACTS
from anagnosis.searching.records.passage import Passage


def matches(
    query: tree.Query, filters: Filters, stored: StoredPassage, paper: Iterable[StoredPassage]
) -> bool:
    """Whether a passage matches a query and filters. paper: all passages of its paper."""
    required = required_parts(query)
    return (
        bool(required)
        and passes(filters, stored.passage)
        and is_shown(required, stored)
        and meets(replace(query, required=required), paper)
    )


def meets(query: tree.Query, paper: Iterable[StoredPassage]) -> bool:
    """Whether the passages of a paper have all that a query requires, and nothing that it excludes."""
    every = list(paper)
    return all(_in_paper(part, every) for part in query.required) and not any(
        _in_paper(part, every) for part in query.excluded
    )


def _in_paper(part: tree.Part, paper: Sequence[StoredPassage]) -> bool:
    match part:
        case tree.AnyOf(parts=parts):
            return any(_in_paper(one, paper) for one in parts)
        case tree.AllOf(parts=parts):
            return all(_in_paper(one, paper) for one in parts)
        case tree.Not(part=inside):
            return not _in_paper(inside, paper)
        case _:
            return any(holds(part, stored) for stored in paper)


def passes(filters: Filters, passage: Passage) -> bool:
    """Whether a passage meets the filters."""
    journals, types = set(map(folded, filters.journals)), set(map(folded, filters.types))
    dates = tree.Dates(filters.since, filters.until)
    return (
        (not filters.sections or passage.section in filters.sections)
        and (not journals or folded(passage.journal) in journals)
        and (not types or not types.isdisjoint(map(folded, passage.types)))
        and (not filters.documents or passage.document in filters.documents)
        and (not (filters.since or filters.until) or holds(dates, StoredPassage(passage, NO_FACTS)))
    )


def count_facets(matching: Iterable[Passage], limit: int) -> Facets:
    """The counts of the papers of some passages. limit: most journals and types."""
    papers: dict[str, Passage] = {}
    sections = Counter[str]()
    passages = 0
    seen = set[tuple[str, str]]()
    for passage in matching:
        passages += 1
        papers.setdefault(passage.document, passage)
        if (passage.document, passage.section) not in seen:
            seen.add((passage.document, passage.section))
            sections[passage.section] += 1
    years = Counter(day // 10_000 for one in papers.values() if (day := date_of(one)))
    journals, types = Counter[str](), Counter[str]()
    printed: dict[str, str] = {}
    for one in papers.values():
        printed |= {folded(name): name for name in (one.journal, *one.types)}
        journals.update([folded(one.journal)] if one.journal else ())
        types.update({folded(name) for name in one.types})

    def commonest(counts: Counter[str], most: int | None = None) -> tuple[Facet, ...]:
        first = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:most]
        return tuple([Facet(printed.get(name, name), count) for name, count in first])

    return Facets(
        Matches(len(papers), passages),
        tuple([Facet(str(year), count) for year, count in sorted(years.items())]),
        commonest(journals, limit),
        commonest(types, limit),
        commonest(sections),
    )
