"""CliCR's train1.0.json, dev1.0.json and test1.0.json, in and out; a well-formed file comes back byte for byte.

Reading gives cloze instances in the form "original": the passage is the title, a newline and the context without marks,
each entity a mention, each distinct entity of the passage, lower-cased, a candidate (marks.py). `report_rows` has
the JSON.

    document, id   as in the file; date the year that the document's name holds, as CliCR's sources do
    answers        in the file's order, with their identifiers, types and origins
    answer         the candidate that equals the hidden text, lower-cased; else the last of the answers that is one

A report without queries becomes no instance: a file of the dataset folder keeps it, and export writes it back in its
place.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import msgspec

from anagnosis.datasets.clicr.marks import PLACEHOLDER as HIDDEN
from anagnosis.datasets.clicr.marks import Span, marked_passage, marked_query, without_marks
from anagnosis.datasets.clicr.questions import entity_key, right_candidate
from anagnosis.datasets.clicr.report_rows import (
    OTHER_JSON,
    AnswerRow,
    DocumentRow,
    QueryRow,
    ReportRow,
    read_rows,
    spelled,
    write_rows,
)
from anagnosis.datasets.export.authors_files import (
    JSON,
    AuthorsFiles,
    authors_files,
    converted,
    output,
    packed_name,
    refuse_repeated,
    refuse_setting,
)
from anagnosis.datasets.export.layouts import Exported, FewPlaces, Imported
from anagnosis.datasets.folder import reports_without_queries, store
from anagnosis.datasets.folder.reports_without_queries import CollectedReports, ReportWithoutQueries
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    Candidate,
    ClozeInstance,
    PassageMention,
    outside,
)
from anagnosis.datasets.published_sets import PublishedSets, sets_of
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.wording import reworded

TAKES_SEVERAL = True  # the files of all splits are imported together
_ENDING = "1.0.json"

# As the authors' program finds the year of a source, bcr-2012-006329 or bcr.01.2009.1411; theirs are 2005 to 2016.
_YEAR = re.compile(r"[.-]((?:19|20)[0-9]{2})[.-]")
_CLICR = "clicr"


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """See datasets/export/layouts.py. split: of files whose names don't say it."""
    refuse_setting(setting, "clicr")
    files = authors_files(path, JSON)
    refuse_repeated(files)
    of_split = files.of_splits(split)
    findings, numbers, ids = FewPlaces(), dict[str, int](), set[str]()
    recipe: dict[str, Any] = {"dataset": "clicr", "layout": "clicr", "text_form": "original"}
    kept = CollectedReports()
    splits = {each: _instances(each, own, findings, numbers, ids, kept) for each, own in of_split.items()}
    return Imported(splits, recipe, files.inputs, findings, without_queries=kept)


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """See datasets/export/layouts.py. train1.0.json, dev1.0.json and test1.0.json."""
    refuse_setting(setting, "clicr")
    if dataset.text_form != "original":
        what = "the layout needs the original text, and this dataset was read with @entityN in it"
        raise InputError(what, str(dataset.folder), "export it in the layout that it was read from")
    written: list[Exported] = []
    kept = dataset.file(reports_without_queries.FILE)
    for split in dataset.sizes:
        path = Path(out) / packed_name(f"{split}{_ENDING}", compress=compress)
        notes = Counter[str]()
        reports = _reports(store.instances(dataset, split, of=ClozeInstance), notes)
        with output(path, compress=compress) as stream:
            write_rows(_with_kept(reports, reports_without_queries.read(kept, split)), stream)
        counted = {name: count for name, count in sorted(notes.items()) if count}
        written.append(Exported(path, dataset.sizes[split], counted))
    return written


def report_row(found: Sequence[ClozeInstance], notes: Counter[str]) -> ReportRow:
    """The instances of one report as the authors write it. InputError: one lacks the origins of its answers."""
    title, _, context = marked_passage(found[0], notes).partition("\n")
    queries = [_query_row(each, notes) for each in found]
    return ReportRow(DocumentRow(context, title, queries), found[0].document)


def _query_row(instance: ClozeInstance, notes: Counter[str]) -> QueryRow:
    if not len(instance.answers) == len(instance.answer_origins) > 0:
        what = "the layout needs answers with their origins, which this instance lacks"
        raise InputError(
            what, instance.id, "export a dataset that `anagnosis build clicr` made, or a view: --layout jsonl"
        )
    columns = (instance.answers, instance.answer_identifiers, instance.answer_types, instance.answer_origins)
    answers = [AnswerRow(*each) for each in zip(*columns, strict=True)]
    return QueryRow(marked_query(instance, notes), instance.id, answers)


def _reports(instances: Iterable[ClozeInstance], notes: Counter[str]) -> Iterator[ReportRow]:
    """Neighbours of one document and passage are one report."""
    for _, found in groupby(instances, key=lambda each: (each.document, each.passage)):
        yield report_row(list(found), notes)


def _with_kept(reports: Iterable[ReportRow], kept: Iterable[ReportWithoutQueries]) -> Iterator[ReportRow]:
    """The reports, with those without queries in their places."""
    placed = ((2 * place + 1, report) for place, report in enumerate(reports))
    without = (
        (2 * each.place, ReportRow(DocumentRow(each.context, each.title, []), each.source)) for each in kept
    )
    return (report for _, report in heapq.merge(without, placed, key=lambda each: each[0]))


def _instances(
    split: str,
    files: AuthorsFiles,
    findings: FewPlaces,
    numbers: dict[str, int],
    ids: set[str],
    kept: CollectedReports,
) -> Iterator[ClozeInstance]:
    """numbers: candidate key → number in the dataset, which grows; ids: those that came before."""
    place, before_it = 0, ("", "")
    for opened in files.opened(findings):
        before = findings.instances

        def deviates(fault: str, what: str, name: str = opened.name) -> None:
            findings.note(name, fault, what)

        for count, (_, value, text) in enumerate(read_rows(opened.stream, opened.name, deviates), 1):
            where = f"{opened.name}, report {count}"
            report = readable_report(value, text, where, findings)
            if report is None:
                continue
            if not report.document.qas:
                texts = report.document.title, report.document.context
                kept.add(ReportWithoutQueries(split, place, report.source, *texts))
            for index, instance in enumerate(instances_of(report, where, findings, numbers, ids)):
                if not index and (instance.document, instance.passage) == before_it:
                    what = "has the source and passage of the one before; export writes one report"
                    findings.note(where, "repeated_report", what)
                place += (instance.document, instance.passage) != before_it
                before_it = instance.document, instance.passage
                yield instance
        if findings.instances == before:
            raise InputError("the file holds no query", opened.name, "check how it was made, or leave it out")


def readable_report(value: Any, text: str, where: str, findings: FewPlaces) -> ReportRow | None:
    """A report with those of its queries that can be read, None where it cannot be stored. text: its JSON as it was."""
    report = converted(
        lambda value: msgspec.convert(value, ReportRow), value, where, "not_a_report", findings
    )
    if report is None:
        findings.instances += 1
        return None
    if not report.document.qas:
        findings.note(where, "report_without_queries", "is kept in a file; export writes it back")
    elif "\n" in report.document.title:
        findings.instances += len(report.document.qas)
        return findings.refuse(where, "title_of_several_lines", report.source)
    queries: list[QueryRow] = []
    for query in report.document.qas:
        findings.instances += 1
        try:
            queries.append(msgspec.convert(query, QueryRow))
        except msgspec.ValidationError as fault:
            findings.refuse(where, "not_a_query", reworded(fault))
    whole = len(queries) == len(report.document.qas)
    readable = ReportRow(msgspec.structs.replace(report.document, qas=queries), report.source)
    if whole and spelled(readable) != text:
        findings.note(where, OTHER_JSON, "blanks, keys or their order; export writes the usual form")
    return readable


def instances_of(
    report: ReportRow, where: str, findings: FewPlaces, numbers: dict[str, int], ids: set[str]
) -> Iterator[ClozeInstance]:
    """The instances of a readable report. numbers: key → number in the dataset, which grows; ids: those before."""
    passage, spans = without_marks(f"{report.document.title}\n{report.document.context}")
    found = _entities(passage, spans)
    place = {key: index for index, (key, _) in enumerate(found)}
    candidates = tuple([Candidate(key, "", _number(key, numbers), names) for key, names in found])
    mentions = _mentions(passage, spans, place, numbers)
    year = _YEAR.search(report.source)
    for query in cast("list[QueryRow]", report.document.qas):
        at = f"{where}, query {query.id}"
        text, asked = without_marks(query.query)
        start = text.find(HIDDEN)
        if query.id in ids:
            findings.refuse(at, "repeated_id", query.id)
        elif start < 0 or HIDDEN in text[start + 1 :] or PLACEHOLDER in text:
            holds = PLACEHOLDER if PLACEHOLDER in text else f"{text.count(HIDDEN)} {HIDDEN}"
            findings.refuse(at, "placeholder", f"the query holds {holds}")
        elif not query.answers:
            findings.refuse(at, "no_answer", "the query has no answer")
        else:
            ids.add(query.id)
            question, asked = _with_placeholder(text, asked, start)
            texts = tuple([answer.text for answer in query.answers])
            yield ClozeInstance(
                query.id,
                report.source,
                year[1] if year else "",
                passage,
                question,
                mentions,
                _mentions(question, asked, place, numbers),
                candidates,
                right_candidate(texts, place),
                texts,
                (),
                tuple([answer.cui for answer in query.answers]),
                tuple([answer.sem_type for answer in query.answers]),
                tuple([answer.origin for answer in query.answers]),
            )


def _entities(text: str, spans: Iterable[Span]) -> list[tuple[str, tuple[str, ...]]]:
    """(key, distinct surfaces) of each entity, in their order."""
    names: dict[str, dict[str, None]] = {}
    for start, end in spans:
        surface = text[start:end]
        names.setdefault(entity_key(surface), {})[surface] = None
    return [(key, tuple(surfaces)) for key, surfaces in names.items()]


def _mentions(
    text: str, spans: Iterable[Span], place: Mapping[str, int], numbers: dict[str, int]
) -> tuple[PassageMention, ...]:
    keys = [(span, entity_key(text[slice(*span)])) for span in spans]
    return tuple(
        [
            PassageMention((span,), place[key] if key in place else outside(_number(key, numbers)))
            for span, key in keys
        ]
    )


def _number(key: str, numbers: dict[str, int]) -> int:
    return numbers.setdefault(key, len(numbers))


def _with_placeholder(text: str, spans: Iterable[Span], start: int) -> tuple[str, tuple[Span, ...]]:
    """A query with PLACEHOLDER for the `@placeholder` at `start`, and where its entities stand then."""
    shorter = len(HIDDEN) - len(PLACEHOLDER)
    moved = tuple([(a, b) if b <= start else (a - shorter, b - shorter) for a, b in spans])
    return f"{text[:start]}{PLACEHOLDER}{text[start + len(HIDDEN) :]}", moved


# CliCR, with the columns "train", "dev", "test" and "total".
tables = partial(sets_of, "anagnosis.datasets.clicr")
# A sample is as large as its recipe says.
PUBLISHED = PublishedSets(tables, lambda dataset: "" if "sample_of" in dataset.recipe else _CLICR)
