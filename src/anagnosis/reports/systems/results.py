"""Results of systems as a page: scores, order and verdict; then tests, break-downs, what they are of, what did not fit.

Systems that saw different views stand in parts of their own, as BIOMRC's Table 3 has Settings A and B apart. Scores of
different views are not comparable: the input differs. So no table, picture or test holds systems of two views. A system
without a view stands in every part. Heuristics are such systems: they use what every view shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from anagnosis.datasets.shortcuts import SHORTCUT_READERS
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.results import Results, ScoredDataset, by_view, shown_split, views_of
from anagnosis.evaluation.scoring import Score
from anagnosis.evaluation.shortcuts import Shortcuts
from anagnosis.readers import paper_names
from anagnosis.reports.datasets.dataset import shortcut_table
from anagnosis.reports.report import Block, Column, ColumnOf, Heading, Plot, Report, Table, Text, table
from anagnosis.reports.systems.breakdowns import breakdown_blocks
from anagnosis.reports.systems.comparison import ranked_files, ranking, ranking_tests
from anagnosis.reports.systems.learning_curves import curve_blocks
from anagnosis.reports.systems.measured import measured_column, shown, signed, within
from anagnosis.reports.systems.problems import HARMLESS, Files, harmless, problems, warnings
from anagnosis.reports.systems.systems import (
    Row,
    counts_table,
    facts,
    measures_plot,
    measures_table,
    models_blocks,
    rows_of,
    systems_table,
)

OTHER = "no label"


def report(results: Results) -> Report:
    """What `score`, `compare` and `evaluate` return: scores, order and verdict; then all that they rest on."""
    views, about, how = views_of(results.views.values()), results.dataset, results.settings
    settings = {name: getattr(how, name) or "" for name in ("unit", "view", "labels", "vectors")}
    settings = {"protocol": how.protocol, "measure": ", ".join(how.measures), **settings}
    rows = rows_of(results.systems)
    files, passed_over = _files(results, rows)
    blocks: list[Block] = [*warnings(files, passed_over)]
    more: list[Block] = []
    if len(views) > 1:
        blocks += [Heading("Views"), Text(_apart(results.views))]
    if not rows or len(views) > 1:
        blocks += map(Text, results.notes)
    for view in views:
        for made, into in zip(_part(results, rows, views, view), (blocks, more), strict=True):
            into += made if len(views) == 1 else of_view(made, view)
    if results.shortcuts is not None:
        blocks += shortcut_blocks(results.shortcuts, results.dataset)
    more += [Heading("Dataset"), facts(about.name, about.instances, about.fingerprints, **settings)]
    if files:
        more += problems(files, passed_over)
    what = "Report" if rows and results.comparisons else "Scores" if rows else "Comparison"
    return Report(f"{what} on {results.dataset.folder}", tuple(blocks), tuple(more))


def shortcut_blocks(found: Shortcuts, dataset: ScoredDataset) -> Iterator[Block]:
    """The structural card, and the readers by each measure."""
    called, looks_at = paper_names(dataset.name), SHORTCUT_READERS[dataset.kind]
    names = dict.fromkeys(name for reader in found.readers for name in reader.measures)

    def measured(name: str) -> ColumnOf:
        return measured_column(named(name)), lambda each: shown(each.measures.get(name))

    yield Heading("Shortcuts")
    if found.card:
        yield shortcut_table(found.card)
    yield table(
        f"Simple readers on {found.split}",
        [
            ("reader", lambda each: each.name),
            ("in the paper", lambda each: called.get(each.name, "")),
            ("input", lambda each: looks_at[each.name]),
            *map(measured, names),
            ("undefined because", lambda each: each.undefined),
        ],
        found.readers,
        notes=["Ties count by expectation. Readers that count are fitted on train alone."],
        signatures=signed(
            (each.name, own.signature) for each in found.readers for own in each.measures.values()
        ),
    )


def _files(results: Results, rows: Iterable[Row]) -> tuple[Files, frozenset[str]]:
    """The problems of each system's lines, and the names of those that need no warning."""
    found = [(row.name, split, score) for row in rows for split, score in row.scores.items()]
    if found or not results.comparisons:
        return files_of(found)
    first = results.comparisons[0]
    return ranked_files(first), HARMLESS


def files_of(found: Sequence[tuple[str, str, Score]]) -> tuple[Files, frozenset[str]]:
    """found: (system, split, score)."""
    decides = all(score.classes for *_, score in found)
    return [(name, split, score.problems) for name, split, score in found], harmless(decides)


def score_blocks(rows: Sequence[Row], split: str, *, notes: Sequence[str] = ()) -> Iterator[Block]:
    """A picture, Table 3, and all measures of a split. notes: to Table 3."""
    yield measures_plot(rows, split)
    yield systems_table(rows, notes=notes)
    yield from measures_table(rows, split)


def detail_blocks(rows: Sequence[Row], split: str) -> Iterator[Block]:
    """Where systems are right, each class, and the counts behind the scores."""
    yield from curve_blocks(rows, split)
    if broken_down := [*breakdown_blocks(rows, split)]:
        yield Heading("Where systems are right")
        yield from broken_down
    yield from class_blocks(rows, split)
    yield Heading("Counts")
    yield counts_table(rows, split)


def of_view(blocks: Iterable[Block], view: str | None) -> Iterator[Block]:
    """The blocks with the view in their titles."""
    end = f", {view} view"
    for block in blocks:
        if isinstance(block, Heading):
            yield replace(block, text=block.text + end)
        elif isinstance(block, Table):
            yield replace(block, caption=block.caption + end)
        elif isinstance(block, Plot):
            data = replace(block.data, caption=block.data.caption + end)
            yield replace(block, title=block.title + end, data=data)
        else:
            yield block


def _part(
    results: Results, rows: Sequence[Row], views: Sequence[str | None], view: str | None
) -> tuple[list[Block], list[Block]]:
    """What is reported of the systems of a view: the result, and what it rests on."""
    comparisons = [one for one in results.comparisons if one.view == view]
    alone = len(results.settings.measures) == 1
    ranked = [block for one in comparisons for block in ranking(one, alone=alone)]
    rests_on = [block for one in comparisons for block in ranking_tests(one, alone=alone)]
    models = {
        name: runs for name, runs in results.language_models.items() if results.views[name] in (None, view)
    }
    ranked += models_blocks(models)
    if not rows:
        return ranked, rests_on
    own = [row for row in rows if row.view in (None, view)]
    scores = [score for row in rows for score in row.scores.values()]
    split = shown_split(
        dict.fromkeys(score.split for score in scores if len(views) == 1 or score.view == view)
    )
    notes = results.notes if len(views) == 1 else ()
    return [*score_blocks(own, split, notes=notes), *ranked], [*rests_on, *detail_blocks(own, split)]


def _apart(views: Mapping[str, str | None]) -> str:
    """Which system stands in which part."""
    found = (
        f"Systems are ranked and tested within a view only, and no column holds two views ({by_view(views)})."
    )
    unknown = ", ".join(name for name, view in views.items() if view is None)
    return f"{found} In every part, since their view is not known: {unknown}." if unknown else found


def class_blocks(rows: Sequence[Row], split: str) -> Iterator[Block]:
    """Each class and the confusion of each system that has answers for the split."""
    scored = [
        (row, own) for row in rows if split in row.scores and (own := row.scores[split].classes) is not None
    ]
    if not scored:
        return
    yield Heading("Class by class")
    counts = "count" if all(len(row.scores[split].estimate.runs) < 2 for row, _ in scored) else "number"
    yield table(
        f"Each class on {split}",
        [
            ("system", lambda of: of[0]),
            ("label", lambda of: of[1].label),
            ("instances", "count", lambda of: of[1].support),
            ("answered", counts, lambda of: of[1].answered),
            ("precision", "percent", lambda of: of[1].precision),
            ("recall", "percent", lambda of: of[1].recall),
            ("F1", "percent", lambda of: within(of[1].f1, of[1].interval)),
        ],
        [(row.name, each) for row, own in scored for each in own.scores],
    )
    labels = [each.label for each in scored[0][1].scores]
    yield Table(
        f"Answers on {split}, by the right label",
        (Column("system"), Column("right label"), *(Column(name, counts) for name in (*labels, OTHER))),
        tuple((row.name, label, *answers) for row, own in scored for label, answers in own.confusion),
        (f"{OTHER}: unanswered, or another word.",),
    )
    for row, own in scored:
        if own.strays:
            words = ", ".join(f"{text!r} {count:,}" for text, count in list(own.strays.items())[:5])
            what = f"{row.name} has answers that are not labels: {words}. Each such word counts as a separate class."
            yield Text(what, "warning")
