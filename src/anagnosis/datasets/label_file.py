"""A user's file of labels for instances, to take a dataset and its scores apart by.

    id,reasoning,numbers                                CSV; ; and tabs part columns too, # begins a comment above
    30000001,inter-group,interpreted

    {"id": "30000001", "reasoning": "inter-group"}      or one JSON object a line

    {"id": "bcr-1.2", "skills": ["bridging", "ellipsis"]}    several labels of one instance; in CSV bridging|ellipsis

A line that a person's page saved has `annotator` and further fields, which are no labels (PERSON_FIELDS). Of several
such lines of one person and instance the last is valid.

Every column but `id` is one way to take apart. Names and labels are compared without regard to capitals and blanks; an
empty cell, null or a missing field is no label; 3 is "3".
"""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Any

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoded
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.wording import shortened

ID = "id"
REMEDY = "give CSV with a header, or JSON objects, with an id and at least one column of labels"
LARGEST = 64 << 20  # bytes of a file
BETWEEN = "|"  # labels of one cell; commas, semicolons and tabs part columns
MOST_COLUMNS = 40
MOST_LABELS = 40  # of a column or a cell; more than that are no kinds
LONGEST_LABEL = 60  # of a column's name too
SHOWN = 3
ANNOTATOR = "annotator"
PERSON_FIELDS = frozenset((ANNOTATOR, "dataset", "group", "knowledge", "seconds", "place"))
"""Beside the labels on a line with an annotator."""


Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelList:
    """The labels that a column may have, in their order. noun: what one is called. alone: the label beside which an
    instance has no other, "" for none.
    """

    noun: str
    labels: Labels
    alone: str = ""

    def check(self, given: Labels, where: str) -> None:
        """Refuse (InputError) a label that is not in the list, and `alone` beside others."""
        for label in given:
            if label not in self.labels:
                raise InputError(
                    f"{shortened(label)!r} is no {self.noun}", where, f"write {', '.join(self.labels)}"
                )
        if self.alone in given and len(given) > 1:
            what = f"{self.alone!r} stands beside another {self.noun}"
            raise InputError(what, where, f"leave {self.alone} or the others away")


@dataclass(slots=True)
class LabelFile:
    """columns: name → id → labels, of ids that are wanted and have any. strangers: ids that are not; first: some.

    lists: of the columns that may have certain labels alone.
    """

    name: str
    columns: dict[str, dict[str, Labels]]
    strangers: int = 0
    first: list[str] = field(default_factory=list[str])
    lists: Mapping[str, LabelList] = field(default_factory=dict[str, LabelList])

    def labelled(self) -> set[str]:
        """The ids that have a label in some column."""
        return {ident for column in self.columns.values() for ident in column}

    def described(self, instances: int) -> str:
        """What a report says of the file. instances: of the dataset or split that are labelled."""
        ids = "id is" if self.strangers == 1 else "ids are"
        strange = f"; {self.strangers:,} {ids} not in the dataset ({', '.join(self.first)})"
        return f"{self.name}, {instances:,} instances labelled{strange if self.strangers else ''}"


def read(path: PathLike, wanted: Container[str], lists: Mapping[str, LabelList] | None = None) -> LabelFile:
    """The labels of wanted ids, in any compression.

    lists: column → the labels that it may have; the columns that are not named may have any.
    """
    name = display_name(path)
    found = LabelFile(name, {}, lists=lists or {})
    seen: dict[str, str] = {}  # id → who gave the labels
    rows = 0
    for where, row, annotator in _rows(path, name):
        rows += 1
        ident = next(iter(row.pop(ID, ())), "")
        if not ident:
            raise InputError("a row without an id", where, REMEDY)
        if ident.startswith("'") and ident not in wanted and ident[1:] in wanted:
            ident = ident[
                1:
            ]  # the apostrophe keeps spreadsheets from taking it for a formula (`sheets.sheet`)
        for column in row:
            found.columns.setdefault(column, {})
            if not column or len(column) > LONGEST_LABEL or len(found.columns) > MOST_COLUMNS:
                what = f"a column needs a name of at most {LONGEST_LABEL} letters, and there are {MOST_COLUMNS} at most"
                raise InputError(what, where, REMEDY)
        if ident not in wanted:
            found.strangers += 1
            found.first += [shortened(ident)] if len(found.first) < SHOWN else []
            continue
        if ident in seen:
            if not annotator or seen[ident] != annotator:
                raise InputError(f"the id {shortened(ident)} stands twice", where, "give each id one row")
            for given in found.columns.values():
                given.pop(ident, None)
        seen[ident] = annotator
        for column, labels in row.items():
            if labels:
                _check(column, labels, found, where)
                found.columns[column][ident] = labels
    if not rows or not found.columns:
        raise InputError("no labels in it", name, REMEDY)
    if not seen:
        ids = f"none of its {rows:,} ids is in the dataset ({', '.join(found.first)})"
        raise InputError(ids, name, "give labels for this dataset")
    for column, of in found.columns.items():
        if len({label for labels in of.values() for label in labels}) > MOST_LABELS:
            what = f"more than {MOST_LABELS} different labels in column {column}"
            raise InputError(what, name, "give kinds, not texts or numbers")
    return found


def _check(column: str, labels: Labels, found: LabelFile, where: str) -> None:
    if column in found.lists:
        found.lists[column].check(labels, where)
    longest = max(map(len, labels))
    if len(labels) > MOST_LABELS or longest > LONGEST_LABEL:
        what = f"{len(labels)} labels" if len(labels) > MOST_LABELS else f"a label of {longest:,} letters"
        raise InputError(f"{what} of one instance in column {column}", where, "give kinds, not texts")


def _rows(path: PathLike, name: str) -> Iterator[tuple[str, dict[str, Labels], str]]:
    """(where, labels by column, the id among them, and the annotator or "") of each row that is not empty."""
    with open_input(path) as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InputError(f"is larger than {LARGEST >> 20} MiB", name, REMEDY)
    try:
        lines = list(enumerate(re.split(r"\r\n|\r|\n", data.decode("utf-8-sig")), 1))
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise InputError("not UTF-8", f"{name}:{line}", "save it as UTF-8") from fault
    lines = [(number, line) for number, line in lines if line.strip(" ,;\t")]
    if lines and lines[0][1].startswith("{"):
        for number, line in lines:
            yield _object(line, f"{name}:{number}")
        return
    lines = list(dropwhile(lambda each: each[1].lstrip('"').startswith("#"), lines))
    delimiter = max(",;\t", key=lines[0][1].count) if lines else ","
    header: list[str] = []
    for number, line in lines:
        where = f"{name}:{number}"
        try:
            cells = next(csv.reader([line], delimiter=delimiter, strict=True))
        except csv.Error as fault:
            raise InputError(f"not a row of CSV ({fault})", where, "a row is one line") from fault
        if not header:
            header = [_plain(cell) for cell in cells]
            _refuse_repeated(header, where)
            if ID not in header:
                raise InputError("no column id", where, REMEDY)
        elif len(cells) != len(header):
            what = f"{len(cells)} cells under a header of {len(header)}"
            raise InputError(what, where, "put cells with a separator in them in quotation marks")
        else:
            row = zip(header, cells, strict=True)
            yield where, {n: (c.strip(),) if n == ID else _labels(c.split(BETWEEN)) for n, c in row}, ""


def _object(line: str, where: str) -> tuple[str, dict[str, Labels], str]:
    fields = decoded(line, dict[str, Any], where, REMEDY)
    annotator = fields.get(ANNOTATOR, "") if {*fields, "knowledge"} >= PERSON_FIELDS else ""
    cells = {key: cell for key, cell in fields.items() if not annotator or key not in PERSON_FIELDS}
    _refuse_repeated([*map(_plain, cells)], where)
    row: dict[str, Labels] = {}
    for key, cell in cells.items():
        given: list[Any] = cell if isinstance(cell, list) else [] if cell is None else [cell]
        if not {*map(type, given)} <= {str, int}:
            raise InputError(f"{shortened(key)}: text, a whole number or a list is wanted", where, REMEDY)
        texts = [*map(str, given)]
        row[_plain(key)] = tuple(texts[:1]) if _plain(key) == ID else _labels(texts)
    return where, row, str(annotator)


def _refuse_repeated(names: Sequence[str], where: str) -> None:
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"the column {shortened(repeated)!r} stands twice", where, "name each once")


def _labels(cells: Iterable[str]) -> Labels:
    """The labels of a cell, each once."""
    return tuple(dict.fromkeys(label for cell in cells if (label := _plain(cell))))


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()
