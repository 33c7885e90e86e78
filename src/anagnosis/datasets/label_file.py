"""A user's file of labels for instances, to take a dataset and its scores apart by.

    id,reasoning,numbers                                CSV; semicolons and tabs part columns too
    30000001,inter-group,interpreted

    {"id": "30000001", "reasoning": "inter-group"}      or one JSON object a line

    {"id": "bcr-1.2", "skills": ["bridging", "ellipsis"]}    several labels of one instance; in CSV bridging|ellipsis

A line that a person's page saved has `annotator` and further fields, which are no labels (PERSON_FIELDS). Of several
such lines of one person and instance the last is valid.

Every column but `id` is one way to take apart. Names and labels are compared without regard to capitals and blanks; an
empty cell, null or a missing field is no label; 3 is "3".
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from anagnosis.documents.io.whole import whole
from anagnosis.errors import InputError
from anagnosis.io.decoding import csv_rows, decoded
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.wording import shortened

ID = "id"
REMEDY = "give CSV with a header, or JSON objects, with an id and at least one column of labels"
LARGEST = 64 << 20  # bytes of a file
BETWEEN = "|"  # labels of one cell; commas, semicolons and tabs part columns
MOST_LABELS = 40  # of a column or a cell; more than that are no kinds
LONGEST_LABEL = 60  # of a column's name too
PERSON_FIELDS = frozenset(("annotator", "dataset", "group", "knowledge", "seconds", "place"))
"""Beside the labels on a line with an annotator."""


Labels = tuple[str, ...]


@dataclass(slots=True)
class LabelFile:
    """columns: name → id → labels, of ids that are wanted and have any. strangers: ids that are not; first: some."""

    name: str
    columns: dict[str, dict[str, Labels]]
    strangers: int = 0
    first: list[str] = field(default_factory=list[str])

    def labelled(self) -> set[str]:
        """The ids that have a label in some column."""
        return {ident for column in self.columns.values() for ident in column}

    def described(self, instances: int) -> str:
        """What a report says of the file. instances: of the dataset or split that are labelled."""
        ids = "id is" if self.strangers == 1 else "ids are"
        strange = f"; {self.strangers:,} {ids} not in the dataset ({', '.join(self.first)})"
        return f"{self.name}, {instances:,} instances labelled{strange if self.strangers else ''}"


def read(path: PathLike, wanted: Container[str]) -> LabelFile:
    """The labels of wanted ids, in any compression."""
    name = display_name(path)
    found = LabelFile(name, {})
    seen: dict[str, str] = {}  # id → who gave the labels
    for where, ident, row, annotator in _rows(path, name):
        if not ident:
            raise InputError("a row without an id", where, REMEDY)
        for column in row:
            found.columns.setdefault(column, {})
        if ident not in wanted:
            found.strangers += 1
            found.first += [shortened(ident)] if len(found.first) < 3 else []
            continue
        if ident in seen:
            if not annotator or seen[ident] != annotator:
                raise InputError(f"the id {shortened(ident)} stands twice", where, "give each id one row")
            for given in found.columns.values():
                given.pop(ident, None)
        seen[ident] = annotator
        for column, labels in row.items():
            if labels:
                found.columns[column][ident] = labels
    if not found.columns:
        raise InputError("no labels in it", name, REMEDY)
    if not seen:
        ids = f"none of its {found.strangers:,} ids is in the dataset ({', '.join(found.first)})"
        raise InputError(ids, name, "give labels for this dataset")
    for column, of in found.columns.items():
        different = {column, *(label for labels in of.values() for label in labels)}
        if len(different) > MOST_LABELS + 1 or max(map(len, different)) > LONGEST_LABEL:
            what = f"more than {MOST_LABELS} labels or {LONGEST_LABEL} letters of one in column {shortened(column)}"
            raise InputError(what, name, "give kinds, not texts or numbers")
    return found


_Row = tuple[str, str, dict[str, Labels], str]  # where, id, labels by column, the annotator or ""


def _rows(path: PathLike, name: str) -> Iterator[_Row]:
    with open_input(path) as stream:
        data = whole(stream, name, LARGEST)
    try:
        text = data.decode()
    except UnicodeDecodeError as fault:
        raise InputError("not UTF-8", name, "save it as UTF-8") from fault
    if not text.lstrip().startswith("{"):
        for number, row in csv_rows(text, name, ID, _plain):
            ident = row.pop(ID).strip()
            labels = {key: _labels(cell.split(BETWEEN)) for key, cell in row.items()}
            yield f"{name}:{number}", ident, labels, ""
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _of_object(line, f"{name}:{number}")


def _of_object(line: str, where: str) -> _Row:
    fields = decoded(line, dict[str, Any], where, REMEDY)
    annotator = fields.get("annotator", "") if {*fields, "knowledge"} >= PERSON_FIELDS else ""
    row: dict[str, list[str]] = {}
    for key, cell in fields.items():
        given: list[Any] = cell if isinstance(cell, list) else [] if cell is None else [cell]
        if annotator and key in PERSON_FIELDS:
            continue
        if not {*map(type, given)} <= {str, int} or _plain(key) in row:
            what = f"{shortened(key)}: text, a whole number or a list is wanted, once"
            raise InputError(what, where, REMEDY)
        row[_plain(key)] = [*map(str, given)]
    ident = "".join(row.pop(ID, [])[:1])
    return where, ident, {key: _labels(texts) for key, texts in row.items()}, str(annotator)


def _labels(cells: Iterable[str]) -> Labels:
    """The labels of a cell, each once."""
    return tuple(dict.fromkeys(label for cell in cells if (label := _plain(cell))))


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()
