"""CliCR's train1.0.json, dev1.0.json and test1.0.json, in and out.

    {"version":"1.0","data":[{"document":{"context":STR,"title":STR,"qas":[{"query":STR,"id":STR,"answers":
     [{"text":STR,"cui":STR,"sem_type":STR,"origin":"dataset"},…]},…]},"source":STR},…]}

Entities are marked inside the texts, from the front of the first word to the end of the last one, between white space
and in one line:

    He had BEG__chest pain__END and BEG__fever__END .

Reading gives cloze instances in the form "original": the passage is the title, a newline and the context without marks,
each entity a mention, each distinct entity of the passage, lower-cased, a candidate.

    document, id   as in the file; date the year that the document's name holds, as CliCR's sources do
    answers        in the file's order, with their identifiers, types and origins
    answer         the candidate that equals the hidden text, lower-cased; else the last of the answers that is one

A report without queries becomes no instance. The bytes are those of Python's `json.dumps` without blanks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

import msgspec

from anagnosis.datasets.clicr.queries import entity_key, right_candidate
from anagnosis.datasets.export.authors_files import (
    JSON,
    AuthorsFiles,
    authors_files,
    converted,
    listed,
    output,
    refuse_setting,
)
from anagnosis.datasets.export.layouts import Exported, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    Candidate,
    ClozeInstance,
    PassageMention,
    mention_places,
    outside,
    placeholder_start,
)
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

# As the authors' program finds the year of a source, bcr-2012-006329 or bcr.01.2009.1411; theirs are 2005 to 2016.
_YEAR = re.compile(r"[.-]((?:19|20)[0-9]{2})[.-]")
BEGIN, END, HIDDEN = "BEG__", "__END", "@placeholder"
_ENTITY = re.compile(rf"(?<!\S){BEGIN}((?!\s)(?:(?!{BEGIN}|{END})[^\n])+(?<!\s)){END}(?!\S)")
Span = tuple[int, int]  # characters, end exclusive
_encode = json.JSONEncoder(separators=(",", ":")).encode


class AnswerRow(msgspec.Struct, frozen=True):
    """An answer to a query. origin: `dataset` for the hidden text, else the vocabulary that has the name."""

    text: str
    cui: str
    sem_type: str
    origin: str


class QueryRow(msgspec.Struct, frozen=True):
    """A query, with `@placeholder` in place of the hidden entity."""

    query: str
    id: str
    answers: list[AnswerRow]


class DocumentRow(msgspec.Struct, frozen=True):
    """A report's texts, with marked entities, and its queries."""

    context: str
    title: str
    qas: list[QueryRow]


class ReportRow(msgspec.Struct, frozen=True):
    """A report with its queries."""

    document: DocumentRow
    source: str


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """See datasets/export/layouts.py. split: of files whose names don't say it. Memory: one file."""
    refuse_setting(setting, "clicr")
    files, counts = authors_files(path, JSON), LayoutFaults()
    numbers, ids = dict[str, int](), set[str]()
    splits = {each: _instances(own, counts, numbers, ids) for each, own in files.of_splits(split).items()}
    recipe = {"dataset": "clicr", "layout": "clicr", "text_form": "original"}
    return Imported(splits, recipe, files.inputs, counts)


def _instances(
    files: AuthorsFiles, counts: LayoutFaults, numbers: dict[str, int], ids: set[str]
) -> Iterator[ClozeInstance]:
    for opened in files.opened(counts):
        for number, (_, text) in enumerate(listed(opened.stream, opened.name, "data"), 1):
            where = f"{opened.name}, report {number}"
            report = converted(partial(msgspec.convert, type=ReportRow), text, where, "not_a_report", counts)
            if report is not None:
                yield from instances_of(report, where, counts, numbers, ids)


def instances_of(
    report: ReportRow, where: str, counts: LayoutFaults, numbers: dict[str, int], ids: set[str]
) -> Iterator[ClozeInstance]:
    """The instances of a report. numbers: key → number in the dataset, which grows; ids: those before."""
    document = report.document
    if not document.qas:
        counts.note(where, "report_without_queries", report.source)
    elif "\n" in document.title:
        return counts.refuse(where, "not_a_report", f"{report.source}: its title has several lines")
    passage, spans = without_marks(f"{document.title}\n{document.context}")
    names: dict[str, dict[str, None]] = {}  # key → distinct surfaces of each entity, in their order
    for start, end in spans:
        names.setdefault(entity_key(passage[start:end]), {})[passage[start:end]] = None
    place = {key: index for index, key in enumerate(names)}

    def number(key: str) -> int:
        return numbers.setdefault(key, len(numbers))

    def mentions(text: str, spans: Iterable[Span]) -> tuple[PassageMention, ...]:
        keys = [(span, entity_key(text[slice(*span)])) for span in spans]
        return tuple(
            [PassageMention((span,), place[k] if k in place else outside(number(k))) for span, k in keys]
        )

    candidates = tuple([Candidate(key, "", number(key), (*own,)) for key, own in names.items()])
    in_passage = mentions(passage, spans)
    year = _YEAR.search(report.source)
    for query in document.qas:
        text, asked = without_marks(query.query)
        faults = {
            "its id stands twice": query.id in ids,
            f"it holds {text.count(HIDDEN)} {HIDDEN}": text.count(HIDDEN) != 1,
            f"it holds the word {PLACEHOLDER}": PLACEHOLDER in text,
            "it has no answer": not query.answers,
        }
        if any(faults.values()):
            counts.refuse(f"{where}, query {query.id}", "not_a_query", next(filter(faults.get, faults)))
            continue
        ids.add(query.id)
        start, question = text.index(HIDDEN), text.replace(HIDDEN, PLACEHOLDER)
        texts = tuple([answer.text for answer in query.answers])
        yield ClozeInstance(
            query.id,
            report.source,
            year[1] if year else "",
            passage,
            question,
            in_passage,
            mentions(question, _moved(asked, start, len(question) - len(text))),
            candidates,
            right_candidate(texts, place),
            texts,
            (),
            tuple([answer.cui for answer in query.answers]),
            tuple([answer.sem_type for answer in query.answers]),
            tuple([answer.origin for answer in query.answers]),
        )


def _moved(spans: Iterable[Span], start: int, by: int) -> list[Span]:
    """The spans, of which those behind a gap that begins at `start` move."""
    return [(a, b) if b <= start else (a + by, b + by) for a, b in spans]


def without_marks(text: str) -> tuple[str, list[Span]]:
    """The text without the marks of its entities, and where they lie in it, end exclusive.

    What is no entity of at least one letter in one line stays in the text as it is, with its marks: with marks at these
    places the text is the same again.
    """
    parts: list[str] = []
    spans: list[Span] = []
    last = length = 0
    for match in _ENTITY.finditer(text):
        parts += (text[last : match.start()], match[1])
        start = length + match.start() - last
        length = start + len(match[1])
        spans.append((start, length))
        last = match.end()
    parts.append(text[last:])
    return "".join(parts), spans


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """See datasets/export/layouts.py. Neighbours of one document and passage are one report."""
    refuse_setting(setting, "clicr")
    if dataset.text_form != "original":
        what = "the layout needs the original text, and this dataset was read with @entityN in it"
        raise InputError(what, str(dataset.folder), "export it in the layout that it was read from")
    written: list[Exported] = []
    for split in dataset.sizes:
        before = '{"version":"1.0","data":['
        found = store.instances(dataset, split, of=ClozeInstance)
        with output(out, f"{split}1.0.json", compress=compress) as (path, stream):
            for _, own in groupby(found, key=lambda each: (each.document, each.passage)):
                stream.write(f"{before}{_encode(msgspec.to_builtins(report_row(list(own))))}".encode())
                before = ","
            stream.write(f"{before if before != ',' else ''}]}}".encode())
        written.append(Exported(path, dataset.sizes[split], {}))
    return written


def report_row(found: Sequence[ClozeInstance]) -> ReportRow:
    """The instances of one report as the authors write it. InputError: one lacks the origins of its answers."""
    passage = _marked(found[0].passage, [place[:2] for place in mention_places(found[0].mentions)])
    title, _, context = passage.partition("\n")
    return ReportRow(DocumentRow(context, title, [*map(_query_row, found)]), found[0].document)


def _query_row(instance: ClozeInstance) -> QueryRow:
    if not len(instance.answers) == len(instance.answer_origins) > 0:
        what = "the layout needs answers with their origins, which this instance lacks"
        remedy = "export a dataset that `anagnosis build clicr` made, or a view: --layout jsonl"
        raise InputError(what, instance.id, remedy)
    columns = (instance.answers, instance.answer_identifiers, instance.answer_types, instance.answer_origins)
    answers = [AnswerRow(*each) for each in zip(*columns, strict=True)]
    start = placeholder_start(instance)
    text = f"{instance.question[:start]}{HIDDEN}{instance.question[start + len(PLACEHOLDER) :]}"
    spans = [place[:2] for place in mention_places(instance.question_mentions)]
    return QueryRow(_marked(text, _moved(spans, start, len(HIDDEN) - len(PLACEHOLDER))), instance.id, answers)


def _marked(text: str, spans: Iterable[Span]) -> str:
    """The text with its entities marked; each lies between blanks, as reading and building have it."""
    pieces, done = list[str](), 0
    for start, end in spans:
        pieces += (text[done:start], BEGIN, text[start:end], END)
        done = end
    return "".join((*pieces, text[done:]))
