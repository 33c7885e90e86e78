"""Case reports and the answers to their queries: Tables 2 and 3 and Figure 2 of CliCR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.datasets.case_report_statistics import CaseReportStatistics, LengthCount
from anagnosis.datasets.published_sets import PublishedSet
from anagnosis.reports.report import Block, Cell, Column, Heading, Kind, Plot, Table

# Field of the record → its row, in the order of Table 2.
ROWS = {
    "reports": "reports",
    "queries": "queries",
    "tokens": "tokens in passages",
    "tokens_by_report": "mean tokens of a passage, by report",
    "tokens_by_query": "mean tokens of a passage, by query",
    "word_types": "word types in passages",
    "entity_types": "entity types in passages",
    "distinct_answers": "distinct answers",
    "distinct_names": "distinct answers, with other names",
    "other_names": "mean other names of an answer",
    "hidden_in_passage": "answers that are entities of the passage (%)",
    "in_passage": "the same, with other names (%)",
    "in_any_passage": "the same, of any passage (%)",
}
SHARES = ("hidden_in_passage", "in_passage", "in_any_passage")
UNKNOWN = "unknown"
COUNTED = "Tokens are what white space parts; types and answers are counted in lower case."
SHARED = (
    "Here the words of an entity are tokens each; in the table of splits an entity is one token, and a passage counts "
    "once for each of its questions. Of any passage: an answer is an entity of any report's passage."
)
BY_QUERY = "The 1,466 tokens of CliCR count a report once for each of its queries."


def case_report_blocks(record: CaseReportStatistics, beside: PublishedSet | None) -> Iterator[Block]:
    """Sizes and types beside those that were published, and pictures of lengths."""
    published = beside if beside is not None and beside.case_reports else None
    yield Heading("Case reports")
    yield _sizes(record, published)
    yield _types(record, published)
    yield _lengths("Lengths of passages", "tokens", "reports", record.passage_lengths, "a")
    yield _lengths("Lengths of answers", "words", "answers", record.answer_lengths, "b")


def _sizes(record: CaseReportStatistics, published: PublishedSet | None) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, label in ROWS.items():
        figures = [getattr(record, name)]
        if published is not None:
            figures.append(published.case_reports.get(name))
        percent = 100 if name in SHARES else 1
        rows.append((label, *(None if figure is None else percent * figure for figure in figures)))
    return Table(
        "Reports and answers, as Table 2 of CliCR",
        (Column(""), Column("here", "number"), *_beside(published, "", "number")),
        tuple(rows),
        (COUNTED, SHARED, *([BY_QUERY] if published is not None else [])),
    )


def _types(record: CaseReportStatistics, published: PublishedSet | None) -> Table:
    names = dict.fromkeys((*(published.answer_types if published else ()), *record.answer_types))
    rows = tuple(
        (
            name or UNKNOWN,
            record.answer_types.get(name, 0),
            record.answer_types.get(name, 0) / record.queries,
            *([published.answer_types.get(name)] if published else []),
        )
        for name in names
    )
    columns = (Column("type"), Column("answers", "count"), Column("share (%)", "percent"))
    return Table(
        "Types of answers, as Table 3 of CliCR", (*columns, *_beside(published, " (%)", "percent")), rows
    )


def _beside(published: PublishedSet | None, unit: str, kind: Kind) -> list[Column]:
    return [] if published is None else [Column(published.name + unit, kind)]


def _lengths(title: str, unit: str, of: str, lengths: Sequence[LengthCount], part: str) -> Plot:
    whole = sum(length.count for length in lengths)
    rows = tuple((_range(length), length.count, length.count / whole) for length in lengths)
    columns = (Column(unit), Column(of, "count"), Column(f"{of} (%)", "percent"))
    what = f"Of {whole:,} {of}, by {unit}; as Figure 2{part} of CliCR."
    return Plot(title, what, "share_of_each", Table(f"{title}, the numbers", columns, rows))


def _range(length: LengthCount) -> str:
    if length.high is None:
        return f"{length.low:,} or more"
    return f"{length.low:,}" if length.low == length.high else f"{length.low:,}–{length.high:,}"
